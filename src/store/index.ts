export { StoreError, type StoreErrorCode } from './errors.ts';
export { KeptReads } from './kept-reads.ts';
export { lazyStore } from './lazy-store.ts';
export { CLAIMED_TABLES } from './migrations/claimed-tables.ts';
export { allMigrations, controlMigrations, telemetryMigrations } from './migrations/index.ts';
export type { Migration, MigrationSet } from './migrations/types.ts';
export { openSqlite, type SqliteStoreOptions } from './sqlite/store.ts';
export type {
  Claim,
  CommitParts,
  CommitResult,
  EffectWriter,
  Engine,
  EntryWriter,
  Expectation,
  Match,
  Merging,
  Plan,
  Row,
  Store,
  SyncRead,
  Value,
  Write,
} from './types.ts';
export { withClock } from './with-clock.ts';
