/**
 * Files of the machine that a sandbox is given must be readable by the user that runs in it. Where Hone is root, that is
 * nobody, who cannot look into root's folders; else it is the same user, and everything is within reach.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, chown, cp, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { SANDBOX_UID } from './arguments.ts';

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;

const isRoot = () => process.getuid?.() === 0;

/** Opens a folder that Hone made, with all that is in it, to the sandbox's user, and to nobody else. */
export async function openToSandbox(folder: string): Promise<void> {
  if (!isRoot()) return;
  await makeReadable(folder);
  await chown(folder, SANDBOX_UID, SANDBOX_UID);
  await chmod(folder, 0o700);
}

/** The path itself where the sandbox's user can read it, else a copy of it in a folder that was opened to them. */
export async function withinReach(path: string, folder: string): Promise<string> {
  if (!isRoot() || (await isOpenToAll(path))) return path;
  const copy = join(folder, basename(path));
  await cp(path, copy, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  });
  await makeReadable(copy);
  return copy;
}

/** Whatever the umask was. It follows no links. */
async function makeReadable(path: string): Promise<void> {
  await promisify(execFile)('chmod', ['-R', 'a+rX', '--', path]);
}

async function isOpenToAll(path: string): Promise<boolean> {
  if (((await stat(path)).mode & OTHERS_READ) === 0) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & OTHERS_ENTER) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
