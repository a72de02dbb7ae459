import { describe, expect, test } from 'vitest';
import type { OpenLoop } from '../app/context.ts';
import { ManualClock, silentLog } from '../base/index.ts';
import { composeSections } from '../config/index.ts';
import { LANES, STEP_KINDS, type StepKind, UNSTOPPABLE_STEPS } from '../facts/index.ts';
import { honeSections } from '../loop/index.ts';
import { loopWorkers, TRIGGER_MS, URGENT_MS } from './loop-workers.ts';

const signal = new AbortController().signal;

/** A loop that writes down what it is asked for. */
function scripted(options: { dueInMs?: number | null; allowed?: readonly StepKind[] } = {}) {
  const { dueInMs = null, allowed = STEP_KINDS } = options;
  const clock = new ManualClock();
  const asked: string[] = [];
  const ask =
    <T>(what: string, answer: T) =>
    async (...given: unknown[]) => {
      asked.push([what, ...given.flat().filter((one) => typeof one === 'string')].join(' '));
      return answer;
    };
  const open = {
    loop: {
      run: ask('run', []),
      collect: ask('collect', { events: 0, aside: 0, notes: [] }),
      startCycle: ask('startCycle', { started: true, cycle: 'c_1' }),
      startIfUrgent: ask('startIfUrgent', { started: false }),
      startIfAsked: ask('startIfAsked', { started: true, cycle: 'c_1' }),
      nextDueMs: async () => (dueInMs === null ? null : clock.nowMs() + dueInMs),
    },
    deliver: ask('deliver', 0),
    ports: {
      store: { nowMs: async () => clock.nowMs() },
      killSwitch: { allowedSteps: async () => allowed },
      config: composeSections(honeSections).parse({}),
    },
  } as unknown as OpenLoop;
  const workers = loopWorkers(open, { clock, log: silentLog });
  const worker = (name: string) => workers.find((one) => one.name === name)!.run(signal);
  return { asked, worker };
}

describe('the workers of hone up', () => {
  test('the loop’s steps never wait for what is sent: that is a worker of its own', async () => {
    const { worker, asked } = scripted();
    await worker('loop');
    expect(asked).toEqual(['run']);
    expect(await worker('watch')).toEqual({ againInMs: 1000 });
    expect(asked.splice(1)).toEqual(['run watching']);
    for (const lane of LANES) expect(await worker(`outbox ${lane}`)).toEqual({ againInMs: 1000 });
    expect(asked).toEqual(['run', ...LANES.map((lane) => `deliver ${lane}`)]);
  });

  test.each([
    [null, 1000],
    [3_600_000, 1000],
    [400, 400],
    [10, 50],
    [0, 1000],
    [-86_400_000, 1000],
  ])(
    'when the next step is due in %s ms it looks again after %i ms',
    async (dueInMs, againInMs) => {
      expect(await scripted({ dueInMs }).worker('loop')).toEqual({ againInMs });
    },
  );

  test('a failure that recurs begins a cycle, unless everything is stopped', async () => {
    const running = scripted();
    expect(await running.worker('trigger')).toEqual({ againInMs: TRIGGER_MS });
    expect(await running.worker('urgent trigger')).toEqual({ againInMs: URGENT_MS });
    expect(running.asked).toEqual(['startIfAsked', 'startIfUrgent']);
    const stopped = scripted({ allowed: UNSTOPPABLE_STEPS });
    await stopped.worker('trigger');
    await stopped.worker('urgent trigger');
    expect(stopped.asked).toEqual([]);
  });

  test('events are read also while everything is stopped: the watch needs them', async () => {
    const { worker, asked } = scripted({ allowed: UNSTOPPABLE_STEPS });
    await worker('collector');
    expect(asked).toEqual(['collect']);
  });
});
