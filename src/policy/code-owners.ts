/**
 * Who owns a file, by the repository's file CODEOWNERS, as GitHub and GitLab read it: patterns like those of
 * gitignore, without negation and character classes; the last one that fits counts, and one without owners means
 * nobody. Lines in any other form are passed over, as the forges do.
 */
import { matches } from './path-match.ts';

/** Where it is looked for; the first one there is counts. */
export const CODE_OWNERS_PLACES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const;

const RULES_MAX = 5_000;
const PATTERN_CHARS_MAX = 1_000;

interface OwnerRule {
  readonly parts: readonly string[];
  readonly owners: readonly string[];
}

export type CodeOwners = (path: string) => readonly string[];

/** `text` is written by whoever can change the repository; reading it takes time in its length only. */
export function parseCodeOwners(text: string): CodeOwners {
  const rules = text.split(/\r?\n/).flatMap(ruleOf).slice(0, RULES_MAX);
  return (path) => rules.findLast(({ parts }) => matches(parts, path.split('/')))?.owners ?? [];
}

function ruleOf(line: string): OwnerRule[] {
  const words = line.trim().match(/(?:\\.|[^\s\\])+/g) ?? [];
  const [pattern, ...rest] = words;
  if (pattern === undefined || /^[#!]/.test(pattern) || /[[\]]/.test(pattern)) return [];
  if (pattern.length > PATTERN_CHARS_MAX) return [];
  const comment = rest.findIndex((word) => word.startsWith('#'));
  const owners = comment < 0 ? rest : rest.slice(0, comment);
  if (!owners.every((owner) => owner.includes('@'))) return [];
  return [{ parts: partsOf(pattern.replace(/\\(.)/g, '$1')), owners }];
}

/**
 * A slash at the beginning or in the middle ties it to the root. A name stands for the file or for everything in the
 * folder; `docs/*` for the files of `docs` and no deeper. `?` is read as `*`.
 */
function partsOf(written: string): string[] {
  const inner = written.replace(/^\/|\/$/g, '');
  const isTied = written.startsWith('/') || inner.includes('/');
  const parts = inner.replaceAll('?', '*').split('/');
  const isShallow = isTied && parts.at(-1) === '*' && !written.endsWith('/');
  return [...(isTied ? [] : ['**']), ...parts, ...(isShallow ? [] : ['**'])];
}
