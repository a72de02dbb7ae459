import { HoneError } from '../base/index.ts';

/** `unavailable`: no sandbox can be made here. `not_started`: it was made, and what should run in it could not be started. */
export type SandboxErrorCode = 'unavailable' | 'not_started' | 'bad_run';

export class SandboxError extends HoneError<SandboxErrorCode> {}
