/** What stands at a place of a text, by a sign or a few: what the pass asks before it asks a rule. */
import { isDigitCode } from './signs.ts';

const DOT = 46;
const SLASH = 47;
const BACKSLASH = 92;
const COLON = 58;
const GROUPS_LENGTH_MAX = 40;

export function countDigits(text: string, from: number): number {
  let digits = 0;
  for (let at = from; at < from + GROUPS_LENGTH_MAX; at++) {
    const code = text.charCodeAt(at);
    if (isDigitCode(code)) digits += 1;
    // A blank, parentheses, a dash, a dot, a slash.
    else if (code !== 32 && code !== 40 && code !== 41 && code !== 45 && code !== 46 && code !== 47)
      break;
  }
  return digits;
}

/** Behind the letter of `\n` and the digits of `%3D`, which only look like a part of the word. */
export function behindEscape(text: string, start: number): number {
  const before = text.charCodeAt(start - 1);
  if (before === BACKSLASH) {
    const first = text[start]!;
    if (/[nrtbf]/.test(first)) return start + 1;
    return first === 'u' && /^u[0-9A-Fa-f]{4}/.test(text.slice(start, start + 5))
      ? start + 5
      : start;
  }
  return before === 37 && isHexPair(text, start) ? start + 2 : start;
}

export function behindDashes(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === 45) at += 1;
  return at;
}

const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}(?![.\d])/y;

/** Four numbers with dots: an address, and no telephone. */
export function isAddress(text: string, at: number): boolean {
  ADDRESS.lastIndex = at;
  return ADDRESS.test(text);
}

/** `2026-03-02`. */
export function isDate(text: string, at: number): boolean {
  if (text.charCodeAt(at + 4) !== 45 || text.charCodeAt(at + 7) !== 45) return false;
  return /^(?:19|20)\d\d-[01]\d-[0-3]\d(?!\d|-)/.test(text.slice(at, at + 12));
}

/** `09:12:44`, at its first colon or its last. */
export function isTime(text: string, at: number): boolean {
  if (!isDigitCode(text.charCodeAt(at + 1)) || !isDigitCode(text.charCodeAt(at + 2))) return false;
  const [before, behind] = [text.charCodeAt(at - 3), text.charCodeAt(at + 3)];
  if (behind === COLON) return text.charCodeAt(at + 6) !== COLON && before !== COLON;
  return !isHex(behind) && (before !== COLON || text.charCodeAt(at - 6) !== COLON);
}

export function isHexPair(text: string, at: number): boolean {
  return isHex(text.charCodeAt(at)) && isHex(text.charCodeAt(at + 1));
}

function isHex(code: number): boolean {
  return isDigitCode(code) || ((code | 32) >= 97 && (code | 32) <= 102);
}

export function isHexOrColon(code: number): boolean {
  return isHex(code) || code === COLON;
}

/** Signs that keys go on with behind a run: `SG.…`, `ya29.…`, `sha256~…`, `hooks.slack.com/…`. */
export function continues(code: number, length: number): boolean {
  return code === DOT || code === 126 || code === 36 || (code === SLASH && length === 1);
}

/** `=3D`, or two in a row of the kind. */
export function isQuotedPrintable(text: string, at: number): boolean {
  if (!isHexPair(text, at + 1)) return false;
  return text.startsWith('=3D', at) || text.charCodeAt(at + 3) === 61;
}

export function isPhoneStart(code: number): boolean {
  return isDigitCode(code) || code === 40;
}

export function isEntity(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (next === 35) return true;
  return (
    (next | 32) >= 97 && (next | 32) <= 122 && /^&[A-Za-z]{2,8};/.test(text.slice(at, at + 10))
  );
}

/** A blank, or the number of the next word in a list. */
export function isSeedGap(text: string, end: number, start: number): boolean {
  const length = start - end;
  if (end < 0 || length > 8) return false;
  if (length === 1) return text.charCodeAt(end) === 32 || text.charCodeAt(end) === 10;
  return /^(?:\s{1,3}|[ \n]{1,2}\d{1,2}[.):]? )$/.test(text.slice(end, start));
}

/** A separator of columns, or the end of the line, behind blanks and a quote. */
export function isColumnEnd(text: string, end: number): boolean {
  let at = end;
  while (at - end < 20 && (text[at] === ' ' || text[at] === '"')) at += 1;
  const sign = text[at];
  return (
    sign === ',' || sign === '|' || sign === '\t' || sign === ';' || sign === '\n' || sign === '<'
  );
}
