/**
 * What one code point is: hidden and how, which script, what it looks like, what it folds to. Every
 * answer depends on the code point alone, so it is found once and kept; ASCII never gets here.
 * Names and lookalikes come from `unicode-data.ts`, properties from the runtime's own Unicode tables.
 */
import { CONFUSABLES, HIDDEN_NAMES } from './unicode-data.ts';

export type HiddenClass =
  | 'zero_width'
  | 'bidi'
  | 'tag'
  | 'variation'
  | 'blank'
  | 'control'
  | 'space'
  | 'private'
  | 'nonchar'
  | 'surrogate'
  | 'replacement'
  | 'unassigned';

/** Scripts that the rules name; every other letter is `Other`, digits and signs are `Common`. */
const SCRIPTS = [
  'Latin',
  'Han',
  'Cyrillic',
  'Arabic',
  'Hebrew',
  'Greek',
  'Hangul',
  'Hiragana',
  'Katakana',
  'Devanagari',
  'Thai',
  'Armenian',
  'Bopomofo',
  'Bengali',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Gujarati',
  'Gurmukhi',
  'Oriya',
  'Sinhala',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Mongolian',
  'Syriac',
  'Nko',
  'Thaana',
  'Georgian',
  'Cherokee',
  'Coptic',
  'Lisu',
  'Canadian_Aboriginal',
] as const;

export type Script = (typeof SCRIPTS)[number] | 'Common' | 'Inherited' | 'Other';

const scriptTests = SCRIPTS.map(
  (script) => [script, new RegExp(`^\\p{Script=${script}}$`, 'u')] as const,
);
const COMMON = /^\p{Script=Common}$/u;
const INHERITED = /^\p{Script=Inherited}$/u;

/** Remembers an answer per code point. Emptied when full: a text of all code points is an attack. */
function remembered<Answer>(find: (codePoint: number) => Answer): (codePoint: number) => Answer {
  const known = new Map<number, Answer>();
  return (codePoint) => {
    let answer = known.get(codePoint);
    if (answer === undefined) {
      answer = find(codePoint);
      if (known.size >= 32_768) known.clear();
      known.set(codePoint, answer);
    }
    return answer;
  };
}

export const scriptOf: (codePoint: number) => Script = remembered((codePoint) => {
  if (codePoint < 0x80) return isAsciiLetter(codePoint) ? 'Latin' : 'Common';
  const character = String.fromCodePoint(codePoint);
  if (COMMON.test(character)) return 'Common';
  if (INHERITED.test(character)) return 'Inherited';
  return scriptTests.find(([, test]) => test.test(character))?.[0] ?? 'Other';
});

export function isAsciiLetter(codePoint: number): boolean {
  const lower = codePoint | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

const NEVER_SEEN = /^[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]$/u;
const BIDI = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/u;
const VARIATION = /^\p{Variation_Selector}$/u;
const UNASSIGNED = /^\p{Cn}$/u;
const NONCHARACTER = /^\p{Noncharacter_Code_Point}$/u;
const PRIVATE = /^\p{Co}$/u;
const SPACE = /^[\p{Zs}\u2028\u2029]$/u;

/** How a code point hides; `seen` when it does not. */
export const hiddenClassOf: (codePoint: number) => HiddenClass | 'seen' = remembered(
  (codePoint) => {
    if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) {
      return codePoint === 9 || codePoint === 10 || codePoint === 13 ? 'seen' : 'control';
    }
    if (codePoint < 0x7f) return 'seen';
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 'surrogate';
    if (codePoint === 0xfffd) return 'replacement';
    const character = String.fromCodePoint(codePoint);
    if (BIDI.test(character)) return 'bidi';
    if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return 'tag';
    if (VARIATION.test(character)) return 'variation';
    if (FILLERS.has(codePoint)) return 'blank';
    if (NEVER_SEEN.test(character)) return 'zero_width';
    if (SPACE.test(character)) return 'space';
    if (PRIVATE.test(character)) return 'private';
    if (NONCHARACTER.test(character)) return 'nonchar';
    return UNASSIGNED.test(character) ? 'unassigned' : 'seen';
  },
);

