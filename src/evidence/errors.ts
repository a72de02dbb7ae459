import { HoneError } from '../base/index.ts';

/** `bad_file`: a link, a folder, too large, or no text. */
export type EvidenceErrorCode = 'bad_file' | 'unknown' | 'not_runnable';

export class EvidenceError extends HoneError<EvidenceErrorCode> {}
