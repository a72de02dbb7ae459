/**
 * How far each file was read. A file is known by its identity (device and inode) and by its content: the
 * hash of its first bytes and the hash of the bytes right before the place where reading stopped. Names
 * do not count. So a file that was rotated to another name, or copied, goes on where it stopped; one that
 * took over a name or an inode, or was cut and written anew, begins at its start. Rows of files that are
 * gone stay: they are small, and their copies may still come.
 */
import { sha256Hex } from '../base/index.ts';
import type { Row, Store, Write } from '../store/index.ts';

/** Of a file's beginning, and of what was read last. An event is about as long, and has its time. */
export const EDGE_BYTES = 256;
/** A name that rotates every minute for a week had as many files. */
const LOOKED_AT_MAX = 10_000;
/** Files that begin alike and were read to different places: each is compared with a read. */
const COMPARED_MAX = 16;

export interface Cursor {
  readonly source: string;
  readonly fileId: string;
  /** The batch that began it: tells apart files that had the same identity one after the other. */
  readonly born: number;
  /** Its last known name. */
  readonly file: string;
  readonly byteOffset: number;
  /** Lines that end before it; null when they were not all counted from the file's start. */
  readonly lines: number | null;
  /** Whether it stopped inside a line that was too long. */
  readonly skipping: boolean;
  readonly head: string;
  readonly headBytes: number;
  readonly tail: string;
  /** 0 where an older build stopped: such a cursor holds only for its own file or name. */
  readonly tailBytes: number;
}

export interface Seen {
  readonly source: string;
  readonly fileId: string;
  readonly file: string;
  readonly sizeBytes: number;
  /** The file's first bytes, at most `EDGE_BYTES`. */
  readonly head: Uint8Array;
  read(fromByte: number, lengthBytes: number): Promise<Uint8Array>;
}

export interface Resumed {
  readonly cursor: Cursor;
  /** Whether it, or what it is a copy of, was read before. */
  readonly isKnown: boolean;
  /** Why it begins at its start although it was read before. */
  readonly anew: 'rotated' | 'truncated' | undefined;
}

/** Those of a source with this identity, this name or this beginning, the latest first. */
export async function readCursors(store: Store, seen: Seen): Promise<Cursor[]> {
  const heads = possibleHeads(seen.head);
  const rows = await store.all(
    `SELECT source, file_id, born, file, byte_offset, lines, skipping, head, head_bytes,
       tail, tail_bytes, tail_at
     FROM observe_cursors
     WHERE source = ? AND (file_id = ? OR file = ? OR head IN (${heads.map(() => '?').join(', ')}))
     ORDER BY born DESC LIMIT ${LOOKED_AT_MAX}`,
    [seen.source, seen.fileId, seen.file, ...heads],
  );
  return rows.map(cursorOf);
}

/** Reading stops at the end of a line, so a shorter head ends there as well. */
function possibleHeads(head: Uint8Array): string[] {
  const ends = [head.length];
  for (let at = head.length - 1; at > 0 && ends.length < COMPARED_MAX; at--) {
    if (head[at - 1] === 10) ends.push(at);
  }
  return ends.map((end) => sha256Hex(head.subarray(0, end)));
}

/** Where to go on. `cursors` are what `readCursors` gave. */
export async function resume(
  cursors: readonly Cursor[],
  seen: Seen,
  born: number,
): Promise<Resumed> {
  const known = await furthest(cursors, seen);
  if (known !== undefined) {
    const isOwn = known.fileId === seen.fileId;
    const cursor = { ...known, fileId: seen.fileId, born: isOwn ? known.born : born };
    return { cursor: { ...cursor, file: seen.file }, isKnown: true, anew: undefined };
  }
  const own = cursors.find(({ fileId }) => fileId === seen.fileId);
  const isOther = own !== undefined || cursors.some(({ file }) => file === seen.file);
  const isShorter = own !== undefined && own.byteOffset > seen.sizeBytes;
  // A row of its own: what was read before may come back as a copy.
  return {
    cursor: freshCursor(seen, born),
    isKnown: false,
    anew: isShorter ? 'truncated' : isOther ? 'rotated' : undefined,
  };
}

/**
 * The furthest place to which this content was read, in this file or in one that it is a copy of. Between
 * copying and cutting both are there: whichever is read first, the other goes on behind it.
 */
