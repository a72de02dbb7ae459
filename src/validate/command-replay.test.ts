import { describe, expect, test } from 'vitest';
import { validate } from './index.ts';
import type { ValidatePorts } from './types.ts';
import {
  dossierOf,
  drawn,
  makeTarget,
  portsOf,
  reportsOf,
  type ScriptedRun,
  SETTINGS,
  scriptedRunner,
  sessionNames,
} from './validate.test-support.ts';

const FILE = 'agents/search.yaml';
const settings = { ...SETTINGS, replay: ['node', 'tools/play.js'] };
const never = new AbortController().signal;

type Line = Readonly<Record<string, unknown>>;
type Side = 'base' | 'candidate';

/** Every tenth session fails on the base and works on the candidate, unless the lines say otherwise. */
const mended = (side: Side, id: string): Line => ({
  id,
  ok: side === 'candidate' || !id.endsWith('0'),
});

const lines = (side: Side, { command }: ScriptedRun, line = mended) =>
  command
    .input!.trimEnd()
    .split('\n')
    .map((text) => JSON.stringify(line(side, JSON.parse(text).id)))
    .join('\n');

async function played(
  answer: (side: Side, run: ScriptedRun) => ReturnType<Parameters<typeof scriptedRunner>[0]>,
  more: Partial<ValidatePorts> = {},
) {
  const target = await makeTarget({ [FILE]: 'n: 1\n' }, { [FILE]: 'n: 2\n' });
  const runner = scriptedRunner((run) =>
    answer(run.commit === target.base ? 'base' : 'candidate', run),
  );
  const ports = portsOf(target, { settings, runner, ...more });
  const step = await validate(dossierOf(target), ports, never);
  return { to: step.to, ...reportsOf(step).json.parts[3], ran: runner.ran };
}

describe('VAL-3 a replay by a command', () => {
  test('gets recorded cases as lines of JSON, and its outcomes decide', async () => {
    const cases = async (_: unknown, ids: readonly string[]) =>
      ids.map((id) => ({ id, agent: 'search', task: null, events: [{ a: 1 }], cut: false }));
    const { to, counts, replay, ran, improvesTarget } = await played(
      (side, run) => ({ output: lines(side, run) }),
      { cases },
    );
    expect([to, counts.better, counts.worse, improvesTarget]).toEqual([
      'validated',
      10,
      0,
      undefined,
    ]);
    expect(ran).toHaveLength(3);
    expect(ran[0]!.command).toMatchObject({ argv: ['node', 'tools/play.js'], timeoutMs: 600_000 });
    expect(ran[0]!.command.input!.split('\n')[1]).toBe(
      '{"id":"session-1","agent":"search","task":null,"events":[{"a":1}],"cut":false}',
    );
    expect(replay).toMatchObject({
      command: settings.replay,
      cases: expect.stringMatching(/^sha256:/),
      runs: [{ ended: 'exited', exitCode: 0 }, {}, { kept: { wallMs: 'timer' } }],
    });
  });

  test.each<[string, (side: Side, run: ScriptedRun) => Line, string]>([
    [
      'crashes',
      () => ({ exitCode: 2, messages: 'Error: no such file\n' }),
      'ended with exit code 2',
    ],
    ['hangs', () => ({ ended: 'time', exitCode: null }), 'not done in time (validate.timeout)'],
    ['needs too much', () => ({ ended: 'memory', exitCode: null }), 'validate.memory'],
    ['prints without end', () => ({ ended: 'output', exitCode: null }), 'more than Hone reads'],
    ['prints no JSON', () => ({ output: 'all is well' }), 'Line 1 of the answer is not'],
    ['says no outcome', () => ({ output: '{"id":"session-0"}' }), 'Line 1 of the answer is not'],
    ['answers nothing', () => ({ output: '' }), 'it left out 100 of 100 sessions'],
    [
      'lies about ids',
      (side, run) => ({ output: lines(side, run).replace('session-7"', 'other"') }),
      'not asked for, or twice',
    ],
    [
      'answers twice',
      (side, run) => ({ output: `${lines(side, run)}\n{"id":"session-0","ok":true}` }),
      'not asked for, or twice',
    ],
    [
      'gives a latency that is none',
      (side, run) => ({ output: lines(side, run, (_, id) => ({ id, ok: true, latency_ms: -1 })) }),
      'Line 1 of the answer is not',
    ],
  ])('that %s is inconclusive, with the reason', async (_, answer, why) => {
    const { to, outcome, reasons } = await played(answer);
    expect([to, outcome]).toEqual(['inconclusive', 'inconclusive']);
    expect(reasons.join(' ')).toContain(why);
  });

  test('tells the last lines of one that crashes', async () => {
    const { reasons } = await played(() => ({ exitCode: 2, messages: 'Error: no such file\n' }));
    expect(reasons).toEqual([
      'The replay of the base gave no answer: The command ended with exit code 2.',
      '> Error: no such file',
    ]);
  });

  test('VAL-6 is not asked about a change to itself', async () => {
    const target = await makeTarget({ 'tools/play.js': 'a\n' }, { 'tools/play.js': 'b\n' });
    const runner = scriptedRunner(() => ({}));
    const step = await validate(dossierOf(target), portsOf(target, { settings, runner }), never);
    expect([step.to, runner.ran.length]).toEqual(['inconclusive', 0]);
  });
});

