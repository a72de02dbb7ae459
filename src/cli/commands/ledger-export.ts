/**
 * `hone ledger export`: every entry's exact bytes, one per line: what an auditor hashes. A file is written
 * beside its name and gets it when it is whole; one that is there already is never replaced.
 */
import { once } from 'node:events';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, errorMessage } from '../../base/index.ts';
import { HomeError } from '../../home/index.ts';
import { exportLedger } from '../../ledger/index.ts';
import type { Store } from '../../store/index.ts';
import { type Context, withLedger } from '../context.ts';
import { type Io, jsonLine, plainLine, refuse, wrap } from '../io.ts';

export async function ledgerExport(
  context: Context,
  { output }: { output?: string },
): Promise<number> {
  const { io } = context;
  // Before the ledger is read, which may take a while.
  const inTheWay = output === undefined ? undefined : await whatIsInTheWay(output);
  if (inTheWay !== undefined) return refuse(io, inTheWay, 2);
  return withLedger(context, async ({ store }) => {
    if (output === undefined) return sayDamage(io, await exported(store, io, toStandardOutput));
    const written = await toNewFile(output, (write) => exported(store, io, write));
    if ('refused' in written) return refuse(io, written.refused, 2);
    if (io.json) io.out(jsonLine({ output, ...written }));
    else io.err(wrap(`Wrote ${written.entries} entries to ${plainLine(output)}.`));
    return sayDamage(io, written);
  });
}

interface Exported {
  readonly entries: number;
  readonly damaged: number;
  readonly firstDamaged: number | null;
}

type WriteLines = (lines: string) => Promise<void>;

async function exported(store: Store, io: Io, write: WriteLines): Promise<Exported> {
  let [entries, damaged] = [0, 0];
  let firstDamaged: number | null = null;
  for await (const page of exportLedger(store)) {
    await write(page.lines);
    entries += page.entries;
    damaged += page.damaged.length;
    firstDamaged ??= page.damaged[0] ?? null;
    io.progress(`Exported ${page.done} of ${page.size}`);
  }
  io.progressDone();
  return { entries, damaged, firstDamaged };
}

function sayDamage(io: Io, { damaged, firstDamaged }: Exported): number {
  if (damaged === 0) return 0;
  if (!io.json) {
    const which = damaged === 1 ? 'is' : `and ${damaged - 1} more are`;
    const what = `Entry ${firstDamaged} ${which} not as Hone writes them, or missing.`;
    io.err(wrap(`hone: ${what} "hone ledger verify" says more.`));
  }
  return 1;
}

async function toStandardOutput(lines: string): Promise<void> {
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
}

async function whatIsInTheWay(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isDirectory() ? `${path} is a folder. ${NEW_FILE}` : exists(path);
  } catch {
    return undefined; // nothing there; what else is wrong is found when it is opened
  }
}

const NEW_FILE = 'Give the name of a new file.';
const exists = (path: string) => `${path} exists already, and nothing was overwritten. ${NEW_FILE}`;

/** A name of this process's own: a killed export leaves that, and never half a file under the final name. */
async function toNewFile<T>(
  path: string,
  work: (write: WriteLines) => Promise<T>,
): Promise<T | { readonly refused: string }> {
  const beside = `${path}.${process.pid}.new`;
  let result: T;
  try {
    await rm(beside, { force: true });
    await using file = await open(beside, 'wx', 0o600);
    result = await work((lines) => file.appendFile(lines).catch(failWriting(path)));
    await file.sync().catch(failWriting(path));
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    const refused = wrongPlace(path, error);
    if (refused === undefined) throw error;
    return { refused };
  }
  try {
    return (await placed(beside, path)) ? result : { refused: exists(path) };
  } finally {
    await rm(beside, { force: true });
  }
}

/** Nothing is the ledger's or Hone's fault that the place to write to is. */
function wrongPlace(path: string, error: unknown): string | undefined {
  switch (errorCode(error)) {
    case 'ENOENT':
      return `There is no folder ${dirname(path)}. Make it, or give another place.`;
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return `Cannot write ${path}: ${errorMessage(error)}. Give another place.`;
    default:
      return undefined;
  }
}

function failWriting(path: string): (error: unknown) => never {
  return (error) => {
    throw new HomeError('io', `Cannot write ${path}: ${errorMessage(error)}.`, {
      hint: 'Check the free space. No file was made.',
      cause: error,
    });
  };
}

/** A link never replaces. Not every file system has links: there, nobody else should make the same file. */
async function placed(beside: string, path: string): Promise<boolean> {
  try {
    await link(beside, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || (await whatIsInTheWay(path)) !== undefined) return false;
    await rename(beside, path);
    return true;
  }
}
