/** A schedule that takes its time holds up none that belongs to watching. */
import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { silentLog } from '../base/index.ts';
import type { Opened } from '../cli/context.ts';
import { STEP_KINDS, type StepKind } from '../facts/index.ts';
import type { Schedule } from '../schedule/index.ts';
import { foundationWorkers } from './workers.ts';

describe('the schedules of hone up', () => {
  const open = storePerTest('memory');

  test('a backlog of telemetry does not hold up the reminder of harm', async () => {
    const { store, clock } = open();
    const opened = {
      store,
      killSwitch: { allowedSteps: async () => STEP_KINDS },
    } as unknown as Opened;
    const ran: string[] = [];
    let finish = () => {};
    const backlog = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const schedule = (name: string, step: StepKind, work: Promise<void>): Schedule => ({
      name,
      cron: '*/5 * * * *',
      timeZone: 'UTC',
      timeoutMs: 60_000,
      step,
      run: async () => {
        await work;
        ran.push(name);
        return undefined;
      },
    });
    const schedules = [
      schedule('telemetry', 'observe', backlog),
      schedule('criticalNotices', 'monitor', Promise.resolve()),
    ];
    const ports = { opened, clock, log: silentLog, holder: 'one', schedules };
    const workers = foundationWorkers(ports).filter(({ name }) => name.endsWith('scheduler'));
    const { signal } = new AbortController();
    // The first look only writes down when they are due.
    for (const worker of workers) await worker.run(signal);
    clock.advance(10 * 60_000);
    const [slow, watching] = workers.map((worker) => worker.run(signal));
    await watching;
    expect(ran).toEqual(['criticalNotices']);
    finish();
    await slow;
    expect(ran).toEqual(['criticalNotices', 'telemetry']);
  });
});