describe('VAL-5 what a change costs beside', () => {
  const costing = (latencyMs: number, cost: number) =>
    played((side, run) => ({
      output: lines(side, run, (_, id) => {
        const noise = 1 + (Number(id.split('-')[1]) % 7) / 20;
        const more = side === 'candidate';
        return {
          ...mended(side, id),
          latency_ms: noise * (more ? latencyMs : 100),
          cost: noise * (more ? cost : 0.01),
        };
      }),
    }));

  test('is told with its interval', async () => {
    const { to, reasons, rails } = await costing(105, 0.01);
    expect(to).toBe('validated');
    expect(reasons[1]).toBe('Beside it: latency +5 % (+5 % to +5 %), cost 0 % (0 % to 0 %).');
    expect(rails).toMatchObject([
      { metric: 'latency', pairs: 90, isHarmed: false },
      { metric: 'cost', isHarmed: false },
    ]);
  });

  test('fails it when what works gets much slower or dearer', async () => {
    for (const [latencyMs, cost, what] of [
      [150, 0.01, 'latency'],
      [100, 0.02, 'cost'],
      [150, 0.02, 'latency and cost'],
    ] as const) {
      const { to, reasons } = await costing(latencyMs, cost);
      expect(to).toBe('failed');
      expect(reasons[0]).toBe(`The sessions that work need more than is borne: ${what}.`);
    }
  });

  test('is unknown for too few sessions that say it', async () => {
    const { rails } = await played((side, run) => ({
      output: lines(side, run, (on, id) => ({
        ...mended(on, id),
        ...(id.length < 10 ? { latency_ms: on === 'base' ? 1 : 1000 } : {}),
      })),
    }));
    expect(rails).toEqual([]);
  });
});

test('an inconclusive replay says how much more would settle it', async () => {
  const still = (id: string) => id.endsWith('0') && id !== 'session-0';
  const settle = async (better: number) => {
    const { reasons } = await played((side, run) => ({
      output: lines(side, run, (on, id) => ({
        id,
        ok: still(id) ? false : on === 'candidate' || Number(id.split('-')[1]) >= better,
      })),
    }));
    return reasons[0];
  };
  expect(await settle(0)).toContain('none of the 9 that fail is mended');
  expect(await settle(2)).toContain('about 350 sessions like these would settle it');
  const { reasons } = await played(() => ({}), { sessions: async () => drawn(sessionNames(12)) });
  expect(reasons[0]).toContain('12 are usable, 20 are needed');
});
