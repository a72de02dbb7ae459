/**
 * What runs of the target's own tests say: the base several times, the candidate once, and once more if something was
 * wrong with it. Pure. With a report single tests are compared, so that a base with tests that fail can judge a change
 * too; without one only whether all passed is known.
 *
 * Where the candidate fails at times, both sides are repeated (VAL-5), twice as often each time: a test that then fails on the base
 * too says nothing, one that fails on the candidate alone more often than chance makes it was made unsteady by the change.
 */
import { chanceOfNext } from '../../looks.ts';
import type { CheckResult } from '../../types.ts';
import type { TestResults } from './junit.ts';

export interface TestRun {
  /** It ended by itself and said that all is well. */
  readonly isPassed: boolean;
  /** How it ended, to be read on after "the tests". */
  readonly how: string;
  /** Undefined where no report is asked for; null where there was none, or none that can be read. */
  readonly tests: TestResults | null | undefined;
}

const NAMED_MAX = 10;

/** Of each side: by then one that fails six times of eight and never before is told from chance. */
export const RUNS_MAX = 8;
/** How far "how many more" is looked for. */
const RUNS_TOLD_MAX = 512;

/** Why these runs of the base can judge nothing; undefined when they can. */
export function baseTestsProblem(base: readonly TestRun[]): string | undefined {
  if (base.some(({ tests }) => tests === null))
    return 'The base’s tests wrote no JUnit XML where validate.testReport says.';
  if (base[0]!.tests === undefined) {
    const passed = base.filter(({ isPassed }) => isPassed).length;
    if (passed === base.length) return undefined;
    return passed === 0
      ? `The base’s own tests fail, so they can show nothing: they ${base[0]!.how}.`
      : `The base’s own tests are unsteady: ${passed} of ${base.length} runs passed. With validate.testReport single tests are compared.`;
  }
  return steadyTests(base).length > 0
    ? undefined
    : 'No test of the base passes in every run, so they can show nothing.';
}

/** Undefined when the candidate has to be run once more to tell. */
export function judgeTests(
  base: readonly TestRun[],
  candidate: readonly TestRun[],
  significance: number,
): CheckResult | undefined {
  const problems = candidate.map((run) => problemsOf(base, run));
  if (problems[0]!.length === 0) return { outcome: 'passed', reasons: [passedWords(base)] };
  if (candidate.length === 1) return undefined;
  const [first, ...others] = problems;
  const always = first!.filter((one) => others.every((other) => other.includes(one)));
  if (always.length > 0) return { outcome: 'failed', reasons: [failedWords(base, always)] };
  const suspects = [...new Set(problems.flat())].map((name) => ({
    name,
    failed: problems.filter((one) => one.includes(name)).length,
  }));
  return suspects.length === 0
    ? { outcome: 'passed', reasons: [passedWords(base)] }
    : judgeUnsteady(suspects, { base, candidate, significance });
}

interface Suspect {
  readonly name: string;
  /** Runs of the candidate; there is none of the base. */
  readonly failed: number;
}

/** Every repetition is another look, and each suspect one more chance to err. */
function judgeUnsteady(
  suspects: readonly Suspect[],
  {
    base,
    candidate,
    significance,
  }: { base: readonly TestRun[]; candidate: readonly TestRun[]; significance: number },
): CheckResult {
  const runs = candidate.length;
  let chance = 1 - significance;
  for (let made = 2; made <= runs; made *= 2) chance = chanceOfNext(chance);
  const worst = suspects.toSorted((one, other) => other.failed - one.failed)[0]!;
  const { name, failed } = worst;
  const what = name === EXIT ? 'The tests as a whole' : quoted(name);
  const told = `${what} failed in ${failed} of ${runs} runs of the candidate and in none of ${base.length} of the base`;
  if (byChance(failed, runs, base.length) <= chance / suspects.length)
    return { outcome: 'failed', reasons: [`${told}: the change made it unsteady.`] };
  const more = settledAt(failed / runs, chance / suspects.length, runs);
  const words = more === undefined ? '' : `; about ${more} runs of each would settle it`;
  return { outcome: 'inconclusive', reasons: [`${told}, which may be chance${words}.`] };
}

/** The chance that all runs that failed are among the candidate's, if the two are alike (Fisher's exact test). */
function byChance(failed: number, runs: number, onBase: number): number {
  let chance = 1;
  for (let at = 0; at < failed; at++) chance *= (runs - at) / (runs + onBase - at);
  return chance;
}

/** Undefined where so many are never made. */
function settledAt(share: number, chance: number, from: number): number | undefined {
  for (let runs = from + 1; runs <= RUNS_TOLD_MAX; runs++)
    if (byChance(Math.floor(share * runs), runs, runs) <= chance) return runs;
  return undefined;
}

const quoted = (name: string) => JSON.stringify(name).replace(/[\p{Cc}\p{Cs}]/gu, '?');

const EXIT = 'exit';

/** The tests that should have passed and did not; or that the run as a whole should have passed. */
function problemsOf(base: readonly TestRun[], run: TestRun): string[] {
  const isWhole = base.every(({ isPassed }) => isPassed);
  const broken = steadyTests(base).filter((name) => run.tests?.get(name) !== true);
  return isWhole && !run.isPassed ? [...broken, EXIT] : broken;
}

/** None without reports. */
function steadyTests(base: readonly TestRun[]): string[] {
  const [first, ...others] = base;
  const names = [...(first!.tests ?? [])].filter(([, passed]) => passed).map(([name]) => name);
  return names.filter((name) => others.every(({ tests }) => tests?.get(name) === true));
}

function passedWords(base: readonly TestRun[]): string {
  if (base[0]!.tests === undefined)
    return 'The target’s own tests pass on the base and on the candidate.';
  const steady = steadyTests(base).length;
  const others = new Set(base.flatMap(({ tests }) => [...(tests ?? []).keys()])).size - steady;
  const words = `All ${steady} tests that pass on the base in every run pass on the candidate.`;
  return others === 0
    ? words
    : `${words} ${others} others fail on the base at times and say nothing.`;
}

function failedWords(base: readonly TestRun[], always: readonly string[]): string {
  const broken = always.filter((name) => name !== EXIT);
  if (broken.length === 0)
    return 'The target’s own tests pass on the base and fail on the candidate, twice.';
  const named = broken.slice(0, NAMED_MAX).map(quoted);
  const more = broken.length > NAMED_MAX ? ` and ${broken.length - NAMED_MAX} more` : '';
  return `Of ${steadyTests(base).length} tests that pass on the base, ${broken.length} fail on the candidate, twice: ${named.join(', ')}${more}.`;
}
