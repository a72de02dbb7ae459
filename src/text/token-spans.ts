/**
 * Where things end that are one element although they hold separators: paths, addresses, quoted
 * values. Each function looks at `codes` from `at` and gives the end, or -1.
 * None looks beyond the line, so none needs to know where the message ends.
 */
import {
  BACKSLASH,
  CLASS,
  COLON,
  type Codes,
  DIGIT,
  DOT,
  EQUALS,
  endsPath,
  hashCode,
  isDigitCode,
  isHexCode,
  isUnit,
  isWordCode,
  LETTER,
  NEWLINE,
  QUOTE,
  SLASH,
  SPACE,
  TILDE,
} from './token-shapes.ts';

/** A quoted or bracketed value is taken as a whole up to this length. */
const LABEL_CHARS = 64;
const EXCLAMATION = 33;
const QUESTION = 63;
const BRACE_OPEN = 123;
const BRACE_CLOSE = 125;

/** Whether a path begins here: `/a`, `\a`, `./a`, `../a`. The mark itself is at `at`. */
export function startsPath(codes: Codes, at: number): boolean {
  const code = codes[at]!;
  const next = codes[at + 1]!;
  if (code === DOT) return startsRelative(codes, at);
  if (at > 0 && isWordCode(codes[at - 1]!)) return false;
  if (code === SLASH) return isWordCode(next) || next === DOT;
  if (code !== BACKSLASH) return false;
  // `\Device\x`, `\\server\x`, `\??\C:`, but not the escapes `\n` and `\042`.
  if (next === QUESTION) return true;
  if (next === BACKSLASH) return !escapesQuote(codes, at);
  return CLASS[next] === LETTER && CLASS[codes[at + 2]!] === LETTER;
}

function startsRelative(codes: Codes, at: number): boolean {
  const slash = codes[at + 1] === DOT ? at + 2 : at + 1;
  if (codes[slash] !== SLASH) return false;
  const name = codes[slash + 1]!;
  return name === DOT || isWordCode(name);
}

/** No mark is escaped more often than this in a text in a text in a text. */
const ESCAPES_MAX = 8;

/** Whether the backslashes from `at` on belong to a quotation mark. */
function escapesQuote(codes: Codes, at: number): boolean {
  let end = at;
  while (codes[end] === BACKSLASH && end - at < ESCAPES_MAX) end++;
  return codes[end] === QUOTE;
}

/** `C:\a`, `C:/a` or `~/a`; a word character is at `at`. */
export function startsRoot(codes: Codes, at: number): boolean {
  const first = codes[at]!;
  if (first === TILDE) return codes[at + 1] === SLASH;
  if (codes[at + 1] !== COLON) return false;
  const slash = codes[at + 2]!;
  if (slash !== SLASH && slash !== BACKSLASH) return false;
  return CLASS[first] === LETTER && isWordCode(codes[at + 3]!);
}

export function pathEnd(codes: Codes, at: number): number {
  let end = at + 1;
  let query = false;
  for (; ; end++) {
    const code = codes[end]!;
    if (code === BACKSLASH && escapesQuote(codes, end)) break;
    if (code === QUESTION) query = true;
    if (!endsPath(code) || (query && code === EQUALS)) continue;
    // The colon of a drive and the mark inside an archive (`a.jar!/b`) do not end a path.
    const next = codes[end + 1]!;
    if ((code !== COLON && code !== EXCLAMATION) || (next !== SLASH && next !== BACKSLASH)) break;
  }
  return end;
}

/** What follows `scheme://` if it holds a path, else -1: host and port alone are read as elsewhere. */
export function addressEnd(codes: Codes, at: number): number {
  let end = at;
  let path = false;
  for (; ; end++) {
    const code = codes[end]!;
    if (code !== COLON && code !== EQUALS && code !== EXCLAMATION && endsPath(code)) break;
    if (code === BACKSLASH && escapesQuote(codes, end)) break;
    if (code === SLASH) path = true;
  }
  while (end > at && !isWordCode(codes[end - 1]!) && codes[end - 1] !== SLASH) end--;
  return path && end > at ? end : -1;
}

/**
 * `()`, `[]`, `{}` or `""` that no word stands before: a value that is empty this time. After a backslash the first of two
 * quotation marks is escaped and the second closes what is around.
 */
export function isEmptyPair(codes: Codes, at: number): boolean {
  if (!closes(codes[at]!, codes[at + 1]!)) return false;
  if (codes[at] === QUOTE && at > 0 && codes[at - 1] === BACKSLASH) return false;
  return at === 0 || !isWordCode(codes[at - 1]!);
}

