/**
 * The diff that a change of files makes, without writing anything and without a process: many proposals are made of one
 * commit, and most of them are never deployed. It is read again by the strict parser and applied: what comes out must be
 * the very bytes that were asked for. Whoever applies it later asks git as well (`applyPatch`).
 */
import type { PlannedChange } from './changes.ts';
import { diffSection } from './diff-text.ts';
import { type Entry, type ObjectFormat, objectId, sameEntry } from './objects.ts';
import { applyParsed, byteString } from './patch-apply.ts';
import { parsePatch } from './patch-parse.ts';
import { byBytes } from './paths.ts';
import type { DraftDiff } from './types.ts';

export interface DraftedFile extends Entry {
  readonly content: Uint8Array;
}

/** `found` gives what the changed paths are in the base. */
export function draftDiff(
  format: ObjectFormat,
  planned: readonly PlannedChange[],
  found: ReadonlyMap<string, DraftedFile>,
): DraftDiff {
  const diff = [...planned]
    .sort((a, b) => byBytes(a.path, b.path))
    .map((change) => sectionOf(format, change, found.get(change.path)))
    .join('');
  if (diff === '') return { ok: true, diff };
  const parsed = parsePatch(diff);
  if (!parsed.ok) return parsed;
  const applied = applyParsed(parsed.files, (path) => found.get(path));
  if (!applied.ok) return applied;
  const made = new Map(applied.files.map(({ path, content }) => [path, content]));
  const isSame = planned.every(({ path, content }) => {
    const after = made.has(path) ? made.get(path)! : (found.get(path)?.content ?? null);
    return content === null || after === null
      ? content === after
      : Buffer.compare(content, after) === 0;
  });
  return isSame ? { ok: true, diff } : { ok: false, why: 'it gives other files' };
}

function sectionOf(
  format: ObjectFormat,
  { path, mode, content }: PlannedChange,
  old: DraftedFile | undefined,
): string {
  const now =
    content === null ? undefined : { mode, id: objectId(format, 'blob', content), content };
  if (sameEntry(old, now)) return '';
  const side = (file: DraftedFile | undefined) =>
    file && { mode: file.mode, id: file.id, bytes: byteString(file.content) };
  return diffSection(format, path, [side(old), side(now)]);
}
