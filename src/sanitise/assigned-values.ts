/** Where the value beside a name ends, and what of it is secret: quoted, in the open, in a block, a list, an object. */
import type { Found } from './found.ts';
import { NAME_LENGTH_MAX, type Named } from './named-places.ts';
import { isPlaceholder, isWordy } from './placeholder.ts';
import { nameOf } from './secret-names.ts';
import { isSaidSecret, isSecret } from './secret-values.ts';
import { endOfValue, isMark, markEnd, matchEnd, type Quote, quoteBefore } from './shapes.ts';
import { isStrong } from './strong-tokens.ts';

export const OPENS = /(?:(?:[brun]|[fr]b?)(?=["'])|@(?=")|string\(\d{1,4}\)\s)?\\{0,7}["'`]/iy;
const UNQUOTED = /(?:[^\s"'`,;&<>(){}[\]|\\]|\\(?![nrtu"'`\\]))+/y;
/** In the environment's lines a value goes on to a space, whatever signs it has. */
const IN_ENVIRONMENT = /(?:[^\s"'`;&\\]|\\(?![nrtu"'`\\]))+/y;
/** Whole references, whose signs would end an unquoted value. */
const REFERENCE =
  /\$\{[^}\n]{1,100}\}|\$\([^)\n]{1,100}\)|<[A-Za-z _-]{1,40}>|\{\{[^}\n]{1,80}\}\}|\{[A-Za-z_]{1,40}\}|\[[A-Z_]{1,40}\]|`[a-z]+ [^`\n]{1,100}`/y;
/** Names inside a longer value are not looked for: each would read it to its end again. */
const LOOKED_INTO = 200;

interface Sign {
  readonly from: number;
  readonly isColon: boolean;
}

export function assignedValue(found: Found, named: Named, { from, isColon }: Sign): void {
  const { text } = found;
  const first = text[from];
  if (first === '\n') {
    if (isColon) valueBelow(found, from);
  } else if (isBlock(text, from)) blockValue(found, named, from);
  else if (first === '{') objectValue(found, named, from);
  else if ((first === '[' || first === '(') && isListStart(text, from))
    listValue(found, named, from);
  else plainValue(found, named, { from, isColon });
}

function plainValue(found: Found, named: Named, { from, isColon }: Sign): void {
  const { text } = found;
  const tagged = matchEnd(YAML_TAG, text, from);
  const start = matchEnd(OPENS, text, tagged);
  const isQuoted = /["'`]/.test(text[start - 1] ?? '') && start > from;
  const isFree = !isQuoted && isEnvironment(text, named.start, isColon);
  const end = isQuoted
    ? valueEnd(text, start, quoteBefore(text, start))
    : unquotedEnd(text, start, isFree);
  const isFirm = isQuoted || !isColon;
  if (!isQuoted && isCallOrSize(text, start, end)) return;
  // `!Ref DbPassword`: the name of something.
  if (tagged > from && text[from] === '!' && isWordy(text.slice(start, end))) return;
  const assigned = { value: text.slice(start, end), isFirm, isQuoted, isSaid: false };
  if (isSecret(named.name, assigned)) {
    found.secret(start, end);
    found.readUntil = end;
  } else if (end - start > LOOKED_INTO && !isQuoted) found.readUntil = end;
}

/** `getenv('DB_PASSWORD')`, `crypt($1)`, "24 bytes". */
function isCallOrSize(text: string, start: number, end: number): boolean {
  const value = text.slice(start, Math.min(end, start + 80));
  if (text[end] === '(') return /^[A-Za-z_$][\w.:]*$/.test(value);
  return (
    /^\d{1,5}$/.test(value) &&
    /^\s(?:bytes?|chars?|characters|digits|bits|attempts|times|of)\b/.test(
      text.slice(end, end + 12),
    )
  );
}

