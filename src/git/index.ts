export { GitError, type GitErrorCode } from './errors.ts';
export { forgetAtExit, removeAtExit } from './exit-folders.ts';
export type { RemoteOptions } from './git-remote.ts';
export { DEFAULT_GIT_LIMITS, type GitLimits } from './limits.ts';
export { changesBetween } from './line-diff.ts';
export { MemoryObjects } from './memory-objects.ts';
export { type MemoryRepositoryOptions, memoryRepository } from './memory-repository.ts';
export type { ObjectFormat } from './objects.ts';
export {
  type OpenRepository,
  type OpenRepositoryOptions,
  openRepository,
} from './open-repository.ts';
export { splitLines } from './patch-apply.ts';
export { type FilePatch, type Hunk, type ParsedPatch, parsePatch } from './patch-parse.ts';
export { shownPath } from './paths.ts';
export { runToEnd } from './start-process.ts';
export type {
  CommitDraft,
  CommitId,
  CommitInfo,
  FileChange,
  GitRemote,
  MergeResult,
  PatchResult,
  Push,
  Pushed,
  RefName,
  Signature,
  TargetRepository,
  TreeFile,
  TreeId,
} from './types.ts';
