/** The store's faults. A refused plan is not a fault: `commit` returns it. */
import { HoneError } from '../base/index.ts';

export type StoreErrorCode =
  /** Another process held the write lock for longer than anybody should. */
  | 'busy'
  /** The file is damaged. */
  | 'corrupt'
  /** A SQLite file, or a database, of somebody else. */
  | 'foreign'
  /** Written by a newer Hone in a way this one cannot read. */
  | 'newer_schema'
  /** Made by a build that was never released, with other migrations than this one's. */
  | 'unreleased_schema'
  | 'read_only'
  | 'disk_full'
  /** SQLite's locks do not hold on network file systems. */
  | 'network_mount'
  /** The folder or file cannot be opened, or the server cannot be reached. */
  | 'unreachable'
  /** The operating system failed a read, write or sync. What was in flight is not acknowledged. */
  | 'io'
  /** A row that may not exist beside what is there; a plan its maker should have guarded. */
  | 'constraint'
  | 'closed';

export class StoreError extends HoneError<StoreErrorCode> {}
