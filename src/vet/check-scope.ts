/** Scope and size (rule 6), reversibility (rule 4), and the files that judge changes (rule 10). */
import { type FilePatch, shownPath } from '../git/index.ts';
import { judgingFile } from '../policy/index.ts';
import { isEmptyTalk } from './check-complete.ts';
import { failed, judged, passed } from './check-result.ts';
import type { CheckResult, VetInput } from './types.ts';

/** A tuned constant is one line out and one in; three of them in one file are still one idea. */
const CONSTANT_TUNE = { filesMax: 1, changedLinesMax: 6 };

export function checkScope({ content, diff, limits }: VetInput): CheckResult {
  if (!diff.ok) return failed('The diff cannot be read, so its size is unknown.');
  const tune = content.type === 'constant_tune';
  const filesMax = tune ? Math.min(CONSTANT_TUNE.filesMax, limits.filesMax) : limits.filesMax;
  const linesMax = tune
    ? Math.min(CONSTANT_TUNE.changedLinesMax, limits.changedLinesMax)
    : limits.changedLinesMax;
  const lines = diff.files.reduce((sum, file) => sum + changedLines(file), 0);
  const files = diff.files.length;
  const of = tune ? ' for a constant_tune' : '';
  const reasons = [
    ...(files > filesMax
      ? [`It touches ${files} files; at most ${filesMax} are allowed${of}.`]
      : []),
    ...(lines > linesMax
      ? [`It changes ${lines} lines; at most ${linesMax} are allowed${of}.`]
      : []),
  ];
  return judged('failed', reasons, `It changes ${lines} lines in ${counted(files, 'file')}.`);
}

function changedLines(file: FilePatch): number {
  return file.hunks.reduce(
    (sum, { lines }) => sum + lines.filter(([sign]) => sign !== ' ').length,
    0,
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What a patch of plain text does, its reverse undoes. Links, binaries and renames are not read at all. */
export function checkReversible({ content, diff }: VetInput): CheckResult {
  const reasons: string[] = [];
  if (isEmptyTalk(content.rollback)) reasons.push('It does not say how it is undone.');
  if (!diff.ok) reasons.push('A diff that cannot be read cannot be undone.');
  else
    for (const { path, hunks } of diff.files) {
      const binary = hunks.some(({ lines }) => lines.some(([, text]) => isBinaryLine(text)));
      if (binary) reasons.push(`${shownPath(path)} is not plain text.`);
    }
  return judged('failed', reasons, 'It says how it is undone, and touches plain text only.');
}

/** Control characters except tab, line feed, carriage return and form feed; or bytes that are not UTF-8. */
function isBinaryLine(bytes: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(bytes)) return true;
  const buffer = Buffer.from(bytes, 'latin1');
  return !Buffer.from(buffer.toString('utf8')).equals(buffer);
}

/**
 * | proposer | only judging files | together with others |
 * |---|---|---|
 * | person | meta: passed, else held | held |
 * | agent or system | meta: held, else failed | failed |
 */
export function checkOwnGate({ content, diff, agentFiles }: VetInput): CheckResult {
  const paths = new Set([...content.files, ...(diff.ok ? diff.files.map(({ path }) => path) : [])]);
  // Of a declared file only the name may speak of judging: whether a gate reads it is for validation to find out.
  const judging = [...paths].filter((path) => judgingFile(path, agentFiles)?.isSure === true);
  if (judging.length === 0) return passed('It leaves gates, policies, tests and CI alone.');
  const alone = judging.length === paths.size;
  const human = content.proposer.kind === 'human';
  const meta = content.type === 'meta' && alone;
  if (meta && human) return passed('A person proposes to change only files that judge changes.');
  const why = alone ? 'which judges changes' : 'which judges changes, together with other files';
  const reasons = judging.map((path) => `It touches ${shownPath(path)}, ${why}.`);
  return judged(human || meta ? 'held' : 'failed', reasons, '');
}
