/**
 * What a command writes to. Text is for people (as wide as the terminal, colour only there and not with
 * NO_COLOR); with `--json` standard output holds exactly one JSON document, also for an error.
 */
import { once } from 'node:events';
import { styleText } from 'node:util';
import type { Refusal } from '../app/refusal.ts';
import { REFUSALS } from '../contracts/error-table.ts';
import { cutToWidth } from './display-width.ts';
import { wrap } from './layout.ts';

export interface Io {
  readonly json: boolean;
  /** Whether standard error is a terminal that somebody may look at. */
  readonly isTerminal: boolean;
  /** Of the terminal that standard output is now; `Infinity` where it is a pipe or a file. */
  readonly columns: number;
  /** The same of standard error. */
  readonly errorColumns: number;
  out(text: string): void;
  err(text: string): void;
  /** Replaces the line on a terminal; writes nothing elsewhere. */
  progress(text: string): void;
  /** Clears the progress line. */
  progressDone(): void;
  style(format: 'bold' | 'red' | 'green' | 'yellow' | 'dim', text: string): string;
  /** Asks whoever is at the terminal for a line; absent where nobody is. */
  readonly ask?: (question: string) => Promise<string>;
}

export function processIo(json: boolean): Io {
  const { stdout, stderr } = process;
  const live = stderr.isTTY === true && !json;
  return {
    json,
    isTerminal: live,
    // Asked each time: people resize terminals.
    get columns() {
      return columnsOf(stdout);
    },
    get errorColumns() {
      return columnsOf(stderr);
    },
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    progress: (text) => {
      // A line that reaches the last column wraps on some terminals, and could not be replaced.
      if (live) stderr.write(`\r\u001b[2K${cutToWidth(text, columnsOf(stderr) - 1)}`);
    },
    progressDone: () => {
      if (live) stderr.write('\r\u001b[2K');
    },
    style: (format, text) => (json ? text : styleText(format, text, { stream: stdout })),
    ...(process.stdin.isTTY === true && stderr.isTTY === true ? { ask: askOnTerminal } : {}),
  };
}

/** Text does not fit a narrower terminal. One without a known width, such as a serial line, has 80. */
const COLUMNS_MIN = 20;
const COLUMNS_UNKNOWN = 80;

function columnsOf({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }) {
  if (isTTY !== true) return Infinity;
  return Math.max(COLUMNS_MIN, columns || COLUMNS_UNKNOWN);
}

/** On standard error: standard output is for the answer of the command. */
async function askOnTerminal(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = once(lines, 'close').then(() => '');
    return await Promise.race([lines.question(question), ended]);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return ''; // Ctrl-D, Ctrl-C
    throw error;
  } finally {
    lines.close();
  }
}

/** One JSON document, or text. */
export function present<T>(io: Io, result: T, text: (result: T) => string): void {
  io.out(io.json ? jsonLine(result) : text(result));
}

/** What moves a cursor, hides or turns text around. Written as escapes it is the same JSON. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One JSON document that is also safe to look at on a terminal. */
export function jsonLine(value: unknown): string {
  const escaped = (units: string) =>
    [...Array(units.length).keys()]
      .map((at) => `\\u${units.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('');
  return `${JSON.stringify(value).replace(UNSEEN, escaped)}\n`;
}

/** A sentence that may hold others' words: nothing in it does anything to a terminal. */
export function plain(text: string): string {
  return text.replace(UNSEEN, (one) => (one === '\n' ? one : ' '));
}

/** The same on one line, such as in a table. */
export function plainLine(text: string): string {
  return plain(text).replaceAll('\n', ' ');
}

/** An expected no: said, not thrown. Gives the exit code. */
export function refuse(io: Io, { refused, kind = 'refused' }: Refusal): number {
  const { exit } = REFUSALS[kind];
  if (io.json) {
    const code = exit === 2 ? 'usage' : 'refused';
    io.out(jsonLine({ error: { code, message: refused, hint: null } }));
  } else {
    io.err(wrap(`hone: ${plainLine(refused)}`, io.errorColumns));
  }
  return exit;
}
