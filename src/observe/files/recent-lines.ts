/**
 * Where to read on in what a command prints again and again. Its beginning moves on: a journal drops its oldest
 * lines, `--since 1h` is another hour each time. So the lines that were read last are remembered by their hashes
 * and looked for.
 *
 *   read before   … d e f g
 *   printed now         f g h i      the longest end of what was read that it begins with, or that stands in it
 *                           └─ read from here
 *
 * What cannot be known: whether a line without a time of its own is the one that was read or one like it.
 */
import { sha256Hex } from '../../base/index.ts';
import type { OpenFile } from '../types.ts';
import { EDGE_BYTES } from './file-position.ts';
import { type Line, type SplitOptions, splitLines } from './lines.ts';

const LINES = 64;
const HASH_CHARS = 12;
/** A line that is too long is known by its beginning alone. */
const HASHED_CHARS = 1024;
const READ_BYTES = 256 * 1024;
const LINES_AT_ONCE = 4096;

/** With the lines behind those before. */
export function remembered(before: string | undefined, lines: readonly Line[]): string {
  const hashes = lines.slice(-LINES).map(hashOf).join('');
  return ((before ?? '') + hashes).slice(-LINES * HASH_CHARS);
}

function hashOf({ text }: Pick<Line, 'text'>): string {
  return sha256Hex(text.slice(0, HASHED_CHARS)).slice(0, HASH_CHARS);
}

export interface ReadTo {
  readonly byteOffset: number;
  /** Lines that end before it. */
  readonly lines: number;
}

/** Undefined if nothing of what was read last is there: by then all of it was let go. */
export async function findRecent(
  opened: OpenFile,
  recent: string,
  options: SplitOptions,
): Promise<ReadTo | undefined> {
  const search = new Search(recent);
  let [at, lines, skipping, readBytes] = [0, 0, false, READ_BYTES];
  for (;;) {
    const bytes = await opened.read(at, readBytes);
    const split = splitLines(bytes, skipping, LINES_AT_ONCE, options);
    for (const line of split.lines) {
      const found = search.take(line, { byteOffset: at + line.end, lines: lines + line.ended + 1 });
      if (found) return search.found;
    }
    const isMore = bytes.length === readBytes;
    if (split.consumed === 0 && !isMore) return search.found;
    readBytes = split.consumed === 0 ? readBytes * 2 : READ_BYTES;
    at += split.consumed;
    lines += split.ended;
    ({ skipping } = split);
    // What is right before the place is part of the position.
    opened.letGo?.((search.found?.byteOffset ?? at) - EDGE_BYTES);
  }
}

class Search {
  readonly #wanted: readonly string[];
  readonly #last: string[] = [];
  #taken = 0;
  found: ReadTo | undefined;

  constructor(recent: string) {
    this.#wanted = recent.match(/.{12}/g) ?? [];
  }

  /** Whether there can be no better place. */
  take(line: Line, place: ReadTo): boolean {
    this.#last.push(hashOf(line));
    if (this.#last.length > this.#wanted.length) this.#last.shift();
    this.#taken += 1;
    const isAllThere = this.#taken >= this.#wanted.length;
    if (this.#endsAlike()) this.found = place;
    else if (!isAllThere || this.found === undefined) return false;
    return isAllThere;
  }

  /** What came last is what was read last; of the first lines, as many as there are. */
  #endsAlike(): boolean {
    const shift = this.#wanted.length - this.#last.length;
    for (let at = this.#last.length - 1; at >= 0; at--)
      if (this.#last[at] !== this.#wanted[at + shift]) return false;
    return this.#last.length > 0;
  }
}
