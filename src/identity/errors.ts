import { HoneError } from '../base/index.ts';

export type IdentityErrorCode = 'bad_name' | 'name_taken' | 'unknown';

export class IdentityError extends HoneError<IdentityErrorCode> {}
