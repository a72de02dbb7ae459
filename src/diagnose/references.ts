/**
 * Which files of the target mention which: a constant that nobody's name stands beside is used by the program that imports
 * it. A file is known by its name without the ending, as imports and paths have it. Words, not syntax: it holds for any language. Pure.
 */
import { posix } from 'node:path';
import type { Setting } from './types.ts';

/** The words of a file, and how often it says each. */
export type Words = ReadonlyMap<string, number>;

/** Those of each file, by its path. */
export type FileWords = ReadonlyMap<string, Words>;

const WORD = /[A-Za-z_$][\w$-]*/g;
const WORDS_MAX = 20_000;

export function wordsOfFile(text: string): Words {
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(WORD)) {
    const times = words.get(word);
    if (times === undefined && words.size >= WORDS_MAX) continue;
    words.set(word, (times ?? 0) + 1);
  }
  return words;
}

const stemOf = (file: string) => posix.basename(file).replace(/(?:\.[A-Za-z]+)+$/, '');

/** Other files that mention this setting: its file and its key. */
export function usersOf({ file, path }: Setting, words: FileWords): string[] {
  const [stem, key] = [stemOf(file), path.at(-1) ?? ''];
  return [...words]
    .filter(([other, said]) => other !== file && said.has(stem) && said.has(key))
    .map(([other]) => other);
}

const PROGRAM = /\.(?:[cm]?[jt]sx?|py)$/;

/** Whether it is a constant of a program that no line but its own says: whoever reads it is not among the files. */
export function isUnused(
  { file, path }: Pick<Setting, 'file' | 'path'>,
  words: FileWords,
): boolean {
  const [name = ''] = path;
  if (!PROGRAM.test(file) || (words.get(file)?.get(name) ?? 0) !== 1) return false;
  return [...words].every(([other, said]) => other === file || !said.has(name));
}

/** Whether another file mentions this one. */
export function isMentioned(file: string, words: FileWords): boolean {
  return [...words.keys()].some((other) => other !== file && mentions(other, file, words));
}

/** Whether the first file says the second one's name. */
export function mentions(from: string, file: string, words: FileWords): boolean {
  return words.get(from)?.has(stemOf(file)) === true;
}

/** Whether it says every part of the second one's path: a name alone may be that of an agent. */
export function mentionsPath(from: string, file: string, words: FileWords): boolean {
  const said = words.get(from);
  return (file.match(WORD) ?? []).every((part) => said?.has(part) === true);
}

/** Whether a file is this agent's, or speaks of this agent or tool. */
export function isAbout(
  file: string,
  { agent, tool }: { readonly agent: string; readonly tool: string },
  words: FileWords,
): boolean {
  const said = words.get(file);
  return [agent, tool].some((name) => name !== '' && (stemOf(file) === name || said?.has(name)));
}
