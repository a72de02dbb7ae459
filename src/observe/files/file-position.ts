/**
 * How far each file was read. A file is known by its identity (device and inode) and by its content: the
 * hash of its first bytes and the hash of the bytes right before the place where reading stopped. Names
 * do not count. So a file that was rotated to another name, or copied, continues where it stopped; one
 * that took over a name or an inode, or was truncated and rewritten, begins at its start. Positions of files that are
 * gone stay: they are small, and their copies may still come.
 */
import { type Json, sha256Hex } from '../../base/index.ts';
import type { Positions, StreamPosition } from '../types.ts';
import type { FileNames } from './file-names.ts';

/** Of a file's beginning, and of what was read last. An event is about as long, and has its time. */
export const EDGE_BYTES = 256;
/** Files with the same beginning that were read to different places: each is compared by reading it. */
const COMPARED_MAX = 16;

/** What is stored, as JSON. */
export interface FilePosition {
  readonly fileId: string;
  /** The batch that began it: distinguishes files that had the same identity at different times. */
  readonly born: number;
  /** Its last known name, sanitised. */
  readonly file: string;
  readonly byteOffset: number;
  /** Lines that end before it. */
  readonly lines: number;
  /** Whether it stopped inside a line that was too long. */
  readonly skipping: boolean;
  readonly head: string;
  readonly headBytes: number;
  readonly tail: string;
  readonly tailBytes: number;
  /** What the decoder carries from line to line. */
  readonly state: Json;
}

export interface Seen {
  readonly names: FileNames;
  readonly fileId: string;
  readonly file: string;
  readonly sizeBytes: number;
  /** The file's first bytes, at most `EDGE_BYTES`. */
  readonly head: Uint8Array;
  read(fromByte: number, lengthBytes: number): Promise<Uint8Array>;
}

export interface Resumed {
  readonly from: FilePosition;
  /** Whether it, or what it is a copy of, was read before. */
  readonly isKnown: boolean;
  /** Why it begins at its start although it was read before. */
  readonly anew: 'rotated' | 'truncated' | undefined;
}

/** Where to continue: at its start, with `start` as the decoder's state, if nothing of it was read. */
export async function resume(positions: Positions, seen: Seen, start: Json): Promise<Resumed> {
  const found = (await positions.find(possibleMarks(seen))) as unknown as FilePosition[];
  const known = found.toSorted((a, b) => b.born - a.born);
  const born = positions.batch + 1;
  const furthest = await furthestOf(known, seen);
  if (furthest !== undefined) {
    const isOwn = furthest.fileId === seen.fileId;
    const from = { ...furthest, fileId: seen.fileId, born: isOwn ? furthest.born : born };
    return { from: { ...from, file: seen.file }, isKnown: true, anew: undefined };
  }
  const own = known.find(({ fileId }) => fileId === seen.fileId);
  const isOther = own !== undefined || known.some(({ file }) => file === seen.file);
  const isShorter = own !== undefined && own.byteOffset > seen.sizeBytes;
  // A row of its own: what was read before may come back as a copy.
  return {
    from: freshPosition(seen, born, start),
    isKnown: false,
    anew: isShorter ? 'truncated' : isOther ? 'rotated' : undefined,
  };
}

/** By its identity, its name or its beginning. */
function possibleMarks({ fileId, file, head }: Seen): string[] {
  return [idMark(fileId), nameMark(file), ...possibleHeads(head).map(headMark)];
}

const idMark = (fileId: string) => `id:${fileId}`;
const nameMark = (file: string) => `name:${sha256Hex(file)}`;
const headMark = (head: string) => `head:${head}`;

/** Reading stops at the end of a line, so a shorter head ends there as well. */
function possibleHeads(head: Uint8Array): string[] {
  const ends = [head.length];
  for (let at = head.length - 1; at > 0 && ends.length < COMPARED_MAX; at--) {
    if (head[at - 1] === 10) ends.push(at);
  }
  return ends.map((end) => sha256Hex(head.subarray(0, end)));
}

/**
 * The furthest place to which this content was read, in this file or in one that it is a copy of. Between
 * copying and cutting both are there: whichever is read first, the other continues after it.
 */
async function furthestOf(
  known: readonly FilePosition[],
  seen: Seen,
): Promise<FilePosition | undefined> {
  const alike = known
    .filter((one) => one.byteOffset <= seen.sizeBytes && mayBe(one, seen))
    .sort((a, b) => b.byteOffset - a.byteOffset || ownFirst(a, b, seen))
    .slice(0, COMPARED_MAX);
  for (const one of alike) {
    if (await hasTail(one, seen)) return one;
  }
  return undefined;
}

function ownFirst(a: FilePosition, b: FilePosition, { fileId }: Seen): number {
  return Number(b.fileId === fileId) - Number(a.fileId === fileId);
}

/** What was read began with the bytes that the file begins with now. */
function mayBe(known: FilePosition, seen: Seen): boolean {
  if (sha256Hex(seen.head.subarray(0, known.headBytes)) !== known.head) return false;
  if (known.fileId === seen.fileId || known.file === seen.file) return true;
  // Two files may share one short line by chance; then their names must belong to one log.
  const { names } = seen;
  return known.headBytes >= EDGE_BYTES || names.stemOf(known.file) === names.stemOf(seen.file);
}

async function hasTail({ byteOffset, tail, tailBytes }: FilePosition, seen: Seen) {
  return sha256Hex(await seen.read(byteOffset - tailBytes, tailBytes)) === tail;
}

function freshPosition({ fileId, file }: Seen, born: number, state: Json): FilePosition {
  const edges = { head: sha256Hex(''), headBytes: 0, tail: sha256Hex(''), tailBytes: 0 };
  return { fileId, born, file, byteOffset: 0, lines: 0, skipping: false, ...edges, state };
}

export interface Move {
  /** Those before the position that its tail was made of, and those that were read. */
  readonly bytes: Uint8Array;
  /** How many of them were read. */
  readonly consumed: number;
  readonly ended: number;
  readonly skipping: boolean;
  readonly head: Uint8Array;
  readonly state: Json;
}

/** The new position; head and tail cover only bytes that were read, so they stay valid. */
export function moved(from: FilePosition, move: Move): FilePosition {
  const byteOffset = from.byteOffset + move.consumed;
  const headBytes = Math.min(byteOffset, move.head.length);
  const end = from.tailBytes + move.consumed;
  const tailBytes = Math.min(end, EDGE_BYTES);
  return {
    ...from,
    byteOffset,
    lines: from.lines + move.ended,
    skipping: move.skipping,
    head: sha256Hex(move.head.subarray(0, headBytes)),
    headBytes,
    tail: sha256Hex(move.bytes.subarray(end - tailBytes, end)),
    tailBytes,
    state: move.state,
  };
}

/** As it is stored. The marks of `before`, which was stored as well, are there already. */
export function storedAs(position: FilePosition, before: FilePosition | undefined): StreamPosition {
  const had = new Set(before === undefined ? [] : marksOf(before));
  return {
    stream: `${position.fileId}@${position.born}`,
    marks: marksOf(position).filter((mark) => !had.has(mark)),
    value: { ...position },
  };
}

function marksOf({ fileId, file, head }: FilePosition): string[] {
  return [idMark(fileId), nameMark(file), headMark(head)];
}
