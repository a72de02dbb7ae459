/** How large a patch may be, and which source it may not change without a test (VAL-7). */
import { shownPath } from '../git/index.ts';
import { isTestFile, matchingPath } from '../policy/index.ts';
import { addedLines } from './added-lines.ts';
import { type PatchFinding, refused } from './patch-finding.ts';
import type { TouchedFile } from './types.ts';

export interface PatchCaps {
  readonly filesMax: number;
  readonly changedLinesMax: number;
}

/** Written by tools: nobody reads them line by line, and one new dependency changes thousands. */
const WRITTEN_BY_TOOLS = [
  ...['*.lock', '*.lockb', 'package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml'],
  ...['go.sum', '*.snap'],
];

export function isWrittenByTools(path: string): boolean {
  return matchingPath(path, WRITTEN_BY_TOOLS) !== undefined;
}

export function capFindings(
  files: readonly TouchedFile[],
  { filesMax, changedLinesMax }: PatchCaps,
): PatchFinding[] {
  const read = files.filter(({ path }) => !isWrittenByTools(path));
  const lines = read.reduce((sum, { patch }) => sum + changedLines(patch), 0);
  const place = { rule: 'diff_caps', path: null, line: null };
  return [
    ...(read.length > filesMax
      ? [refused(place, `It touches ${read.length} files; at most ${filesMax} are allowed.`)]
      : []),
    ...(lines > changedLinesMax
      ? [refused(place, `It changes ${lines} lines; at most ${changedLinesMax} are allowed.`)]
      : []),
  ];
}

function changedLines({ hunks }: TouchedFile['patch']): number {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return lines.filter(([sign]) => sign !== ' ').length;
}

/** Source that gets new lines needs a test that gets some: taking a test away, or a blank line in it, is none. */
export function testFindings(
  files: readonly TouchedFile[],
  testsFor: readonly string[],
): PatchFinding[] {
  const isGrown = ({ patch }: TouchedFile) => addedLines(patch).some(({ text }) => /\S/.test(text));
  const source = files.find(
    (file) =>
      matchingPath(file.path, testsFor) !== undefined && !isTestFile(file.path) && isGrown(file),
  );
  if (source === undefined || files.some((file) => isTestFile(file.path) && isGrown(file)))
    return [];
  const { path } = source;
  return [
    refused(
      { rule: 'tests', path, line: null },
      `${shownPath(path)} changes, and no test does: policy.check.testsFor asks for one.`,
    ),
  ];
}
