/**
 * Three-way merge of trees, path by path. Paths are never matched by likeness: git's own tree merge
 * follows a file to where it believes somebody moved it, cannot be told not to before 2.50, and a revert
 * that edits another file than the one it was decided for is worse than a conflict that a person sees.
 */
import type { Files } from './changes.ts';
import { type Entry, isRegular, sameEntry } from './objects.ts';
import { byBytes } from './paths.ts';

/** Ids of three versions of a file; the base is undefined when both sides added it. */
export interface Versions {
  readonly base: string | undefined;
  readonly ours: string;
  readonly theirs: string;
}

/** The id of the merged blob; undefined when the sides disagree. */
export type MergeBlobs = (versions: Versions) => Promise<string | undefined>;

export interface ThreeSides {
  readonly base: Files;
  readonly ours: Files;
  readonly theirs: Files;
}

export type MergedFiles =
  | { readonly ok: true; readonly files: Files }
  | { readonly ok: false; readonly conflicts: readonly string[] };

export async function mergeFiles(sides: ThreeSides, mergeBlobs: MergeBlobs): Promise<MergedFiles> {
  const merged = new Map<string, Entry>();
  const conflicts = new Set<string>();
  for (const path of new Set([...sides.ours.keys(), ...sides.theirs.keys()])) {
    const [base, ours, theirs] = [
      sides.base.get(path),
      sides.ours.get(path),
      sides.theirs.get(path),
    ];
    let entry: Entry | undefined | 'conflict';
    if (sameEntry(ours, theirs) || sameEntry(theirs, base)) entry = ours;
    else if (sameEntry(ours, base)) entry = theirs;
    else if (ours === undefined || theirs === undefined) entry = 'conflict';
    else entry = await mergeBoth(base, ours, theirs, mergeBlobs);
    if (entry === 'conflict') conflicts.add(path);
    else if (entry !== undefined) merged.set(path, entry);
  }
  for (const path of [...merged.keys(), ...conflicts]) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      if (merged.has(folder)) conflicts.add(folder);
    }
  }
  if (conflicts.size > 0) return { ok: false, conflicts: [...conflicts].sort(byBytes) };
  return { ok: true, files: merged };
}

/** Both sides changed it, each in its own way. */
async function mergeBoth(
  base: Entry | undefined,
  ours: Entry,
  theirs: Entry,
  mergeBlobs: MergeBlobs,
): Promise<Entry | 'conflict'> {
  const plain = [base ?? ours, ours, theirs].every(({ mode }) => isRegular(mode));
  if (!plain || (base === undefined && ours.mode !== theirs.mode)) return 'conflict';
  const mode = ours.mode === base?.mode ? theirs.mode : ours.mode;
  if (ours.id === theirs.id || theirs.id === base?.id) return { mode, id: ours.id };
  if (ours.id === base?.id) return { mode, id: theirs.id };
  const id = await mergeBlobs({ base: base?.id, ours: ours.id, theirs: theirs.id });
  return id === undefined ? 'conflict' : { mode, id };
}

/** Git's own rule for bytes that are not merged or shown line by line. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}
