/** The target's own evaluation on the base and on the candidate, in a sandbox, case by case (VAL-3, VAL-4). */
import { digestOfBytes, type Json } from '../../../base/index.ts';
import type { CommitId } from '../../../git/index.ts';
import { judgingTouch } from '../../judging.ts';
import { countedMeasures, pairedMeasures } from '../../measures.ts';
import { shownModel } from '../../model-evidence.ts';
import { type JudgedRuns, judgedByBase, readInAll } from '../../own-judges.ts';
import type { Outcomes } from '../../replay-verdict.ts';
import { lastLines, NotRunnable, type TargetRunner } from '../../target-runner/index.ts';
import type { CandidateChange, ModeVerdict, ValidatePorts, ValidationMode } from '../../types.ts';
import { evalOutcomes } from './eval-results.ts';
import { evalBaseProblem, judgeEval } from './eval-verdict.ts';

export const evaluation: ValidationMode = {
  name: 'eval',
  evidenceKinds: ['evaluation_results'],
  assumes: [
    'The cases of the evaluation are like what agents are asked: what they do not ask is not known.',
    'There is no network in the sandbox but the proxy to the model of validate.model, where one is configured: what it was asked is part of the report.',
  ],
  runsChange: true,
  measures: (found) => [...countedMeasures(found), ...pairedMeasures(found)],
  applies: (_, { settings }) => hasEval(settings),
  async judge(change, ports, signal) {
    const { repository, agentFiles, settings, runner } = ports;
    const judging = await judgingTouch(change.files, {
      ...{ base: change.base, repository, commands: [settings.eval], agentFiles },
      evidence: 'evaluation',
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

/** A command without a report says nothing about single cases: that is what `validate.test` is for. */
export function hasEval({ eval: argv, evalReport }: ValidatePorts['settings']): boolean {
  return argv.length > 0 && evalReport !== '';
}

function inconclusive(reasons: readonly string[], found: Json = {}): ModeVerdict {
  return { verdict: 'inconclusive', reasons, improvesTarget: null, found };
}

type Ports = ValidatePorts & { readonly runner: TargetRunner };

interface Ran {
  readonly read: ReadonlySet<string> | undefined;
  /** Undefined where there was no report, or none that can be read. */
  readonly outcomes: Outcomes | undefined;
  readonly lines: readonly string[];
  readonly shown: Json;
}

async function judgeRuns(
  { dossier, base, candidate, files }: CandidateChange,
  ports: Ports,
  signal: AbortSignal,
): Promise<JudgedRuns> {
  const { settings } = ports;
  const given = {
    account: dossier.proposal.digest,
    watched: files.map(({ path }) => path),
    base,
  };
  const onBase = await runEval({ ...given, commit: base, times: () => 2 }, ports, signal);
  const readBy = (ran: readonly Ran[]) => ({
    read: { onBase: readInAll(onBase), onCandidate: readInAll(ran) },
  });
  const found = (ran: readonly Ran[], more: object = {}): Json => ({
    ...{ command: settings.eval, report: settings.evalReport, ...more },
    base: onBase.map(({ shown }) => shown),
    candidate: ran.map(({ shown }) => shown),
  });
  const [first, again] = onBase.map(({ outcomes }) => outcomes);
  if (first === undefined || again === undefined) {
    const why =
      'The evaluation of the base wrote no results that Hone knows where validate.evalReport says.';
    return { ...inconclusive([why, ...onBase.at(-1)!.lines], found([])), ...readBy([]) };
  }
  const problem = evalBaseProblem({ base: first, again }, settings);
  if (problem !== undefined) return { ...inconclusive([problem], found([])), ...readBy([]) };
  const judged = (ran: readonly Ran[]) =>
    judgeEval(
      { base: first, again, candidate: ran.map(({ outcomes }) => outcomes ?? []) },
      settings,
    );
  const times = (ran: readonly Ran[]) => (ran.length > 0 && judged(ran) === undefined ? 2 : 1);
  const ran = await runEval({ ...given, commit: candidate, times }, ports, signal);
  const { verdict, reasons, improvesTarget, counts, rails } = judged(ran)!;
  const lines = verdict === 'passed' ? [] : ran.at(-1)!.lines;
  return {
    ...{ verdict, improvesTarget, reasons: [...reasons, ...lines] },
    found: found(ran, { counts, rails }),
    ...readBy(ran),
  };
}

interface Runs {
  readonly account: string;
  readonly commit: CommitId;
  readonly base: CommitId;
  readonly watched: readonly string[];
  times(ran: readonly Ran[]): number;
}

async function runEval(
  { account, commit, base, watched, times }: Runs,
  ports: Ports,
  signal: AbortSignal,
) {
  const { eval: argv, evalReport: report, evalTimeout: timeoutMs } = ports.settings;
  await using target = await ports.runner.open({ commit, base }, signal);
  const ran: Ran[] = [];
  while (ran.length < times(ran)) {
    const { ended, exitCode, output, messages, kept, model, read } = await target.run(
      { argv, timeoutMs, report, modelAccount: account, watched },
      signal,
    );
    // A tool ends with an error when a case fails: only its report tells which.
    const outcomes = ended === 'exited' ? evalOutcomes(output) : undefined;
    const passed = outcomes?.filter(({ ok }) => ok).length ?? 0;
    const cases = outcomes === undefined ? null : { passed, failed: outcomes.length - passed };
    ran.push({
      read,
      outcomes,
      lines: lastLines(messages),
      shown: {
        commit,
        ended,
        exitCode,
        cases,
        output: digestOfBytes(output),
        kept,
        ...shownModel(model),
      },
    });
  }
  return ran;
}
