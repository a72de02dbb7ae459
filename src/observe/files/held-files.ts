/**
 * Files that were read, held open, so that the end of one that is moved out of its folder, or deleted, is
 * still read: its name is gone, the file is not. States of a held file:
 *
 *   there ─► gone ─► (read to its end, and idle for some listings) ─► closed
 *
 * At most `HELD_MAX` are held, those written to last. A deleted file is let go as soon as it is read: as
 * long as it is held, its space on the disk is taken.
 */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { errorCode } from '../../base/index.ts';
import type { OpenFile, SourceFile } from '../types.ts';

const HELD_MAX = 64;
/** A program may keep writing to a log for a while after it was moved. */
const STILL_LISTS = 10;
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);
/** Links are resolved when listing. Non-blocking: opening a pipe would wait for a writer. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** No path begins like this. */
const HELD = 'held:';

interface Held {
  readonly handle: FileHandle;
  readonly identity: string;
  listed: SourceFile;
  /** The path of the source it was listed for. */
  source: string;
  modifiedMs: number;
  /** How far it was read. */
  readTo: number;
  sizeBytes: number;
  /** Listings since it vanished in which it was read to its end and did not grow. */
  stillLists: number;
  uses: number;
}

/** Whether the path, which has no links when it is listed, still leads to that file and through none. */
async function isAt(path: string, { dev, ino }: BigIntStats): Promise<boolean> {
  const real = await realpath(path).catch(unlessGone);
  const there = real === path ? await stat(path, { bigint: true }).catch(unlessGone) : undefined;
  return there !== undefined && there.dev === dev && there.ino === ino;
}

export class HeldFiles implements AsyncDisposable {
  readonly #held = new Map<string, Held>();
  readonly #isFinal: boolean;

  constructor(isFinal = false) {
    this.#isFinal = isFinal;
  }

  /** Undefined if it is gone or is not a file. */
  async open(listed: SourceFile, source: string): Promise<OpenFile | undefined> {
    if (listed.path.startsWith(HELD)) {
      const held = this.#held.get(listed.path.slice(HELD.length));
      return held === undefined ? undefined : this.#use(held);
    }
    const handle = await open(listed.path, FLAGS).catch(unlessGone);
    if (handle === undefined) return undefined;
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile() || !(await isAt(listed.path, stats))) {
      await handle.close();
      return undefined;
    }
    return this.#use(await this.#hold(handle, stats, { listed, source }));
  }

  /** Files of a source that have moved or gone, to be read before those `there`. */
  async gone(source: string, there: readonly SourceFile[]): Promise<SourceFile[]> {
    const identities = new Map(there.map(({ path, seen }) => [path, seen?.identity]));
    const files: SourceFile[] = [];
    for (const held of [...this.#held.values()].filter((one) => one.source === source)) {
      const { identity, listed } = held;
      if (identities.get(listed.path) === identity) continue;
      const stats = await held.handle.stat({ bigint: true });
      if (isDone(held, stats)) await this.#letGo(held);
      else files.push({ name: listed.name, path: HELD + identity, seen: seenOf(stats) });
    }
    return files;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#held.values()].map((held) => this.#letGo(held)));
  }

  async #hold(
    handle: FileHandle,
    stats: BigIntStats,
    place: Pick<Held, 'listed' | 'source'>,
  ): Promise<Held> {
    const identity = identityOf(stats);
    const seen = { ...place, modifiedMs: Number(stats.mtimeMs), stillLists: 0 };
    const before = this.#held.get(identity);
    if (before !== undefined) {
      await handle.close();
      return Object.assign(before, seen);
    }
    const held = { ...seen, handle, identity, sizeBytes: Number(stats.size), readTo: 0, uses: 0 };
    this.#held.set(identity, held);
    if (this.#held.size > HELD_MAX) await this.#letOldestGo(held);
    return held;
  }

  async #letOldestGo(except: Held): Promise<void> {
    const idle = [...this.#held.values()].filter((one) => one !== except && one.uses === 0);
    const oldest = idle.sort((a, b) => a.modifiedMs - b.modifiedMs)[0];
    if (oldest !== undefined) await this.#letGo(oldest);
  }

  async #letGo(held: Held): Promise<void> {
    this.#held.delete(held.identity);
    await held.handle.close();
  }

  async #use(held: Held): Promise<OpenFile> {
    held.uses += 1;
    const stats = await held.handle.stat({ bigint: true });
    return {
      ...seenOf(stats),
      sizeBytes: Number(stats.size),
      modifiedMs: Number(stats.mtimeMs),
      isFinal: this.#isFinal,
      read: async (fromByte, lengthBytes) => {
        const bytes = await readFully(held.handle, fromByte, lengthBytes);
        held.readTo = Math.max(held.readTo, fromByte + bytes.length);
        return bytes;
      },
      [Symbol.asyncDispose]: async () => {
        held.uses -= 1;
      },
    };
  }
}

/** Read to its end, and idle for a while. */
function isDone(held: Held, { size, nlink }: BigIntStats): boolean {
  const isStill = held.readTo >= Number(size) && held.sizeBytes === Number(size);
  held.sizeBytes = Number(size);
  held.stillLists = isStill ? held.stillLists + 1 : 0;
  return held.uses === 0 && held.stillLists >= (nlink === 0n ? 1 : STILL_LISTS);
}

async function readFully(
  handle: FileHandle,
  fromByte: number,
  lengthBytes: number,
): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(lengthBytes);
  let filled = 0;
  while (filled < lengthBytes) {
    const left = lengthBytes - filled;
    const { bytesRead } = await handle.read(buffer, filled, left, fromByte + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

export function seenOf(stats: BigIntStats): Pick<OpenFile, 'identity' | 'revision'> {
  const { size, mtimeNs, ctimeNs } = stats;
  return { identity: identityOf(stats), revision: `${size}:${mtimeNs}:${ctimeNs}` };
}

/** A file that was moved between listing and opening counts as missing. */
export function unlessGone(error: unknown): undefined {
  if (GONE.has(errorCode(error) ?? '')) return undefined;
  throw error;
}
