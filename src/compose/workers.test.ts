/** A schedule that takes its time holds up none that belongs to watching; the sequencer rests when idle. */
import { describe, expect, test } from 'vitest';
import { withCommit } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import type { Opened } from '../app/context.ts';
import { ownWords, silentLog } from '../base/index.ts';
import { STEP_KINDS, type StepKind, SYSTEM } from '../facts/index.ts';
import { Leases } from '../lease/index.ts';
import { LedgerView } from '../ledger/index.ts';
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

describe('the sequencer of hone up on postgres', () => {
  const open = storePerTest('postgres');
  const TTL_MS = 30_000;

  /** Runs the worker once; when it wants to run again and how many commits it made. */
  const once = async () => {
    const { store, clock } = open();
    let commits = 0;
    const counted = withCommit(store, (plan) => {
      commits += 1;
      return store.commit(plan);
    });
    const opened = { store: counted, config: { lease: { ttl: TTL_MS } } } as unknown as Opened;
    const ports = { opened, clock, log: silentLog, holder: 'up', schedules: [] };
    const sequencer = foundationWorkers(ports).find(({ name }) => name === 'sequencer')!;
    const { againInMs } = await sequencer.run(new AbortController().signal);
    return { againInMs, commits };
  };
  const record = () =>
    open().store.commit({
      entries: [
        {
          type: 'policy.resumed',
          actor: SYSTEM,
          subject: 'hone:stop',
          data: { reason: ownWords('x') },
        },
      ],
    });

  test('commits nothing while nothing waits', async () => {
    expect(await once()).toEqual({ againInMs: 250, commits: 0 });
    await record();
    expect((await once()).commits).toBeGreaterThan(0);
    expect(await new LedgerView(open().store).size()).toBe(1);
    expect(await once()).toEqual({ againInMs: 250, commits: 0 });
  });

  test('that meets a command which holds the lease looks again as soon as ever', async () => {
    const { store } = open();
    await record();
    const got = await new Leases(store).acquire('ledger/sequencer', 'a command', TTL_MS);
    if (!got.acquired) throw new Error('not acquired');
    expect((await once()).againInMs).toBe(250);
    expect(await new LedgerView(store).unplaced()).toBe(1);
    await new Leases(store).release(got.lease);
    await once();
    expect(await new LedgerView(store).unplaced()).toBe(0);
  });
});
