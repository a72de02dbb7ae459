/**
 * Changes to a tree, checked against its content before anything is written. Git's own index silently
 * replaces a folder by a file, and a file by a folder; here that is refused, because
 * nobody who asked for one file meant to remove others.
 */
import { GitError } from './errors.ts';
import type { GitLimits } from './limits.ts';
import { type Entry, type FileMode, isRegular } from './objects.ts';
import { newPathProblem, shownPath } from './paths.ts';
import type { FileChange } from './types.ts';

/** All files of a tree by path, folders left out. */
export type Files = ReadonlyMap<string, Entry>;

export interface PlannedChange {
  readonly path: string;
  readonly mode: FileMode;
  readonly content: Uint8Array | null;
}

/**
 * Every change with the mode it gets: a file keeps the one it has, a new one is not executable. Removing
 * what is not there changes nothing.
 */
export function planChanges(
  files: Files,
  changes: readonly (FileChange & { readonly mode?: FileMode | undefined })[],
  limits: GitLimits,
): PlannedChange[] {
  if (changes.length > limits.changesMax) {
    throw new GitError(
      'too_large',
      `${changes.length} files exceed the limit of ${limits.changesMax} for one change.`,
    );
  }
  const planned = new Map<string, PlannedChange>();
  for (const { path, content, mode } of changes) {
    const problem = newPathProblem(path);
    if (problem !== undefined) {
      throw new GitError('bad_path', `The path ${shownPath(path)} may not be written: ${problem}.`);
    }
    if (planned.has(path)) throw badChange(path, 'it is named twice');
    if (content !== null && content.length > limits.fileBytesMax) {
      throw new GitError(
        'too_large',
        `${shownPath(path)} would have ${content.length} bytes, more than ${limits.fileBytesMax}.`,
      );
    }
    const present = files.get(path);
    if (content !== null && present !== undefined && !isRegular(present.mode)) {
      throw badChange(path, 'a link or a submodule is in its place');
    }
    planned.set(path, { path, content, mode: mode ?? present?.mode ?? '100644' });
  }
  refuseOverlaps(files, planned);
  return [...planned.values()];
}

const badChange = (path: string, why: string) =>
  new GitError('bad_change', `${shownPath(path)} cannot be written: ${why}.`, {
    hint: 'If you mean to replace it, remove what is in the way in the same change.',
  });

function refuseOverlaps(files: Files, planned: ReadonlyMap<string, PlannedChange>): void {
  const stays = (path: string) => {
    const change = planned.get(path);
    return change === undefined ? files.has(path) : change.content !== null;
  };
  const fresh = [...planned.values()].filter(
    ({ path, content }) => content !== null && !files.has(path),
  );
  for (const { path } of fresh) {
    for (const folder of foldersOf(path)) {
      if (stays(folder)) throw badChange(path, `${shownPath(folder)}is not a folder`);
    }
  }
  if (fresh.length === 0) return;
  const folders = new Set<string>();
  for (const path of files.keys()) {
    if (stays(path)) for (const folder of foldersOf(path)) folders.add(folder);
  }
  for (const { path } of fresh)
    if (folders.has(path)) throw badChange(path, 'a folder has that name');
}

/** `a/b/c` lies in `a` and `a/b`. */
function* foldersOf(path: string): Iterable<string> {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) yield path.slice(0, at);
}
