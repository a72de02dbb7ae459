/**
 * Whose sessions are taken. A person's transcripts of all projects stand in one folder; what happened in other
 * projects is not this target's business.
 */
import { z } from 'zod';

/** Shared by the kinds that read transcripts: `target` unless given, `all`, or the absolute path of a folder. */
export const projectsKey = z
  .string()
  .max(1000)
  .regex(/^(?:target|all|[/\\].*|[A-Za-z]:[/\\].*)$/)
  .optional();

/** Whether a session that works in this folder is taken. */
export type IsTaken = (cwd: string) => boolean;

/** `root` is the target's folder, its links resolved; without one all sessions are taken. */
export function takenBy(projects: string | undefined, root: string | undefined): IsTaken {
  if (projects === 'all') return () => true;
  const folder = projects === undefined || projects === 'target' ? root : projects;
  if (folder === undefined) return () => true;
  const own = normalised(folder);
  const below = own === '/' ? own : `${own}/`;
  return (cwd) => {
    const path = normalised(cwd);
    return path === own || path.startsWith(below);
  };
}

const PATH_CHARS_MAX = 4096;

/**
 * As the clients write it: with links resolved, composed characters, forward slashes. macOS has its temporary folders
 * twice, Windows its drives in either case.
 */
function normalised(path: string): string {
  if (path.length > PATH_CHARS_MAX) return '';
  const parts: string[] = [];
  for (const part of path.normalize('NFC').replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const isDrive = /^[A-Za-z]:$/.test(parts[0] ?? '');
  if (isDrive) return parts.join('/').toLowerCase();
  const isTwice = parts[0] === 'private' && ['tmp', 'var', 'etc'].includes(parts[1] ?? '');
  return `/${(isTwice ? parts.slice(1) : parts).join('/')}`;
}
