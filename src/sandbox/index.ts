export { SANDBOX_UID } from './arguments.ts';
export { SandboxError, type SandboxErrorCode } from './errors.ts';
export { probeSandbox } from './probe.ts';
export { openToSandbox, withinReach } from './reach.ts';
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
