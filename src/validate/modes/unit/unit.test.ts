import { describe, expect, test } from 'vitest';
import { modeContract } from '../../mode-contract.test-support.ts';
import { NotRunnable, type TargetRunner } from '../../target-runner/index.ts';
import type { ValidateSettings } from '../../types.ts';
import {
  modeCase,
  type ScriptedRun,
  SETTINGS,
  scriptedRunner,
} from '../../validate.test-support.ts';
import { unit } from './unit.ts';

const FILE = 'agents/search.yaml';
const never = new AbortController().signal;

type Answer = Parameters<typeof scriptedRunner>[0];
type Side = 'base' | 'candidate';

function tuned(
  answer: (side: Side, run: ScriptedRun) => ReturnType<Answer>,
  more: Partial<ValidateSettings> = {},
) {
  const runner: { made?: ReturnType<typeof scriptedRunner> } = {};
  const made = modeCase({ [FILE]: 'n: 1\n' }, { [FILE]: 'n: 2\n' }, ({ base }) => {
    runner.made = scriptedRunner((run) => answer(run.commit === base ? 'base' : 'candidate', run));
    const settings = { ...SETTINGS, test: ['npm', 'test'], ...more };
    return { settings, runner: runner.made };
  });
  return { made, ran: () => runner.made!.ran };
}

async function judged(
  answer: (side: Side, run: ScriptedRun) => ReturnType<Answer>,
  more: Partial<ValidateSettings> = {},
) {
  const { made, ran } = tuned(answer, more);
  const { change, ports } = await made;
  const verdict = await unit.judge(change, ports, never);
  if ('pending' in verdict) throw new Error('it waits');
  return { ...verdict, found: verdict.found as Record<string, never>, runs: ran().length };
}

modeContract(unit, {
  good: () => tuned(() => ({})).made,
  bad: () => tuned((side) => ({ exitCode: side === 'base' ? 0 : 1 })).made,
  unclear: () => tuned(() => ({ exitCode: 1 })).made,
});

describe('VAL-3 the target’s own tests, without a report', () => {
  test('pass on both: the base was run twice, the candidate once', async () => {
    const { verdict, runs, found, improvesTarget } = await judged(() => ({ messages: 'ok\n' }));
    expect([verdict, runs, improvesTarget]).toEqual(['passed', 3, null]);
    expect(found).toMatchObject({
      command: ['npm', 'test'],
      base: [{ ended: 'exited', exitCode: 0 }, { exitCode: 0 }],
      candidate: [{ exitCode: 0, kept: { memoryBytes: 'cgroup' } }],
    });
  });

  test('fail on the candidate twice: failed, with the last lines, cleaned', async () => {
    const secret = `AKIA${'Q7R3M9T2K5W8Z4X6'}`;
    const { verdict, reasons, runs } = await judged((side) =>
      side === 'base' ? {} : { exitCode: 1, output: `\u001b[31mnot ok\u001b[0m ${secret}\nend\n` },
    );
    expect([verdict, runs]).toEqual(['failed', 4]);
    expect(reasons[0]).toContain('pass on the base and fail on the candidate');
    expect(reasons.at(-1)).toBe('> end');
    expect(reasons.at(-2)).toMatch(/^> not ok /);
    expect(reasons.join()).not.toContain(secret);
  });

  /** Every run of a side, however often it is opened. */
  const inTurn = (exits: Readonly<Record<Side, readonly number[]>>) => {
    const made = { base: 0, candidate: 0 };
    return (side: Side) => ({ exitCode: exits[side][made[side]++ % exits[side].length]! });
  };

  test('VAL-5 fail on the candidate at times: both are repeated, and chance is no verdict', async () => {
    const { verdict, reasons, runs } = await judged(
      inTurn({ base: [0], candidate: [1, 0, 0, 0, 0, 0, 1, 0] }),
    );
    expect([verdict, runs]).toEqual(['inconclusive', 16]);
    expect(reasons[0]).toBe(
      'The tests as a whole failed in 2 of 8 runs of the candidate and in none of 8 of the base, which may be chance; about 28 runs of each would settle it.',
    );
  });

  test('VAL-5 fail on the candidate far more often than on the base: failed', async () => {
    const { verdict, reasons, runs } = await judged(
      inTurn({ base: [0], candidate: [1, 0, 1, 1, 1, 1, 1, 0] }),
    );
    expect([verdict, runs]).toEqual(['failed', 16]);
    expect(reasons[0]).toContain('failed in 6 of 8 runs of the candidate and in none of 8');
  });

  test('VAL-5 fail on the base too once it is repeated: nothing can be said', async () => {
    const { verdict, reasons, runs } = await judged(
      inTurn({ base: [0, 0, 0, 1], candidate: [1, 0] }),
    );
    expect([verdict, runs]).toEqual(['inconclusive', 6]);
    expect(reasons[0]).toContain('unsteady: 3 of 4 runs passed');
  });

  test.each(['time', 'memory', 'output', 'killed'] as const)(
    'that end by %s on the candidate alone failed it',
    async (ended) => {
      const { verdict } = await judged((side) =>
        side === 'base' ? {} : { ended, exitCode: null },
      );
      expect(verdict).toBe('failed');
    },
  );

  test('fail on the base: inconclusive, and the candidate is not run', async () => {
    const { verdict, reasons, runs } = await judged(() => ({
      exitCode: 3,
      messages: 'no module x',
    }));
    expect([verdict, runs]).toEqual(['inconclusive', 2]);
    expect(reasons).toEqual([
      'The base’s own tests fail, so they can show nothing: they ended with exit code 3.',
      '> no module x',
    ]);
  });

  test('that fail on the base at times are inconclusive', async () => {
    const { verdict, reasons } = await judged((_, { call }) => ({ exitCode: call % 2 }));
    expect(verdict).toBe('inconclusive');
    expect(reasons[0]).toContain('1 of 2 runs passed');
  });
});

