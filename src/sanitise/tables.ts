/** Columns of secrets: CSV, tabs, Markdown tables. The head of a column names what its cells hold. */
import type { Found } from './found.ts';
import { nameOf } from './secret-names.ts';
import { isSecret } from './secret-values.ts';
import { isMark } from './shapes.ts';
import { isAlnumCode } from './signs.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** A head is short, and its cells are names. */
const HEAD_LENGTH_MAX = 1000;
const ROWS_MAX = 10_000;
const COLUMNS_MIN = 2;
const ROW_LENGTH_MAX = 4000;

/** `places`: where a word that may name a secret stands beside a separator. */
export function columnsOf(found: Found, places: readonly number[]): void {
  let until = 0;
  for (const place of places) {
    if (place < until) continue;
    const start = found.text.lastIndexOf('\n', place) + 1;
    const newline = found.text.indexOf('\n', place);
    if (newline === -1) return;
    until = newline;
    if (newline - start > HEAD_LENGTH_MAX) continue;
    const head = found.text.slice(start, newline);
    const separator = SEPARATORS.find((sign) => head.split(sign).length >= COLUMNS_MIN);
    if (separator !== undefined) until = table(found, { head, separator, from: newline + 1 });
  }
}

interface Table {
  readonly head: string;
  readonly separator: string;
  readonly from: number;
}

/** Returns where the table ends. */
function table(found: Found, { head, separator, from }: Table): number {
  const names = head.split(separator).map(cellOf);
  if (!names.every((cell) => /^[\p{L}\p{N} ._/()-]{0,40}$/u.test(cell))) return from;
  const kinds = names.map((cell) => nameOf(cell.replace(/\s+/g, '_')));
  if (kinds.every((kind) => kind === undefined)) return from;
  let at = from;
  for (let row = 0; row < ROWS_MAX && at < found.text.length; row++) {
    const newline = found.text.indexOf('\n', at);
    const end = newline === -1 ? found.text.length : newline;
    if (isRule(found.text, at, end)) {
      at = end + 1;
      continue;
    }
    const cells = end - at > ROW_LENGTH_MAX ? [] : splitRow(found.text.slice(at, end), separator);
    if (cells.length !== names.length) return at;
    let start = at;
    for (const [column, cell] of cells.entries()) {
      const name = kinds[column];
      if (name !== undefined) hideCell(found, start, cell, name);
      start += cell.length + 1;
    }
    at = end + 1;
  }
  return at;
}

/** `|---|:--|`: a line between rows. */
function isRule(text: string, start: number, end: number): boolean {
  if (end === start || isAlnumCode(text.charCodeAt(start))) return false;
  return /^[\s|+:=-]+$/.test(text.slice(start, Math.min(end, start + ROW_LENGTH_MAX)));
}

function hideCell(
  found: Found,
  start: number,
  cell: string,
  name: NonNullable<ReturnType<typeof nameOf>>,
): void {
  const value = cellOf(cell);
  if (value === '' || isMark(value) || /^:?-+:?$/.test(value)) return;
  const from = start + cell.indexOf(value);
  const assigned = { value, isFirm: true, isQuoted: false, isSaid: false };
  if (isSecret(name.kind === 'header' ? { ...name, kind: 'plain' } : name, assigned))
    found.secret(from, from + value.length);
}

const MARKUP = /<(th|td)\b[^<>]{0,100}>([^<]{0,200})<\/\1>|<tr\b/gi;

/** The same in HTML. */
export function markupColumns(found: Found): void {
  let heads: (ReturnType<typeof nameOf> | undefined)[] = [];
  let [column, hasHeads] = [0, false];
  for (const { 0: whole, 1: tag, 2: cell, index } of found.text.matchAll(MARKUP)) {
    if (tag === undefined) {
      column = 0;
      hasHeads = false;
    } else if (tag.toLowerCase() === 'th') {
      if (!hasHeads) heads = [];
      hasHeads = true;
      heads.push(nameOf(cellOf(cell!).replace(/\s+/g, '_')));
    } else {
      const name = heads[column];
      const start = index + whole.indexOf('>') + 1;
      if (name !== undefined) hideCell(found, start, cell!, name);
      column += 1;
    }
  }
}

/** A separator inside quotes separates nothing. */
function splitRow(row: string, separator: string): string[] {
  if (!row.includes('"')) return row.split(separator);
  const cells: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < row.length; at++) {
    if (row[at] === '"') isQuoted = !isQuoted;
    else if (row[at] === separator && !isQuoted) {
      cells.push(row.slice(start, at));
      start = at + 1;
    }
  }
  cells.push(row.slice(start));
  return cells;
}

function cellOf(cell: string): string {
  return cell.trim().replace(/^["'`*]+|["'`*]+$/g, '');
}
