/**
 * What runs of the target's own tests say: the base several times, the candidate once, and once more if something was
 * wrong with it. Pure. With a report single tests are compared, so that a base with tests that fail can judge a change
 * too; without one only whether all passed is known.
 */
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
): CheckResult | undefined {
  const problems = candidate.map((run) => problemsOf(base, run));
  if (problems[0]!.length === 0) return { outcome: 'passed', reasons: [passedWords(base)] };
  if (candidate.length === 1) return undefined;
  const [first, ...others] = problems;
  const always = first!.filter((one) => others.every((other) => other.includes(one)));
  if (always.length === 0)
    return {
      outcome: 'inconclusive',
      reasons: ['The tests of the candidate are unsteady: no two runs of it had the same problem.'],
    };
  return { outcome: 'failed', reasons: [failedWords(base, always)] };
}

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
  const named = broken
    .slice(0, NAMED_MAX)
    .map((name) => JSON.stringify(name).replace(/[\p{Cc}\p{Cs}]/gu, '?'));
  const more = broken.length > NAMED_MAX ? ` and ${broken.length - NAMED_MAX} more` : '';
  return `Of ${steadyTests(base).length} tests that pass on the base, ${broken.length} fail on the candidate, twice: ${named.join(', ')}${more}.`;
}
