/**
 * The files that `hone collect` wrote into a folder, and how they go after their time. A list beside them
 * (`.hone-collected.json`) names each with its digest: only a file that is in the list and still has that content is
 * ever replaced or removed. Anything else there is somebody's own, whatever its name.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { whatIsInTheWay, writeNewFile, writeWholeFile } from '../home/index.ts';
import { type Refusal, usage } from './refusal.ts';

const listSchema = z.strictObject({
  about: z.string(),
  files: z.array(z.strictObject({ name: z.string(), sha256: z.string(), writtenAtMs: z.number() })),
});
type Listed = z.infer<typeof listSchema>['files'][number];

const ABOUT = 'Files that "hone collect" wrote here, and removes after their time.';
const LIST = '.hone-collected.json';

export type Write = (lines: string) => Promise<void>;

/** Written beside its name, and put there when it is whole. */
export async function writeCollected<T>(
  path: string,
  nowMs: number,
  work: (write: Write) => Promise<T>,
): Promise<T | Refusal> {
  const known = await listedIn(dirname(path));
  const inTheWay = await whatIsInTheWay(path);
  const own = known.find(({ name }) => name === basename(path));
  if (inTheWay !== undefined && (own === undefined || (await digestOf(path)) !== own.sha256))
    return usage(inTheWay);
  const hash = createHash('sha256');
  const beside = inTheWay === undefined ? path : `${path}.${process.pid}.next`;
  const written = await writeNewFile({
    path: beside,
    work: (write) =>
      work((lines) => {
        hash.update(lines);
        return write(lines);
      }),
  });
  if (typeof written === 'object' && written !== null && 'refused' in written)
    return usage(String(written.refused));
  if (beside !== path) await rename(beside, path);
  const entry = { name: basename(path), sha256: hash.digest('hex'), writtenAtMs: nowMs };
  writeList(dirname(path), [...known.filter(({ name }) => name !== entry.name), entry]);
  return written;
}

export interface Removed {
  readonly removed: readonly string[];
  /** Old enough, but changed since: they stay, and are nobody's but their owner's from now on. */
  readonly changed: readonly string[];
}

export async function removeOld(folder: string, beforeMs: number): Promise<Removed> {
  const known = await listedIn(folder);
  const old = known.filter(({ writtenAtMs }) => writtenAtMs < beforeMs);
  if (old.length === 0) return { removed: [], changed: [] };
  const removed: string[] = [];
  const changed: string[] = [];
  for (const { name, sha256 } of old) {
    const digest = await digestOf(join(folder, name));
    if (digest === sha256) {
      await rm(join(folder, name), { force: true });
      removed.push(name);
    } else if (digest !== undefined) changed.push(name);
  }
  writeList(
    folder,
    known.filter((one) => !old.includes(one)),
  );
  return { removed, changed };
}

/** A list that cannot be read names nothing: then nothing is removed. */
async function listedIn(folder: string): Promise<Listed[]> {
  try {
    const { files } = listSchema.parse(JSON.parse(await readFile(join(folder, LIST), 'utf8')));
    return files.filter(({ name }) => name === basename(name) && !name.startsWith('.'));
  } catch {
    return [];
  }
}

function writeList(folder: string, files: readonly Listed[]): void {
  const text = `${JSON.stringify({ about: ABOUT, files }, null, 2)}\n`;
  writeWholeFile(join(folder, LIST), text, { exclusive: false, mode: 0o600 });
}

/** Undefined if it is gone or cannot be read. */
async function digestOf(path: string): Promise<string | undefined> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}
