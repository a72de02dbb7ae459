/**
 * Branches that somebody works on without having them checked out: during a rebase or a bisection HEAD is
 * detached, and git itself refuses to touch the branch (`branch.c`). Read as git keeps it in each working tree.
 */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readPlainFile } from './plain-files.ts';
import type { RefName } from './types.ts';

/** The folder of the working tree where it is under way; one whose folder is gone does not count. */
export async function underWayAt(gitFolder: string, ref: RefName): Promise<string | undefined> {
  const worktrees = join(gitFolder, 'worktrees');
  const linked = (await readdir(worktrees).catch(() => [])).map((name) => join(worktrees, name));
  for (const own of [gitFolder, ...linked]) {
    if (!(await branchesUnderWay(own)).includes(ref)) continue;
    const folder = own === gitFolder ? mainFolder(gitFolder) : await linkedFolder(own);
    if (folder !== undefined) return folder;
  }
  return undefined;
}

/** Of the main working tree. */
export function mainFolder(gitFolder: string): string {
  return basename(gitFolder) === '.git' ? dirname(gitFolder) : gitFolder;
}

/** Of a linked one, by its own folder below `worktrees`; undefined when it is gone. */
export async function linkedFolder(own: string): Promise<string | undefined> {
  const folder = dirname((await readPlainFile(join(own, 'gitdir')))?.trim() ?? '/');
  const isThere = await stat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  return isThere ? folder : undefined;
}

async function branchesUnderWay(own: string): Promise<string[]> {
  const read = async (name: string) => ((await readPlainFile(join(own, name))) ?? '').split('\n');
  const [merge, apply, stacked, bisected] = await Promise.all(
    [
      'rebase-merge/head-name',
      'rebase-apply/head-name',
      'rebase-merge/update-refs',
      'BISECT_START',
    ].map(read),
  );
  const [start = ''] = bisected!;
  const isBranch = (line: string) => line.startsWith('refs/heads/');
  return [
    ...[...merge!, ...apply!, ...stacked!].filter(isBranch),
    ...(start === '' ? [] : [isBranch(start) ? start : `refs/heads/${start}`]),
  ];
}
