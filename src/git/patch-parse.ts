/**
 * Reads a patch in git's own format (`diff --git`), strictly: every line must be one that git would have
 * written for a change of text files without renames. `git apply` skips what it does not understand,
 * guesses names and counts; a patch that a person approves must mean one thing. Attacker-controlled.
 */
import { newPathProblem, shownPath } from './paths.ts';

export interface Hunk {
  /** The line of its header in the patch, for messages. */
  readonly line: number;
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  /** A sign and a line's bytes (latin1) with its line feed, which the last line of a file may lack. */
  readonly lines: readonly (readonly [sign: ' ' | '-' | '+', text: string])[];
}

export interface FilePatch {
  readonly line: number;
  readonly path: string;
  readonly action: 'create' | 'delete' | 'change';
  /** The mode the file must have before, where the patch says one. */
  readonly oldMode: PatchMode | undefined;
  readonly newMode: PatchMode | undefined;
  readonly hunks: readonly Hunk[];
}

type PatchMode = '100644' | '100755';

export type ParsedPatch =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | { readonly ok: false; readonly why: string };

/** Left by throwing inside this file only; `parsePatch` returns it. */
class Refusal extends Error {}

export function parsePatch(patch: string): ParsedPatch {
  if (patch === '') return { ok: false, why: 'the patch is empty' };
  if (!patch.isWellFormed()) return { ok: false, why: 'the patch is not well-formed Unicode' };
  if (patch.includes('\0')) return { ok: false, why: 'the patch holds a NUL' };
  if (!patch.endsWith('\n')) return { ok: false, why: 'the last line has no line feed' };
  // As bytes, one character each: lines are compared with files whose bytes may not be UTF-8.
  const lines = new Lines(Buffer.from(patch).toString('latin1').slice(0, -1).split('\n'));
  const files: FilePatch[] = [];
  try {
    while (!lines.atEnd()) {
      const file = parseFile(lines);
      if (files.some((other) => other.path === file.path)) {
        throw new Refusal(`line ${file.line}: ${shownPath(file.path)} is changed twice`);
      }
      files.push(file);
    }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, why: error.message };
    throw error;
  }
  return { ok: true, files };
}

class Lines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  atEnd = () => this.#at >= this.#lines.length;
  peek = (): string | undefined => this.#lines[this.#at];
  /** Of the line that `peek` shows, counted from 1. */
  number = () => this.#at + 1;

  take(what: string): string {
    const line = this.#lines[this.#at];
    if (line === undefined)
      throw new Refusal(`line ${this.number()}: the patch ends, expected ${what}`);
    this.#at++;
    return line;
  }

  takeMatch(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.peek() ?? '\n') ?? undefined;
    if (match !== undefined) this.#at++;
    return match;
  }

  refuse(why: string, line = this.number()): never {
    throw new Refusal(`line ${line}: ${why}`);
  }
}

function parseFile(lines: Lines): FilePatch {
  const line = lines.number();
  const path = parseGitLine(lines.take('diff --git'), lines, line);
  const { action, oldMode, newMode, textFollows } = parseExtendedHeader(lines);
  const hunks: Hunk[] = [];
  if (lines.peek()?.startsWith('--- ')) {
    expectName(lines, '--- ', action === 'create' ? undefined : `a/${path}`);
    expectName(lines, '+++ ', action === 'delete' ? undefined : `b/${path}`);
    do hunks.push(parseHunk(lines));
    while (lines.peek()?.startsWith('@@'));
  }
  if (!lines.atEnd() && !lines.peek()!.startsWith('diff --git ')) {
    if (/^(GIT binary patch|Binary files )/.test(lines.peek()!)) {
      lines.refuse('binary files are not changed by a patch');
    }
    lines.refuse('expected a hunk or the next file');
  }
  if (hunks.length === 0 && textFollows) lines.refuse(`${shownPath(path)} has no hunk`, line);
  if (action === 'change' && hunks.length === 0 && oldMode === newMode) {
    lines.refuse(`${shownPath(path)} is not changed`, line);
  }
  if (action !== 'change' && hunks.length > 1)
    lines.refuse('one hunk makes or removes a file', line);
  return { line, path, action, oldMode, newMode, hunks };
}

/** Without renames both names are one, so that even `a b/a` can be read without guessing. */
function parseGitLine(text: string, lines: Lines, line: number): string {
  const prefix = 'diff --git ';
  if (!text.startsWith(prefix)) lines.refuse('expected "diff --git a/… b/…"', line);
  const rest = text.slice(prefix.length);
  let names: readonly [string, string] | undefined;
  if (rest.startsWith('"')) {
    const quoted = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(rest);
    const [a, b] = [unquote(quoted?.[1] ?? ''), unquote(quoted?.[2] ?? '')];
    if (a !== undefined && b !== undefined) names = [a, b];
  } else {
    const middle = (rest.length - 1) / 2;
    const [a, b] = [textOf(rest.slice(0, middle)), textOf(rest.slice(middle + 1))];
    if (rest[middle] === ' ' && a !== undefined && b !== undefined) names = [a, b];
  }
  if (names === undefined || !names[0].startsWith('a/') || names[1] !== `b/${names[0].slice(2)}`) {
    lines.refuse('the two names are not a/ and b/ of one path (renames are not applied)', line);
  }
  const path = names[0].slice(2);
  const problem = newPathProblem(path);
  if (problem !== undefined)
    lines.refuse(`the path ${shownPath(path)} may not be written: ${problem}`, line);
  return path;
}

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/** Git's C-style quotes: octal bytes of UTF-8. Undefined when it is not such a string. */
function unquote(quoted: string): string | undefined {
  if (!/^"(?:[^"\\]|\\(?:[0-3][0-7]{2}|[abtnvfr"\\]))*"$/.test(quoted)) return undefined;
  const bytes = quoted
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      String.fromCharCode(ESCAPES[code] ?? Number.parseInt(code, 8)),
    );
  return textOf(bytes);
}

