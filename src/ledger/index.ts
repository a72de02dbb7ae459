export {
  type Checkpoint,
  type CheckpointFailure,
  openCheckpoint,
  parseCheckpoint,
} from './checkpoint.ts';
export { advanceCursor, type Cursor, readCursor, readNext } from './cursor.ts';
export { LedgerError, type LedgerErrorCode } from './errors.ts';
export { type EntryFilter, LedgerView, type PlacedEntry } from './ledger-view.ts';
export { hashLeaf } from './merkle.ts';
export { verifyConsistency, verifyInclusion } from './merkle-verify.ts';
export {
  formatPrivateKey,
  formatVerifier,
  generateKey,
  parsePrivateKey,
  parseVerifier,
  type SigningKey,
  type Verifier,
} from './note-key.ts';
export { placeEntries } from './sequencer.ts';
export {
  type KnownRoots,
  knownRoot,
  knownRoots,
  latestCheckpoint,
  makeCheckpoint,
  planKey,
  recordedKeys,
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
