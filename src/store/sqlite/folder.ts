/** Makes the folder that a database lies in, and makes it last. */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../../base/index.ts';

/**
 * A name is on the disk when the folder that holds it was synced. SQLite syncs the database's own
 * folder, so it is those above that are synced here: without it a power cut after the first start
 * could take a new state folder with everything that was acknowledged in it (`chaos power`).
 *
 * Called before the database is made: where a database is, the names above it are durable, also when
 * the process that made the folder did not live to sync it.
 */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return; // folders cannot be synced there
  let lower = resolve(folder);
  for (let upper = dirname(lower); upper !== lower; upper = dirname(lower)) {
    syncFolder(upper);
    lower = upper;
  }
}

function syncFolder(folder: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(folder, 'r');
  } catch (error) {
    if (isForbidden(error)) return; // a folder of others, in which we made nothing
    throw error;
  }
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (errorCode(error) !== 'EINVAL') throw error; // a file system that keeps nothing to sync
  } finally {
    closeSync(descriptor);
  }
}

function isForbidden(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'EACCES' || code === 'EPERM';
}
