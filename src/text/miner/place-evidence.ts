/**
 * Which places of a frame hold values. What stands in a place across the whole frame decides; the less is said around,
 * the more different values it takes.
 */
import { WILDCARD } from '../tokens.ts';
import type { Read } from './frames.ts';
import { isPlainValue, type Place } from './value-places.ts';

/** So many words around make a sentence, which is the same one if all of it is. */
const WORDS_AROUND = 3;
/** Where less is said around, so many templates must agree in so many marked places: lines of one format. */
const TEMPLATES_OF_FORMAT = 16;
const PLACES_OF_FORMAT = 3;
/** So many different phrases in a place are values, although each could be a text. As elsewhere in `evidence.ts`. */
export const PHRASES = 5;
/** So many names in a sentence, so many of anything beside a word, are values: as in `evidence.ts`. */
export const NAMES_IN_SENTENCE = 3;
const VALUES_BESIDE_A_WORD = 5;
/** Names of failures and codes in capitals say what happened; so many are a column that holds them. */
const CODES = 16;

export function openPlaces(frame: readonly Read[]): boolean[] {
  // The first by its text, so that the order of messages does not matter.
  const first = frame.reduce((a, b) => (b.template.text < a.template.text ? b : a));
  const { places, starts } = first;
  // A name that all have is a word like others.
  const same = places.filter(({ value }, at) => {
    return /\p{L}{2}/u.test(value) && frame.every((read) => read.places[at]!.value === value);
  });
  const words = first.words + same.length;
  const marked = places.filter(({ kind }) => kind !== 'name').length;
  const isFormat =
    words < WORDS_AROUND && marked >= PLACES_OF_FORMAT && frame.length >= TEMPLATES_OF_FORMAT;
  return places.map((_, at) =>
    isValuePlace({
      places: frame.map((read) => read.places[at]!),
      words,
      isFormat,
      starts: at === 0 && starts,
    }),
  );
}

interface Column {
  readonly places: readonly Place[];
  readonly words: number;
  readonly isFormat: boolean;
  /** No word stands before. */
  readonly starts: boolean;
}

function isValuePlace(column: Column): boolean {
  const { places, words, isFormat } = column;
  const phrases = new Set<string>();
  const names = new Set<string>();
  for (const place of places) (isPhrase(place) ? phrases : names).add(place.value);
  const values = phrases.size + names.size;
  if (values === 1 || places.some(({ kind }) => kind === 'free')) return true;
  if (!places.some(({ value }) => isPlainValue(value))) return values >= CODES;
  if (places.every(({ kind }) => kind === 'name')) return words > 0 && isNamePlace(column, names);
  if (isFormat) return true;
  if (words === 0) return false;
  if (places.some(({ kind }) => kind === 'code')) return true;
  if (words < WORDS_AROUND) return values >= VALUES_BESIDE_A_WORD;
  // Names and numbers are values. A phrase (`connection reset`, `GET <*>`) or the name of a failure may say what
  // happened, unless the place has names too, or many phrases.
  return phrases.size === 0 || values >= PHRASES || names.size > 1 || names.has(WILDCARD);
}

/** What a line begins with may say what happened (`executor.Mount started`), unless numbers are in it. */
function isNamePlace({ words, starts }: Column, names: ReadonlySet<string>): boolean {
  const isNumbered = [...names].some((name) => name.includes(WILDCARD));
  if (starts && !isNumbered) return false;
  // `1:30` beside `90`, or a host with and without its port, are rather two messages.
  const isLonger = [...names].every((name) => /^<\*>(?::<\*>)*$/.test(name));
  if (!starts && !isLonger && words > 1 && names.has(WILDCARD)) return true;
  // English joins words with hyphens too (`read-only`), but not with other marks.
  const isJoined = [...names].some((name) => !HYPHENATED.test(name));
  const isMarked = [...names].some((name) => /[/[\]]|<\*>/.test(name));
  const isEnough = isMarked || (isJoined && words >= WORDS_AROUND);
  return names.size >= (isEnough ? NAMES_IN_SENTENCE : VALUES_BESIDE_A_WORD);
}

const HYPHENATED = /^\p{L}+(?:-\p{L}+)+$/u;

function isPhrase({ value, kind, open }: Place): boolean {
  if (!isPlainValue(value) || (open === '{' && kind !== 'keyed')) return true;
  const words = value.split(' ');
  // Without marks a word in a list of keys can be what happened (`outcome: refused`).
  if (words.length === 1) return kind === 'keyed' && open === '' && /^\p{L}+$/u.test(value);
  const word = kind === 'keyed' ? /^\p{Ll}+$/u : /^\p{L}+$/u;
  const plain = words.filter((one) => word.test(one)).length;
  return plain > 1 || (plain > 0 && value.includes(WILDCARD));
}
