/**
 * Where the text of a template holds a value by its notation: between quotation marks (escaped ones too) or brackets,
 * after `key=`, and in a list of the kind `key: value, key: value`. What is said between the marks rather than named is
 * text, and only its own places are values; so is what a line begins with in quotation marks, which is its message.
 *
 * Linear time: what encloses is looked for within `SPAN_CHARS`, and nothing is read more often than it is nested.
 */
import { WILDCARD } from '../tokens.ts';
import { CLOSES, isTellingKey, namesFailure } from './evidence.ts';

export interface Place {
  /** The value with the marks around it. */
  readonly start: number;
  readonly end: number;
  /** Without them. */
  readonly value: string;
  /** The marks; both empty where a key or the shape of a name says that it is a value. */
  readonly open: string;
  readonly close: string;
  readonly kind: PlaceKind;
}

/** A name stands where it likes; a key and marks say that a value follows, marks alone only that something is quoted. */
type PlaceKind = 'enclosed' | 'keyed' | 'name' | 'code' | 'free';

/** More words in lower case are a text of its own, which says what happened. */
const WORDS_INSIDE = 2;
/** So many words say what follows. */
const WORDS_BEFORE_TAIL = 3;
/** What encloses is looked for so far. */
const SPAN_CHARS = 400;
/** Quotation marks within quotation marks, each escaped once more. */
const DEPTH_MAX = 4;
/** An unmarked value in a list of keys has so few words. */
const LISTED_WORDS = 2;
const KEY_CHARS = 40;

