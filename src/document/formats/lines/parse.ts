/** Lines of `KEY=value` as a tree of what is written. */
import { GrowingMap, type Span } from '../../growing-map.ts';
import type { Parsed, Style, Syntax } from '../../types.ts';

const KEY = /^[A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
/** Without quotes, escapes, references and signs of comments. */
const BARE = /^[^\s"'\\$`#;!%{}\p{Cc}](?:[^"'\\$`#;{}\p{Cc}\u2028\u2029]*[^\s"'\\$`#;{}\p{Cc}])?$/u;
const QUOTED = /^(?:"([^"'\\$`\p{Cc}\u2028\u2029]*)"|'([^"'\\$`\p{Cc}\u2028\u2029]*)')$/u;

/** Whether a text can stand there without quotes, and is read back as it is by every reader. */
export function isBare(text: string): boolean {
  return BARE.test(text);
}

class Unread extends Error {}

export function parseLines(text: string): Parsed {
  const root = new GrowingMap({ start: 0, end: text.length });
  let table = root;
  let start = text.startsWith('\ufeff') ? 1 : 0;
  try {
    while (start < text.length) {
      const feed = text.indexOf('\n', start);
      const end = feed < 0 ? text.length : feed;
      const line = spanWithin(text, { start, end });
      const first = text[line.start];
      if (line.start > start && line.start < line.end)
        throw new Unread('a line is indented, which continues the one before to some readers');
      if (first === '[') table = sectionOf(root, text, line);
      else if (line.start < line.end && !/[#;!]/.test(first!)) put(table, text, line);
      start = end + 1;
    }
  } catch (error) {
    if (!(error instanceof Unread)) throw error;
    return {
      documents: [],
      sections: [],
      problems: [{ code: 'syntax', offset: start, why: error.message }],
    };
  }
  return { documents: [root], sections: [], problems: [] };
}

/** Without blanks around it, and without the carriage return. */
function spanWithin(text: string, { start, end }: Span): Span {
  let [from, to] = [start, end];
  while (from < to && /[ \t]/.test(text[from]!)) from += 1;
  while (to > from && /[ \t\r]/.test(text[to - 1]!)) to -= 1;
  return { start: from, end: to };
}

function sectionOf(root: GrowingMap, text: string, line: Span): GrowingMap {
  const name = text.slice(line.start + 1, line.end - 1).trim();
  if (text[line.end - 1] !== ']' || !KEY.test(name))
    throw new Unread('a section has a name that is not read alike by all');
  return within(root, name.split('.'), line);
}

function put(table: GrowingMap, text: string, line: Span): void {
  const equals = text.indexOf('=', line.start);
  if (equals < 0 || equals >= line.end)
    throw new Unread('a line is neither KEY=value nor a comment');
  const key = spanWithin(text, { start: line.start, end: equals });
  const name = text.slice(key.start, key.end).replace(/^export[ \t]+/, '');
  if (!KEY.test(name)) throw new Unread('a key has signs that are not read alike by all');
  const names = name.split('.');
  const holder = within(table, names.slice(0, -1), key);
  const last = names.at(-1)!;
  if (holder.get(last) instanceof GrowingMap)
    throw new Unread('a key is both a value and the name of others');
  holder.add(last, key, readValue(text, { start: equals + 1, end: line.end }));
}

/** The map of these names, made where there is none. */
function within(from: GrowingMap, names: readonly string[], span: Span): GrowingMap {
  let at = from;
  for (const name of names) {
    const there = at.get(name);
    if (there !== undefined && !(there instanceof GrowingMap))
      throw new Unread('a key is both a value and the name of others');
    const next = there ?? new GrowingMap(span);
    if (there === undefined) at.add(name, span, next);
    at = next;
  }
  return at;
}

/** What comes after a blank and such a sign is a comment to some, and nobody writes it who is read by others. */
const COMMENT = /\s+[#;][^"']*$/;

function readValue(text: string, { start: from, end }: Span): Syntax {
  const raw = text.slice(from, end);
  const start = from + raw.length - raw.trimStart().length;
  const whole = text.slice(start, end);
  const written = raw.replace(COMMENT, '').trimStart();
  const at = { kind: 'value', tag: null, anchor: null, start } as const;
  const [isQuoted, double, single] = QUOTED.exec(written) ?? [];
  if (isQuoted !== undefined) {
    const style: Style = double === undefined ? 'single' : 'double';
    return { ...at, value: double ?? single!, style, end: start + written.length };
  }
  if (/^["']|\\$/.test(whole) && !isClosed(written))
    throw new Unread('a value goes on in the next line, or is not closed');
  if (written === '' || isBare(written))
    return { ...at, value: written, style: 'plain', end: start + written.length };
  return { ...at, value: whole, style: 'block', end };
}

/** Quotes that end where the value ends: its readers differ only in what is between them. */
function isClosed(written: string): boolean {
  return written.length > 1 && written.at(-1) === written[0];
}
