/**
 * What the operator declared as agents' files (`target.agentFiles`). A glob matches a path as it is written: one that only
 * a lax file system opens as a declared file is not declared.
 *
 * A glob *spells out* a pattern where its own literal names, without any wildcard, match the pattern: `gateway/*.yaml`
 * spells out `gateway/**`; `**` and `agents/**` do not, although they match `agents/gateway/a.yaml`.
 */
import { posix } from 'node:path';
import { matchingPath } from './path-patterns.ts';

/** A name that no pattern matches by its letters. */
const ANY = '\0';

export function globsFor(path: string, agentFiles: readonly string[]): readonly string[] {
  return agentFiles.filter((glob) => posix.matchesGlob(path, glob));
}

export function isSpelledOut(pattern: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchingPath(literalForm(glob), [pattern]) !== undefined);
}

/** A glob as a path: a name with a wildcard in it stands for nothing in particular. */
export function literalForm(glob: string): string {
  return glob
    .split('/')
    .map((name) => (/[*?[\]{}(]/.test(name) ? ANY : name))
    .join('/');
}
