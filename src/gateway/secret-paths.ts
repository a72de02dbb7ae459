/**
 * Paths of secrets inside the arguments of a call. Arguments are attacker-controlled: a path may stand inside a shell
 * command, be quoted in pieces, escaped, percent-encoded or a glob. What a shell computes (`$(…)`, variables) is not
 * seen here; what was read that way is found in the output (`judge.ts`).
 */
import type { Json } from '../base/index.ts';
import { matchingComponents, openedName } from '../policy/at-start.ts';
import { matchesPattern } from './names.ts';

/** How text is compared where it is not ASCII; given, because its tables are large. */
export type Canonical = (text: string) => string;

export interface SecretPaths {
  readonly patterns: readonly string[];
  readonly exceptions: readonly string[];
  /** A text without any of these, or a glob, names no secret. */
  readonly fragments: RegExp;
  /** Last names that a glob may stand for. */
  readonly names: readonly string[];
}

export function guardedPaths(list: readonly string[]): SecretPaths {
  const patterns = list.filter((one) => !one.startsWith('!')).map((one) => one.toLowerCase());
  return {
    patterns,
    exceptions: list.filter((one) => one.startsWith('!')).map((one) => one.slice(1).toLowerCase()),
    fragments: new RegExp(
      `[*?[{]|${[...new Set(patterns.map(longestPiece))].map(RegExp.escape).join('|')}`,
    ),
    names: patterns.map((one) => one.split('/').at(-1)!).filter((one) => one.length > 2),
  };
}

function longestPiece(pattern: string): string {
  return pattern.split(/[*/]/).reduce((best, one) => (one.length > best.length ? one : best), '');
}

/** The first path of a secret in these arguments. */
export function secretPathIn(
  value: Json,
  paths: SecretPaths,
  canonical?: Canonical,
): string | undefined {
  for (const text of stringsIn(value)) {
    const found = inText(text, paths, canonical);
    if (found !== undefined) return found;
  }
  return undefined;
}

const GLOB = /[*?[{]/;
const ASCII = /^[\x20-\x7e\t\r\n]*$/;

function inText(text: string, paths: SecretPaths, canonical?: Canonical): string | undefined {
  const folded = ASCII.test(text) ? text.toLowerCase() : (canonical ?? noMarks)(text.toLowerCase());
  const forms = formsOf(folded);
  if (!forms.some((form) => paths.fragments.test(form))) return undefined;
  for (const form of forms)
    for (const word of form.split(/[\s;|&<>(),=@`]+/)) {
      if (word === '' || word.length > 4096) continue;
      const found = ofWord(word, paths);
      if (found !== undefined) return found;
    }
  return undefined;
}

/** Without the tables: what cannot be seen goes, the rest is compared as it is. */
const noMarks: Canonical = (text) => text.normalize('NFKC').replace(/[\p{Cf}\p{Mn}]/gu, '');

/** As it stands; without what a shell takes away; percent-decoded. */
function formsOf(text: string): string[] {
  const bare = text.replace(/['"\\]/g, '');
  const forms = bare === text ? [text] : [text, bare];
  if (!text.includes('%')) return forms;
  return [
    ...forms,
    bare.replace(/%([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  ];
}

function ofWord(word: string, { patterns, exceptions, names }: SecretPaths): string | undefined {
  const components = word
    .replace(/[?#].*$/, '')
    .split(/[\\/]/)
    .map(openedName);
  const found = matchingComponents(components, patterns);
  if (found !== undefined) {
    return matchingComponents(components, exceptions) === undefined ? found : undefined;
  }
  const last = word.split(/[\\/]/).at(-1)!;
  if (!GLOB.test(last)) return undefined;
  const glob = last.replace(/\[[^\]]*\]|\{[^}]*\}?|\?/g, '*');
  // A bare `*` names no file, and a shell leaves dot files out of it.
  if (glob.replaceAll('*', '').length === 0) return undefined;
  return names.find((name) => matchesPattern(name.replaceAll('*', 'x'), glob));
}

/** Every text in it, keys too; as deep as JSON goes. */
function* stringsIn(value: Json): Generator<string> {
  const open: Json[] = [value];
  while (open.length > 0) {
    const one = open.pop()!;
    if (typeof one === 'string') yield one;
    else if (Array.isArray(one)) open.push(...one);
    else if (typeof one === 'object' && one !== null) {
      for (const [key, child] of Object.entries(one)) {
        yield key;
        if (child !== undefined) open.push(child as Json);
      }
    }
  }
}
