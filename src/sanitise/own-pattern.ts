/**
 * The patterns of own rules: a small language without backtracking, so that no pattern can take more than time linear in
 * the text. A pattern is literal signs, classes (`[A-Z0-9]`, `\d`, `\w`) and counts (`{4}`, `{4,20}`, `+`, `?`), with `|`
 * between whole alternatives. It begins at the beginning of a word. A count takes all it can and gives nothing back; where
 * that could miss something (`\w+7`), the pattern is refused.
 */
import { isAlnumCode } from './signs.ts';

/** What a repeated part may be long at most; `+` means up to so many. */
const COUNT_MAX = 256;
const PATTERN_LENGTH_MAX = 200;
/** A pattern that may be shorter would mark half of every text. */
const FOUND_LENGTH_MIN = 4;

interface Item {
  readonly signs: Uint8Array;
  readonly min: number;
  readonly max: number;
}

export type OwnMatcher = (text: string, at: number) => number | undefined;
export type ParsedPattern = { readonly match: OwnMatcher } | { readonly problem: string };

export function parsePattern(pattern: string): ParsedPattern {
  if (pattern.length === 0 || pattern.length > PATTERN_LENGTH_MAX)
    return { problem: `a pattern has 1 to ${PATTERN_LENGTH_MAX} characters` };
  const alternatives: Item[][] = [];
  for (const part of splitAlternatives(pattern)) {
    const items = parseItems(part);
    if ('problem' in items) return items;
    alternatives.push(items.items);
  }
  return { match: (text, at) => longest(alternatives, text, at) };
}

/** Why a pattern is not taken, in a clause; undefined if it is. */
export function patternProblem(pattern: string): string | undefined {
  const parsed = parsePattern(pattern);
  return 'problem' in parsed ? parsed.problem : undefined;
}

function splitAlternatives(pattern: string): string[] {
  const parts: string[] = [];
  let [start, isClass] = [0, false];
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '[') isClass = true;
    else if (pattern[at] === ']') isClass = false;
    else if (pattern[at] === '|' && !isClass) {
      parts.push(pattern.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, pattern.slice(start)];
}

const TOKEN =
  /(\[(?:\\.|[^\]\\])+\]|\\[dwsDWS]|\\[^A-Za-z0-9]|[^\\[\](){}*+?|^$.])(\{(\d{1,3})(,(\d{0,3}))?\}|\+|\?)?/y;

function parseItems(part: string): { items: Item[] } | { problem: string } {
  const items: Item[] = [];
  for (let at = 0; at < part.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(part);
    if (match === null)
      return { problem: `"${part[at]}" at ${at + 1} is not part of the language of own rules` };
    const [, signs, count, least, range, most] = match;
    const set = signSet(signs!);
    if (set === undefined) return { problem: `the class ${signs} has a range that is upside down` };
    const { min, max } = counted(count, least, range, most);
    if (max < min || max > COUNT_MAX) return { problem: `a count is at most ${COUNT_MAX}` };
    items.push({ signs: set, min, max });
  }
  return checked(items);
}

function counted(
  count: string | undefined,
  least: string | undefined,
  range: string | undefined,
  most: string | undefined,
): { min: number; max: number } {
  if (count === undefined) return { min: 1, max: 1 };
  if (count === '+') return { min: 1, max: COUNT_MAX };
  if (count === '?') return { min: 0, max: 1 };
  const min = Number(least);
  if (range === undefined) return { min, max: min };
  return { min, max: most === undefined || most === '' ? COUNT_MAX : Number(most) };
}

function checked(items: Item[]): { items: Item[] } | { problem: string } {
  const least = items.reduce((sum, { min }) => sum + min, 0);
  if (least < FOUND_LENGTH_MIN)
    return { problem: `what a pattern finds has at least ${FOUND_LENGTH_MIN} characters` };
  for (const [at, item] of items.entries()) {
    if (item.max === item.min) continue;
    for (const next of items.slice(at + 1)) {
      if (item.signs.some((has, code) => has === 1 && next.signs[code] === 1))
        return { problem: `part ${at + 1} repeats and takes signs that a later part needs` };
      if (next.min > 0) break;
    }
  }
  return { items };
}

const NAMED: Readonly<Record<string, RegExp>> = {
  '\\d': /\d/,
  '\\w': /\w/,
  '\\s': /[ \t]/,
  '\\D': /[^\d\n]/,
  '\\W': /[^\w\n]/,
  '\\S': /[^\s]/,
};

/** Of ASCII; index 128 stands for every other sign. */
function signSet(signs: string): Uint8Array | undefined {
  const set = new Uint8Array(129);
  const test = signs.startsWith('[') ? classOf(signs) : (NAMED[signs] ?? literal(signs));
  if (test === undefined) return undefined;
  for (let code = 0; code < 128; code++) if (test.test(String.fromCharCode(code))) set[code] = 1;
  if (test.test('ж')) set[128] = 1;
  return set;
}

function literal(signs: string): RegExp {
  return new RegExp(`^${escaped(signs.at(-1)!)}$`);
}

function escaped(sign: string): string {
  return /[A-Za-z0-9]/.test(sign) ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Built by the language itself, from signs that mean nothing in it but what they mean here. */
function classOf(signs: string): RegExp | undefined {
  const inner = signs.slice(1, -1);
  const body = inner.replace(/\\[dwsDWS]|\\.|[^\\]/g, (one, at: number) => {
    if (/^\\[dwsDWS]$/.test(one)) return one;
    if (one === '^' && at === 0) return '^\\n';
    if (one === '-') return '-';
    return escaped(one.at(-1)!);
  });
  try {
    return new RegExp(`[${body}]`);
  } catch {
    return undefined;
  }
}

function longest(
  alternatives: readonly (readonly Item[])[],
  text: string,
  at: number,
): number | undefined {
  let end: number | undefined;
  for (const items of alternatives) {
    const stop = matchItems(items, text, at);
    if (stop !== undefined && stop > (end ?? 0)) end = stop;
  }
  return end;
}

function matchItems(items: readonly Item[], text: string, start: number): number | undefined {
  let at = start;
  for (const { signs, min, max } of items) {
    let count = 0;
    while (count < max && at < text.length && signs[Math.min(text.charCodeAt(at), 128)] === 1) {
      at += 1;
      count += 1;
    }
    if (count < min) return undefined;
  }
  return at;
}

/** Where a pattern may begin: not inside a word. */
export function isWordStart(text: string, at: number): boolean {
  return !isAlnumCode(text.charCodeAt(at)) || !isAlnumCode(text.charCodeAt(at - 1));
}
