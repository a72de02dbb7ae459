/** Workers that are told that there is something to do do not sleep on. No time passes here. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../test/stores.ts';
import { type Log, ManualClock, nextTurn, silentLog } from '../base/index.ts';
import { type HostOptions, startHost } from './host.ts';

const settings = {
  host: '127.0.0.1',
  port: 0,
  guard: { allowedHosts: [], allowedOrigins: [] },
  log: silentLog,
  routes: [],
  clock: new ManualClock(),
  bearer: () => Promise.resolve(undefined),
  probe: () => Promise.resolve(),
};

/** Hands out one promise after the other; `tell` settles the one that is waited for, or the next. */
function signals() {
  let told = 0;
  let waiting: (() => void) | undefined;
  return {
    tell: () => {
      told += 1;
      waiting?.();
    },
    next: async () => {
      if (told === 0)
        await new Promise<void>((resolve) => {
          waiting = resolve;
        });
      waiting = undefined;
      told -= 1;
    },
  };
}

/** A worker whose runs end when they are let go. */
async function hosted(listen: NonNullable<HostOptions['listen']>, log: Log = silentLog) {
  const [begun, letGo, woken, listening] = [signals(), signals(), signals(), signals()];
  let runs = 0;
  const host = await startHost({
    ...settings,
    log,
    listen: async (channel, wake) => {
      const stop = await listen(channel, () => {
        wake();
        woken.tell();
      });
      listening.tell();
      return stop;
    },
    workers: [
      {
        name: 'works',
        wokenBy: 'work',
        run: async () => {
          runs += 1;
          begun.tell();
          await letGo.next();
          return { againInMs: 1000 };
        },
      },
    ],
  });
  return {
    host,
    begun: begun.next,
    end: letGo.tell,
    woken: woken.next,
    listening: listening.next,
    runs: () => runs,
  };
}

describe.each(['memory', 'postgres'] as const)('on %s', (kind) => {
  let opened: TestStore;
  beforeEach(async () => {
    opened = await openTestStore(kind);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  test('a notify ends a worker’s sleep, and one that comes while it works its next one', async () => {
    const { store } = opened;
    const other = kind === 'memory' ? store : await opened.open();
    const work = await hosted((channel, wake) => store.listen(channel, wake));
    await work.listening();
    await work.begun();
    work.end();
    await other.notify('work');
    await work.woken();
    await work.begun();
    await other.notify('other work');
    await other.notify('work');
    await other.notify('work');
    await work.woken();
    await work.woken();
    work.end();
    await work.begun();
    const stopped = work.host.stop();
    work.end();
    await stopped;
    expect(work.runs()).toBe(3);
  });
});

test('a worker that nobody can wake works all the same, and that is in the log', async () => {
  const warned: unknown[] = [];
  const log = { ...silentLog, warn: (...said: unknown[]) => void warned.push(said) };
  const work = await hosted(() => Promise.reject(new Error('no')), log);
  await work.begun();
  work.end();
  await nextTurn();
  settings.clock.advance(1000);
  await work.begun();
  const stopped = work.host.stop();
  work.end();
  await stopped;
  expect(warned).toEqual([['a worker cannot be woken', { worker: 'works', error: 'no' }]]);
});
