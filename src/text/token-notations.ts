/**
 * Values that other standards write: dates with a time of day, short IPv6 addresses, placeholders for what has no name.
 * Each function looks at `codes` from `at` and gives the end, or -1; none looks beyond the line.
 */
import {
  CLASS,
  COLON,
  type Codes,
  DIGIT,
  DOT,
  isDigitCode,
  isHexCode,
  isWordCode,
  LETTER,
  MINUS,
  SLASH,
  SPACE,
} from './token-shapes.ts';

const PLUS = 43;
const COMMA = 44;
const EQUALS = 61;
const BRACKET_OPEN = 91;
const BRACKET_CLOSE = 93;
const PARENTHESIS_OPEN = 40;
const GREATER = 62;
const CAPITAL_T = 84;
const CAPITAL_Z = 90;
const SMALL_M = 109;
/** The longest name of a time zone in capitals: `AEST`. */
const ZONE_CHARS = 4;
/** `<nil>` to `<unauthenticated>`. */
const PLACEHOLDER_LEAST = 3;
const PLACEHOLDER_MOST = 16;
/** Eight groups of four hex digits and the colons between them. */
const ADDRESS_CHARS = 39;

/** `2024-05-01 10:11:12.345 +0000 UTC m=+3.1`, `2024/05/01T10:11Z`: one value, whatever of it is written. */
export function dateTimeEnd(codes: Codes, at: number): number {
  const mark = codes[at + 4]!;
  if (mark !== MINUS && mark !== SLASH) return -1;
  if (codes[at + 7] !== mark || !areDigits(codes, at, 4)) return -1;
  if (!areDigits(codes, at + 5, 2) || !areDigits(codes, at + 8, 2)) return -1;
  const between = codes[at + 10]!;
  if (between !== CAPITAL_T && CLASS[between] !== SPACE) return -1;
  const end = clockEnd(codes, at + 11);
  return end < 0 || isWordCode(codes[end]!) ? -1 : end;
}

function areDigits(codes: Codes, at: number, count: number): boolean {
  for (let i = at; i < at + count; i++) if (!isDigitCode(codes[i]!)) return false;
  return true;
}

function clockEnd(codes: Codes, at: number): number {
  if (!areDigits(codes, at, 2) || codes[at + 2] !== COLON || !areDigits(codes, at + 3, 2))
    return -1;
  let end = at + 5;
  if (codes[end] === COLON && areDigits(codes, end + 1, 2)) end += 3;
  const mark = codes[end]!;
  if ((mark === DOT || mark === COMMA) && isDigitCode(codes[end + 1]!)) {
    end++;
    while (isDigitCode(codes[end]!)) end++;
  }
  return zoneEnd(codes, end);
}

/** Behind a time of day: `Z`, `+02:00`, ` +0000 UTC`, ` CEST`, and the monotonic clock that Go adds. */
function zoneEnd(codes: Codes, at: number): number {
  let end = at;
  if (codes[end] === CAPITAL_Z) return end + 1;
  end = offsetEnd(codes, end);
  if (CLASS[codes[end]!] === SPACE) {
    const offset = offsetEnd(codes, end + 1);
    if (offset > end + 1) end = offset;
  }
  if (CLASS[codes[end]!] === SPACE) {
    let name = end + 1;
    while (codes[name]! >= 65 && codes[name]! <= 90) name++;
    const size = name - end - 1;
    if (size >= 3 && size <= ZONE_CHARS && !isWordCode(codes[name]!)) end = name;
  }
  if (CLASS[codes[end]!] !== SPACE || codes[end + 1] !== SMALL_M || codes[end + 2] !== EQUALS)
    return end;
  if (codes[end + 3] !== PLUS && codes[end + 3] !== MINUS) return end;
  end += 4;
  while (isDigitCode(codes[end]!) || (codes[end] === DOT && isDigitCode(codes[end + 1]!))) end++;
  return end;
}

function offsetEnd(codes: Codes, at: number): number {
  if ((codes[at] !== PLUS && codes[at] !== MINUS) || !areDigits(codes, at + 1, 2)) return at;
  const minutes = codes[at + 3] === COLON ? at + 4 : at + 3;
  return areDigits(codes, minutes, 2) ? minutes + 2 : at;
}

/** `<unknown>`, `<nil>` behind a space or mark: what stands for a value that has no name. */
export function placeholderEnd(codes: Codes, at: number): number {
  if (!isOpening(codes, at)) return -1;
  let end = at + 1;
  while (codes[end]! >= 97 && codes[end]! <= 122) end++;
  const size = end - at - 1;
  if (codes[end] !== GREATER || size < PLACEHOLDER_LEAST || size > PLACEHOLDER_MOST) return -1;
  const after = codes[end + 1]!;
  return isWordCode(after) || after === 60 || after === SLASH ? -1 : end + 1;
}

/** `[::1]` with its brackets, and `::1`: an IPv6 address that begins with its zeros left out. */
export function shortAddressEnd(codes: Codes, at: number): number {
  const from = codes[at] === BRACKET_OPEN ? at + 1 : at;
  if (!isOpening(codes, at)) return -1;
  let end = from;
  let double = 0;
  let digits = 0;
  while (end - from <= ADDRESS_CHARS && (isHexCode(codes[end]!) || codes[end] === COLON)) {
    if (codes[end] === COLON && codes[end + 1] === COLON) double++;
    else if (codes[end] !== COLON) digits++;
    end++;
  }
  if (double !== 1) return -1;
  if (from > at) return codes[end] === BRACKET_CLOSE ? end + 1 : -1;
  return digits > 0 && !isWordCode(codes[end]!) ? end : -1;
}

function isOpening(codes: Codes, at: number): boolean {
  if (at === 0) return true;
  const before = codes[at - 1]!;
  if (before === EQUALS || before === PARENTHESIS_OPEN || before === BRACKET_OPEN) return true;
  return (
    CLASS[before] !== DIGIT && CLASS[before] !== LETTER && before !== COLON && before !== GREATER
  );
}
