import { HoneError } from '../base/index.ts';

export type ProposalErrorCode = 'unknown';

export class ProposalError extends HoneError<ProposalErrorCode> {}
