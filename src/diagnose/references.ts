/**
 * Which files of the target mention which: a constant that nobody's name stands beside is used by the program that imports
 * it. A file is known by its name without the ending, as imports and paths have it. Words, not syntax: it holds for any language. Pure.
 */
import { posix } from 'node:path';
import type { Setting } from './types.ts';

/** The words of a file. */
export interface Words {
  /** How often it says each. */
  readonly said: ReadonlyMap<string, number>;
  /** Those that it says otherwise than as a key: `rows: 48` says nothing of the file `rows.json`. */
  readonly named: ReadonlySet<string>;
}

/** Those of each file, by its path. */
export type FileWords = ReadonlyMap<string, Words>;

const WORD = /[A-Za-z_$][\w$-]*/g;
/** What follows a key; `a::b`, `a == b` and `a => b` are none. */
const AFTER_KEY = /["'`]?[ \t]*(?::(?!:)|=(?![=>]))/y;
const WORDS_MAX = 20_000;

export function wordsOfFile(text: string): Words {
  const said = new Map<string, number>();
  const named = new Set<string>();
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const times = said.get(word);
    if (times === undefined && said.size >= WORDS_MAX) continue;
    said.set(word, (times ?? 0) + 1);
    AFTER_KEY.lastIndex = index + word.length;
    if (!named.has(word) && !AFTER_KEY.test(text)) named.add(word);
  }
  return { said, named };
}

const stemOf = (file: string) => posix.basename(file).replace(/(?:\.[A-Za-z]+)+$/, '');

/** Other files that mention this setting: its file and its key. */
export function usersOf({ file, path }: Setting, words: FileWords): string[] {
  const [stem, key] = [stemOf(file), path.at(-1) ?? ''];
  return [...words]
    .filter(([other, { said, named }]) => other !== file && named.has(stem) && said.has(key))
    .map(([other]) => other);
}

const PROGRAM = /\.(?:[cm]?[jt]sx?|py)$/;

/** Whether it is a constant of a program that no line but its own says: whoever reads it is not among the files. */
export function isUnused(
  { file, path }: Pick<Setting, 'file' | 'path'>,
  words: FileWords,
): boolean {
  const [name = ''] = path;
  if (!PROGRAM.test(file) || (words.get(file)?.said.get(name) ?? 0) !== 1) return false;
  return [...words].every(([other, { said }]) => other === file || !said.has(name));
}

/** Whether another file mentions this one. */
export function isMentioned(file: string, words: FileWords): boolean {
  return [...words.keys()].some((other) => other !== file && mentions(other, file, words));
}

/** Whether the first file says the second one's name. */
export function mentions(from: string, file: string, words: FileWords): boolean {
  return words.get(from)?.named.has(stemOf(file)) === true;
}

/** Whether it says every part of the second one's path: a name alone may be that of an agent. */
export function mentionsPath(from: string, file: string, words: FileWords): boolean {
  const said = words.get(from)?.said;
  return (file.match(WORD) ?? []).every((part) => said?.has(part) === true);
}

/** Whether a file is this agent's, or speaks of this agent or tool. */
export function isAbout(
  file: string,
  { agent, tool }: { readonly agent: string; readonly tool: string },
  words: FileWords,
): boolean {
  const said = words.get(file)?.said;
  return [agent, tool].some((name) => name !== '' && (stemOf(file) === name || said?.has(name)));
}
