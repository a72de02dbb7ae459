/**
 * Which working tree has a branch checked out, from git's own files and without a process: for `hone status`, which
 * answers before git has started. A deployment asks git itself (`checkedOutAt` of the port).
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readPlainFile } from './plain-files.ts';
import type { RefName } from './types.ts';
import { linkedFolder, mainFolder, underWayAt } from './under-way.ts';

/**
 * `unknown` where HEAD is not kept as a file of its own (reftable). A folder that is gone does not count, nor does
 * HEAD of a bare repository, which only names the default branch.
 */
export async function checkedOutByFiles(
  gitFolder: string,
  ref: RefName,
): Promise<{ readonly folder: string | undefined } | 'unknown'> {
  const [config = '', head] = await Promise.all([
    readPlainFile(join(gitFolder, 'config')),
    headOf(gitFolder),
  ]);
  if (/refstorage\s*=\s*reftable/i.test(config)) return 'unknown';
  const isBare = basename(gitFolder) !== '.git' || /^\s*bare\s*=\s*true\s*$/im.test(config);
  if (!isBare && head === ref) return { folder: mainFolder(gitFolder) };
  const worktrees = join(gitFolder, 'worktrees');
  for (const name of await readdir(worktrees).catch(() => [])) {
    const own = join(worktrees, name);
    if ((await headOf(own)) !== ref) continue;
    const folder = await linkedFolder(own);
    if (folder !== undefined) return { folder };
  }
  return { folder: await underWayAt(gitFolder, ref) };
}

async function headOf(own: string): Promise<string | undefined> {
  const text = await readPlainFile(join(own, 'HEAD')).catch(() => undefined);
  return /^ref: (refs\/heads\/\S+)\s*$/.exec(text ?? '')?.[1];
}