const BELOW = /\n[ \t]{1,40}(?![-#])([^\s:]{6,200})[ \t]*(?=\n|$)/y;

/** Alone on the next line, which is indented. */
function valueBelow(found: Found, newline: number): void {
  BELOW.lastIndex = newline;
  const match = BELOW.exec(found.text);
  if (match === null || isMark(match[1]!) || isPlaceholder(match[1]!) || !isSaidSecret(match[1]!))
    return;
  const end = newline + match[0].trimEnd().length;
  found.secret(end - match[1]!.length, end);
}

function unquotedEnd(text: string, start: number, isFree: boolean): number {
  const reference = matchEnd(REFERENCE, text, start);
  if (reference > start) return reference;
  return matchEnd(
    isFree && markEnd(text, start) === undefined ? IN_ENVIRONMENT : UNQUOTED,
    text,
    start,
  );
}

/** Longer than any value in quotes that is read sign by sign; then it goes on to the end of the line. */
const QUOTED_MAX = 16 * 1024;

export function valueEnd(text: string, start: number, quote: Quote | undefined): number {
  const end = endOfValue(text.slice(start, start + QUOTED_MAX), 0, quote);
  if (end < QUOTED_MAX) return start + end;
  const line = text.indexOf('\n', start + QUOTED_MAX);
  return line === -1 ? text.length : line;
}

/** `DB_PASSWORD=…` at the beginning of a line, or behind `export`. */
function isEnvironment(text: string, start: number, isColon: boolean): boolean {
  if (isColon || /[a-z]/.test(text.slice(start, start + 4))) return false;
  return /(?:^|\n|\\n|export |ENV |env |-e )$/.test(text.slice(Math.max(0, start - 8), start));
}

/** A form's part: `name="password"`, an empty line, and the value. */
const PART = /\\{0,7}"[^\n\\]{0,80}(?:(?:\\r)?\\n|\n){2}/y;

/** At the `=` of `name=`. */
export function formPartAt(found: Found, at: number): void {
  const { text } = found;
  const opens = matchEnd(OPENS, text, at + 1);
  if (opens === at + 1) return;
  const end =
    endOfValue(text.slice(opens, opens + NAME_LENGTH_MAX), 0, quoteBefore(text, opens)) + opens;
  const start = matchEnd(PART, text, end);
  const name = start === end ? undefined : nameOf(text.slice(opens, end));
  if (name === undefined) return;
  const stop = valueEnd(text, start, undefined);
  const value = text.slice(start, stop).trimEnd();
  const assigned = { value, isFirm: true, isQuoted: true, isSaid: false };
  if (isSecret(name, assigned)) found.secret(start, start + value.length);
}

/** `|`, `>-`: the value is on the lines below, which are indented more. */
const BLOCK = /[|>][+-]?\d?[ \t]*\n/y;

function isBlock(text: string, from: number): boolean {
  BLOCK.lastIndex = from;
  return BLOCK.test(text);
}

function blockValue(found: Found, named: Named, from: number): void {
  const { text } = found;
  const lineStart = text.lastIndexOf('\n', named.start) + 1;
  const indent = indentAt(text, lineStart);
  const first = matchEnd(BLOCK, text, from);
  let end = first;
  while (end < text.length && indentAt(text, end) > indent) {
    const newline = text.indexOf('\n', end);
    end = newline === -1 ? text.length : newline + 1;
  }
  const value = text.slice(first, end).trim();
  const start = first + indentAt(text, first);
  const assigned = {
    value: value.replace(/\s+/g, ''),
    isFirm: true,
    isQuoted: true,
    isSaid: false,
  };
  if (value !== '' && isSecret(named.name, assigned)) found.secret(start, start + value.length);
}

function indentAt(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ' || text[end] === '\t') end += 1;
  return end - at;
}

/** `&anchor`, `!tag` before a value. */
const YAML_TAG = /(?:[&!][A-Za-z][\w-]{0,30} )?/y;
const BRACED = /\{([^{}\s"':$]{4,100})\}/y;
const PAIR =
  /\s{0,40}\\{0,7}["']?[\w.@/-]{1,80}\\{0,7}["']?\s{0,2}[:=]\s{0,2}(\\{0,7}["'])([^"'\\\n]{1,300})\1\s{0,40},?/y;

/** `PWD={…}`; `passwords: {"root": "…"}`. */
function objectValue(found: Found, { name }: Named, from: number): void {
  const { text } = found;
  BRACED.lastIndex = from;
  const braced = BRACED.exec(text)?.[1];
  if (braced !== undefined) {
    const assigned = { value: braced, isFirm: true, isQuoted: true, isSaid: false };
    if (isSecret(name, assigned) && isSaidSecret(braced) && !isPlaceholder(`{${braced}}`))
      found.secret(from + 1, from + 1 + braced.length);
    return;
  }
  let at = from + 1;
  for (let count = 0; count < LIST_MAX; count++) {
    PAIR.lastIndex = at;
    const pair = PAIR.exec(text);
    if (pair === null) return;
    const start = at + pair[0].lastIndexOf(pair[2]!);
    if (isStrong(pair[2]!)) found.secret(start, start + pair[2]!.length);
    at = PAIR.lastIndex;
  }
}

const LIST_ITEM = /\s{0,8}(\\{0,7}["'])([^"'\\\n]{1,300})\1\s{0,8},?/y;
const LIST_MAX = 50;

function isListStart(text: string, from: number): boolean {
  LIST_ITEM.lastIndex = from + 1;
  return LIST_ITEM.test(text);
}

/** `tokens: ["…", "…"]`. */
function listValue(found: Found, { name }: Named, from: number): void {
  let at = from + 1;
  for (let count = 0; count < LIST_MAX; count++) {
    LIST_ITEM.lastIndex = at;
    const item = LIST_ITEM.exec(found.text);
    if (item === null) return;
    const start = at + item[0].indexOf(item[1]!) + item[1]!.length;
    const assigned = { value: item[2]!, isFirm: true, isQuoted: true, isSaid: false };
    if (isSecret(name, assigned) && (isSaidSecret(item[2]!) || isStrong(item[2]!)))
      found.secret(start, start + item[2]!.length);
    at = LIST_ITEM.lastIndex;
  }
}