const BEFORE = /[\s([{:=,]/;
const AFTER = /[\s)\]},.:;?!]/;
const DELIMITER = /\\{0,15}["'`]/y;
const NAME =
  /(?:<\*>|[\p{L}$@/._])(?:<\*>|[^\s="'(),;[\]{}|<>\\]){0,200}(?:\[[^\]\s]{0,80}\]){0,9}/uy;
const TOLD = /[=:]\s?[^\s,;"'()[\]{}\\]{1,200}/y;
const NUMBERED = /[^\s<]*<\*>\S* = /y;
const COMMAND = /^\p{Lu}{2,}(?:\s\p{Lu}{2,})*\s(?!\p{Lu}{2,}\s)(?:.*\s)?\p{Lu}{2,}(?!\S)/u;
const CAPITALS = /\p{Lu}{2,}(?=[\s;]|$)/uy;
/** `agent=Senior Analyst next=…`: words that no sentence goes on with, before the next key or the end. */
const TITLE =
  /[^\s,;"'()[\]{}\\]{1,200}(?:\s[^\s\p{Ll}=,;"'()[\]{}\\][^\s=,;"'()[\]{}\\]{0,80}){1,6}(?=\s[\p{L}_][\p{L}\p{N}_.-]{0,40}=|$)/uy;
/** `server: ~^(www\.)?shop$,`: anything without a space, before the next key or the end. */
const UNSPACED = /[^\s,"]{1,200}(?=, |$)/y;
const FAILURE = /\p{L}(?:Error|Exception|Fault)(?!\p{L})/u;
const PLAIN_WORDS = /^[\p{L}\s,.;!?'-]*$/u;
const BARE_VALUE = /[^\s,;"'()[\]{}\\]{1,200}/y;
const LISTED_VALUE = /[^,;"'(){}\\]{0,200}/y;

export function valuePlaces(text: string): Place[] {
  const out: Place[] = [];
  scan({ text, out }, { from: 0, to: text.length, depth: 0 });
  return out;
}

/** The same for a text that ends with code: what is before it, and the code. Undefined where nothing can be code. */
export function placesBeforeCode(text: string): Place[] | undefined {
  for (let at = text.indexOf(': '); at >= 0; at = text.indexOf(': ', at + 1)) {
    const start = at + 2;
    const key = keyBefore(text, at, 0);
    if (
      (matchAt(CAPITALS, text, start) ?? matchAt(NUMBERED, text, start)) === undefined ||
      (key !== undefined && isTellingKey(key.name))
    )
      continue;
    const value = text.slice(start);
    const code: Place = { start, end: text.length, value, open: '', close: '', kind: 'code' };
    return [...valuePlaces(text.slice(0, start)), code];
  }
  return undefined;
}

/**
 * The same for texts that end with anything behind a colon, after so many words: behind the last colon first, and behind
 * the ones before it at higher levels. Words alone (`no route to host`)
 * and names of failures are a reason, however rare it is.
 */
export function placesBeforeTail(text: string, level: number): Place[] | undefined {
  let at = text.length;
  for (let nth = 0; nth <= level; nth++) {
    at = at <= 0 ? -1 : text.lastIndexOf(': ', at - 1);
    if (at < 0) return undefined;
  }
  const start = at + 2;
  const before = text.slice(0, start);
  const words = before.match(/(?<![\p{L}\p{N}])\p{L}{2,}/gu)?.length ?? 0;
  const key = keyBefore(text, at, 0);
  if (words < WORDS_BEFORE_TAIL || (key !== undefined && isTellingKey(key.name))) return undefined;
  const value = text.slice(start);
  const tail: Place = { start, end: text.length, value, open: '', close: '', kind: 'free' };
  return PLAIN_WORDS.test(value) || FAILURE.test(value)
    ? undefined
    : [...valuePlaces(before), tail];
}

interface Scan {
  readonly text: string;
  readonly out: Place[];
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

function scan(scanned: Scan, { from, to, depth }: Range): void {
  let at = from;
  while (at < to) at = step(scanned, at, { from, to, depth });
}

function step(scanned: Scan, at: number, range: Range): number {
  const { text } = scanned;
  const char = text[at]!;
  if (char === '"' || char === "'" || char === '`' || char === '\\') {
    const mark = matchAt(DELIMITER, text, at);
    if (mark === undefined) return at + 1;
    if (!startsAt(text, at, range.from)) return at + mark.length;
    const close = quoteEnd(text, { mark, at, to: range.to });
    if (close < 0) return at + mark.length;
    return enclosed(scanned, { start: at, end: close + mark.length, mark, range });
  }
  const isTuple = char === '(' && (text[at - 1] === '=' || isBuilt(text, at));
  if (isTuple || ((char === '[' || char === '{') && startsAt(text, at, range.from))) {
    const close = bracketEnd(text, at, range.to);
    if (close < 0) return at + 1;
    return enclosed(scanned, { start: at, end: close + 1, mark: char, range });
  }
  if (char === '=' || char === ':') return labelled(scanned, at, range);
  return startsAt(text, at, range.from) ? named(scanned, at, range) : at + 1;
}

/**
 * A sentence does not begin with a word in capitals and have others further on: a command of a query language does. Nor
 * does one begin with an assignment to something numbered: the first of a list (`$1 = 'a', $2 = 'b'`).
 */
export function isCode(value: string): boolean {
  return matchAt(NUMBERED, value, 0) !== undefined || COMMAND.test(value.slice(0, SPAN_CHARS));
}

/** `Set(a, b)`: a structure written out, rather than a function that was called or a failure with its message. */
function isBuilt(text: string, at: number): boolean {
  const name = /(?<![^\s([=:,])\p{Lu}\p{L}*$/u.exec(
    text.slice(Math.max(0, at - KEY_CHARS), at),
  )?.[0];
  return name !== undefined && isPlainValue(name) && text[at + 1] !== ')';
}

/** A word with the shape of a name: `a.b.c`, `x/y`, `node-<*>`, `subnet["west-<*>"]`, `$cart`; or a variable. */
function named({ text, out }: Scan, at: number, { to }: Range): number {
  const word = matchAt(NAME, text, at)?.replace(/[.:!?-]+$/, '');
  if (word === undefined || word === '') return at + 1;
  const end = at + word.length;
  if (end > to || !(end === to || /[\s),.:;!?]/.test(text[end]!))) return at + 1;
  if (!isNameShaped(word) || (text[end] === ':' && /(?:^|[.:])\p{Lu}\p{L}*$/u.test(word)))
    return end;
  if (!isPlainValue(word) || isToldBefore(text, at)) return end;
  if (text[at - 1] === '(' && text.startsWith('):', end)) return end;
  out.push({ start: at, end, value: word, open: '', close: '', kind: 'name' });
  return end;
}

function isNameShaped(word: string): boolean {
  return (
    word.includes(WILDCARD) ||
    /[\p{L}\p{N}_][._/@:-]+[\p{L}\p{N}_*]|^\$|\]$|\p{Ll}\p{Lu}/u.test(word)
  );
}

function enclosed(
  scanned: Scan,
  span: { start: number; end: number; mark: string; range: Range },
): number {
  const { text, out } = scanned;
  const { start, end, mark, range } = span;
  const close = CLOSES[mark] ?? mark;
  const [from, to] = [start + mark.length, end - close.length];
  const value = text.slice(from, to);
  const isNamed = isNotation(text, start, end);
  const isMessage = start === 0 && /^["'`]$/.test(mark) && end < text.length;
  const kind = /[=:]\s?$/.test(text.slice(Math.max(0, start - 2), start)) ? 'keyed' : 'enclosed';
  const isObject = kind === 'keyed' && mark === '{' && /^\s*["'<]/.test(value);
  if (!isMessage && (isObject || isValue(value)) && !isNamed && !isTellingObject(mark, value)) {
    out.push({ start, end, value, open: mark, close, kind });
  } else if (range.depth < DEPTH_MAX && !(isNamed && !value.includes(' ')))
    scan(scanned, { from, to, depth: range.depth + 1 });
  return end;
}

/** A value without marks behind a key: the sign is at `at`. */
function labelled({ text, out }: Scan, at: number, { from, to }: Range): number {
  const isAssigned = text[at] === '=';
  const key = keyBefore(text, at, from);
  if (key === undefined) return at + 1;
  if (isTellingKey(key.name)) return at + (matchAt(TOLD, text, at)?.length ?? 1);
  if (isAssigned ? !isBoundary(text[key.start - 1]) : !isInList(text, key.start)) return at + 1;
  let start = at + 1;
  if (!isAssigned) {
    if (text[start] !== ' ') return at + 1;
    start++;
  }
  if (/["'`\\[({]/.test(text[start] ?? ' ') && !text.startsWith('[::', start)) return at + 1;
  const whole = matchAt(isAssigned ? TITLE : UNSPACED, text, start);
  const found = whole ?? matchAt(isAssigned ? BARE_VALUE : LISTED_VALUE, text, start) ?? '';
  const end = Math.min(to, start + found.length);
  const value = text.slice(start, end);
  if (isAssigned ? value === '' : !isListed(value, text[end], end === to)) return at + 1;
  if (!isPlainValue(value)) return at + 1;
  out.push({ start, end, value, open: '', close: '', kind: 'keyed' });
  return end;
}

function isListed(value: string, after: string | undefined, atEnd: boolean): boolean {
  if (!atEnd && after !== ',' && after !== ';' && after !== ')' && after !== '}') return false;
  return value.trim().split(' ').length <= LISTED_WORDS;
}

/** `, key:` or `(key:`: the next of a list of keys, rather than a sentence with a colon. */
function isInList(text: string, start: number): boolean {
  return /[,;({]$/.test(text.slice(Math.max(0, start - 2), start).trimEnd());
}

function isBoundary(char: string | undefined): boolean {
  return char === undefined || BEFORE.test(char) || char === ';' || char === '&' || char === '?';
}

function keyBefore(
  text: string,
  at: number,
  from: number,
): { name: string; start: number } | undefined {
  let start = at;
  const least = Math.max(from, at - KEY_CHARS);
  while (start > least && /[\p{L}\p{N}_.-]/u.test(text[start - 1]!)) start--;
  const name = text.slice(start, at);
  return /^\p{L}/u.test(name) ? { name, start } : undefined;
}

function startsAt(text: string, at: number, from: number): boolean {
  return at === from || BEFORE.test(text[at - 1]!);
}

/** Where the same mark closes. */
function quoteEnd(
  text: string,
  { mark, at, to }: { mark: string; at: number; to: number },
): number {
  const limit = Math.min(to, at + SPAN_CHARS);
  const quote = mark.at(-1)!;
  for (let end = at + mark.length; end < limit; end++) {
    if (text[end] !== '\\' && text[end] !== quote) continue;
    const found = matchAt(DELIMITER, text, end);
    if (found === undefined) continue;
    const after = text[end + found.length];
    const isEnd = end + found.length >= to || after === undefined || AFTER.test(after);
    if (found === mark && isEnd) return end;
    // Marks escaped less close what is around.
    if (found.length < mark.length && found.at(-1) === quote) return -1;
    end += found.length - 1;
  }
  return -1;
}

function bracketEnd(text: string, at: number, to: number): number {
  const open = text[at]!;
  const close = CLOSES[open]!;
  let depth = 0;
  const limit = Math.min(to, at + SPAN_CHARS);
  for (let end = at; end < limit; end++) {
    if (text[end] === open) depth++;
    if (text[end] !== close || --depth > 0) continue;
    const after = text[end + 1];
    return after === undefined || AFTER.test(after) || after === '\\' || after === '"' ? end : -1;
  }
  return -1;
}

/** Not a sentence: that says what happened. */
function isValue(inside: string): boolean {
  if (/\\["']/.test(inside) && (inside.match(/(?<=^|\s)[\p{L}-]+(?=$|\s)/gu)?.length ?? 0) > 1)
    return false;
  return (inside.match(/(?<=^|\s)\p{Ll}+(?=$|\s)/gu)?.length ?? 0) <= WORDS_INSIDE;
}

/** An object that says what happened is read like the rest of the text. */
function isTellingObject(mark: string, value: string): boolean {
  if (mark !== '{') return false;
  return [...value.matchAll(/([\p{L}_]+)\\*["']?\s*[=:]/gu)].some(([, key]) => isTellingKey(key!));
}

/** The key of an object, or the value of a key that tells what kind of message it is. */
function isNotation(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - KEY_CHARS), start);
  if (text[end] === ':' && /[{,]\s*$/.test(before)) return true;
  const key = /([\p{L}_]+)\\*"?\s*[=:]\s*$/u.exec(before)?.[1];
  return key === undefined ? isToldBefore(text, start) : isTellingKey(key);
}

/** `code a.b`, `status "done"`: the word before says that this is what happened. */
function isToldBefore(text: string, start: number): boolean {
  const word = /(\p{L}+)\s$/u.exec(text.slice(Math.max(0, start - KEY_CHARS), start))?.[1];
  return word !== undefined && namesFailure(word);
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Names of failures and codes in capitals tell what happened. */
export function isPlainValue(value: string): boolean {
  return !/(?:Error|Exception|Fault|Warning)$|^[A-Z][A-Z_]{2,}$/.test(value);
}
