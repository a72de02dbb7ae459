import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answerProblem,
  baseProblem,
  countReplay,
  flakySessions,
  judgeReplay,
  type Outcomes,
  reproduced,
} from './replay-verdict.ts';
import { SETTINGS, sessionNames } from './validate.test-support.ts';

const outcomes = (oks: readonly boolean[]): Outcomes =>
  oks.map((ok, index) => ({ session: `session-${index}`, ok, error: null }));

/** `better` fail only on the base, `worse` only on the candidate, `still` on both, the rest on neither. */
const judge = (n: number, better: number, worse: number, still = 0, overdrawn = 1) => {
  const at = (from: number, to: number) => (_: unknown, i: number) => !(i >= from && i < to);
  const all = Array.from({ length: n });
  const base = outcomes(all.map(at(0, better + still)));
  const candidate = outcomes(all.map(at(better, better + still + worse)));
  const failed = new Set(base.filter(({ ok }) => !ok).map(({ session }) => session));
  return judgeReplay(countReplay(base, new Set(), candidate), SETTINGS, {
    reproduced: reproduced(base, new Set(), failed),
    overdrawn,
    givesUpSooner: false,
  });
};

describe('the verdict', () => {
  test.each([
    [100, 5, 0, 'passed', true],
    [100, 4, 0, 'inconclusive', null],
    [100, 0, 0, 'inconclusive', null],
    [400, 20, 5, 'passed', true],
    [400, 8, 5, 'inconclusive', false],
    [400, 2, 7, 'inconclusive', false],
    [400, 1, 7, 'failed', false],
    [400, 0, 7, 'failed', false],
    [100, 0, 2, 'inconclusive', null],
    [100, 0, 3, 'failed', false],
    [100, 50, 2, 'failed', true],
  ] as const)(
    '%i sessions, %i better, %i worse: %s',
    (n, better, worse, outcome, improvesTarget) => {
      expect(judge(n, better, worse)).toMatchObject({ outcome, improvesTarget });
    },
  );

  test('what is mended counts less where more failed sessions were drawn than there are', () => {
    expect(judge(400, 20, 5, 0, 3).outcome).toBe('passed');
    expect(judge(400, 20, 5, 0, 4)).toMatchObject({
      outcome: 'inconclusive',
      improvesTarget: false,
    });
  });

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

describe('what was not seen', () => {
  const names = sessionNames(100);
  const judged = (
    oks: {
      live: (at: number) => boolean;
      base: (at: number) => boolean | null;
      candidate: (at: number) => boolean | null;
    },
    { givesUpSooner = false, overdrawn = 1 } = {},
  ) => {
    const played = (ok: (at: number) => boolean | null): Outcomes =>
      names.map((session, at) => ({ session, ok: ok(at), error: null }));
    const failed = new Set(names.filter((_, at) => !oks.live(at)));
    const counts = countReplay(played(oks.base), new Set(), played(oks.candidate));
    const again = reproduced(played(oks.base), new Set(), failed);
    const live = { reproduced: again, overdrawn, givesUpSooner };
    return { counts, ...judgeReplay(counts, SETTINGS, live) };
  };
  const first = (n: number) => (at: number) => at >= n;

  test('most of what failed for real has to fail on the base, else it has not looked', () => {
    const of = (again: number) =>
      judged({ live: first(20), base: first(again), candidate: first(again) });
    expect(of(9)).toMatchObject({ outcome: 'inconclusive', unjudged: 'not_reproduced' });
    expect(of(10).unjudged).toBeUndefined();
    // What it did see counts all the same, for the change and against it.
    expect(judged({ live: first(20), base: first(9), candidate: first(0) }).outcome).toBe('passed');
    const broken = judged({ live: first(20), base: first(0), candidate: first(9) });
    expect(broken).toMatchObject({ outcome: 'failed' });
    expect(broken.unjudged).toBeUndefined();
  });

  test('what gives up sooner is measured by the recording where the base does not fail again', () => {
    const of = (lost: number, again = 0, overdrawn = 1) =>
      judged(
        { live: first(40), base: first(again), candidate: (at) => at < 100 - lost },
        { givesUpSooner: true, overdrawn },
      );
    expect(of(20)).toMatchObject({
      ...{ outcome: 'inconclusive', unjudged: 'not_reproduced', improvesTarget: null },
      reason: expect.stringContaining('With the change 20 of the same sessions fail'),
    });
    // As many as before, or more than a fair sample would have had, is what it breaks.
    expect(of(40).outcome).toBe('failed');
    expect(of(20, 0, 2).outcome).toBe('failed');
    // Where the base fails again, the replay is about the same failures.
    expect(of(60, 20).outcome).toBe('failed');
    const others = { live: first(40), base: first(0), candidate: first(20) };
    expect(judged(others).outcome).toBe('failed');
  });

  test('a session whose end is not known is neither better nor worse', () => {
    const cut = (at: number) => (at < 20 ? null : true);
    const { counts, ...verdict } = judged({ live: first(20), base: first(20), candidate: cut });
    expect(verdict).toMatchObject({ outcome: 'inconclusive', unjudged: 'unknown_ends' });
    expect(counts).toMatchObject({
      unknown: 20,
      unknownFailed: 20,
      usable: 80,
      better: 0,
      worse: 0,
    });
    const lost = judged({ live: first(0), base: first(0), candidate: cut });
    expect(lost).toMatchObject({ outcome: 'inconclusive', unjudged: 'nothing_failed' });
    // Where enough of them are known, they decide.
    const half = judged({
      live: first(20),
      base: first(20),
      candidate: (at) => (at < 12 ? null : true),
    });
    expect(half).toMatchObject({ outcome: 'passed', improvesTarget: true });
  });

  test('where fewer fail than could show anything, it has not looked, unless they were left as they are', () => {
    const of = (failing: number, left: number) =>
      judged({ live: first(failing), base: first(failing), candidate: first(left) });
    expect(of(4, 0)).toMatchObject({
      ...{ outcome: 'inconclusive', unjudged: 'too_few_sessions', settledBy: 125 },
      reason: expect.stringContaining('4 of 100 do on the base, and 4 of them work'),
    });
    expect(of(5, 0)).toMatchObject({ outcome: 'passed' });
    expect(of(4, 2).unjudged).toBe('too_few_sessions');
    expect(of(4, 3).unjudged).toBeUndefined();
    const broken = judged({
      live: first(4),
      base: first(4),
      candidate: (at) => at >= 4 && at !== 90,
    });
    expect(broken.unjudged).toBeUndefined();
  });

  test('where nothing failed, then or now, nothing can be shown', () => {
    const well = judged({ live: first(0), base: first(0), candidate: first(0) });
    expect(well).toMatchObject({ outcome: 'inconclusive', unjudged: 'nothing_failed' });
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
    expect(baseProblem(asked, flaky, SETTINGS)?.reason).toBe(problem);
  });
});

describe('answers', () => {
  const asked = sessionNames(2);
  const [one, two] = outcomes([true, false]);
  test.each([
    [[one, two], undefined],
    [[two, one], undefined],
    [[{ ...one, ok: null }, two], undefined],
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
