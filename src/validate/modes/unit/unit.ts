/** The target's own tests on the base and on the candidate, in a sandbox (VAL-3, unit; VAL-4). */
import { digestOfBytes, type Json } from '../../../base/index.ts';
import { formatDuration } from '../../../config/index.ts';
import type { CommitId } from '../../../git/index.ts';
import { judgingTouch } from '../../judging.ts';
import { countedMeasures } from '../../measures.ts';
import { type JudgedRuns, judgedByBase, readInAll } from '../../own-judges.ts';
import {
  type CommandResult,
  lastLines,
  NotRunnable,
  type TargetRunner,
} from '../../target-runner/index.ts';
import type { CandidateChange, ModeVerdict, ValidatePorts, ValidationMode } from '../../types.ts';
import { junitTests } from './junit.ts';
import { baseTestsProblem, judgeTests, RUNS_MAX, type TestRun } from './unit-verdict.ts';

export const unit: ValidationMode = {
  name: 'unit',
  evidenceKinds: ['test_results'],
  assumes: [
    'The target’s tests would notice harm: what they do not test is not known.',
    'A model or a service outside is not asked: there is no network in the sandbox.',
  ],
  runsChange: true,
  measures: countedMeasures,
  applies: (_, { settings }) => settings.test.length > 0,
  async judge(change, ports, signal) {
    const { repository, agentFiles, settings, runner } = ports;
    const commands = [settings.test];
    const judging = await judgingTouch(change.files, {
      ...{ base: change.base, repository, commands, agentFiles },
      evidence: 'tests',
    });
    if (judging !== undefined) return inconclusive([judging]);
    if (runner === undefined) return inconclusive(['Commands of the target are not run here.']);
    try {
      return await judgedByBase(change, ports, (one) =>
        judgeRuns(one, { ...ports, runner }, signal),
      );
    } catch (error) {
      if (error instanceof NotRunnable) return inconclusive(error.reasons);
      throw error;
    }
  },
};

function inconclusive(reasons: readonly string[], found: Json = {}): ModeVerdict {
  return { verdict: 'inconclusive', reasons, improvesTarget: null, found };
}

type Ports = ValidatePorts & { readonly runner: TargetRunner };

async function judgeRuns(
  { base, candidate, files }: CandidateChange,
  ports: Ports,
  signal: AbortSignal,
): Promise<JudgedRuns> {
  const { test, testReport, testRuns, significance } = ports.settings;
  const watched = files.map(({ path }) => path);
  const ofBase = { commit: base, base, watched };
  let onBase = await runTests({ ...ofBase, times: () => testRuns }, ports, signal);
  const readBy = (ran: readonly Ran[]) => ({
    read: { onBase: readInAll(onBase), onCandidate: readInAll(ran) },
  });
  const found = (onCandidate: readonly Ran[]): Json => ({
    command: test,
    report: testReport === '' ? null : testReport,
    base: onBase.map(({ shown }) => shown),
    candidate: onCandidate.map(({ shown }) => shown),
  });
  const problem = baseTestsProblem(onBase);
  if (problem !== undefined)
    return { ...inconclusive([problem, ...onBase.at(-1)!.lines], found([])), ...readBy([]) };
  const judged = (ran: readonly Ran[]) => judgeTests(onBase, ran, significance);
  const times = (ran: readonly Ran[]) => (ran.length > 0 && judged(ran) === undefined ? 2 : 1);
  const ofCandidate = { commit: candidate, base, watched };
  let ran = await runTests({ ...ofCandidate, times }, ports, signal);
  while (judged(ran)!.outcome === 'inconclusive' && ran.length < RUNS_MAX) {
    const again = ran.length * 2;
    const more = Math.max(0, again - onBase.length);
    onBase = [...onBase, ...(await runTests({ ...ofBase, times: () => more }, ports, signal))];
    const unsteady = baseTestsProblem(onBase);
    if (unsteady !== undefined) return { ...inconclusive([unsteady], found(ran)), ...readBy(ran) };
    const rest = again - ran.length;
    ran = [...ran, ...(await runTests({ ...ofCandidate, times: () => rest }, ports, signal))];
  }
  const { outcome: verdict, reasons } = judged(ran)!;
  const lines = verdict === 'passed' ? [] : ran.at(-1)!.lines;
  const judgedRuns = { verdict, reasons: [...reasons, ...lines], found: found(ran) };
  return { ...judgedRuns, improvesTarget: null, ...readBy(ran) };
}

interface Ran extends TestRun {
  readonly read: ReadonlySet<string> | undefined;
  /** The last that it printed. */
  readonly lines: readonly string[];
  /** For the report. */
  readonly shown: Json;
}

interface Runs {
  readonly commit: CommitId;
  readonly base: CommitId;
  readonly watched: readonly string[];
  /** How many are needed, by those that were made. */
  times(ran: readonly Ran[]): number;
}

async function runTests(
  { commit, base, watched, times }: Runs,
  ports: Ports,
  signal: AbortSignal,
): Promise<Ran[]> {
  const { test: argv, testReport, testTimeout: timeoutMs } = ports.settings;
  const report = testReport === '' ? undefined : testReport;
  await using target = await ports.runner.open({ commit, base }, signal);
  const ran: Ran[] = [];
  while (ran.length < times(ran)) {
    const command = { argv, timeoutMs, watched, ...(report === undefined ? {} : { report }) };
    const result = await target.run(command, signal);
    ran.push(ranOf(result, { commit, timeoutMs, hasReport: report !== undefined }));
  }
  return ran;
}

function ranOf(
  result: CommandResult,
  { commit, timeoutMs, hasReport }: { commit: CommitId; timeoutMs: number; hasReport: boolean },
): Ran {
  const { ended, exitCode, output, messages, kept } = result;
  const tests = hasReport ? (junitTests(output) ?? null) : undefined;
  const passed = tests && [...tests.values()].filter(Boolean).length;
  return {
    read: result.read,
    isPassed: ended === 'exited' && exitCode === 0,
    how: ENDS[ended] ?? `ended with exit code ${exitCode}`,
    tests,
    lines: [
      ...(ended === 'time' ? [`They were not done after ${formatDuration(timeoutMs)}.`] : []),
      // Which of the two a test runner writes to is its own affair.
      ...lastLines(hasReport || output.length === 0 ? messages : Buffer.concat([messages, output])),
    ],
    shown: {
      commit,
      ended,
      exitCode,
      tests: tests == null ? null : { passed: passed ?? 0, failed: tests.size - (passed ?? 0) },
      output: digestOfBytes(output),
      messages: digestOfBytes(messages),
      kept,
    },
  };
}

const ENDS: Readonly<Partial<Record<CommandResult['ended'], string>>> = {
  killed: 'were killed by a signal or the processor limit',
  time: 'were not done in time',
  memory: 'used more memory than validate.memory allows',
  output: 'printed more than Hone reads',
};