/** Bytes as text; undefined when they are not UTF-8. */
function textOf(bytes: string): string | undefined {
  const buffer = Buffer.from(bytes, 'latin1');
  const text = buffer.toString('utf8');
  return Buffer.from(text).equals(buffer) ? text : undefined;
}

interface ExtendedHeader {
  readonly action: FilePatch['action'];
  readonly oldMode: PatchMode | undefined;
  readonly newMode: PatchMode | undefined;
  /** An `index` line of two files that both have bytes promises hunks. */
  readonly textFollows: boolean;
}

function parseExtendedHeader(lines: Lines): ExtendedHeader {
  let action: FilePatch['action'] = 'change';
  let oldMode: PatchMode | undefined;
  let newMode: PatchMode | undefined;
  const made = lines.takeMatch(/^(new|deleted) file mode (\d+)$/);
  if (made !== undefined) {
    const mode = readPatchMode(lines, made[2]!);
    action = made[1] === 'new' ? 'create' : 'delete';
    if (action === 'create') newMode = mode;
    else oldMode = mode;
  }
  const old = made === undefined ? lines.takeMatch(/^old mode (\d+)$/) : undefined;
  if (old !== undefined) {
    oldMode = readPatchMode(lines, old[1]!);
    const next = lines.takeMatch(/^new mode (\d+)$/) ?? lines.refuse('expected "new mode"');
    newMode = readPatchMode(lines, next[1]!);
    if (oldMode === newMode) lines.refuse('the two modes are the same', lines.number() - 1);
  }
  if (/^(similarity|dissimilarity|rename|copy) /.test(lines.peek() ?? '')) {
    lines.refuse('renames and copies are not applied; make the patch with --no-renames');
  }
  const index = lines.takeMatch(/^index [0-9a-f]{4,64}\.\.[0-9a-f]{4,64}(?: (\d+))?$/);
  if (index?.[1] !== undefined) {
    const mode = readPatchMode(lines, index[1]);
    if (action !== 'change' || old !== undefined)
      lines.refuse('a mode that was already given', lines.number() - 1);
    oldMode = mode;
    newMode = mode;
  }
  return { action, oldMode, newMode, textFollows: action === 'change' && index !== undefined };
}

function readPatchMode(lines: Lines, text: string): PatchMode {
  if (text === '100644' || text === '100755') return text;
  return lines.refuse(
    `the mode ${text} is not one of a plain file (100644, 100755)`,
    lines.number() - 1,
  );
}

/** Git ends a name that has a space with a tab. Undefined stands for /dev/null. */
function expectName(lines: Lines, prefix: string, name: string | undefined): void {
  const line = lines.number();
  const text = lines.take(`"${prefix}"`);
  const raw = text.slice(prefix.length).replace(/\t$/, '');
  const given = raw.startsWith('"') ? unquote(raw) : textOf(raw);
  if (!text.startsWith(prefix) || given !== (name ?? '/dev/null')) {
    lines.refuse(
      `expected "${prefix}" and ${name === undefined ? '/dev/null' : shownPath(name)}`,
      line,
    );
  }
}

function parseHunk(lines: Lines): Hunk {
  const line = lines.number();
  const head =
    lines.takeMatch(/^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?: .*)?$/) ??
    lines.refuse('expected "@@ -line,count +line,count @@"');
  const [oldStart, newStart] = [Number(head[1]), Number(head[3])];
  const [oldCount, newCount] = [Number(head[2] ?? 1), Number(head[4] ?? 1)];
  const body: (readonly [' ' | '-' | '+', string])[] = [];
  let [oldLeft, newLeft] = [oldCount, newCount];
  while (oldLeft > 0 || newLeft > 0) {
    const at = lines.number();
    const text = lines.take(`${oldLeft} old and ${newLeft} new lines more`);
    const sign = text[0];
    if (sign !== ' ' && sign !== '-' && sign !== '+') lines.refuse('expected " ", "-" or "+"', at);
    if (sign !== '+') oldLeft--;
    if (sign !== '-') newLeft--;
    if (oldLeft < 0 || newLeft < 0) lines.refuse('more lines than the hunk announced', at);
    const unended = lines.takeMatch(/^\\ No newline at end of file$/) !== undefined;
    body.push([sign, unended ? text.slice(1) : `${text.slice(1)}\n`]);
  }
  if (!body.some(([sign]) => sign !== ' ')) lines.refuse('the hunk changes nothing', line);
  return { line, oldStart, oldCount, newStart, newCount, lines: body };
}
