/**
 * How far each file was read. A file is known by its identity (device and inode) and by its content: the
 * hash of its first bytes and the hash of the bytes right before the place where reading stopped. Names
 * do not count. So a file that was rotated to another name, or copied, continues where it stopped; one
 * that took over a name or an inode, or was truncated and rewritten, begins at its start. Positions of files that are
 * gone stay: they are small, and their copies may still come.
 *
 * Of a compressed file all this is about what it unpacks to: it is a copy of the file that it was made of.
 */
import { type Json, sha256Hex } from '../../base/index.ts';
import type { OpenFile, Positions, StreamPosition } from '../types.ts';
import type { FileNames } from './file-names.ts';

/** Of a file's beginning, and of what was read last. An event is about as long, and has its time. */
export const EDGE_BYTES = 256;
/** Files with the same beginning that were read to different places: each is compared by reading it. */
const COMPARED_MAX = 16;
/**
 * What can be read only once is compared at places this far apart: if it turns out to be something else, what came
 * since the last one is still there.
 */
const CHECK_BYTES = 8 * 1024 * 1024;

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
  /** The compressed file that was read to its end. */
  readonly packed?: string;
  /** Earlier places of what can be read only once. */
  readonly checks?: readonly Check[];
  /** The lines read last, of what a command prints. */
  readonly recent?: string;
}

/** The `EDGE_BYTES` before this place have this hash. */
interface Check {
  readonly byteOffset: number;
  readonly lines: number;
  readonly tail: string;
}

export interface Seen {
  readonly names: FileNames;
  readonly opened: OpenFile;
  /** Its name, sanitised. */
  readonly file: string;
  /** The file's first bytes, at most `EDGE_BYTES`. */
  readonly head: Uint8Array;
}

export interface Resumed {
  readonly from: FilePosition;
  /** Whether it, or what it is a copy of, was read before. */
  readonly isKnown: boolean;
  /** Why it begins at its start although it was read before. */
  readonly anew: 'rotated' | 'truncated' | undefined;
  /** It begins like something that was read further than it reaches, and it is not complete: it may be a part of that. */
  readonly mustWait: boolean;
  /** What was known by its identity, whatever its content. */
  readonly own: FilePosition | undefined;
  /** Its beginning was let go while it was compared. */
  readonly isPassed: boolean;
}

/** Where to continue: at its start, with `start` as the decoder's state, if nothing of it was read. */
export async function resume(positions: Positions, first: Seen, start: Json): Promise<Resumed> {
  const { opened, file } = first;
  const found = (await positions.find(possibleMarks(first))) as unknown as FilePosition[];
  const known = found.toSorted((a, b) => b.born - a.born);
  const seen = await withHead(first, known);
  const born = positions.batch + 1;
  const own = known.find(({ fileId }) => fileId === opened.identity);
  const { furthest, isBeyond, isPassed } = await furthestOf(known, seen, start);
  const mustWait = isBeyond && opened.isFinal !== true && opened.comes === undefined;
  if (furthest !== undefined) {
    const isOwn = furthest.fileId === opened.identity;
    const from = { ...furthest, fileId: opened.identity, born: isOwn ? furthest.born : born };
    return { from: { ...from, file }, isKnown: true, anew: undefined, mustWait, own, isPassed };
  }
  const isOther = own !== undefined || known.some((one) => one.file === file);
  const isShorter =
    own !== undefined && opened.more === undefined && own.byteOffset > opened.sizeBytes;
  // A row of its own: what was read before may come back as a copy.
  return {
    from: freshPosition(seen, born, start),
    isKnown: false,
    anew: isShorter ? 'truncated' : isOther ? 'rotated' : undefined,
    mustWait,
    own,
    isPassed,
  };
}

/** Of what comes piece by piece, as much as it takes to compare it with what is known. */
async function withHead(seen: Seen, known: readonly FilePosition[]): Promise<Seen> {
  const { opened, head } = seen;
  if (opened.more === undefined || !known.some(({ headBytes }) => headBytes > head.length))
    return seen;
  return { ...seen, head: await opened.read(0, EDGE_BYTES) };
}

/** By its identity, its name or its beginning. */
function possibleMarks({ opened, file, head }: Seen): string[] {
  return [idMark(opened.identity), nameMark(file), ...possibleHeads(head).map(headMark)];
}

const idMark = (fileId: string) => `id:${fileId}`;
const nameMark = (file: string) => `name:${sha256Hex(file)}`;
const headMark = (head: string) => `head:${head}`;
const packedMark = (key: string) => `packed:${key}`;

/** Whether this very compressed file, under whatever name, was read to its end. */
export async function isReadPacked(positions: Positions, key: string): Promise<boolean> {
  const found = (await positions.find([packedMark(key)])) as unknown as FilePosition[];
  return found.some(({ packed }) => packed === key);
}

/** Reading stops at the end of a line, so a shorter head ends there as well. */
function possibleHeads(head: Uint8Array): string[] {
  const ends = [head.length];
  for (let at = head.length - 1; at > 0 && ends.length < COMPARED_MAX; at--) {
    // In UTF-16 a zero may follow.
    if (head[at - 1] === 10 || (head[at - 1] === 0 && head[at - 2] === 10)) ends.push(at);
  }
  return ends.map((end) => sha256Hex(head.subarray(0, end)));
}

interface Furthest {
  readonly furthest: FilePosition | undefined;
  /** One that begins alike was read further than this file reaches. */
  readonly isBeyond: boolean;
  readonly isPassed: boolean;
}

