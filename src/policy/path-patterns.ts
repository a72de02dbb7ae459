/** Patterns of paths, as rules and configuration write them. */
import { canonicalForm } from '../text/index.ts';
import { matchingComponents, openedName } from './path-match.ts';

/**
 * The first pattern that a path matches; undefined when it matches none. `*` stands for anything within
 * a component, `**` for any components; a pattern matches in every folder, and from the root only when
 * it begins with `/`. The path is attacker-controlled and compared as the laxest file system would open
 * it: without case, hidden characters, look-alikes, trailing dots and spaces or NTFS streams.
 */
export function matchingPath(path: string, patterns: readonly string[]): string | undefined {
  return matchingComponents(openedComponents(path), patterns);
}

/** All patterns that a path matches. */
export function matchingPaths(path: string, patterns: readonly string[]): readonly string[] {
  const components = openedComponents(path);
  if (matchingComponents(components, patterns) === undefined) return [];
  return patterns.filter((pattern) => matchingComponents(components, [pattern]) !== undefined);
}

/** The names of a path as the laxest file system would open them, in small letters. */
export function openedComponents(path: string): readonly string[] {
  if (last.path !== path)
    last = { path, opened: canonicalForm(path.toLowerCase()).split('/').map(openedName) };
  return last.opened;
}

/** Many lists are asked about one path in a row. */
let last: { readonly path: string; readonly opened: readonly string[] } = {
  path: '',
  opened: [''],
};
