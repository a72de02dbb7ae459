export { SandboxError, type SandboxErrorCode } from './errors.ts';
export { probeSandbox } from './probe.ts';
export { runSandboxed, type SandboxPorts } from './run.ts';
export type {
  Bind,
  Ended,
  LimitsKept,
  SandboxLimits,
  SandboxProbe,
  SandboxResult,
  SandboxRun,
} from './types.ts';