async function furthest(cursors: readonly Cursor[], seen: Seen): Promise<Cursor | undefined> {
  const alike = cursors
    .filter((cursor) => cursor.byteOffset <= seen.sizeBytes && mayBe(cursor, seen))
    .sort((a, b) => b.byteOffset - a.byteOffset || ownFirst(a, b, seen))
    .slice(0, COMPARED_MAX);
  for (const cursor of alike) {
    if (await hasTail(cursor, seen)) return cursor;
  }
  return undefined;
}

function ownFirst(a: Cursor, b: Cursor, { fileId }: Seen): number {
  return Number(b.fileId === fileId) - Number(a.fileId === fileId);
}

/** What was read began with the bytes that the file begins with now. */
function mayBe(cursor: Cursor, seen: Seen): boolean {
  if (sha256Hex(seen.head.subarray(0, cursor.headBytes)) !== cursor.head) return false;
  if (cursor.fileId === seen.fileId || cursor.file === seen.file) return true;
  // One short line may stand in two files by chance; then the names have to be of one log.
  const isEnough = cursor.headBytes >= EDGE_BYTES || stemOf(cursor.file) === stemOf(seen.file);
  return cursor.tailBytes > 0 && isEnough;
}

async function hasTail({ byteOffset, tail, tailBytes }: Cursor, seen: Seen): Promise<boolean> {
  if (tailBytes === 0) return true;
  return sha256Hex(await seen.read(byteOffset - tailBytes, tailBytes)) === tail;
}

/** The name of a log without what rotation adds: `a` for a.jsonl, a.jsonl.1, a-2026-03-02.jsonl. */
export function stemOf(name: string): string {
  const base = name.replace(/\.jsonl(?:[.-][\w.-]{1,40})?$/, '');
  return base.replace(/[-._]\d[\dT_.-]{0,30}$/, '');
}

function freshCursor({ source, fileId, file }: Seen, born: number): Cursor {
  const edges = { head: '', headBytes: 0, tail: '', tailBytes: 0 };
  return { source, fileId, born, file, byteOffset: 0, lines: 0, skipping: false, ...edges };
}

export interface Move {
  /** Those before the cursor that its tail was made of, and those that were read. */
  readonly bytes: Uint8Array;
  /** How many of them were read. */
  readonly consumed: number;
  readonly ended: number;
  readonly skipping: boolean;
  readonly head: Uint8Array;
}

/** The cursor moved on; head and tail are of bytes that were read, so that they stay true. */
export function moved(cursor: Cursor, move: Move): Cursor {
  const byteOffset = cursor.byteOffset + move.consumed;
  const headBytes = Math.min(byteOffset, move.head.length);
  const end = cursor.tailBytes + move.consumed;
  const tailBytes = Math.min(end, EDGE_BYTES);
  return {
    ...cursor,
    byteOffset,
    lines: cursor.lines === null ? null : cursor.lines + move.ended,
    skipping: move.skipping,
    head: sha256Hex(move.head.subarray(0, headBytes)),
    headBytes,
    tail: sha256Hex(move.bytes.subarray(end - tailBytes, end)),
    tailBytes,
  };
}

export function writeCursor(cursor: Cursor, nowMs: number): Write {
  return {
    upsert: 'observe_cursors',
    key: { source: cursor.source, file_id: cursor.fileId, born: cursor.born },
    row: {
      file: cursor.file,
      byte_offset: cursor.byteOffset,
      lines: cursor.lines,
      skipping: cursor.skipping ? 1 : 0,
      head: cursor.head,
      head_bytes: cursor.headBytes,
      tail: cursor.tail,
      tail_bytes: cursor.tailBytes,
      tail_at: cursor.byteOffset,
      read_at_ms: nowMs,
    },
  };
}

/** An older build moves a cursor and leaves its tail and its lines behind: then they say nothing. */
function cursorOf(row: Row): Cursor {
  const isOlder = row['tail_at'] !== row['byte_offset'];
  return {
    source: row['source'] as string,
    fileId: row['file_id'] as string,
    born: row['born'] as number,
    file: row['file'] as string,
    byteOffset: row['byte_offset'] as number,
    lines: isOlder ? null : (row['lines'] as number | null),
    skipping: row['skipping'] === 1,
    head: row['head'] as string,
    headBytes: row['head_bytes'] as number,
    tail: isOlder ? '' : (row['tail'] as string),
    tailBytes: isOlder ? 0 : (row['tail_bytes'] as number),
  };
}
