import { HoneError } from '../base/index.ts';

export type ProposalErrorCode =
  | 'unknown'
  /** Content that its schema does not allow: once stored, it could never be read again. */
  | 'bad_content';

export class ProposalError extends HoneError<ProposalErrorCode> {}
