import { HoneError } from '../base/index.ts';

export type PolicyErrorCode = 'bad_policy';

export class PolicyError extends HoneError<PolicyErrorCode> {}
