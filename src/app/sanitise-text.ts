/**
 * Any text through the sanitiser, in bounded pieces. A piece ends where no secret is likely to go on: at the end of a
 * line that does not announce a value, outside of a private key. A line of enormous length is cut behind a bracket or
 * comma; a single word that is longer than a piece is left out whole. What the sanitiser cannot finish is left out too.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { errorMessage } from '../base/index.ts';
import type { SanitisedText, SanitiseReport } from '../contracts/sanitise.ts';
import { absolute, type ObserveSettings } from '../observe/index.ts';
import { type ReplacedKind, SANITISER_VERSION, sanitise } from '../sanitise/index.ts';
import type { AppContext } from './context.ts';
import { defaultRules } from './observe-rules.ts';
import { type Refusal, usage } from './refusal.ts';

const PIECE_MIN = 64 * 1024;
/** Up to this a piece grows in search of a good end. */
const PIECE_MAX = 512 * 1024;
const LINES_SHOWN = 20;
const LEFT_OUT = '[REDACTED: not sanitised]';

type Rules = Omit<ObserveSettings, 'sources'>;

export interface SanitisePorts {
  /** As text; read where no file is named. */
  readonly stdin: AsyncIterable<string>;
  write(clean: string): Promise<void>;
}

/** Writes the clean text of a file, or of standard input. */
export async function sanitiseText(
  context: AppContext,
  file: string | undefined,
  { stdin, write }: SanitisePorts,
): Promise<SanitiseReport | Refusal> {
  const text = file === undefined || file === '-' ? stdin : await textOf(context, file);
  if ('refused' in text) return text;
  const rules = await rulesHere(context);
  const found = new Found();
  for await (const piece of piecesOf(text)) await write(found.clean(piece, rules));
  return found.report();
}

/** A text that was sent, and the report; nothing is kept. */
export async function sanitiseGiven(context: AppContext, text: string): Promise<SanitisedText> {
  const rules = await rulesHere(context);
  const found = new Found();
  let clean = '';
  for await (const piece of piecesOf(Readable.from([text]))) clean += found.clean(piece, rules);
  return { ...found.report(), text: clean };
}

async function textOf(
  { cwd, environment }: AppContext,
  file: string,
): Promise<AsyncIterable<string> | Refusal> {
  const path = absolute(file, { cwd, home: environment['HOME'] });
  try {
    const found = await stat(path);
    if (found.isDirectory()) return usage(`${file} is a folder. Name a file.`);
    return createReadStream(path, { encoding: 'utf8' });
  } catch (error) {
    return usage(`${file} cannot be read: ${errorMessage(error)}.`);
  }
}

/** Of the installation here, if there is one. */
async function rulesHere(context: AppContext): Promise<Rules> {
  try {
    const opened = await context.open();
    await opened.close();
    return opened.config.observe;
  } catch {
    // No repository, not set up, or a store that cannot be reached.
    return defaultRules();
  }
}

class Found {
  readonly #kinds = new Map<ReplacedKind, { count: number; lines: number[] }>();
  #lines = 0;
  #leftOut = 0;
  #isAtLineStart = true;
  /** The piece before was one word, which may go on. */
  #isInWord = false;

  clean(piece: string, rules: Rules): string {
    const firstLine = this.#lines + (this.#isAtLineStart ? 1 : 0);
    const ends = piece.split('\n').length - 1;
    this.#lines += ends + (piece.endsWith('\n') ? 0 : 1) - (this.#isAtLineStart ? 0 : 1);
    this.#isAtLineStart = piece.endsWith('\n');
    if (isOneWord(piece)) {
      this.#isInWord = true;
      return this.#leaveOut(piece);
    }
    const rest = this.#isInWord ? piece.replace(WORD, '') : piece;
    this.#isInWord = false;
    try {
      const { text, replaced } = sanitise(rest, rules);
      const kinds = Object.entries(replaced) as [ReplacedKind, number][];
      for (const [kind, count] of kinds) this.#count(kind, count);
      if (kinds.length > 0) this.#place(piece, firstLine, rules);
      return text;
    } catch {
      return this.#leaveOut(piece);
    }
  }

  #leaveOut(piece: string): string {
    this.#leftOut += 1;
    return `${LEFT_OUT}${piece.endsWith('\n') ? '\n' : ''}`;
  }

  #count(kind: ReplacedKind, count: number): void {
    const of = this.#kinds.get(kind) ?? { count: 0, lines: [] };
    of.count += count;
    this.#kinds.set(kind, of);
  }

  /** Line by line. What goes over several lines is placed at its first one that shows it by itself, or nowhere. */
  #place(piece: string, firstLine: number, rules: Rules): void {
    for (const [at, line] of piece.split('\n').entries()) {
      for (const kind of kindsIn(line, rules)) {
        const lines = this.#kinds.get(kind)?.lines;
        if (lines !== undefined && lines.length < LINES_SHOWN && lines.at(-1) !== firstLine + at)
          lines.push(firstLine + at);
      }
    }
  }

  report(): SanitiseReport {
    const kinds = [...this.#kinds]
      .map(([kind, { count, lines }]) => ({ kind, count, lines }))
      .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
    const replaced = kinds.reduce((sum, { count }) => sum + count, 0);
    return {
      lines: this.#lines,
      replaced,
      kinds,
      leftOut: this.#leftOut,
      version: SANITISER_VERSION,
    };
  }
}

function kindsIn(line: string, rules: Rules): ReplacedKind[] {
  try {
    return Object.keys(sanitise(line, rules).replaced) as ReplacedKind[];
  } catch {
    return [];
  }
}

/** What a long line may be cut behind is no part of a word. */
const WORD = /^[^\s,;{}[\]]*/;
const isOneWord = (piece: string) =>
  piece.length >= PIECE_MAX - 1 && WORD.exec(piece)![0].length === piece.length;

/** Pieces that together are the text. */
export async function* piecesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    rest += chunk;
    while (rest.length >= PIECE_MIN) {
      const end = pieceEnd(rest);
      if (end === undefined) break;
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
  }
  if (rest !== '') yield rest;
}

/** Undefined if more has to be seen first. */
function pieceEnd(text: string): number | undefined {
  const line = lastGoodLine(text.slice(0, PIECE_MAX));
  if (line !== undefined) return line;
  if (text.length < PIECE_MAX) return undefined;
  const head = text.slice(0, PIECE_MAX);
  const cut = Math.max(...['\n', '}', ']', ',', ';'].map((sign) => head.lastIndexOf(sign)));
  const at = cut === -1 ? head.lastIndexOf(' ') : cut;
  return at === -1 ? wholeCharacters(head) : at + 1;
}

/** Behind the last line end that nothing is likely to go on after. */
function lastGoodLine(text: string): number | undefined {
  const key = openKey(text);
  for (
    let at = text.lastIndexOf('\n', key ?? text.length);
    at > 0;
    at = text.lastIndexOf('\n', at - 1)
  ) {
    const before = text.slice(Math.max(0, at - 200), at).trimEnd();
    const isAnnounced = /[:=\\|>,({[-]$/.test(before);
    const isGoneOn = /^[ \t]/.test(text.slice(at + 1, at + 2));
    if (!isAnnounced && !isGoneOn && at + 1 < text.length) return at + 1;
  }
  return undefined;
}

/** Where a private key begins that does not end here. */
function openKey(text: string): number | undefined {
  const begin = text.lastIndexOf('-----BEGIN');
  return begin > text.lastIndexOf('-----END') ? begin : undefined;
}

/** Not between the halves of a character. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
