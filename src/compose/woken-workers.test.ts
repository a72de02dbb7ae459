/** What people begin and decide is taken up by the workers of `hone up` at once: here no time passes. */
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import type { OpenLoop } from '../app/context.ts';
import { ManualClock, silentLog } from '../base/index.ts';
import { startHost, type Worker } from '../http/index.ts';
import { callBack, Loop, readCycle } from '../loop/index.ts';
import { worldPerTest } from '../loop/loop.test-support.ts';
import { readProposal } from '../proposal/index.ts';
import { loopWorkers } from './loop-workers.ts';

/** The worker, and how to wait for its next run to end. */
function watched(worker: Worker) {
  let ended = 0;
  let waiting = () => {};
  const run: Worker['run'] = async (signal) => {
    try {
      return await worker.run(signal);
    } finally {
      ended += 1;
      waiting();
    }
  };
  const next = async () => {
    if (ended === 0) {
      await new Promise<void>((resolve) => {
        waiting = resolve;
      });
    }
    ended -= 1;
  };
  return { worker: { ...worker, run }, next };
}

describe.each(['memory', 'postgres'] as const)('workers on %s', (kind) => {
  const openWorld = worldPerTest(kind);

  test('a cycle that somebody begins, and a change that somebody calls back', async () => {
    const world = await openWorld();
    const { proposal } = await world.deployed();
    const ports = world.ports();
    const loop = new Loop(ports);
    const sent: string[] = [];
    const deliver = async () => sent.push('sent');
    const open = { loop, ports, deliver } as unknown as OpenLoop;
    const workers = loopWorkers(open, { clock: world.clock, log: silentLog })
      .filter(({ name }) => ['loop', 'watch', 'outbox news'].includes(name))
      .map(watched);
    const listening: Promise<unknown>[] = [];
    const host = await startHost({
      host: '127.0.0.1',
      port: 0,
      guard: { allowedHosts: [], allowedOrigins: [] },
      log: silentLog,
      routes: [],
      clock: new ManualClock(),
      bearer: () => Promise.resolve(undefined),
      probe: () => Promise.resolve(),
      listen: (channel, wake) => {
        const begun = world.store.listen(channel, wake);
        listening.push(begun);
        return begun;
      },
      workers: workers.map(({ worker }) => worker),
    });
    const all = () => Promise.all(workers.map(({ next }) => next()));
    await all();
    await Promise.all(listening);
    expect(listening).toHaveLength(3);

    const started = await loop.startCycle('human');
    await all();
    expect((await readCycle(world.store, started.cycle!))?.outcome).not.toBeNull();

    await callBack(proposal.id, 'it hurts', { actor: OPERATOR, ports });
    await all();
    expect((await readProposal(world.store, proposal.id)).state).toBe('reverted');
    expect(sent).toHaveLength(3);
    await host.stop();
  });
});