/**
 * The furthest place to which this content was read, in this file or in one that it is a copy of. Between
 * copying and cutting both are there: whichever is read first, the other continues after it.
 */
async function furthestOf(
  known: readonly FilePosition[],
  seen: Seen,
  start: Json,
): Promise<Furthest> {
  const { opened } = seen;
  const isFlowing = opened.more !== undefined;
  const alike = known
    .filter((one) => (isFlowing || one.byteOffset <= opened.sizeBytes) && mayBe(one, seen))
    .sort((a, b) => b.byteOffset - a.byteOffset || ownFirst(a, b, opened.identity))
    .slice(0, COMPARED_MAX);
  if (isFlowing) return furthestInFlow(alike, opened, start);
  for (const one of alike) {
    if (await hasTail(one, opened)) return { furthest: one, isBeyond: false, isPassed: false };
  }
  return { furthest: undefined, isBeyond: false, isPassed: false };
}

function ownFirst(a: FilePosition, b: FilePosition, identity: string): number {
  return Number(b.fileId === identity) - Number(a.fileId === identity);
}

/** In one pass, forwards. What is behind the furthest place that was recognised is kept if it comes only once. */
async function furthestInFlow(
  alike: readonly FilePosition[],
  opened: OpenFile,
  start: Json,
): Promise<Furthest> {
  const places = alike.flatMap((one) => [one, ...placesOf(one, start)].map((at) => ({ one, at })));
  places.sort((a, b) => a.at.byteOffset - b.at.byteOffset);
  const others = new Set<FilePosition>();
  let furthest: FilePosition | undefined;
  for (const { one, at } of places) {
    if (others.has(one)) continue;
    const from = at.byteOffset - at.tailBytes;
    const keptFrom = opened.comes === 'once' ? startOfTail(furthest) : from;
    while (opened.sizeBytes < from && (await opened.more!())) opened.letGo?.(keptFrom);
    const tail = await opened.read(from, at.tailBytes);
    // What was let go was compared when it came.
    if (tail.length < at.tailBytes && opened.sizeBytes >= at.byteOffset) continue;
    if (tail.length < at.tailBytes) return { furthest, isBeyond: true, isPassed: true };
    if (sha256Hex(tail) === at.tail) furthest = at;
    else others.add(one);
  }
  return { furthest, isBeyond: false, isPassed: alike.length > 0 };
}

function startOfTail(position: FilePosition | undefined): number {
  return position === undefined ? 0 : position.byteOffset - position.tailBytes;
}

/** Where it was on the way; nobody knows the decoder's state there. */
function placesOf(position: FilePosition, state: Json): FilePosition[] {
  const { checks = [] } = position;
  return checks.map((check, at) => ({
    ...position,
    ...check,
    ...{ tailBytes: EDGE_BYTES, skipping: false, state, checks: checks.slice(0, at + 1) },
  }));
}

/** What was read began with the bytes that the file begins with now. */
function mayBe(known: FilePosition, seen: Seen): boolean {
  if (sha256Hex(seen.head.subarray(0, known.headBytes)) !== known.head) return false;
  if (known.fileId === seen.opened.identity || known.file === seen.file) return true;
  // Two files may share one short line by chance; then their names must belong to one log.
  const { names } = seen;
  return known.headBytes >= EDGE_BYTES || names.stemOf(known.file) === names.stemOf(seen.file);
}

async function hasTail({ byteOffset, tail, tailBytes }: FilePosition, opened: OpenFile) {
  return sha256Hex(await opened.read(byteOffset - tailBytes, tailBytes)) === tail;
}

function freshPosition({ opened, file }: Seen, born: number, state: Json): FilePosition {
  const { identity: fileId } = opened;
  const edges = { head: sha256Hex(''), headBytes: 0, tail: sha256Hex(''), tailBytes: 0 };
  return { fileId, born, file, byteOffset: 0, lines: 0, skipping: false, ...edges, state };
}

/** The same position at another place of content that was printed anew. */
export async function atPlace(
  position: FilePosition,
  { byteOffset, lines }: Pick<FilePosition, 'byteOffset' | 'lines'>,
  { opened, file, head }: Seen,
): Promise<FilePosition> {
  const headBytes = Math.min(byteOffset, head.length);
  const tailBytes = Math.min(byteOffset, EDGE_BYTES);
  return {
    ...position,
    ...{ file, byteOffset, lines, skipping: false, headBytes, tailBytes },
    head: sha256Hex(head.subarray(0, headBytes)),
    tail: sha256Hex(await opened.read(byteOffset - tailBytes, tailBytes)),
  };
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

/** With the place as one of those by which it is recognised, if the last one is far enough behind. */
export function checked(position: FilePosition): FilePosition {
  const { byteOffset, lines, tail, tailBytes, checks = [] } = position;
  if (tailBytes < EDGE_BYTES || byteOffset - (checks.at(-1)?.byteOffset ?? 0) < CHECK_BYTES)
    return position;
  return { ...position, checks: [...checks, { byteOffset, lines, tail }] };
}

/** As it is stored. The marks of `before`, which was stored as well, are there already. */
export function storedAs(position: FilePosition, before: FilePosition | undefined): StreamPosition {
  const had = new Set(before === undefined ? [] : marksOf(before));
  return {
    stream: `${position.fileId}@${position.born}`,
    marks: marksOf(position).filter((mark) => !had.has(mark)),
    value: { ...position } as unknown as Json,
  };
}

function marksOf({ fileId, file, head, packed }: FilePosition): string[] {
  const own = packed === undefined ? [] : [packedMark(packed)];
  return [idMark(fileId), nameMark(file), headMark(head), ...own];
}
