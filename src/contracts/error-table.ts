/**
 * One table from an error's code to what each door says: the process's exit code and the HTTP status.
 * Exit codes: 0 done, 1 the check says no, 2 usage or configuration, 3 the store's schema is newer
 * than this build, 4 a fault of the machine (disk, database, network) or of Hone itself.
 */
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

const store = {
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
} as const;

const ledger = {
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
} as const;

const artifact = {
  too_large: large,
  missing,
  altered: says_no,
} as const;

const config = {
  invalid: usage,
  unreadable: usage,
  no_target: usage,
} as const;

const home = {
  no_repository: usage,
  inside_repository: usage,
  not_initialised: usage,
  key: usage,
  witness: fault,
  accepted: fault,
  lost_store: fault,
  io: fault,
} as const;

const identity = {
  bad_name: usage,
  name_taken: conflict,
  unknown: missing,
} as const;

const proposal = {
  unknown: missing,
  bad_content: usage,
} as const;

const policy = { bad_policy: usage } as const;

const process = { unknown: missing } as const;

const evidence = { bad_file: usage, unknown: missing, not_runnable: away } as const;

const git = {
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
  bad_remote: usage,
  remote_failed: away,
  ref_refused: conflict,
  bad_draft: usage,
  too_large: large,
  timeout: away,
  bad_folder: usage,
  io: fault,
  git_failed: fault,
  closed: away,
} as const;

const backup = {
  not_a_backup: usage,
  altered: says_no,
  other_engine: usage,
  not_empty: conflict,
  in_use: conflict,
  io: fault,
} as const;

const server = {
  // The other process may end: a supervisor does well to try again.
  port_taken: away,
  port_forbidden: usage,
  bad_host: usage,
  needs_tls: usage,
  bad_tls: usage,
  cannot_listen: away,
} as const;

/** By the name of the error's class. Its test compares each with the codes that the room throws. */
export const ERROR_TABLE = {
  StoreError: store,
  LedgerError: ledger,
  ArtifactError: artifact,
  ConfigError: config,
  HomeError: home,
  IdentityError: identity,
  ProposalError: proposal,
  PolicyError: policy,
  ProcessError: process,
  EvidenceError: evidence,
  GitError: git,
  BackupError: backup,
  ServerError: server,
} as const satisfies Readonly<Record<string, Readonly<Record<string, ErrorStatus>>>>;

export type ServerErrorCode = keyof typeof server;

/** An expected no, which is returned and not thrown: to what was asked, to how, or of what is not there. */
export const REFUSALS = {
  refused: says_no,
  /** Somebody else may. */
  forbidden: { exit: 1, http: 403 },
  usage,
  unknown: missing,
} as const satisfies Readonly<Record<string, ErrorStatus>>;

export type RefusalKind = keyof typeof REFUSALS;

/** Anything that is not in the table is a defect of Hone. */
export function errorStatus(error: unknown): ErrorStatus {
  if (!(error instanceof Error) || !('code' in error)) return fault;
  const table: Readonly<Record<string, Readonly<Record<string, ErrorStatus>>>> = ERROR_TABLE;
  return table[error.name]?.[String(error.code)] ?? fault;
}
