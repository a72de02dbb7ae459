/**
 * How far each file was read. A file is known by its identity (device and inode) and the hash of its
 * first bytes, not by its name: one that was rotated to another name goes on where it stopped, one that
 * took over an old name or inode begins anew. Rows of files that are gone stay: they are small, and an
 * identity that comes back with other content gets a row of its own.
 */
import { sha256Hex } from '../base/index.ts';
import type { Row, Store, Write } from '../store/index.ts';

export const HEAD_BYTES = 256;
/** A name that rotates every minute for a week had as many files. */
const LOOKED_AT_MAX = 10_000;

export interface Cursor {
  readonly source: string;
  readonly fileId: string;
  /** The batch that began it: tells apart files that had the same identity one after the other. */
  readonly born: number;
  /** Its last known name. */
  readonly file: string;
  readonly byteOffset: number;
  /** Whether it stopped inside a line that was too long. */
  readonly skipping: boolean;
  readonly head: string;
  readonly headBytes: number;
}

export interface Seen {
  readonly source: string;
  readonly fileId: string;
  readonly file: string;
  readonly sizeBytes: number;
  /** The file's first bytes, at most `HEAD_BYTES`. */
  readonly head: Uint8Array;
}

export interface Resumed {
  readonly cursor: Cursor;
  /** Why it begins at its start although it was read before. */
  readonly anew: 'rotated' | 'truncated' | undefined;
}

/** Those of a source with this identity or this name, the latest first. */
export async function readCursors(
  store: Store,
  { source, fileId, file }: Pick<Seen, 'source' | 'fileId' | 'file'>,
): Promise<Cursor[]> {
  const rows = await store.all(
    `SELECT source, file_id, born, file, byte_offset, skipping, head, head_bytes
     FROM observe_cursors WHERE source = ? AND (file_id = ? OR file = ?)
     ORDER BY born DESC LIMIT ${LOOKED_AT_MAX}`,
    [source, fileId, file],
  );
  return rows.map(cursorOf);
}

/** Where to go on. `cursors` are what `readCursors` gave. */
export function resume(cursors: readonly Cursor[], seen: Seen, born: number): Resumed {
  const same = cursors.filter(({ fileId }) => fileId === seen.fileId);
  // A copy put back under the same name (a backup, another mount) has another identity.
  const named = cursors.filter(({ file }) => file === seen.file);
  const known = [...same, ...named].find((cursor) => hasHead(cursor, seen));
  const fresh: Cursor = {
    source: seen.source,
    fileId: seen.fileId,
    born,
    file: seen.file,
    byteOffset: 0,
    skipping: false,
    head: '',
    headBytes: 0,
  };
  if (known === undefined) {
    const isShorter = (same[0]?.byteOffset ?? 0) > seen.sizeBytes;
    const isOther = same.length + named.length > 0;
    return { cursor: fresh, anew: isShorter ? 'truncated' : isOther ? 'rotated' : undefined };
  }
  const cursor = known.fileId === seen.fileId ? known : { ...known, fileId: seen.fileId, born };
  if (known.byteOffset <= seen.sizeBytes)
    return { cursor: { ...cursor, file: seen.file }, anew: undefined };
  return { cursor: { ...fresh, born: cursor.born }, anew: 'truncated' };
}

/** What was read began with the bytes that the file begins with now. */
function hasHead({ head, headBytes }: Cursor, seen: Seen): boolean {
  return sha256Hex(seen.head.subarray(0, headBytes)) === head;
}

/** The cursor moved on; its head is of bytes that were read, so that it stays true. */
export function moved(
  cursor: Cursor,
  to: { byteOffset: number; skipping: boolean; head: Uint8Array },
): Cursor {
  const headBytes = Math.min(to.byteOffset, to.head.length);
  const head = sha256Hex(to.head.subarray(0, headBytes));
  return { ...cursor, byteOffset: to.byteOffset, skipping: to.skipping, head, headBytes };
}

export function writeCursor(cursor: Cursor, nowMs: number): Write {
  return {
    upsert: 'observe_cursors',
    key: { source: cursor.source, file_id: cursor.fileId, born: cursor.born },
    row: {
      file: cursor.file,
      byte_offset: cursor.byteOffset,
      skipping: cursor.skipping ? 1 : 0,
      head: cursor.head,
      head_bytes: cursor.headBytes,
      read_at_ms: nowMs,
    },
  };
}

function cursorOf(row: Row): Cursor {
  return {
    source: row['source'] as string,
    fileId: row['file_id'] as string,
    born: row['born'] as number,
    file: row['file'] as string,
    byteOffset: row['byte_offset'] as number,
    skipping: row['skipping'] === 1,
    head: row['head'] as string,
    headBytes: row['head_bytes'] as number,
  };
}
