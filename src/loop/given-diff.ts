/**
 * A unified diff that somebody hands in, as a change of the target: applied to its base, and written anew by git, so that
 * whatever else the given text holds is no part of it. What kind of change it is, is read from the bytes.
 */
import { decodeText, readDocument } from '../document/index.ts';
import type { Change } from '../facts/index.ts';
import { type FilePatch, parsePatch } from '../git/index.ts';
import { maskDiff } from '../sanitise/index.ts';
import { authorOf } from './adapters/target.ts';
import type { LoopPorts } from './types.ts';

export interface GivenDiff {
  readonly commit: string;
  readonly diff: string;
  readonly files: readonly FilePatch[];
}

/** Asked before anything is stored: the record cannot forget. */
export function secretIn(diff: string): string | undefined {
  const [secret] = maskDiff(diff).hidden.filter(({ incoming }) => incoming);
  if (secret === undefined) return undefined;
  return `Line ${secret.line} of the diff brings in what looks like a secret or personal data (${secret.kind}). Take it out.`;
}

export async function applyGiven(
  given: { readonly diff: string; readonly baseCommit: string; readonly title: string },
  ports: LoopPorts,
): Promise<GivenDiff | { readonly why: string }> {
  const { repository, store } = ports;
  const { baseCommit } = given;
  const applied = await repository.applyPatch(baseCommit, given.diff);
  if (!applied.ok) {
    return {
      why: `The diff does not apply to the base ${baseCommit.slice(0, 12)}: ${applied.why}. Make it with "git diff ${baseCommit.slice(0, 12)}".`,
    };
  }
  const commit = await repository.commit({
    tree: applied.tree,
    parents: [baseCommit],
    message: given.title,
    author: { ...authorOf(ports), atMs: await store.nowMs() },
  });
  const diff = await repository.diff(baseCommit, commit);
  const parsed = parsePatch(diff);
  if (!parsed.ok || parsed.files.length === 0) return { why: 'The diff changes nothing.' };
  return { commit, diff, files: parsed.files };
}

export const changedLines = ({ hunks }: FilePatch) =>
  hunks.flatMap(({ lines }) => lines).filter(([sign]) => sign !== ' ').length;

/** From the bytes: one value on one line of one file, or an edit of its first file. */
export async function changeOf(
  baseCommit: string,
  { files, commit }: GivenDiff,
  { repository }: LoopPorts,
): Promise<Change> {
  const [first] = files;
  const file = first!.path;
  if (first!.action === 'create') return { kind: 'add_file', file };
  const edit = { kind: 'edit_code', file, symbol: 'several places' } as const;
  if (files.length > 1 || changedLines(first!) !== 2) return edit;
  const [old, now] = await Promise.all(
    [baseCommit, commit].map(async (at) => {
      const bytes = await repository.readFile(at, file);
      const reading = bytes && readDocument(file, decodeText(bytes) ?? '');
      return reading?.ok === true ? reading.document.values : undefined;
    }),
  );
  if (old === undefined || now === undefined || old.length !== now.length) return edit;
  const isEqual = (at: number) =>
    old[at]!.path.join('\0') === now[at]!.path.join('\0') && old[at]!.text === now[at]!.text;
  const [at, ...others] = old.keys().filter((index) => !isEqual(index));
  if (at === undefined || others.length > 0) return edit;
  const [{ path, value: from }, { value: to }] = [old[at]!, now[at]!];
  if (from === null || to === null || path.length === 0) return edit;
  return { kind: 'set_value', file, path: [...path], from, to };
}