/** In ASCII a closing mark follows its opening mark at once, or after one other. */
function closes(open: number, close: number): boolean {
  if (open === 40) return close === 41;
  if (open === QUOTE) return close === QUOTE;
  return (open === 91 || open === BRACE_OPEN) && close === open + 2;
}

/**
 * `key="two words"`, `key: "two words"`: a quoted value of at most two words is one element, whatever it is made of; one
 * of up to four words if it holds a slash (`request: "GET / HTTP/1.1"`). A longer one is text of its own
 * and read as such. The quotation mark stands before `at`.
 */
export function labelEnd(codes: Codes, at: number): number {
  if (!isAssigned(codes, at - 1)) return -1;
  let spaces = 0;
  let isValue = false;
  const limit = at + LABEL_CHARS;
  for (let end = at; end < limit; end++) {
    const code = codes[end]!;
    if (code === QUOTE) return end > at && spaces <= (isValue ? 3 : 1) ? end : -1;
    if (code === NEWLINE || code === BACKSLASH) return -1;
    if (code === SLASH) isValue = true;
    if (CLASS[code] === SPACE && ++spaces > 3) return -1;
  }
  return -1;
}

/** Whether `=`, `:` or `: ` stands before `at`. */
function isAssigned(codes: Codes, at: number): boolean {
  if (at < 1) return false;
  const before = codes[at - 1]!;
  if (before === EQUALS || before === COLON) return true;
  return CLASS[before] === SPACE && at > 1 && codes[at - 2] === COLON;
}

/** `(5.11 KB)`: a number with a unit in parentheses. The first is at `at`; where it ends, or -1. */
export function asideEnd(codes: Codes, at: number): number {
  let end = at + 1;
  while (
    CLASS[codes[end]!] === DIGIT ||
    ((codes[end] === DOT || codes[end] === 44) && end > at + 1)
  )
    end++;
  if (end === at + 1) return -1;
  if (CLASS[codes[end]!] === SPACE) end++;
  let hash = 0;
  for (; CLASS[codes[end]!] === LETTER; end++) hash = hashCode(hash, codes[end]!);
  return isUnit(hash) && codes[end] === 41 ? end + 1 : -1;
}

/** `key=Name{...}` without a space in it is an object written out; the brace is at `brace`. */
export function objectEnd(codes: Codes, at: number, brace: number): number {
  if (at === 0 || codes[at - 1] !== EQUALS) return -1;
  const limit = brace + LABEL_CHARS;
  for (let end = brace + 1; end < limit; end++) {
    const code = codes[end]!;
    if (code === BRACE_CLOSE) return end + 1;
    if (code <= 32 || code === BRACE_OPEN) return -1;
  }
  return -1;
}

/**
 * Six or more groups of hex digits between colons: hardware and IPv6 addresses. Fewer, if zeros were left out once and a
 * group has a digit: `2001:db8::1`, not the `fade::Dead` of a program.
 */
export function colonHexEnd(codes: Codes, at: number): number {
  let groups = 0;
  let empty = 0;
  let digits = 0;
  let end = at;
  while (groups < 64) {
    const from = end;
    for (; end - from < 5 && isHexCode(codes[end]!); end++) if (isDigitCode(codes[end]!)) digits++;
    if (end - from > 4 || (end === from && groups === 0)) return -1;
    if (end === from) empty++;
    groups++;
    if (codes[end] !== COLON) break;
    end++;
  }
  const isShort = empty === 1 && digits > 0 && groups >= 3 && codes[end - 1] !== COLON;
  if ((groups < 6 && !isShort) || isWordCode(codes[end]!)) return -1;
  return codes[end - 1] === COLON ? end - 1 : end;
}

/**
 * `<1 sec`, `>10MB`: a bound with its unit stands where a value would. The mark is at `at`; a number
 * without a unit is left to others.
 */
export function boundEnd(codes: Codes, at: number): number {
  let end = at + 1;
  while (CLASS[codes[end]!] === DIGIT || (codes[end] === DOT && end > at + 1)) end++;
  if (end === at + 1) return -1;
  if (CLASS[codes[end]!] === SPACE) end++;
  let hash = 0;
  for (; CLASS[codes[end]!] === LETTER; end++) hash = hashCode(hash, codes[end]!);
  return isUnit(hash) && !isWordCode(codes[end]!) ? end : -1;
}

/** Whether `:` and two to five digits follow: what stands before is a host. */
export function isBeforePort(codes: Codes, at: number): boolean {
  if (codes[at] !== COLON) return false;
  let end = at + 1;
  while (end - at <= 6 && CLASS[codes[end]!] === DIGIT) end++;
  const digits = end - at - 1;
  return digits >= 2 && digits <= 5 && !isWordCode(codes[end]!);
}
