/**
 * Text that fits where it is shown. `columns` is the width of the terminal, or `Infinity` for a pipe or a file.
 *
 * - Prose is broken at spaces, to a readable measure; in a pipe at 80 columns, so that it is the same everywhere.
 * - A row of a table is one line in a pipe, however long. On a terminal that is too narrow its prose is broken
 *   within its column; where that leaves too little, each row becomes a block of labelled lines.
 * - Words are never broken or cut: an id, a digest or a path may be what the next command takes. Neither is a
 *   command to copy. One that is wider than the terminal has a line to itself.
 */
import { displayWidth, graphemes, isWide, padToWidth } from './display-width.ts';

/** Longer lines are hard to read, whatever the terminal has room for. */
const PROSE_COLUMNS_MAX = 100;
const PIPE_PROSE_COLUMNS = 80;
/** A narrower column of prose is a list of words. */
const PROSE_COLUMN_MIN = 16;
const GAP = '  ';
const NOTE_INDENT = '    ';

/** How wide prose is. */
export function proseColumns(columns: number): number {
  return columns === Infinity ? PIPE_PROSE_COLUMNS : Math.min(columns, PROSE_COLUMNS_MAX);
}

/** Breaks text into lines at spaces. */
export function wrap(text: string, columns: number, indent = ''): string {
  const lines = linesOf(text, proseColumns(columns) - indent.length);
  return lines.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('');
}

/**
 * The beginning of a text that may be long, with `…` where a terminal does not get all of it: whole words, so that
 * nobody copies half an id. A pipe gets everything.
 */
export function wrapAtMost(
  linesMax: number,
  text: string,
  { columns, indent }: { readonly columns: number; readonly indent: string },
): string {
  const room = proseColumns(columns) - indent.length;
  const lines = linesOf(text, room);
  if (lines.length <= linesMax || columns === Infinity)
    return `${indent}${lines.join(`\n${indent}`)}\n`;
  const first = linesOf(text, room - ' …'.length).slice(0, linesMax);
  const isRoomLeft = displayWidth(first.at(-1)!) <= room - ' …'.length;
  return `${indent}${first.join(`\n${indent}`)}${isRoomLeft ? ' ' : `\n${indent}`}…\n`;
}

/** Each line by itself, its further lines indented as it is. */
export function wrapLines(text: string, columns: number): string {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const indent = /^ */.exec(line)![0];
      return wrap(line.slice(indent.length), columns, indent);
    })
    .join('');
}

/** Lines that were laid out already, such as a list of mistakes: only one that does not fit is broken. */
export function fitLines(text: string, columns: number): string {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      if (displayWidth(line) <= columns) return `${line}\n`;
      const indent = /^ */.exec(line)![0];
      const [first = '', ...rest] = linesOf(line.slice(indent.length), columns - indent.length - 2);
      return [first, ...rest.map((one) => `${GAP}${one}`)]
        .map((one) => `${indent}${one}\n`)
        .join('');
    })
    .join('');
}

type Pair = readonly [label: string, value: string];

/** Labels with what they name. */
export function fields(pairs: readonly Pair[], columns: number, indent = ''): string {
  const labelWidth = Math.max(0, ...pairs.map(([label]) => displayWidth(label)));
  return pairs.map((pair) => field(pair, { labelWidth, columns, indent })).join('');
}

/**
 * One of them. On a terminal, a value that has too little room beside its label stands below it; in a pipe it begins
 * beside its label, however long it is.
 */
