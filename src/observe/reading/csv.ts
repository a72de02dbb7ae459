/**
 * Rows of CSV (RFC 4180) with any delimiter: quotes, doubled quotes, line breaks inside quotes. A file is given line by
 * line, so a row that is still open is kept as text, bounded.
 */
import { refused } from './records.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export const UNREADABLE = refused('A quote is not closed, or a key runs over lines.');

const CELLS_MAX = 500;
/** Of one that runs over lines. */
const ROW_CHARS_MAX = 32_000;

interface Row {
  readonly cells: readonly string[];
  /** A quote was not closed: the row goes on in the next line. */
  readonly isOpen: boolean;
}

function rowOf(text: string, delimiter: string): Row {
  const cells: string[] = [];
  let at = 0;
  while (cells.length < CELLS_MAX) {
    if (text[at] === '"') {
      const quoted = quotedAt(text, at);
      if (quoted === undefined) return { cells, isOpen: true };
      const end = indexOrEnd(text, delimiter, quoted.end);
      cells.push(quoted.value + text.slice(quoted.end, end).trimEnd());
      at = end;
    } else {
      const end = indexOrEnd(text, delimiter, at);
      cells.push(text.slice(at, end));
      at = end;
    }
    if (at >= text.length) break;
    at += delimiter.length;
  }
  return { cells, isOpen: false };
}

function quotedAt(text: string, start: number): { value: string; end: number } | undefined {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return undefined;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at === -1 ? text.length : at;
}

/**
 * The next line behind what is open: a row, or what is open now; `unreadable` if it gets too long. A key that runs over
 * lines is not kept open: what is stored between two of its lines would hide its beginning, and show the rest.
 */
export function nextRow(
  open: string,
  line: string,
  delimiter: string,
): { readonly cells: readonly string[] } | { readonly open: string } | 'unreadable' {
  const ended = line.endsWith('\r') ? line.slice(0, -1) : line;
  const text = open === '' ? ended : `${open}\n${ended}`;
  const row = rowOf(text, delimiter);
  if (!row.isOpen) return { cells: row.cells };
  if (text.length > ROW_CHARS_MAX || text.includes('-----BEGIN ')) return 'unreadable';
  return { open: text };
}

/** All rows of a text, in which the last one may lack its end. */
export function rowsOf(
  lines: readonly string[],
  delimiter: string,
): readonly (readonly string[])[] {
  const rows: (readonly string[])[] = [];
  let open = '';
  for (const line of lines) {
    const next = nextRow(open, line, delimiter);
    if (next === 'unreadable') return rows;
    open = 'open' in next ? next.open : '';
    if ('cells' in next) rows.push(next.cells);
  }
  return rows;
}

/** The delimiter by which most rows have as many cells as the header, and more than one. */
export function delimiterOf(
  lines: readonly string[],
): { delimiter: Delimiter; share: number; cells: number } | undefined {
  let best: { delimiter: Delimiter; share: number; cells: number } | undefined;
  for (const delimiter of DELIMITERS) {
    const rows = rowsOf(lines, delimiter);
    const cells = rows[0]?.length ?? 0;
    if (cells < 2) continue;
    const share = rows.filter((row) => row.length === cells).length / rows.length;
    if (best === undefined || share * Math.log(cells) > best.share * Math.log(best.cells))
      best = { delimiter, share, cells };
  }
  return best;
}

/** The header's likeliest delimiter, where nothing else is known yet. */
export function delimiterOfHeader(header: string): Delimiter {
  const count = (sign: string) => header.split(sign).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
}
