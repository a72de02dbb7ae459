/**
 * Which files the commands that give evidence name: the script they run, what they read, and the command
 * behind `npm test` or `make check` in the target's own scripts. Pure. The commands are accepted configuration; the
 * scripts are the base's, which the change under test did not write. Words are taken without a shell, so a
 * word too many counts as a file: it then costs evidence, never a judge.
 *
 * Not followed: what a script imports. A test imports what it tests, so all of the source would judge.
 */
import { posix } from 'node:path';

export type Command = readonly string[];

export interface CommandFiles {
  /** Patterns of the programs themselves. */
  readonly runs: readonly string[];
  /** Patterns of what they are given. */
  readonly reads: readonly string[];
}

const WORD_END = /[\s()<>"'`]+/;
/** `--inputs=checks/inputs`, `PYTHONPATH=a:b`. */
const PIECE_END = /[=,:{}$]+/;
/** Words that begin another command. */
const COMMAND_END = /&&|\|\||[;&|\n]/;
const COMMANDS_MAX = 200;

export function filesOfCommands(
  commands: readonly Command[],
  scripts: Readonly<Record<string, string>> = {},
): CommandFiles {
  const [runs, reads] = [new Set<string>(), new Set<string>()];
  const waiting = commands.flatMap(simpleCommands);
  const seen = new Set<string>();
  for (let at = 0; at < Math.min(waiting.length, COMMANDS_MAX); at++) {
    const words = waiting[at]!;
    const named = words.flatMap((word, index) =>
      word.split(PIECE_END).flatMap((piece) => patternsOf(piece, words[index - 1] ?? '')),
    );
    const [program, ...rest] = named;
    for (const pattern of program ?? []) runs.add(pattern);
    for (const pattern of rest.flat()) reads.add(pattern);
    for (const word of words) {
      if (isBareName(word)) reads.add(word);
      if (seen.has(word)) continue;
      seen.add(word);
      for (const name of scriptsCalled(word, scripts))
        waiting.push(...simpleCommands([String(scripts[name])]));
    }
  }
  return { runs: [...runs], reads: [...reads] };
}

/** `run-s check:*` calls every script that fits. */
function scriptsCalled(word: string, scripts: Readonly<Record<string, string>>): string[] {
  const called = word.includes('*')
    ? Object.keys(scripts).filter((name) => posix.matchesGlob(name, word))
    : [word];
  return called
    .flatMap((name) => [`pre${name}`, name, `post${name}`])
    .filter((name) => Object.hasOwn(scripts, name));
}

/** `sh check` runs a file without an ending. Not a folder: `mypy src` is given what is to be tested. */
function isBareName(word: string): boolean {
  return /^\w[\w-]*$/.test(word);
}

const MENTIONS_MAX = 2000;

/** Patterns of whatever a text names that looks like a file. */
export function mentionsIn(text: string): readonly string[] {
  const words = text.split(WORD_END).flatMap((word) => word.split(PIECE_END));
  // `file://graders/tone.py`
  const names = words.map((word) => word.replace(/^\/\/+/, ''));
  return names.flatMap((name) => patternsOf(name, '').flat()).slice(0, MENTIONS_MAX);
}

/** An argument with a command inside, as in `bash -c 'cd checks && ./run.sh'`, is several commands. */
function simpleCommands(command: Command): string[][] {
  const whole = command.filter((argument) => !COMMAND_END.test(argument));
  const inside = command
    .filter((argument) => COMMAND_END.test(argument))
    .flatMap((argument) => argument.split(COMMAND_END));
  return [whole, ...inside.map((text) => [text])].map((texts) =>
    texts.flatMap((text) => text.split(WORD_END)).filter((word) => word !== ''),
  );
}

/**
 * The patterns of one word; none for what names no file. They match in every folder, because a `cd` may
 * stand before them. A folder counts with all that is in it.
 */
function patternsOf(word: string, before: string): string[][] {
  const joined = /^-m(?=\w)/.test(word) ? word.slice(2) : undefined;
  if (joined !== undefined) return patternsOf(joined, '-m');
  if (word.startsWith('-') || posix.isAbsolute(word)) return [];
  if (before === '-m' && /^[\w.]+$/.test(word)) {
    const module = word.replaceAll('.', '/');
    return [[`${module}.py`, `${module}/**`]];
  }
  const path = posix.normalize(word).replace(/^(?:\.\.\/)+|\/$/g, '');
  const isPath =
    path.includes('/') ||
    word.startsWith('./') ||
    /\.[a-z0-9]{1,8}$/i.test(path) ||
    word.endsWith('/');
  return isPath && !/^\.*$/.test(path) ? [[path, `${path}/**`, ...endings(path, word)]] : [];
}

/** Interpreters find `ops/run` and `./run` with the ending that it has; `agents/` is a folder. */
function endings(path: string, word: string): string[] {
  const mayBeFile = !word.endsWith('/') && (path.includes('/') || word.startsWith('./'));
  return mayBeFile && !/\.[^/]*$/.test(path) ? [`${path}.*`] : [];
}
