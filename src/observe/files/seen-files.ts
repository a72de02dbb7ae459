/**
 * The state in which files are now, so that those that did not change are not opened. One call of the system each,
 * every few seconds: of a folder of thousands, those that have been idle for long are looked at in turns.
 */
import { lstat } from 'node:fs/promises';
import type { SourceFile } from '../types.ts';
import { seenOf, unlessGone } from './held-files.ts';
import { inPieces } from './list-place.ts';

/** Below this many, all are looked at each time. */
const MANY_FILES = 500;
/** Listings without a change: with one every 5 seconds, about 8 minutes. */
const IDLE_LISTINGS = 100;
/** An idle file is looked at once in so many listings: once a minute. */
const TURNS = 12;

interface Known {
  readonly seen: NonNullable<SourceFile['seen']>;
  readonly idle: number;
}

export class SeenFiles {
  #known = new Map<string, Known>();
  #listing = 0;

  /** In the same order. Of the path itself: a link there is not followed. */
  async look(files: readonly SourceFile[]): Promise<SourceFile[]> {
    this.#listing += 1;
    const before = this.#known;
    this.#known = new Map();
    const all: SourceFile[] = Array.from(files);
    const asked: number[] = [];
    const set = (at: number, now: Known) => {
      const file = files[at]!;
      this.#known.set(file.path, now);
      all[at] = { ...file, seen: now.seen };
    };
    for (const [at, { path }] of files.entries()) {
      const known = before.get(path);
      if (files.length > MANY_FILES && this.#isLeft(known, at)) set(at, known);
      else asked.push(at);
    }
    await inPieces(asked, async (at) => {
      const file = files[at]!;
      const now = await this.#lookAt(file, before.get(file.path));
      if (now !== undefined) set(at, now);
    });
    return all;
  }

  #isLeft(known: Known | undefined, at: number): known is Known {
    if (known === undefined || known.idle < IDLE_LISTINGS) return false;
    return (this.#listing + at) % TURNS !== 0;
  }

  async #lookAt({ path }: SourceFile, known: Known | undefined): Promise<Known | undefined> {
    const stats = await lstat(path, { bigint: true }).catch(unlessGone);
    if (stats === undefined) return undefined;
    const seen = seenOf(stats);
    const isSame = known?.seen.revision === seen.revision && known.seen.identity === seen.identity;
    return isSame ? { seen: known.seen, idle: known.idle + 1 } : { seen, idle: 0 };
  }
}
