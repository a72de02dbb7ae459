import { HoneError } from '../base/index.ts';

export type ProposalErrorCode =
  | 'unknown'
  /** A content its schema does not allow: stored, it could never be read again. */
  | 'bad_content';

export class ProposalError extends HoneError<ProposalErrorCode> {}
