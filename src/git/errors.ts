/**
 * The faults of the target repository. What a caller must expect (a patch that does not apply, a ref
 * that somebody moved, a conflict) is not a fault: the port returns it.
 */
import { HoneError } from '../base/index.ts';

export type GitErrorCode =
  /** There is no git on this machine's PATH. */
  | 'git_missing'
  | 'git_too_old'
  /** The folder is not the root of a repository, or git cannot read it. */
  | 'not_a_repository'
  /** The name is not a commit of this repository. */
  | 'unknown_commit'
  | 'unknown_tree'
  /** A walk met a missing commit: the clone is shallow, partial or damaged. */
  | 'history_missing'
  /** An object's bytes are missing (a partial clone) although a commit names them. */
  | 'object_missing'
  /** An object's bytes do not match its id. */
  | 'object_altered'
  /** Two commits without a common ancestor. */
  | 'unrelated'
  /** Two commits with several nearest common ancestors. */
  | 'crossed'
  /** A path that may not be written, or a tree that holds one that must not be followed. */
  | 'bad_path'
  /** A change that its tree cannot take: a file below a file, a folder's name, a link, the same path twice. */
  | 'bad_change'
  | 'bad_ref'
  /** There is no such remote, or its address is one that is not used. */
  | 'bad_remote'
  /** The remote did not answer, or not as one does; it may later. */
  | 'remote_failed'
  /** A ref that is still where it was expected and that git would not move (a lock, its name taken). */
  | 'ref_refused'
  | 'bad_draft'
  /** A limit on bytes or files was reached. */
  | 'too_large'
  | 'timeout'
  /** The folder for a checkout is not there, not empty, or a link. */
  | 'bad_folder'
  /** The operating system refused a read or a write. */
  | 'io'
  /** Git refused something that it should have done. The message quotes it. */
  | 'git_failed'
  | 'closed';

export class GitError extends HoneError<GitErrorCode> {}
