/**
 * The files of the target that hooks and checks name: whoever changes one decides what runs outside the sandbox. They are
 * protected subjects, so no proposal may touch them. A word that may be a path counts as one; a path outside the target
 * protects nothing.
 */
import { posix } from 'node:path';
import type { ArrivalSettings } from './types.ts';

/** A script in one word (`sh -c "cd /srv/app && ./restart"`) names several. */
const BETWEEN = /[\s'"`=;&|()<>,]+/;

/** As patterns from the root. `targetFolder`: the target's working tree, where it has one. */
export function hookPaths(
  { hooks, deployed, smoke, verify }: ArrivalSettings,
  targetFolder: string | undefined,
): readonly string[] {
  const checks = [...deployed.command, ...smoke.command, ...verify.command];
  const words = [...hooks.flatMap(({ run }) => run), ...checks];
  const named = words
    .flatMap((word) => word.split(BETWEEN))
    .flatMap((one) => inTarget(one, targetFolder));
  return [...new Set(named)];
}

function inTarget(word: string, folder: string | undefined): string[] {
  if (folder !== undefined && word.startsWith(`${folder}/`))
    return [`/${posix.normalize(word.slice(folder.length + 1))}`];
  if (word.startsWith('/') || word.startsWith('-') || !/[./]/.test(word)) return [];
  const path = posix.normalize(word);
  return path.startsWith('..') || path === '.' ? [] : [`/${path}`];
}
