/**
 * Odd members of established templates. A value with brackets, a query or other punctuation gives its message separators
 * of its own, so its form lies in another bucket than the hundreds whose value was plain. Seen from white space, it is
 * the same message: every fixed word in its order, and something else only where the template varies.
 *
 * A pure function of the templates and their counts, so neither the order of messages nor where they were counted
 * matters.
 */
import { WILDCARD } from '../tokens.ts';

export interface Countable {
  readonly id: string;
  readonly text: string;
  readonly count: number;
}

/**
 * A template that takes others in was seen so often, and so many times as often as them. Both are about how sure it is
 * that a place varies, not about traffic: a busier source only reaches them sooner.
 */
const ESTABLISHED = 16;
const TIMES_RARER = 8;
/** So many fixed words with so many letters together: fewer come together by chance. */
const FIXED_WORDS = 2;
const FIXED_LETTERS = 8;
/** A value may have so many words more than the template's has. */
const MORE_WORDS = 4;
/** Templates that share their first fixed word and are compared; more would be a source of noise. */
const COMPARED_MAX = 64;
/** The words of a message in which that word is looked for, and those that are compared at all. */
const FIRST_WORDS = 16;
const WORDS_MAX = 200;

interface Adopter {
  readonly id: string;
  readonly words: readonly string[];
  readonly fixed: number;
}

/** By the id of each odd member, the id of the template that it belongs to. */
export function adoptions(templates: readonly Countable[]): Map<string, string> {
  const found = new Map<string, string>();
  const adopters = new Map<string, Adopter[]>();
  let most = 0;
  // The most frequent first: who is taken in takes nobody in.
  const ordered = [...templates].sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
  const counts = new Map(ordered.map(({ id, count }) => [id, count]));
  for (const { id, text, count } of ordered) {
    const words = wordsOf(text);
    if (count * TIMES_RARER <= most) {
      const adopter = adopterOf(words, adopters, (one) => counts.get(one)! >= count * TIMES_RARER);
      if (adopter !== undefined) {
        found.set(id, adopter.id);
        continue;
      }
    }
    if (count < ESTABLISHED) continue;
    most = Math.max(most, count);
    const fixed = fixedWords(words);
    if (fixed.length < FIXED_WORDS || letters(fixed) < FIXED_LETTERS) continue;
    const alike = adopters.get(fixed[0]!) ?? [];
    if (alike.length < COMPARED_MAX) alike.push({ id, words, fixed: fixed.length });
    adopters.set(fixed[0]!, alike);
  }
  return found;
}

/** The one with most fixed words; among those, the most frequent. */
function adopterOf(
  words: readonly string[],
  adopters: ReadonlyMap<string, readonly Adopter[]>,
  isOften: (id: string) => boolean,
): Adopter | undefined {
  let best: Adopter | undefined;
  for (const word of new Set(words.slice(0, FIRST_WORDS))) {
    for (const one of adopters.get(word) ?? []) {
      if (one.fixed <= (best?.fixed ?? 0) || !isOften(one.id)) continue;
      if (fits({ words, template: one.words }, { at: 0, place: 0, more: MORE_WORDS })) best = one;
    }
  }
  return best;
}

interface Pair {
  readonly words: readonly string[];
  readonly template: readonly string[];
}

/** Whether the words from `at` on are those of the template from `place` on, with at most `more` words too many. */
function fits(
  pair: Pair,
  { at, place, more }: { at: number; place: number; more: number },
): boolean {
  const { words, template } = pair;
  const left = words.length - at - (template.length - place);
  if (left < 0 || left > more) return false;
  if (place === template.length) return left === 0;
  const word = template[place]!;
  if (words[at] === word) return fits(pair, { at: at + 1, place: place + 1, more });
  if (!word.includes(WILDCARD)) return false;
  const isNamed = place > 0 && template[place - 1]!.endsWith(':');
  for (let taken = 1; taken <= 1 + left; taken++) {
    if (!isValueOf(words.slice(at, at + taken), word, isNamed)) continue;
    const next = { at: at + taken, place: place + 1, more: more - (taken - 1) };
    if (fits(pair, next)) return true;
  }
  return false;
}

/**
 * What the place has fixed around its value stays. A plain word instead of a value says something else, unless a key names
 * the place (`server: localhost`), and a key inside begins the next value.
 */
function isValueOf(here: readonly string[], word: string, isNamed: boolean): boolean {
  const scheme = SCHEME.exec(word)?.[0];
  const before = scheme === undefined ? word.slice(0, word.indexOf(WILDCARD)) : '';
  const after = word.slice(word.lastIndexOf(WILDCARD) + WILDCARD.length);
  const text = here.join(' ');
  if (text.length < before.length + after.length) return false;
  if (!text.startsWith(before) || !text.endsWith(after)) return false;
  if (scheme !== undefined && !/[/:\\]/.test(text)) return false;
  if (here.slice(1).some((one) => KEY.test(one))) return false;
  const value = text.slice(before.length, text.length - after.length);
  if (value === '') return text !== '';
  return (isNamed && here.length === 1) || !value.split(' ').some((one) => PLAIN.test(one));
}

const KEY = /^\p{L}[\p{L}\p{N}_-]*[:=]/u;
const PLAIN = /^\p{Ll}+$/u;
/** An address varies in its beginning too. */
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\/(?=<)/;

function fixedWords(words: readonly string[]): string[] {
  return words.filter((word) => !word.includes(WILDCARD) && /\p{L}/u.test(word));
}

function letters(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (word.match(/\p{L}/gu)?.length ?? 0), 0);
}

/** Longer messages are the same only if they are equal in what is not compared word by word. */
function wordsOf(text: string): string[] {
  const words = text.split(' ');
  if (words.length <= WORDS_MAX) return words;
  return [...words.slice(0, WORDS_MAX), words.slice(WORDS_MAX).join(' ')];
}
