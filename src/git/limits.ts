/** A limit on everything: the target repository and its size are not ours. */

export interface GitLimits {
  /** Git processes at the same time, over all operations of one repository. */
  readonly processesMax: number;
  readonly timeoutMs: number;
  /** One question to a remote, or one transfer. */
  readonly remoteTimeoutMs: number;
  /** How long git may take to remove its locks after it was told to end, before it is killed. */
  readonly graceMs: number;
  /** How long a move waits for a ref that another git process has locked. */
  readonly lockTimeoutMs: number;
  /** What one process may print. */
  readonly outputBytesMax: number;
  /** One file, read or written. */
  readonly fileBytesMax: number;
  /** All files of a checkout together. */
  readonly checkOutBytesMax: number;
  /** Files in one tree. */
  readonly filesMax: number;
  /** Files changed by one call. */
  readonly changesMax: number;
  readonly patchBytesMax: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_GIT_LIMITS: GitLimits = {
  processesMax: 4,
  timeoutMs: 60_000,
  remoteTimeoutMs: 120_000,
  graceMs: 2_000,
  lockTimeoutMs: 5_000,
  outputBytesMax: 64 * MIB,
  fileBytesMax: 16 * MIB,
  checkOutBytesMax: 1024 * MIB,
  filesMax: 200_000,
  changesMax: 2_000,
  patchBytesMax: 8 * MIB,
};
