/** Everything in the state folder is for its owner alone, whatever the umask was or a copy made of it. */
import { chmodSync, lstatSync } from 'node:fs';
import { errorCode } from '../base/index.ts';
import type { Home } from './home.ts';

const OTHERS = 0o077;

/**
 * Takes the rights of others away. Not from the key: one that others could read is refused (`key-file.ts`).  Gives
 * what was open to them, and whether that could be fixed.
 */
export function closeToOthers(home: Home): { readonly path: string; readonly mended: boolean }[] {
  if (process.platform === 'win32') return [];
  const databases = [home.controlFile, home.telemetryFile];
  const files = [
    home.stateDir,
    ...databases.flatMap((path) => [path, `${path}-wal`, `${path}-shm`]),
    home.acceptedFile,
  ];
  return files.flatMap((path) => {
    const mode = modeOf(path);
    return mode === undefined || (mode & OTHERS) === 0 ? [] : [{ path, mended: close(path, mode) }];
  });
}

/** Of a link nothing is said: it is its target that somebody owns. */
function modeOf(path: string): number | undefined {
  try {
    const found = lstatSync(path);
    return found.isSymbolicLink() ? undefined : found.mode;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function close(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode & ~OTHERS & 0o777);
    return true;
  } catch {
    return false;
  }
}
