/**
 * Applies a parsed patch to the bytes it was made for, or says why not. Exact means: each hunk is at
 * the line it names, its context and removed lines are there byte for byte, it has context on both sides
 * unless the file begins or ends there, and its new lines are at the line it names too. `git apply` has
 * no switch for this: it searches the whole file for a place where a hunk fits.
 */
import type { FileMode } from './objects.ts';
import type { FilePatch, Hunk } from './patch-parse.ts';
import { shownPath } from './paths.ts';
import type { FileChange } from './types.ts';

interface PatchedFile extends FileChange {
  readonly mode: FileMode | undefined;
}

/** The file at a path before the patch. */
export interface FoundFile {
  readonly mode: FileMode;
  readonly content: Uint8Array;
}

export type PatchedFiles =
  | { readonly ok: true; readonly files: readonly PatchedFile[] }
  | { readonly ok: false; readonly why: string };

type Patched =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

export function applyParsed(
  patches: readonly FilePatch[],
  find: (path: string) => FoundFile | undefined,
): PatchedFiles {
  const files: PatchedFile[] = [];
  for (const patch of patches) {
    const refuse = (why: string) =>
      ({ ok: false, why: `${shownPath(patch.path)}: ${why}` }) as const;
    const found = find(patch.path);
    const problem = startProblem(patch, found);
    if (problem !== undefined) return refuse(problem);
    const patched = applyHunks(byteString(found?.content ?? new Uint8Array()), patch.hunks);
    if (!patched.ok) return refuse(patched.why);
    if (patch.action === 'delete' && patched.text !== '') {
      return refuse('the patch removes the file but not all of its lines');
    }
    const content = patch.action === 'delete' ? null : Buffer.from(patched.text, 'latin1');
    files.push({ path: patch.path, content, mode: patch.newMode });
  }
  return { ok: true, files };
}

function startProblem(patch: FilePatch, found: FoundFile | undefined): string | undefined {
  if (patch.action === 'create') return found === undefined ? undefined : 'it exists already';
  if (found === undefined) return 'there is no such file';
  if (found.mode !== '100644' && found.mode !== '100755') return 'it is a link or a submodule';
  if (patch.oldMode === undefined || patch.oldMode === found.mode) return undefined;
  return `its mode is ${found.mode}, the patch expects ${patch.oldMode}`;
}

/** One character for each byte, so that any file can be compared and cut as a string without loss. */
export function byteString(content: Uint8Array): string {
  return Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1');
}

/** Lines with their line feeds; joined they are the text again. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function applyHunks(text: string, hunks: readonly Hunk[]): Patched {
  const old = splitLines(text);
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
    const problem = hunkProblem(hunk, {
      old,
      start,
      doneUpTo: at,
      newLength: result.length + start - at,
    });
    if (problem !== undefined)
      return { ok: false, why: `the hunk of line ${hunk.line}: ${problem}` };
    for (; at < start; at++) result.push(old[at]!);
    for (const [sign, line] of hunk.lines) {
      if (sign !== '-') result.push(line);
      if (sign !== '+') at++;
    }
  }
  for (; at < old.length; at++) result.push(old[at]!);
  const broken = result.slice(0, -1).some((line) => !line.endsWith('\n'));
  if (broken) return { ok: false, why: 'a line inside the file would lack its line feed' };
  return { ok: true, text: result.join('') };
}

interface Place {
  readonly old: readonly string[];
  readonly start: number;
  readonly doneUpTo: number;
  /** Lines of the new file before the hunk. */
  readonly newLength: number;
}

function hunkProblem(hunk: Hunk, place: Place): string | undefined {
  const { old, start, doneUpTo, newLength } = place;
  if (start < doneUpTo) return 'it overlaps the one before, or its line numbers begin with 0';
  if (start + hunk.oldCount > old.length) return `the file has only ${old.length} lines`;
  const newStart = hunk.newCount === 0 ? hunk.newStart : hunk.newStart - 1;
  if (newStart !== newLength)
    return `its new lines would begin at ${newLength + 1}, not ${hunk.newStart}`;
  let at = start;
  for (const [sign, line] of hunk.lines) {
    if (sign === '+') continue;
    if (old[at] !== line) return `line ${at + 1} of the file is not what it expects`;
    at++;
  }
  if (hunk.lines[0]![0] !== ' ' && start > 0) return 'it has no context before its change';
  if (hunk.lines.at(-1)![0] !== ' ' && at < old.length) return 'it has no context after its change';
  return undefined;
}
