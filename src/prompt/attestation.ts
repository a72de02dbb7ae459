/**
 * The instruction files that a task's agents read (`AGENTS.md`, `CLAUDE.md`), attested by digest when the task begins. What
 * differs later is drift, until a person accepts it as the next version. Rows come from the ledger's entries alone.
 */
import { type CleanText, canonicalJson, digestOfBytes } from '../base/index.ts';
import type { Actor, EntryPayload } from '../facts/index.ts';
import type { Plan, Store, Write } from '../store/index.ts';

export const ATTESTED = 'prompt_attestations';

/** By path: the digest of its bytes; null where there is no such file. */
export type InstructionFiles = Readonly<Record<string, string | null>>;

export interface Attested {
  readonly version: number;
  readonly files: InstructionFiles;
}

export interface Drift {
  readonly what: string;
  readonly expectedDigest: string;
  readonly foundDigest: string | null;
}

/** What stands for a file that was not there. */
const NONE = 'none';

export const digestsOf = (files: ReadonlyMap<string, Uint8Array | undefined>): InstructionFiles =>
  Object.fromEntries(
    [...files].map(([path, bytes]) => [path, bytes === undefined ? null : digestOfBytes(bytes)]),
  );

/** A file that came, went or changed. */
export function driftOf({ files }: Attested, found: InstructionFiles): Drift[] {
  const paths = [...new Set([...Object.keys(files), ...Object.keys(found)])].sort();
  return paths.flatMap((what) => {
    const [before, now] = [files[what] ?? null, found[what] ?? null];
    return before === now ? [] : [{ what, expectedDigest: before ?? NONE, foundDigest: now }];
  });
}

export async function readAttested(store: Store, taskId: string): Promise<Attested | undefined> {
  const [row] = await store.all(
    `SELECT version, files FROM ${ATTESTED} WHERE task_id = ? ORDER BY version DESC LIMIT 1`,
    [taskId],
  );
  if (row === undefined) return undefined;
  return {
    version: row['version'] as number,
    files: JSON.parse(row['files'] as string) as InstructionFiles,
  };
}

/** The next version; two at once are one, and the other is refused. */
export function planAttest(given: {
  readonly taskId: string;
  readonly before: Attested | undefined;
  readonly files: InstructionFiles;
  readonly reason: CleanText;
  readonly actor: Actor;
  readonly nowMs: number;
}): Plan {
  const { taskId, before, files, reason, actor, nowMs } = given;
  const version = (before?.version ?? 0) + 1;
  const listed = Object.entries(files).map(([path, fileDigest]) => ({ path, fileDigest }));
  const data = { version, files: listed, reason } as EntryPayload<'prompt.attested'>;
  return {
    expect: [{ table: ATTESTED, where: { task_id: taskId, version }, exists: false }],
    writes: [attestedWrite(taskId, data)],
    entries: [{ type: 'prompt.attested', actor, subject: `task:${taskId}`, data, atMs: nowMs }],
  };
}

export function attestedWrite(
  taskId: string,
  { version, files }: EntryPayload<'prompt.attested'>,
): Write {
  const byPath = Object.fromEntries(files.map(({ path, fileDigest }) => [path, fileDigest]));
  return { insert: ATTESTED, row: { task_id: taskId, version, files: canonicalJson(byPath) } };
}
