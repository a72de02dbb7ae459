/** How each path that is to be hidden is covered. */
import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import type { Mask } from './arguments.ts';
import { SandboxError } from './errors.ts';
import type { SandboxRun } from './types.ts';

export function masksOf({ masked, readOnly, scratch }: SandboxRun): Mask[] {
  return masked.flatMap((path): Mask[] => {
    const within = (place: string) => path === place || path.startsWith(`${place}/`);
    const bind = readOnly.filter(({ to }) => within(to)).sort(longestFirst)[0];
    if (bind === undefined) return scratch.some(within) ? [{ path, is: 'folder' }] : [];
    return maskBelow(path, posix.join(bind.from, path.slice(bind.to.length)));
  });
}

function longestFirst(a: { readonly to: string }, b: { readonly to: string }): number {
  return b.to.length - a.to.length;
}

function maskBelow(path: string, real: string): Mask[] {
  const stats = lstatSync(real, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (stats.isDirectory()) return [{ path, is: 'folder' }];
  if (stats.isFile()) return [{ path, is: 'file' }];
  // A mount would follow the link, and leave what it hides in sight.
  throw new SandboxError('bad_run', `A path to be hidden is a link or a special file: ${path}.`, {
    hint: 'Replace the link by a file or folder of its own.',
  });
}
