/** `password=…`, `"api_key": "…"`, `pw: …`, `Cookie: …`: a name, a sign between, and the secret. */
import { assignedValue, OPENS, valueEnd } from './assigned-values.ts';
import type { Found } from './found.ts';
import { isBlank, type Named, nameBefore } from './named-places.ts';
import { isPlaceholder, isWordy } from './placeholder.ts';
import { nameOf } from './secret-names.ts';
import { isSaidSecret } from './secret-values.ts';
import { isMark, matchEnd, quoteBefore } from './shapes.ts';
import { isAlnumCode } from './signs.ts';
import { isStrong } from './strong-tokens.ts';

const COLON = 58;
const EQUALS = 61;
const OPERATOR = /=>|:=|={1,3}|:/y;
/** Behind `==` in code: another variable. */
const COMPARED = /^ ?[a-z]+(?:[A-Z_.][A-Za-z]*)*\d?(?=[ )\]};&|]|$)/;

/** At a `=` or `:`. */
export function assignmentAt(found: Found, at: number): void {
  const { text } = found;
  if (at < found.readUntil) return;
  const before = text.charCodeAt(at - 1);
  // The second sign of `==`, `::`, `:=` was looked at with the first.
  if (before === EQUALS || before === COLON || text.charCodeAt(at + 1) === COLON) return;
  const named = nameBefore(text, at) ?? keyAbove(text, at);
  if (named === undefined) return;
  OPERATOR.lastIndex = at;
  OPERATOR.test(text);
  const behind = OPERATOR.lastIndex;
  if (behind > at + 1 && COMPARED.test(text.slice(behind, behind + 80))) return;
  const isDump = text[behind] === '\n' && text[behind - 1] === '>';
  const from = afterBlanks(text, isDump ? behind + 1 : behind, isDump ? 12 : 2);
  if (named.name.kind === 'header') {
    headerValue(found, named, from);
    return;
  }
  assignedValue(found, named, {
    from,
    isColon: text.charCodeAt(at) === COLON && OPERATOR.lastIndex === at + 1,
  });
}

/** YAML's long form: `? token`, and `: value` on the next line. */
function keyAbove(text: string, at: number): Named | undefined {
  if (at === 0 || text.charCodeAt(at - 1) !== 10) return undefined;
  const key = /(?:^|\n)\? ["']?([\w.-]{1,60})["']?\n$/.exec(
    text.slice(Math.max(0, at - 70), at),
  )?.[1];
  const name = key === undefined ? undefined : nameOf(key);
  return name === undefined || name.kind === 'header'
    ? undefined
    : { name, start: at, isQuoted: false };
}

/** `'Cookie', 'a=b'` in a list of headers; `setProperty("password", "…")`. */
export function pairAt(found: Found, at: number): void {
  const { text } = found;
  const before = text.charCodeAt(at - 1);
  if ((before !== 34 && before !== 39 && before !== 96) || at < found.readUntil) return;
  const from = afterBlanks(text, at + 1, 4);
  const start = matchEnd(OPENS, text, from);
  if (start === from) return;
  const named = nameBefore(text, at);
  if (named === undefined || !named.isQuoted) return;
  if (named.name.kind === 'header') headerValue(found, named, from);
  else calledWith(found, start);
}

/** `setPassword("…")`, `password('…')`: at the parenthesis. */
export function callAt(found: Found, at: number): void {
  const { text } = found;
  if (at < found.readUntil || !isAlnumCode(text.charCodeAt(at - 1))) return;
  const start = matchEnd(OPENS, text, at + 1);
  if (start === at + 1) return;
  const named = nameBefore(text, at);
  if (named === undefined || named.name.kind === 'header' || named.name.kind === 'key') return;
  calledWith(found, start);
}

function calledWith(found: Found, start: number): void {
  const end = valueEnd(found.text, start, quoteBefore(found.text, start));
  const value = found.text.slice(start, end);
  if (isMark(value) || isPlaceholder(value) || !(isSaidSecret(value) || isStrong(value))) return;
  found.secret(start, end);
  found.readUntil = end;
}

function afterBlanks(text: string, at: number, max: number): number {
  let from = at;
  while (from - at < max && isBlank(text.charCodeAt(from))) from += 1;
  return from;
}

/** `Cookie: …` to the end of its line or quote, `"cookie": "…"`, `-H "Cookie: …"`. */
function headerValue(found: Found, named: Named, from: number): void {
  const { text } = found;
  const start = matchEnd(OPENS, text, from);
  const isOpened = start > from;
  const outer = named.isQuoted ? undefined : quoteBefore(text, named.start);
  const end = valueEnd(text, start, isOpened ? quoteBefore(text, start) : outer);
  const value = text.slice(start, end).trimEnd();
  found.readUntil = Math.max(found.readUntil, end);
  const mark = /^bearer\s/i.test(value) ? 'Bearer [REDACTED]' : '[REDACTED:HEADER]';
  if (value === '' || isMark(value) || isHeaderPlaceholder(value)) return;
  found.add('header', start, start + value.length, mark);
}

/** `Bearer $(gcloud …)`, `Basic ...`, `token XXXX`. */
function isHeaderPlaceholder(value: string): boolean {
  const credentials = value.replace(/^(?:bearer|basic|token|apikey|digest)\s+/i, '');
  if (credentials.length < 2) return false;
  // `Basic {base64(user:password)}`: how to make it, in words.
  const isTemplate = /^\{[^{}]{1,200}\}$/.test(credentials) && isWordy(credentials);
  return isTemplate || isPlaceholder(credentials.replace(/["']$/, ''));
}
