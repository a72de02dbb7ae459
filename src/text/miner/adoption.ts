/**
 * Odd members of established templates. A value with brackets, a query or other punctuation gives its message separators
 * of its own, so its form lies in another bucket than the hundreds whose value was plain. Seen from white space, it is
 * the same message: every fixed word in its order, and something else only where the template varies.
 *
 * A pure function of the templates and their counts, so neither the order of messages nor where they were counted
 * matters.
 */
import { WILDCARD } from '../tokens.ts';
import { CLOSES, isParticiple } from './evidence.ts';

export interface Countable {
  readonly id: string;
  readonly text: string;
  readonly count: number;
  /** Words of the text in which forms differ: any word may be a value there. */
  readonly learnt?: ReadonlySet<number>;
}

/**
 * A template that takes others in was seen so often, and so many times as often as them. Both are about how sure it is
 * that a place varies, not about traffic: a busier source only reaches them sooner.
 */
const ESTABLISHED = 4;
const TIMES_RARER = 4;
/** Words that a template says so often are the program's; what is rarer may be a value itself. */
const SPOKEN = 16;
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
  readonly learnt: ReadonlySet<number>;
  readonly fixed: number;
}

const NONE: ReadonlySet<number> = new Set();

/** By the id of each odd member, the id of the template that it belongs to. */
export function adoptions(templates: readonly Countable[]): Map<string, string> {
  const found = new Map<string, string>();
  const adopters = new Map<string, Adopter[]>();
  let most = 0;
  // The most frequent first: who is taken in takes nobody in.
  const ordered = [...templates].sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
  const counts = new Map(ordered.map(({ id, count }) => [id, count]));
  const spoken = ordered.filter(({ count }) => count >= SPOKEN);
  const said = new Set(spoken.flatMap(({ text }) => fixedWords(wordsOf(text)).map(bare)));
  for (const { id, text, count, learnt = NONE } of ordered) {
    const words = wordsOf(text);
    if (count * TIMES_RARER <= most) {
      const isOften = (one: string): boolean => counts.get(one)! >= count * TIMES_RARER;
      const adopter = adopterOf({ words, said }, adopters, isOften);
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
    if (alike.length < COMPARED_MAX) alike.push({ id, words, learnt, fixed: fixed.length });
    adopters.set(fixed[0]!, alike);
  }
  return found;
}

interface Odd {
  readonly words: readonly string[];
  /** Fixed words of established templates: what the program says, rather than what it says it about. */
  readonly said: ReadonlySet<string>;
}

/** The one with most fixed words; among those, the most frequent. */
function adopterOf(
  odd: Odd,
  adopters: ReadonlyMap<string, readonly Adopter[]>,
  isOften: (id: string) => boolean,
): Adopter | undefined {
  let best: Adopter | undefined;
  for (const word of new Set(odd.words.slice(0, FIRST_WORDS))) {
    for (const one of adopters.get(word) ?? []) {
      if (one.fixed <= (best?.fixed ?? 0) || !isOften(one.id)) continue;
      if (fits({ odd, template: one })) best = one;
    }
  }
  return best;
}

interface Pair {
  readonly odd: Odd;
  readonly template: Adopter;
}

/**
 * Whether the words are those of the template, in order, with something else only where it varies. From place to place it
 * is known how many words too many there may be so far, so that the work is linear however many places vary.
 */
function fits(pair: Pair): boolean {
  const { words } = pair.odd;
  const { words: template } = pair.template;
  const left = words.length - template.length;
  if (left < 0 || left > MORE_WORDS) return false;
  let more = new Set([0]);
  for (let place = 0; place < template.length && more.size > 0; place++) {
    const next = new Set<number>();
    for (const before of more) {
      const at = place + before;
      if (words[at] === template[place]) next.add(before);
      if (!template[place]!.includes(WILDCARD)) continue;
      for (let taken = 1; before + taken - 1 <= left; taken++) {
        if (isValueOf(words.slice(at, at + taken), pair, place)) next.add(before + taken - 1);
      }
    }
    more = next;
  }
  return more.has(left);
}

/**
 * What the place has fixed around its value stays. Between marks that enclose, everything is the value. Elsewhere a word
 * that the program says in other messages says something here too, and so does a participle or a word before a value
 * (`invalid user <*>`), unless a key names the place (`server: localhost`) or words are known to stand there; and a key
 * inside begins the next value.
 */
function isValueOf(here: readonly string[], { odd, template }: Pair, place: number): boolean {
  const word = template.words[place]!;
  const scheme = SCHEME.exec(word)?.[0];
  const before = scheme === undefined ? word.slice(0, word.indexOf(WILDCARD)) : '';
  const after = word.slice(word.lastIndexOf(WILDCARD) + WILDCARD.length);
  const text = here.join(' ');
  if (text.length < before.length + after.length) return false;
  if (!text.startsWith(before) || !text.endsWith(after)) return false;
  if (scheme !== undefined && !/[/:\\]/.test(text)) return false;
  const value = text.slice(before.length, text.length - after.length);
  if (value === '') return text !== '';
  const close = CLOSES[before.at(-1) ?? ''];
  if (close !== undefined && after.startsWith(close))
    return here.length === 1 || !value.includes(close);
  if (here.slice(1).some((one) => KEY.test(one))) return false;
  if (here.length === 1) {
    const isNamed = place > 0 && template.words[place - 1]!.endsWith(':');
    if (isNamed || template.learnt.has(place)) return true;
  }
  const plain = value.split(' ').filter((one) => PLAIN.test(one));
  if (plain.length > 0 && value.includes(WILDCARD)) return false;
  return !plain.some((one) => odd.said.has(one) || isParticiple(one));
}

/** Without what is around it. */
function bare(word: string): string {
  return word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
}

const KEY = /^\p{L}[\p{L}\p{N}_-]*[:=]/u;
const PLAIN = /^\p{L}+$/u;
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
