/**
 * Files of the target's git directory, read by ourselves. Whoever may write there may put a pipe in place of
 * a file, and git would hang on a pipe until its timeout: such a pipe is found first, and named.
 */
import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../base/index.ts';
import { GitError } from './errors.ts';

/** A file that is longer is read as far as this. */
export const PLAIN_BYTES_MAX = 1024 * 1024;
/** What git reads by name for the commands that we run. */
const READ_BY_GIT = [
  'HEAD',
  'config',
  'config.worktree',
  'packed-refs',
  'shallow',
  'info/attributes',
  'info/grafts',
  'objects/info/alternates',
];

/** The beginning of a file; undefined when there is none. */
export async function readPlainFile(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = await file.stat();
    if (!found.isFile()) throw notAFile(path);
    const sizeBytes = Math.min(found.size, PLAIN_BYTES_MAX);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** `ref`: the one that is to be read; git reads its whole folder for it. */
export async function refuseSpecialFiles(gitFolder: string, ref?: string): Promise<void> {
  for (const name of READ_BY_GIT) {
    const path = join(gitFolder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && !found.isFile()) throw notAFile(path);
  }
  if (ref === undefined) return;
  const folder = join(gitFolder, dirname(ref));
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const special = entries.find(
    (entry) => !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink(),
  );
  if (special !== undefined) throw notAFile(join(folder, special.name));
}

function notAFile(path: string): GitError {
  return new GitError('io', `${path} is not a regular file: git would hang on it.`, {
    hint: 'Somebody put it there. Look at it, remove it, then try again.',
  });
}
