/** The name before a sign: `"api_key":`, `config["password"] =`, `name: DB_PASSWORD, value:`. */
import { type FoundName, nameOf, needsWordBefore } from './secret-names.ts';
import { quoteBefore } from './shapes.ts';
import { isAlnumCode } from './signs.ts';
import { mayEndName } from './words.ts';

export const NAME_LENGTH_MAX = 64;

export interface Named {
  readonly name: FoundName;
  /** Where its identifier begins. */
  readonly start: number;
  /** In quotes of its own. */
  readonly isQuoted: boolean;
}

/** The identifier that ends before `at`, past blanks, a quote and a bracket: `config["password"] =`. */
export function nameBefore(text: string, at: number): Named | undefined {
  let end = at;
  while (end > 0 && at - end < 2 && isBlank(text.charCodeAt(end - 1))) end -= 1;
  if (text.charCodeAt(end - 1) === 93) end -= 1;
  const quote = quoteBefore(text, end);
  if (quote !== undefined) end -= 1 + Math.min(quote.depth, 7);
  if (!mayEndName(text, end)) return undefined;
  const start = identifierStart(text, end);
  if (start === end) return undefined;
  const identifier = text.slice(start, end);
  const name = knownName(text, identifier, start);
  if (name !== undefined) return { name, start, isQuoted: quote !== undefined };
  return valueNamedBefore(text, identifier, start);
}

function identifierStart(text: string, end: number): number {
  let start = end;
  const floor = Math.max(0, end - NAME_LENGTH_MAX);
  while (start > floor && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  // The letter of an escape: `\npassword: …`.
  if (text[start - 1] === '\\' && /[nrtbf]/.test(text[start] ?? '')) start += 1;
  return start;
}

/** In place of bytes that are no text; a name has none. */
const UNREADABLE = 0xfffd;

function isNameCode(code: number): boolean {
  if (code >= 0xc0) return code !== UNREADABLE;
  return isAlnumCode(code) || code === 95 || code === 45 || code === 46;
}

export function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function knownName(text: string, identifier: string, start: number): FoundName | undefined {
  if (!needsWordBefore(identifier) || text[start - 1] !== ' ') return nameOf(identifier);
  return nameOf(identifier, text.slice(identifierStart(text, start - 1), start - 1));
}

const VALUE = /^(?:value|default|defaultvalue|content|stringvalue|string_value)$/i;
const BETWEEN = /(?:[\s,"'{>:=-]|\\{1,7}["'n])*$/;
const TYPE = /^(?:string|str|char|text|bytes|secretstr|securestring|any)$/i;
const DECLARED = /([A-Za-z_]\w{0,60})\??:\s?$/;

/** Kubernetes and XML put the word "value" between: `name: DB_PASSWORD`, `value: …`; code its type: `pw: string =`. */
function valueNamedBefore(text: string, identifier: string, start: number): Named | undefined {
  if (identifier.length > 13 || identifier.length < 3) return undefined;
  if (VALUE.test(identifier)) {
    const before = text.slice(Math.max(0, start - 120), start);
    const end = start - BETWEEN.exec(before)![0].length;
    const from = identifierStart(text, end);
    const name = from === end ? undefined : nameOf(text.slice(from, end));
    return name === undefined || name.kind === 'header'
      ? undefined
      : { name, start, isQuoted: true };
  }
  if (!TYPE.test(identifier)) return undefined;
  const declared = DECLARED.exec(text.slice(Math.max(0, start - 70), start))?.[1];
  const name = declared === undefined ? undefined : nameOf(declared);
  return name === undefined || name.kind === 'header'
    ? undefined
    : { name, start, isQuoted: false };
}
