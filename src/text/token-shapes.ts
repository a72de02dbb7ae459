/**
 * What the shape of one word shows without knowing the source: character classes, calendar words,
 * domain names, words that are always values. Facts about formats in general, none about one log.
 *
 * Words are ranges of `Codes`, the UTF-16 codes of a message. Behind the last one stands `NEWLINE`
 * several times, so that a look ahead needs no check for the end.
 */

export type Codes = Uint16Array;

const PUNCTUATION = 0;
export const SPACE = 1;
export const LETTER = 2;
export const DIGIT = 3;
/** Binds into one word: `_` and `~`. */
export const BINDER = 4;
/** Joins two words into one compound: `core.2275`, `re-sync`, `a/b`, `x@y`. */
export const JOINER = 5;

export const NEWLINE = 10;
export const QUOTE = 34;
export const APOSTROPHE = 39;
export const MINUS = 45;
export const DOT = 46;
export const SLASH = 47;
export const COLON = 58;
export const EQUALS = 61;
export const BACKSLASH = 92;
export const UNDERSCORE = 95;
export const TILDE = 126;

/** The class of every UTF-16 code. Outside ASCII everything but two spaces is a letter. */
export const CLASS = new Uint8Array(65_536).fill(LETTER, 128);
for (const c of ' \t\r\v\f\u00a0\u3000') CLASS[c.charCodeAt(0)] = SPACE;
for (let code = 65; code <= 90; code++) {
  CLASS[code] = LETTER;
  CLASS[code + 32] = LETTER;
}
for (let code = 48; code <= 57; code++) CLASS[code] = DIGIT;
for (const c of '_~') CLASS[c.charCodeAt(0)] = BINDER;
for (const c of ".-+@$%&/\\^*?#'") CLASS[c.charCodeAt(0)] = JOINER;
// Control characters are letters, so that binary input is a few long words, not thousands of marks.
for (let code = 0; code < 32; code++) {
  if (CLASS[code] === PUNCTUATION && code !== NEWLINE) CLASS[code] = LETTER;
}

export function isWordCode(code: number): boolean {
  const kind = CLASS[code]!;
  return kind >= LETTER && kind <= BINDER;
}

export function isDigitCode(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isHexCode(code: number): boolean {
  const lower = code | 32;
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 102);
}

const PATH_END = new Uint8Array(128).fill(1, 0, 33);
for (const c of ',!;:=|"\'[](){}<>') PATH_END[c.charCodeAt(0)] = 1;

/** Ends a path; everything else may be in a file name. */
export function endsPath(code: number): boolean {
  return code < 128 && PATH_END[code] === 1;
}

/** `1.2`, `2024-05-01`, `7+3`: numbers joined by these are one number. */
export function gluesNumbers(code: number): boolean {
  return code === DOT || code === MINUS || code === 43;
}

/** The hash of a word is made while reading it; known words are found by it, without a copy. */
export function hashCode(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

function hashes(words: string): Set<number> {
  const all = words.split(' ');
  return new Set(all.map((word) => [...word].reduce((h, c) => hashCode(h, c.charCodeAt(0)), 0)));
}

const CALENDAR = hashes(
  'Mon Tue Wed Thu Fri Sat Sun Monday Tuesday Wednesday Thursday Friday Saturday Sunday ' +
    'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ' +
    'January February March April June July August September October November December',
);

/** A weekday or month. */
export function isCalendarWord(hash: number): boolean {
  return CALENDAR.has(hash);
}

/** Booleans and "nothing" are values wherever they stand, and so are the account names every system has. */
const VALUE_WORDS = hashes(
  'true false null root admin True False Null Root Admin TRUE FALSE NULL ROOT ADMIN',
);

export function isValueWord(hash: number): boolean {
  return VALUE_WORDS.has(hash);
}

const UNITS = hashes(
  'ns us ms msec s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days ' +
    'b B kb kB KB KiB mb MB MiB gb GB GiB tb TB TiB byte bytes Hz kHz MHz GHz',
);

/** A unit of time, size or frequency. */
export function isUnit(hash: number): boolean {
  return UNITS.has(hash);
}

const TOP_LEVEL = 'com net org edu gov mil int info biz arpa local lan localdomain internal';
const TOP_LEVEL_WORDS = hashes(TOP_LEVEL);
const PACKAGE_ROOTS = hashes(`${TOP_LEVEL} java javax io`);

/** A generic top-level domain. */
export function isTopLevel(hash: number): boolean {
  return TOP_LEVEL_WORDS.has(hash);
}

/** What names of packages begin with (`com.example.io` is not a host). */
export function isPackageRoot(hash: number): boolean {
  return PACKAGE_ROOTS.has(hash);
}
