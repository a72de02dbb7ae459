/**
 * Opens one SQLite file the way Hone uses it: WAL, no blocking waits, defensive mode. Refuses files
 * of others and network file systems, on which SQLite's locks do not hold.
 */
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode, errorMessage } from '../../base/index.ts';
import { StoreError } from '../errors.ts';
import { isNoDatabase } from './faults.ts';
import { makeFolder } from './folder.ts';
import { type Mounts, networkFileSystem } from './network-mount.ts';

const MEMORY = ':memory:';

/** Stands in the file's header, so that `file` and Hone know whose database it is: "HONE". */
export const APPLICATION_ID = 0x484f4e45;

export interface SqliteFile {
  readonly path: string;
  /** `full`: a commit is on the disk when it returns. `normal`: a power cut may take the last ones. */
  readonly synchronous: 'full' | 'normal' | 'off';
  readonly mounts?: Mounts;
}

export function openDatabase(file: SqliteFile): DatabaseSync {
  if (file.path !== MEMORY) checkPlace(file);
  const database = new DatabaseSync(file.path, {
    timeout: 0,
    enableForeignKeyConstraints: true,
  });
  try {
    checkOwner(database, file.path);
    database.enableDefensive(true);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(`PRAGMA synchronous = ${file.synchronous}`);
    database.exec(`PRAGMA wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
    database.exec('PRAGMA trusted_schema = OFF');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * How many WAL pages until a commit also copies them into the database. With four processes writing,
 * the longest block of an event loop was 5 to 8 ms, against 5 to 23 ms with SQLite's default of 1000.
 */
export const AUTOCHECKPOINT_PAGES = 256;

function checkPlace({ path, mounts }: SqliteFile): void {
  const folder = dirname(path);
  try {
    if (!existsSync(path)) makeFolder(folder);
  } catch (error) {
    throw new StoreError(
      'unreachable',
      `Cannot make the folder ${folder}: ${errorMessage(error)}.`,
      {
        hint: 'Check the path and your permissions, or set XDG_STATE_HOME to a folder you may write.',
        cause: error,
      },
    );
  }
  const network = networkFileSystem(folder, mounts);
  if (network !== undefined) {
    throw new StoreError('network_mount', `${folder} is on a network file system (${network}).`, {
      hint: 'Set XDG_STATE_HOME to a local folder, or use PostgreSQL (store.url in hone.yaml).',
    });
  }
  if (!existsSync(path)) makeForOwnerAlone(path);
}

/**
 * SQLite would make it for everybody whom the umask lets in, and gives its `-wal` and `-shm` the mode that it has.
 * It is new, so nobody in this process holds a lock on it that closing the descriptor would drop.
 */
function makeForOwnerAlone(path: string): void {
  try {
    // Not by the flag `wx`, which would also empty it: nothing here may ever empty a database.
    const { O_CREAT, O_EXCL, O_WRONLY } = constants;
    closeSync(openSync(path, O_CREAT | O_EXCL | O_WRONLY, 0o600));
  } catch (error) {
    // Another process made it at the same moment. A place where nothing can be made is SQLite's to name.
    if (errorCode(error) === undefined) throw error;
  }
}

/**
 * Refuses a file of somebody else before anything of it is changed. SQLite reads the header, not we:
 * closing a descriptor of our own would drop the locks that this process's other connections hold on
 * the file (POSIX), and only SQLite knows that a page torn by a power cut is to be rolled back first.
 */
function checkOwner(database: DatabaseSync, path: string): void {
  let row: { id: number; tables: number };
  try {
    row = database
      .prepare(
        `SELECT application_id AS id, (SELECT count(*) FROM sqlite_schema) AS tables
         FROM pragma_application_id`,
      )
      .get() as typeof row;
  } catch (error) {
    throw isNoDatabase(error) ? foreign(path) : error;
  }
  // A database that another process is just making has neither its mark nor tables yet.
  const isNew = row.id === 0 && row.tables === 0;
  if (!isNew && row.id !== APPLICATION_ID) throw foreign(path);
}

export function foreign(path: string): StoreError {
  return new StoreError('foreign', `${path} exists but is not a Hone database.`, {
    hint: 'Move it away, or point Hone at another state folder (XDG_STATE_HOME). Nothing was changed.',
  });
}
