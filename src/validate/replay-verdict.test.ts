import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answerProblem,
  baseProblem,
  countReplay,
  flakySessions,
  judgeReplay,
  type Outcomes,
} from './replay-verdict.ts';
import { SETTINGS, sessionNames } from './validate.test-support.ts';

const outcomes = (oks: readonly boolean[]): Outcomes =>
  oks.map((ok, index) => ({ session: `session-${index}`, ok, error: null }));

/** `better` fail only on the base, `worse` only on the candidate, `still` on both, the rest on neither. */
const judge = (n: number, better: number, worse: number, still = 0) => {
  const at = (from: number, to: number) => (_: unknown, i: number) => !(i >= from && i < to);
  const all = Array.from({ length: n });
  const base = outcomes(all.map(at(0, better + still)));
  const candidate = outcomes(all.map(at(better, better + still + worse)));
  return judgeReplay(countReplay(base, new Set(), candidate), SETTINGS);
};

describe('the verdict', () => {
  test.each([
    [100, 5, 0, 'passed', true],
    [100, 4, 0, 'inconclusive', false],
    [100, 0, 0, 'inconclusive', false],
    [400, 20, 5, 'passed', true],
    [400, 8, 5, 'inconclusive', false],
    [400, 2, 7, 'inconclusive', false],
    [400, 1, 7, 'failed', false],
    [400, 0, 7, 'failed', false],
    [100, 0, 2, 'inconclusive', false],
    [100, 0, 3, 'failed', false],
    [100, 50, 2, 'failed', true],
  ] as const)(
    '%i sessions, %i better, %i worse: %s',
    (n, better, worse, outcome, improvesTarget) => {
      expect(judge(n, better, worse)).toMatchObject({ outcome, improvesTarget });
    },
  );

  test('says the counts in words', () => {
    expect(judge(100, 12, 1).reason).toBe(
      'Of 100 sessions, 12 that failed now work and 1 that worked now fail: it got significantly better.',
    );
  });

  test('one that got broken more, or mended less, never makes it better', () => {
    const rank = { passed: 2, inconclusive: 1, failed: 0 };
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.nat(200), (better, worse, rest) => {
        const n = better + worse + rest + 2;
        const now = rank[judge(n, better, worse).outcome];
        expect(rank[judge(n, better, worse + 1).outcome]).toBeLessThanOrEqual(now);
        if (better > 0)
          expect(rank[judge(n, better - 1, worse, 1).outcome]).toBeLessThanOrEqual(now);
      }),
      { numRuns: 200 },
    );
  });

  test('a change that does nothing passes no more often than it may', () => {
    // Exact: every number of better ones among the differing, each as likely as a fair coin makes it.
    for (const differing of [1, 5, 10, 25, 40]) {
      let [passes, weight] = [0, 0.5 ** differing];
      for (let better = 0; better <= differing; better++) {
        if (judge(4000, better, differing - better).improvesTarget) passes += weight;
        weight *= (differing - better) / (better + 1);
      }
      expect(passes).toBeLessThanOrEqual(0.05);
    }
  });
});

describe('the base', () => {
  test('what differs between two runs of it is left out', () => {
    const flaky = flakySessions(outcomes([true, false, true]), outcomes([true, true, false]));
    expect([...flaky]).toEqual(['session-1', 'session-2']);
    const counts = countReplay(outcomes([true, false, true]), flaky, outcomes([true, true, false]));
    expect(counts).toMatchObject({ asked: 3, flaky: 2, usable: 1, worked: 1, better: 0, worse: 0 });
  });

  test.each([
    [100, 20, undefined],
    [100, 21, 'The base itself is too unsteady: 21 of 100 sessions differ between two runs of it.'],
    [20, 0, undefined],
    [20, 1, 'There are not enough sessions: 19 are usable, 20 are needed.'],
    [0, 0, 'There are not enough sessions: 0 are usable, 20 are needed.'],
  ])('%i sessions, %i flaky', (asked, flaky, problem) => {
    expect(baseProblem(asked, flaky, SETTINGS)).toBe(problem);
  });
});

describe('answers', () => {
  const asked = sessionNames(2);
  const [one, two] = outcomes([true, false]);
  test.each([
    [[one, two], undefined],
    [[two, one], undefined],
    [[one], 'it left out 1 of 2 sessions'],
    [[], 'it left out 2 of 2 sessions'],
    [[one, one], 'it answered for a session that was not asked for, or twice'],
    [
      [one, two, { ...one, session: 'x' }],
      'it answered for a session that was not asked for, or twice',
    ],
    [[one, null], 'an outcome does not name its session or say whether it succeeded'],
    [
      [one, { session: 'session-1', ok: 'yes' }],
      'an outcome does not name its session or say whether it succeeded',
    ],
    ['ok', 'it gave no list of outcomes'],
  ])('%#', (answer, problem) => {
    expect(answerProblem(asked, answer as Outcomes)).toBe(problem);
  });
});