const xml = (tests: Readonly<Record<string, boolean>>) =>
  `<testsuites><testsuite name="s">${Object.entries(tests)
    .map(([name, ok]) => `<testcase name="${name}">${ok ? '' : '<failure/>'}</testcase>`)
    .join('')}<testcase name="later"><skipped/></testcase></testsuite></testsuites>`;

describe('VAL-3 the target’s own tests, with a report', () => {
  const settings = { testReport: 'out/junit.xml' };

  test('a base with tests that fail can judge a change', async () => {
    const answer = (side: Side, { call }: ScriptedRun) => ({
      exitCode: 1,
      output: xml({ good: true, bad: false, flaky: side === 'base' && call === 1 }),
    });
    const { verdict, reasons } = await judged(answer, settings);
    expect(verdict).toBe('passed');
    expect(reasons[0]).toBe(
      'All 1 tests that pass on the base in every run pass on the candidate. 2 others fail on the base at times and say nothing.',
    );
  });

  test('VAL-5 one that fails at times on both sides once they are repeated says nothing', async () => {
    const made = { base: 0, candidate: 0 };
    const { verdict, reasons } = await judged((side) => {
      const run = ++made[side];
      return { output: xml({ good: true, flaky: run !== (side === 'base' ? 3 : 1) }) };
    }, settings);
    expect([verdict, made]).toEqual(['passed', { base: 4, candidate: 4 }]);
    expect(reasons[0]).toContain('1 others fail on the base at times');
  });

  test('a test that passed and fails now, or is gone, fails the change, and is named', async () => {
    for (const output of [xml({ good: false, other: true }), xml({ other: true }), '<html/>', '']) {
      const { verdict, reasons, runs } = await judged(
        (side) => ({ output: side === 'base' ? xml({ good: true, other: true }) : output }),
        settings,
      );
      expect([verdict, runs]).toEqual(['failed', 4]);
      expect(reasons[0]).toContain('"s: good"');
    }
  });

  test('a run that fails although every known test passes fails the change', async () => {
    const { verdict } = await judged(
      (side) => ({ exitCode: side === 'base' ? 0 : 1, output: xml({ good: true }) }),
      settings,
    );
    expect(verdict).toBe('failed');
  });

  test.each(['', 'no xml', '<testsuites/>', '<a><b></a>'])(
    'a base that writes no report is inconclusive (%j)',
    async (output) => {
      const { verdict, reasons } = await judged(() => ({ output }), settings);
      expect(verdict).toBe('inconclusive');
      expect(reasons[0]).toContain('validate.testReport');
    },
  );
});

describe('the target’s own tests that cannot be asked', () => {
  const runner: TargetRunner = {
    ...scriptedRunner(() => ({})),
    open: async () => {
      throw new NotRunnable('No sandbox can be made here.', '> more');
    },
  };

  test('VAL-4 where nothing can be run, it is inconclusive, with the reason', async () => {
    const { change, ports } = await tuned(() => ({})).made;
    for (const [other, why] of [
      [runner, 'No sandbox can be made here.'],
      [undefined, 'Commands of the target are not run here.'],
    ] as const)
      expect(await unit.judge(change, { ...ports, runner: other }, never)).toMatchObject({
        verdict: 'inconclusive',
        reasons: expect.arrayContaining([why]),
      });
  });

  test('VAL-6 by a change to them are not run', async () => {
    const ran: string[] = [];
    const { change, ports } = await modeCase(
      { 'scripts/go.js': 'a\n' },
      { 'scripts/go.js': 'b\n' },
      () => ({
        settings: { ...SETTINGS, test: ['node', 'scripts/go.js'] },
        runner: scriptedRunner(({ commit }) => ({ messages: String(ran.push(commit)) })),
      }),
    );
    const verdict = await unit.judge(change, ports, never);
    expect(verdict).toMatchObject({
      verdict: 'inconclusive',
      reasons: [
        'It touches "scripts/go.js", which the tests run: the tests would prove nothing (rule 10).',
      ],
    });
    expect(ran).toEqual([]);
  });
});
