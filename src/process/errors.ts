import { HoneError } from '../base/index.ts';

export type ProcessErrorCode = 'unknown';

export class ProcessError extends HoneError<ProcessErrorCode> {}
