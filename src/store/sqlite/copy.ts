/**
 * Copies of a SQLite file that others go on writing.
 *
 * The source is read in one read transaction, so the copy is a state that really was, and SQLite's online
 * backup never begins again however much is committed meanwhile. The WAL keeps growing until the copy is
 * done. Rejected: `VACUUM INTO`, the same in one call that blocks the process and cannot be interrupted.
 */
import { backup, DatabaseSync } from 'node:sqlite';
import { type Random, systemRandom } from '../../base/index.ts';
import { StoreError } from '../errors.ts';
import { isBusy, storeError } from './faults.ts';
import { whenFree } from './wait.ts';

/** About 4 MB at a time: often enough for progress and Ctrl-C. */
const PAGES_PER_STEP = 1024;

export interface CopyOptions {
  readonly from: string;
  /** A new file. */
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
  /** From 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly random?: Random | undefined;
}

export async function copySqlite(options: CopyOptions): Promise<void> {
  const { from, to, signal, onProgress } = options;
  try {
    const source = new DatabaseSync(from, { readOnly: true, timeout: 0 });
    try {
      await whenFree(options.random ?? systemRandom, () => beginReading(source));
      await backup(source, to, {
        rate: PAGES_PER_STEP,
        progress: ({ totalPages, remainingPages }) => {
          signal?.throwIfAborted();
          onProgress?.(totalPages === 0 ? 1 : 1 - remainingPages / totalPages);
        },
      });
      signal?.throwIfAborted();
    } finally {
      source.close();
    }
    checkCopy(to);
  } catch (error) {
    throw storeError(error, from);
  }
}

/** A transaction that only began has no snapshot yet; one that read has. */
function beginReading(source: DatabaseSync): void {
  if (!source.isTransaction) source.exec('BEGIN');
  source.prepare('SELECT count(*) FROM sqlite_schema').get();
}

/** One file with nothing beside it, and sound: a copy that cannot be opened is found now, not when it is needed. */
function checkCopy(path: string): void {
  const copy = new DatabaseSync(path, { timeout: 0 });
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    const [row] = copy.prepare('PRAGMA quick_check(1)').all();
    const found = Object.values(row ?? {})[0];
    if (found === 'ok') return;
    throw new StoreError('corrupt', `The database is damaged (${String(found)}).`, {
      hint: 'No backup was made of it. Restore an older backup ("hone restore").',
    });
  } finally {
    copy.close();
  }
}

/** Holds a file, so that no other process opens or changes it; released when the process ends, however it does. */
export interface Held {
  release(): void;
}

/**
 * Undefined while another process or connection has the database open: leaving WAL mode is only possible for
 * the last one. What was in the WAL is in the file afterwards. Throws on what is not a database of ours.
 */
export function holdSqlite(path: string): Held | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw storeError(error, path);
  }
  return { release: () => database.close() };
}

/** Triggers and views, by name: what acts on rows by itself. */
export function actingParts(path: string): ReadonlyMap<string, string> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    const rows = database
      .prepare(`SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')`)
      .all();
    return new Map(rows.map(({ name, sql }) => [String(name), String(sql)]));
  } finally {
    database.close();
  }
}
