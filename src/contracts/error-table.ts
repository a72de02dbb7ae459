/**
 * One table from an error's code to what each door says: the process's exit code and the HTTP status.
 * Exit codes: 0 done, 1 the check says no, 2 usage or configuration, 3 the store's schema is newer
 * than this build, 4 a fault of the machine (disk, database, network) or of Hone itself.
 */
import type { ArtifactErrorCode } from '../artifact/index.ts';
import type { BackupErrorCode } from '../backup/index.ts';
import type { ConfigErrorCode } from '../config/index.ts';
import type { GitErrorCode } from '../git/index.ts';
import type { HomeErrorCode } from '../home/index.ts';
import type { IdentityErrorCode } from '../identity/index.ts';
import type { LedgerErrorCode } from '../ledger/index.ts';
import type { ProposalErrorCode } from '../proposal/index.ts';
import type { StoreErrorCode } from '../store/index.ts';

export interface ErrorStatus {
  readonly exit: 1 | 2 | 3 | 4;
  readonly http: 400 | 403 | 404 | 409 | 413 | 500 | 503 | 507;
}

const usage: ErrorStatus = { exit: 2, http: 400 };
const missing: ErrorStatus = { exit: 2, http: 404 };
const conflict: ErrorStatus = { exit: 2, http: 409 };
const large: ErrorStatus = { exit: 2, http: 413 };
const says_no: ErrorStatus = { exit: 1, http: 409 };
const fault: ErrorStatus = { exit: 4, http: 500 };
const away: ErrorStatus = { exit: 4, http: 503 };

const store: Readonly<Record<StoreErrorCode, ErrorStatus>> = {
  busy: away,
  corrupt: fault,
  foreign: { exit: 2, http: 500 },
  newer_schema: { exit: 3, http: 503 },
  unreleased_schema: { exit: 2, http: 503 },
  read_only: fault,
  disk_full: { exit: 4, http: 507 },
  network_mount: { exit: 2, http: 500 },
  unreachable: away,
  io: fault,
  constraint: fault,
  closed: away,
};

const ledger: Readonly<Record<LedgerErrorCode, ErrorStatus>> = {
  bad_payload: fault,
  too_large: large,
  out_of_range: missing,
  key_name: usage,
  key_unreadable: usage,
  key_type: usage,
  verifier_malformed: usage,
  verifier_key_id: usage,
  unreadable_entry: says_no,
  damaged: says_no,
  bad_time: fault,
  unfoldable: says_no,
  checkpoint_origin: usage,
};

const artifact: Readonly<Record<ArtifactErrorCode, ErrorStatus>> = {
  too_large: large,
  missing,
  altered: says_no,
};

const config: Readonly<Record<ConfigErrorCode, ErrorStatus>> = {
  invalid: usage,
  unreadable: usage,
  no_target: usage,
};

const home: Readonly<Record<HomeErrorCode, ErrorStatus>> = {
  no_repository: usage,
  inside_repository: usage,
  not_initialised: usage,
  key: usage,
  witness: fault,
  accepted: fault,
  lost_store: fault,
  io: fault,
};

const identity: Readonly<Record<IdentityErrorCode, ErrorStatus>> = {
  bad_name: usage,
  name_taken: conflict,
  unknown: missing,
};

const proposal: Readonly<Record<ProposalErrorCode, ErrorStatus>> = {
  unknown: missing,
  bad_content: usage,
};

const git: Readonly<Record<GitErrorCode, ErrorStatus>> = {
  git_missing: usage,
  git_too_old: usage,
  not_a_repository: usage,
  unknown_commit: missing,
  unknown_tree: missing,
  history_missing: usage,
  object_missing: fault,
  object_altered: says_no,
  unrelated: conflict,
  crossed: conflict,
  bad_path: usage,
  bad_change: usage,
  bad_ref: usage,
  ref_refused: conflict,
  bad_draft: usage,
  too_large: large,
  timeout: away,
  bad_folder: usage,
  io: fault,
  git_failed: fault,
  closed: away,
};

const backup: Readonly<Record<BackupErrorCode, ErrorStatus>> = {
  not_a_backup: usage,
  altered: says_no,
  other_engine: usage,
  not_empty: conflict,
  in_use: conflict,
  io: fault,
};

/** Named here, below the server that throws it. */
export type ServerErrorCode = 'port_taken' | 'port_forbidden' | 'bad_host' | 'cannot_listen';

const server: Readonly<Record<ServerErrorCode, ErrorStatus>> = {
  // The other process may end: a supervisor does well to try again.
  port_taken: away,
  port_forbidden: usage,
  bad_host: usage,
  cannot_listen: away,
};

const TABLE: Readonly<Record<string, Readonly<Record<string, ErrorStatus>>>> = {
  StoreError: store,
  LedgerError: ledger,
  ArtifactError: artifact,
  ConfigError: config,
  HomeError: home,
  IdentityError: identity,
  ProposalError: proposal,
  GitError: git,
  BackupError: backup,
  ServerError: server,
};

/** Anything that is not in the table is a defect of Hone. */
export function errorStatus(error: unknown): ErrorStatus {
  if (!(error instanceof Error) || !('code' in error)) return fault;
  return TABLE[error.name]?.[String(error.code)] ?? fault;
}
