export { NODE_INSIDE } from './inside.ts';
export { lastLines } from './output-lines.ts';
export { SandboxRunner } from './runner.ts';
export {
  type CommandResult,
  NotRunnable,
  type TargetCommand,
  type TargetRunner,
} from './types.ts';
