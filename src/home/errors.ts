import { HoneError } from '../base/index.ts';

export type HomeErrorCode =
  | 'no_repository'
  /** The state folder would be inside the repository. */
  | 'inside_repository'
  | 'not_initialised'
  /** The signing key is missing, unreadable, readable by others, or another ledger's. */
  | 'key'
  | 'witness'
  /** What was accepted is kept in a file that cannot be understood. */
  | 'accepted'
  /** The store is not the one that was set up. */
  | 'lost_store'
  | 'io';

export class HomeError extends HoneError<HomeErrorCode> {}
