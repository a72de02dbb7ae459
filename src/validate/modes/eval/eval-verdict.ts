/**
 * What runs of one evaluation say: the base twice, the candidate once or twice. Pure. Cases that differ between the runs
 * of the base say nothing. The rest is compared in pairs: what always passed on the base and fails on the candidate, each
 * time it is run, is broken; what failed and passes now is better, by the exact sign test. Latency and cost are guard rails.
 */
import { guardRails, type Rail, railWords } from '../../replay-rails.ts';
import {
  countReplay,
  flakySessions,
  type Outcomes,
  type ReplayCounts,
} from '../../replay-verdict.ts';
import type { ValidateSettings } from '../../types.ts';

const NAMED_MAX = 5;

export interface EvalVerdict {
  readonly verdict: 'passed' | 'failed' | 'inconclusive';
  readonly reasons: readonly string[];
  readonly improvesTarget: boolean | null;
  readonly counts: ReplayCounts | null;
  readonly rails: readonly Rail[];
}

export interface EvalRuns {
  readonly base: Outcomes;
  readonly again: Outcomes;
  /** In the order in which they were made. */
  readonly candidate: readonly Outcomes[];
}

/** Why these runs of the base can judge nothing; undefined when they can. */
export function evalBaseProblem(
  { base, again }: Pick<EvalRuns, 'base' | 'again'>,
  { flakyMax }: Pick<ValidateSettings, 'flakyMax'>,
): string | undefined {
  const flaky = flakySessions(base, again).size;
  if (flaky > flakyMax * base.length)
    return `The evaluation of the base is too unsteady: ${flaky} of ${base.length} cases differ between two runs of it.`;
  return undefined;
}

/** Undefined when the candidate has to be run once more to tell. */
export function judgeEval(runs: EvalRuns, settings: ValidateSettings): EvalVerdict | undefined {
  const { base, again, candidate } = runs;
  const flaky = flakySessions(base, again);
  const counts = countReplay(base, flaky, kindest(candidate));
  const rails = guardRails({ base, again, candidate: candidate[0]! }, settings);
  const isBroken = counts.worse > settings.regressionMax * counts.worked;
  const harmed = rails.filter(({ isHarmed }) => isHarmed).map(({ metric }) => metric);
  if (isBroken && candidate.length === 1) return undefined;
  const improvesTarget = counts.betterByChance <= 1 - settings.significance;
  const beside = rails.length === 0 ? [] : [`Beside it: ${rails.map(railWords).join(', ')}.`];
  const told = `Of ${counts.usable} steady cases, ${counts.better} that failed now pass and ${counts.worse} that passed now fail.`;
  const end = (verdict: EvalVerdict['verdict'], ...reasons: string[]): EvalVerdict => ({
    ...{ verdict, counts, rails, reasons: [...reasons, told, ...beside] },
    improvesTarget: verdict === 'failed' ? false : improvesTarget,
  });
  if (counts.usable === 0 || counts.worked + counts.better === 0)
    return end('inconclusive', 'No case passes steadily, so nothing can be compared.');
  if (isBroken) return end('failed', `What passed is broken: ${namesOf(counts)}.`);
  if (harmed.length > 0)
    return end('failed', `The cases that pass need more than is borne: ${harmed.join(' and ')}.`);
  return end('passed');
}

/** A case passes if it does in some run: what fails by chance is not what the change broke. */
function kindest([first, ...others]: readonly Outcomes[]): Outcomes {
  const passed = new Set(
    others
      .flat()
      .filter(({ ok }) => ok)
      .map(({ session }) => session),
  );
  return first!.map((one) => (passed.has(one.session) ? { ...one, ok: true } : one));
}

function namesOf({ brokenSessions, worse }: ReplayCounts): string {
  const named = brokenSessions.slice(0, NAMED_MAX).map((name) => JSON.stringify(name));
  const more = worse > NAMED_MAX ? ` and ${worse - NAMED_MAX} more` : '';
  return `${named.join(', ')}${more}`.replace(/[\p{Cc}\p{Cs}]/gu, '?');
}
