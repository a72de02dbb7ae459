export {
  type Beginning,
  keysToJoin,
  ledgerBeginning,
  type ReadKeys,
  readKeys,
  recordedKeys,
} from './beginning.ts';
export {
  type Checkpoint,
  type CheckpointFailure,
  claimedOrigin,
  openCheckpoint,
  parseCheckpoint,
} from './checkpoint.ts';
export type { Differences } from './compare-tables.ts';
export { advanceCursor, type Cursor, readCursor, readNext } from './cursor.ts';
export { LedgerError, type LedgerErrorCode } from './errors.ts';
export { type ExportPage, exportLedger } from './export.ts';
export { foldRows, type StoredRow, sameRows, unchangedRows } from './fold-rows.ts';
export {
  type EntryFilter,
  type LedgerReads,
  LedgerView,
  type PlacedEntry,
  type UnreadableEntry,
} from './ledger-view.ts';
export { hashLeaf } from './merkle.ts';
export { verifyConsistency, verifyInclusion } from './merkle-verify.ts';
export {
  AUTOMATIC_SUBJECT,
  IDENTITY_SUBJECT,
  newestState,
  STOP_SUBJECT,
  type StateSubject,
  TOKENS_SUBJECT,
  tokenEntries,
} from './newest-state.ts';
export {
  formatPrivateKey,
  formatVerifier,
  generateKey,
  parsePrivateKey,
  parseVerifier,
  type SigningKey,
  type Verifier,
} from './note-key.ts';
export { proveSubject, type SubjectProof } from './prove-subject.ts';
export { type RecordedTime, recordedTimes } from './recorded-times.ts';
export {
  isDifferent,
  type Look,
  OVERTAKEN,
  type Projection,
  Replay,
  rebuildPlan,
} from './replay.ts';
export { placeEntries } from './sequencer.ts';
export {
  type KnownRoots,
  knownRoot,
  knownRoots,
  latestCheckpoint,
  makeCheckpoint,
  planKey,
  type SignedCheckpoint,
  type Witness,
} from './signing.ts';
export { entryWriter } from './tip.ts';
export {
  type KnownRoot,
  type VerifyOptions,
  type VerifyProblem,
  type VerifyResult,
  verifyLedger,
} from './verify.ts';
