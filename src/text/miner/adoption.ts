/**
 * Odd members of established templates. A value with brackets, a query or other punctuation gives its message separators
 * of its own, so its form lies in another bucket than the hundreds whose value was plain. Seen from white space, it is
 * the same message: as many words, every fixed one in its place, and something else only where the template varies.
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
/** Templates that begin alike and are compared; more would be a source of noise. */
const COMPARED_MAX = 64;
/** Longer messages are compared up to here, and are the same only if they are equal behind it. */
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
    const key = keyOf(words, words.indexOf(fixed[0]!));
    const alike = adopters.get(key) ?? [];
    if (alike.length < COMPARED_MAX) alike.push({ id, words, fixed: fixed.length });
    adopters.set(key, alike);
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
  for (let place = 0; place < words.length; place++) {
    for (const one of adopters.get(keyOf(words, place)) ?? []) {
      if (one.fixed <= (best?.fixed ?? 0) || !isOften(one.id) || !fits(words, one.words)) continue;
      best = one;
    }
  }
  return best;
}

function keyOf(words: readonly string[], place: number): string {
  return `${words.length} ${place} ${words[place]}`;
}

function fits(words: readonly string[], template: readonly string[]): boolean {
  return template.every((word, place) => {
    const here = words[place]!;
    return here === word || (word.includes(WILDCARD) && isValueOf(here, word));
  });
}

/** What the place has fixed around its value stays; a plain word instead of a value says something else. */
function isValueOf(here: string, word: string): boolean {
  const before = word.slice(0, word.indexOf(WILDCARD));
  const after = word.slice(word.lastIndexOf(WILDCARD) + WILDCARD.length);
  if (here.length <= before.length + after.length) return false;
  if (!here.startsWith(before) || !here.endsWith(after)) return false;
  const value = here.slice(before.length, here.length - after.length);
  return !/^\p{Ll}+$/u.test(value);
}

function fixedWords(words: readonly string[]): string[] {
  return words.filter((word) => !word.includes(WILDCARD) && /\p{L}/u.test(word));
}

function letters(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (word.match(/\p{L}/gu)?.length ?? 0), 0);
}

function wordsOf(text: string): string[] {
  const words = text.split(' ');
  return words.length <= WORDS_MAX
    ? words
    : [...words.slice(0, WORDS_MAX), words.slice(WORDS_MAX).join(' ')];
}
