import { HoneError } from '../base/index.ts';

export type HomeErrorCode =
  | 'no_repository'
  | 'not_initialised'
  /** The signing key is missing, unreadable, readable by others, or another ledger's. */
  | 'key'
  | 'witness'
  | 'io';

export class HomeError extends HoneError<HomeErrorCode> {}
