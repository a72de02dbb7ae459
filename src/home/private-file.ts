/** Files that only their owner may read, written whole or not at all. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, errorMessage } from '../base/index.ts';
import { HomeError } from './errors.ts';

/** Makes the folder for its owner alone. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
  } catch (error) {
    throw new HomeError('io', `Cannot make the folder ${path}: ${errorMessage(error)}.`, {
      hint: 'Check your rights and the free space, or set XDG_STATE_HOME to a folder you may write.',
      cause: error,
    });
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
  try {
    if (options.exclusive) return writeNew(path, text);
    const beside = `${path}.new`;
    rmSync(beside, { force: true });
    writeNew(beside, text);
    renameSync(beside, path);
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    throw new HomeError('io', `Cannot write ${path}: ${errorMessage(error)}.`, {
      hint: 'Check your rights and the free space. Nothing was changed.',
      cause: error,
    });
  }
}

function writeNew(path: string, text: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(descriptor, text);
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

function syncFolder(path: string): void {
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
