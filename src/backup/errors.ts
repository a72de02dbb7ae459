import { HoneError } from '../base/index.ts';

export type BackupErrorCode =
  /** The file is not a backup, or of a format that this build does not know. */
  | 'not_a_backup'
  /** Its bytes are not those that were written. */
  | 'altered'
  /** Made of a store of the other engine. */
  | 'other_engine'
  /** There is an installation already. */
  | 'not_empty'
  /** Other processes work on the installation. */
  | 'in_use'
  | 'io';

export class BackupError extends HoneError<BackupErrorCode> {}
