/**
 * What a command writes to. Text is for people (80 columns, colour only on a terminal and not with
 * NO_COLOR); with `--json` standard output holds exactly one JSON document, also for an error.
 */
import { once } from 'node:events';
import { styleText } from 'node:util';

export interface Io {
  readonly json: boolean;
  /** Whether standard error is a terminal that somebody may look at. */
  readonly isTerminal: boolean;
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
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    progress: (text) => {
      if (live) stderr.write(`\r\u001b[2K${text.slice(0, 79)}`);
    },
    progressDone: () => {
      if (live) stderr.write('\r\u001b[2K');
    },
    style: (format, text) => (json ? text : styleText(format, text, { stream: stdout })),
    ...(process.stdin.isTTY === true && stderr.isTTY === true ? { ask: askOnTerminal } : {}),
  };
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

/** Columns of text, each as wide as its widest cell; the last one is cut at 80. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows
    .map((row) => {
      const line = row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd();
      return `${line.length > 80 ? `${line.slice(0, 79)}…` : line}\n`;
    })
    .join('');
}

/** Breaks text into lines of at most `width`, at spaces; long words stay whole. */
export function wrap(text: string, width = 80, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line === '' ? '' : indent + line);
  return `${lines.join('\n')}\n`;
}

/** Each line by itself, its further lines indented as it is. */
export function wrapLines(text: string): string {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const indent = /^ */.exec(line)![0];
      return wrap(line.slice(indent.length), 80, indent);
    })
    .join('');
}

/** An expected no: said, not thrown. Gives the exit code. */
export function refuse(io: Io, message: string, exit: 1 | 2 = 1): number {
  if (io.json) {
    const code = exit === 2 ? 'usage' : 'refused';
    io.out(jsonLine({ error: { code, message, hint: null } }));
  } else {
    io.err(wrap(`hone: ${plainLine(message)}`));
  }
  return exit;
}
