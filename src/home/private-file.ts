/** Files that only their owner may read, written whole or not at all. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, errorMessage } from '../base/index.ts';
import { HomeError } from './errors.ts';

/**
 * Makes the folder for its owner alone. One that is a link belongs to whoever made it: it is used where
 * others may not read it, and otherwise left as it is.
 */
export function makePrivateFolder(path: string): void {
  try {
    makeFolders(path);
    if (!lstatSync(path).isSymbolicLink()) chmodSync(path, 0o700);
  } catch (error) {
    throw new HomeError('io', `Cannot make the folder ${path}: ${errorMessage(error)}.`, {
      hint: 'Check your permissions and the free space, or set XDG_STATE_HOME to a folder you may write.',
      cause: error,
    });
  }
  if (isOpenToOthers(path)) {
    throw new HomeError(
      'io',
      `${path} is a link to a folder that others on this machine may read.`,
      {
        hint: 'Remove the link, or run chmod 700 on the folder that it leads to.',
      },
    );
  }
}

/** One by one: where a folder cannot be made at all, as in /proc, Node's own way may not come to an end. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process made it at the same moment.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Writes beside the target, syncs, then renames over it: a crash leaves the old file or the new one.
 * `exclusive` never replaces: false is returned when the file is there already.
 */
export function writePrivateFile(
  path: string,
  text: string,
  options: { exclusive: boolean },
): boolean {
  return writeWholeFile(path, text, { ...options, mode: 0o600 });
}

/** The same for others to read as well. */
export function writeWholeFile(
  path: string,
  text: string,
  { exclusive, mode }: { exclusive: boolean; mode: number },
): boolean {
  try {
    // A name of this process's own: others may write the same file at the same moment.
    const beside = `${path}.${process.pid}.new`;
    rmSync(beside, { force: true });
    writeNew(beside, text, mode);
    try {
      if (!exclusive) renameSync(beside, path);
      else if (!placeNew(beside, path, { text, mode })) return false;
    } finally {
      rmSync(beside, { force: true });
    }
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    throw new HomeError('io', `Cannot write ${path}: ${errorMessage(error)}.`, {
      hint: 'Check your permissions and the free space. Nothing was changed.',
      cause: error,
    });
  }
}

/** Linked in place whole: whoever finds the file finds all of it. Not every file system has links. */
function placeNew(
  beside: string,
  path: string,
  { text, mode }: { text: string; mode: number },
): boolean {
  try {
    linkSync(beside, path);
    return true;
  } catch (error) {
    return errorCode(error) === 'EEXIST' ? false : writeNew(path, text, mode);
  }
}

/** The whole text, synced, or no file; false when there is one already. */
function writeNew(path: string, text: string, mode: number): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', mode);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    // Not `writeSync`: on a full disk that writes a part and says so only in its result.
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(path));
  return true;
}

export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** `undefined` when there is no such file. */
export function readPrivateFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new HomeError('io', `Cannot read ${path}: ${errorMessage(error)}.`, {
      hint: 'Check that it is a file and that your user may read it.',
      cause: error,
    });
  }
}

/** Whether others on this machine may read it. Windows keeps no such mode. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}
