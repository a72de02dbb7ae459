/**
 * Shell scripts (VAL-2): by a grammar, and by `shellcheck` where the machine has it. The grammar refuses one valid script in twenty, so
 * what it alone refuses is failed only where it could read the script before.
 */
import { z } from 'zod';
import { isShell, shellProblem } from '../document/index.ts';
import { shownPath } from '../git/index.ts';
import type { FileVerdict } from './syntax.ts';
import type { TargetRunner } from './target-runner/index.ts';
import type { TouchedFile } from './types.ts';

/** What is surely wrong, style and habits apart; no settings of the target are read. */
const SHELLCHECK = ['shellcheck', '--norc', '--severity=error', '--format=json1', '-'];

const findingsSchema = z.object({
  comments: z.array(z.object({ line: z.int(), code: z.int() })),
});
type Findings = z.infer<typeof findingsSchema>['comments'];

/** By path: of the scripts among the files that stay. */
export async function shellVerdicts(
  files: readonly TouchedFile[],
  runner: TargetRunner | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileVerdict>> {
  const verdicts = new Map<string, FileVerdict>();
  for (const { path, before, after } of files) {
    if (after?.text === undefined || !isShell(path, after.text)) continue;
    const verdict = await verdictOf(before?.text, after.text, { runner, signal });
    verdicts.set(path, { ...verdict, reason: `${shownPath(path)}${verdict.reason}` });
  }
  return verdicts;
}

interface Asked {
  readonly runner: TargetRunner | undefined;
  readonly signal: AbortSignal;
}

async function verdictOf(
  before: string | undefined,
  after: string,
  { runner, signal }: Asked,
): Promise<FileVerdict> {
  const now = await shellcheck(after, runner, signal);
  const was = now && before !== undefined ? await shellcheck(before, runner, signal) : [];
  const found = now?.find(({ code }) => countOf(now, code) > countOf(was ?? [], code));
  if (found !== undefined)
    return { outcome: 'failed', reason: `, line ${found.line}: shellcheck finds SC${found.code}.` };
  const problem = await shellProblem(after);
  if (problem === undefined) {
    const also = now === undefined ? '; shellcheck is not here' : ', and shellcheck finds no error';
    return { outcome: 'passed', reason: ` parses${also}.` };
  }
  const reason = `, line ${problem.line}: ${problem.why}.`;
  if (before === undefined)
    return { outcome: 'inconclusive', reason: `${reason} Hone’s grammar may not know it.` };
  return (await shellProblem(before)) === undefined
    ? { outcome: 'failed', reason }
    : { outcome: 'inconclusive', reason: `${reason} It could not be read before either.` };
}

const countOf = (findings: Findings, wanted: number) =>
  findings.filter(({ code }) => code === wanted).length;

/** Undefined where nobody can be asked, or the answer is none. */
async function shellcheck(
  text: string,
  runner: TargetRunner | undefined,
  signal: AbortSignal,
): Promise<Findings | undefined> {
  const output = await runner?.runTool(SHELLCHECK, text, signal);
  if (output === undefined) return undefined;
  try {
    return findingsSchema.parse(JSON.parse(output.toString())).comments;
  } catch {
    return undefined;
  }
}