export function field(
  [label, value]: Pair,
  options: { readonly labelWidth: number; readonly columns: number; readonly indent: string },
): string {
  const { labelWidth, columns, indent } = options;
  const hang = indent + ' '.repeat(labelWidth + GAP.length);
  const room = proseColumns(columns) - hang.length;
  const lines = linesOf(value, room);
  const isReadable = lines.length === 1 || room >= PROSE_COLUMN_MIN;
  if (columns === Infinity || (isReadable && fits(lines, room))) {
    const beside = indent + padToWidth(label, labelWidth) + GAP;
    return `${(beside + lines.join(`\n${hang}`)).trimEnd()}\n`;
  }
  const above = label === '' ? '' : `${indent}${label}\n`;
  return above + wrap(value, columns, indent + GAP);
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The last column holds sentences, and may be broken into lines. All others hold names and numbers. */
  readonly isLastProse?: boolean;
  /** What stands under each row, if anything. */
  readonly notes?: readonly (string | null)[];
}

/** Columns of text under a head, each as wide as its widest cell. */
export function table(given: Table, columns: number): string {
  const { head, rows, notes } = given;
  const note = (at: number) => {
    const text = notes?.[at] ?? null;
    return text === null ? '' : wrap(text, columns, NOTE_INDENT);
  };
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => displayWidth(row[column]!))),
  );
  const rowText = rowWriter(given, widths, columns);
  if (rowText !== undefined) {
    return rowText(head) + rows.map((row, at) => rowText(row) + note(at)).join('');
  }
  const block = (row: readonly string[]) =>
    row.map((cell, at) => [head[at]!, cell] as const).filter(([, cell]) => cell !== '');
  return rows.map((row, at) => fields(block(row), columns) + note(at)).join('\n');
}

/** Undefined where a row does not fit side by side. */
function rowWriter(
  { rows, isLastProse }: Table,
  widths: readonly number[],
  columns: number,
): ((row: readonly string[]) => string) | undefined {
  const last = widths.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  const beside = (row: readonly string[]) =>
    row.slice(0, last).map((cell, at) => padToWidth(cell, widths[at]!) + GAP);
  const room = columns - before;
  if (widths[last]! <= room) return (row) => `${[...beside(row), row[last]].join('').trimEnd()}\n`;
  const broken = (row: readonly string[]) => linesOf(row[last]!, room);
  const isReadable = room >= PROSE_COLUMN_MIN && rows.every((row) => fits(broken(row), room));
  if (isLastProse !== true || !isReadable) return undefined;
  const hang = `\n${' '.repeat(before)}`;
  return (row) => `${[...beside(row), broken(row).join(hang)].join('').trimEnd()}\n`;
}

function fits(lines: readonly string[], columns: number): boolean {
  return lines.every((line) => displayWidth(line) <= columns);
}

function linesOf(text: string, width: number): string[] {
  const lines = [''];
  let used = 0;
  for (const { gap, word } of wordsOf(text)) {
    const wordWidth = displayWidth(word);
    const line = lines.at(-1)!;
    if (line === '') {
      lines[lines.length - 1] = word;
      used = wordWidth;
    } else if (used + gap.length + wordWidth > width) {
      lines.push(word);
      used = wordWidth;
    } else {
      lines[lines.length - 1] = line + gap + word;
      used += gap.length + wordWidth;
    }
  }
  return lines;
}

interface Word {
  /** The spaces before it. */
  readonly gap: string;
  readonly word: string;
}

/** In quotes, or after a colon up to the end of the clause. */
const COMMAND = /[^ "]*"hone [^"]*"[^ ]*|(?<=: )hone .+?(?:[.,;](?= |$)|$)/;
const WORD = new RegExp(`( *)(${COMMAND.source}|[^ ]+)`, 'g');

/** A command is one word. Chinese and Japanese have no spaces: each wide character is a word. */
function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD)).flatMap(([, gap = '', word = '']) =>
    breakable(word).map((part, at) => ({ gap: at === 0 ? gap : '', word: part })),
  );
}

function breakable(word: string): string[] {
  if (!isWide(word)) return [word];
  const parts: string[] = [];
  let isAfterWide = true;
  for (const one of graphemes(word)) {
    if (isAfterWide || isWide(one)) parts.push(one);
    else parts[parts.length - 1] += one;
    isAfterWide = isWide(one);
  }
  return parts;
}