/** Letters and signs that are drawn as nothing: Hangul and Khmer fillers, the empty Braille cell. */
const FILLERS = new Set([0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0]);

const nameOf = new Map<number, string>(
  HIDDEN_NAMES.map((line) => {
    const space = line.indexOf(' ');
    return [Number.parseInt(line.slice(0, space), 36), line.slice(space + 1)];
  }),
);

/** The Unicode name of a hidden character; ranges that Unicode names by rule are named by rule. */
export function hiddenName(codePoint: number): string {
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0f)
    return `VARIATION SELECTOR-${codePoint - 0xfe00 + 1}`;
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef)
    return `VARIATION SELECTOR-${codePoint - 0xe0100 + 17}`;
  if (codePoint === 0xe007f) return 'CANCEL TAG';
  if (codePoint > 0xe0020 && codePoint < 0xe007f)
    return `TAG ${String.fromCharCode(codePoint - 0xe0000)}`;
  if (codePoint === 0xe0020) return 'TAG SPACE';
  const known = nameOf.get(codePoint);
  if (known !== undefined) return known;
  switch (hiddenClassOf(codePoint)) {
    case 'surrogate':
      return 'LONE SURROGATE';
    case 'replacement':
      return 'REPLACEMENT CHARACTER';
    case 'private':
      return 'PRIVATE USE';
    case 'nonchar':
      return 'NONCHARACTER';
    default:
      return 'UNASSIGNED';
  }
}

export function hexPoint(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Drawn capitals and boxed letters that neither NFKC nor UTS #39 brings back to ASCII. */
const DRAWN_ALPHABETS: readonly (readonly [string, string])[] = [
  [
    'abcdefghijklmnoprstuvwyz',
    '\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22',
  ],
];
const BOXED_ALPHABETS = [0x1f150, 0x1f170];

const lookalikes = new Map<number, string>();
for (const line of CONFUSABLES) {
  const [target, ...points] = line.split(' ');
  for (const point of points) lookalikes.set(Number.parseInt(point, 36), target!);
}
for (const [plain, drawn] of DRAWN_ALPHABETS) {
  for (const [index, character] of [...drawn].entries())
    lookalikes.set(character.codePointAt(0)!, plain[index]!);
}
for (const first of BOXED_ALPHABETS) {
  for (let letter = 0; letter < 26; letter += 1)
    lookalikes.set(first + letter, String.fromCharCode(0x41 + letter));
}

/** The ASCII that a reader takes this character for, in its own case; undefined for none. */
export function looksLike(codePoint: number): string | undefined {
  if (codePoint < 0x80) return undefined;
  const direct = lookalikes.get(codePoint);
  if (direct !== 'l') return direct;
  // UTS #39 has one class for l, I, 1 and |. A capital whose small letter looks like i was an I.
  const lower = String.fromCodePoint(codePoint).toLowerCase().codePointAt(0)!;
  return lower !== codePoint && lookalikes.get(lower) === 'i' ? 'I' : 'l';
}

/**
 * Compatibility decomposition in lower case, free of ignorable characters, repeated until nothing
 * changes (some capitals decompose into capitals): folding what was folded gives the same.
 */
export const foldPoint: (codePoint: number) => string = remembered((codePoint) => {
  let folded = String.fromCodePoint(codePoint);
  for (let round = 0; round < 5; round += 1) {
    const next = [...folded.normalize('NFKD')]
      .map((character) => character.toLowerCase())
      .join('')
      .normalize('NFKD')
      .replace(/[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/gu, '')
      .replaceAll('\u03c2', '\u03c3')
      .replace(/\p{Zs}/gu, ' ');
    if (next === folded) break;
    folded = next;
  }
  return folded;
});

export type LetterClass = 'letter' | 'mark' | 'number' | 'rest';

export const letterClassOf: (codePoint: number) => LetterClass = remembered((codePoint) => {
  const character = String.fromCodePoint(codePoint);
  if (/^\p{L}$/u.test(character)) return 'letter';
  if (/^\p{M}$/u.test(character)) return 'mark';
  return /^\p{N}$/u.test(character) ? 'number' : 'rest';
});
