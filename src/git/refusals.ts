/** What callers pass, checked in the same way and with the same words by both repositories. */
import { GitError } from './errors.ts';
import type { GitLimits } from './limits.ts';
import { draftProblem } from './objects.ts';
import { shownPath, treePathProblem } from './paths.ts';
import type { CommitDraft, CommitId, PatchResult } from './types.ts';

export function refuseRef(ref: string, problem: string | undefined): void {
  if (problem === undefined) return;
  throw new GitError('bad_ref', `The ref ${shownPath(ref)} cannot be used: ${problem}.`);
}

export function refusePath(path: string): void {
  const problem = treePathProblem(path);
  if (problem === undefined) return;
  throw new GitError('bad_path', `The path ${shownPath(path)} cannot be read: ${problem}.`);
}

export function refuseDraft(draft: CommitDraft): void {
  const problem = draftProblem(draft);
  if (problem === undefined) return;
  throw new GitError('bad_draft', `The commit cannot be made: ${problem}.`);
}

export function refusePatchSize(patch: string, limits: GitLimits): void {
  const sizeBytes = Buffer.byteLength(patch);
  if (sizeBytes <= limits.patchBytesMax) return;
  throw new GitError(
    'too_large',
    `A patch of ${sizeBytes} bytes exceeds the limit of ${limits.patchBytesMax}.`,
  );
}

/** A patch that no tree can accept is refused like one that does not apply. */
export function refusalOf(error: unknown): PatchResult {
  const expected = ['bad_change', 'bad_path', 'too_large'];
  if (error instanceof GitError && expected.includes(error.code))
    return { ok: false, why: error.message };
  throw error;
}

/** Git merges the ancestors of histories that crossed with each other first, by likeness too. */
export function onlyBase(bases: readonly CommitId[]): CommitId {
  const [base] = bases;
  if (base === undefined) {
    throw new GitError('unrelated', 'The two commits have no common ancestor.');
  }
  if (bases.length === 1) return base;
  throw new GitError('crossed', `The two commits have ${bases.length} nearest common ancestors.`, {
    hint: 'Merge one branch into the other by hand first.',
  });
}
