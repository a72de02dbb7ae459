/** What each sign is to the scan. One look into a table per sign is what a text without secrets costs. */

/** Classes of signs that end a run of word signs and mean something by themselves. */
export const CLASS = {
  plain: 0,
  word: 1,
  separator: 2,
  at: 3,
  slash: 4,
  backslash: 5,
  percent: 6,
  dollar: 7,
  angle: 8,
  bracket: 9,
  parenthesis: 10,
  plus: 11,
  comma: 12,
  ampersand: 13,
  control: 14,
  newline: 15,
  other: 16,
} as const;

const OF_SIGN: Readonly<Record<string, number>> = {
  '=': CLASS.separator,
  ':': CLASS.separator,
  '@': CLASS.at,
  '/': CLASS.slash,
  '\\': CLASS.backslash,
  '%': CLASS.percent,
  $: CLASS.dollar,
  '<': CLASS.angle,
  '[': CLASS.bracket,
  '(': CLASS.parenthesis,
  '+': CLASS.plus,
  ',': CLASS.comma,
  '&': CLASS.ampersand,
  '\n': CLASS.newline,
};

/** Kinds of word signs, as bits: what a run is made of. */
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
export const JOINT = 8;

export const SIGN_CLASS = new Uint8Array(128);
export const SIGN_BITS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const sign = String.fromCharCode(code);
  const bits = bitsOf(sign);
  SIGN_BITS[code] = bits;
  SIGN_CLASS[code] = bits > 0 ? CLASS.word : (OF_SIGN[sign] ?? CLASS.plain);
}

function bitsOf(sign: string): number {
  if (/[a-z]/.test(sign)) return LOWER;
  if (/[A-Z]/.test(sign)) return UPPER;
  if (/\d/.test(sign)) return DIGIT;
  return sign === '_' || sign === '-' ? JOINT : 0;
}

export function isAlnumCode(code: number): boolean {
  return code < 128 && (SIGN_BITS[code]! & (LOWER | UPPER | DIGIT)) > 0;
}

export function isLetterCode(code: number): boolean {
  return code < 128 && (SIGN_BITS[code]! & (LOWER | UPPER)) > 0;
}

export function isDigitCode(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The first three signs, letters without their case, as an index below 32768. Others may share it. */
export function beginning(text: string, at: number): number {
  // A look behind the end is slow, and makes every other look slower.
  if (at < 0 || at + 2 >= text.length) return edgeBeginning(text, at);
  return (
    ((text.charCodeAt(at) & 31) << 10) |
    ((text.charCodeAt(at + 1) & 31) << 5) |
    (text.charCodeAt(at + 2) & 31)
  );
}

function edgeBeginning(text: string, at: number): number {
  return (codeAt(text, at) << 10) | (codeAt(text, at + 1) << 5) | codeAt(text, at + 2);
}

function codeAt(text: string, at: number): number {
  return at < 0 || at >= text.length ? 0 : text.charCodeAt(at) & 31;
}
