/** What becomes of listening when the server comes late, goes away, or does not answer. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { administer } from '../../../test/postgres-database.ts';
import { freshDatabase } from '../../../test/stores.ts';
import { type Clock, ManualClock } from '../../base/index.ts';
import { Listener } from './listener.ts';

/** A clock that tells when somebody begins to sleep. */
class WatchedClock extends ManualClock {
  readonly sleptMs: number[] = [];
  #asleep = Promise.withResolvers<void>();

  override sleep(...[ms, signal]: Parameters<Clock['sleep']>): Promise<void> {
    const sleeping = super.sleep(ms, signal);
    this.sleptMs.push(ms);
    this.#asleep.resolve();
    return sleeping;
  }

  /** Lets the next sleep end once it has begun. */
  async passSleep(): Promise<void> {
    await this.#asleep.promise;
    this.#asleep = Promise.withResolvers();
    this.advance(60_000);
  }
}

/** Counts, and resolves at the next one. */
function counter() {
  let next = Promise.withResolvers<void>();
  const counted = {
    count: 0,
    wake: () => {
      counted.count += 1;
      next.resolve();
    },
    woken: async () => {
      await next.promise;
      next = Promise.withResolvers();
    },
  };
  return counted;
}

const NEVER = 'postgres://127.0.0.1:1/nowhere';
const half = { next: () => 0.5, bytes: (count: number) => new Uint8Array(count) };

let clock: WatchedClock;
let listener: Listener;
const listening = (url: string) => {
  listener = new Listener({ url, connectMsMax: 10_000, clock, random: half });
  return listener;
};
beforeEach(() => {
  clock = new WatchedClock();
});
afterEach(() => listener.close());

const notify = (url: string, channel: string) =>
  administer(url, `SELECT pg_notify('${channel}', '')`);
/** Ends the connections that listen, as a server that is restarted does. */
const cutOff = (url: string) =>
  administer(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'hone listen' AND datname = current_database()`,
  );

test('after a lost connection it listens again, and wakes everybody once for what it missed', async () => {
  const { url, drop } = await freshDatabase({ empty: true });
  const [one, two] = [counter(), counter()];
  await listening(url).listen('one', one.wake);
  const stop = await listener.listen('two', two.wake);
  await listener.listen('Two, too', two.wake);
  await stop();
  for (let round = 1; round <= 2; round++) {
    await cutOff(url);
    await clock.passSleep();
    await Promise.all([one.woken(), two.woken()]);
    expect([one.count, two.count]).toEqual([2 * round - 1, 2 * round - 1]);
    await notify(url, 'two');
    await notify(url, 'Two, too');
    await notify(url, 'one');
    await Promise.all([one.woken(), two.woken()]);
    expect([one.count, two.count]).toEqual([2 * round, 2 * round]);
  }
  await listener.close();
  await drop();
});

test('who begins to listen while the connection is away is heard too, once it is back', async () => {
  const { url, drop } = await freshDatabase({ empty: true });
  const [early, late] = [counter(), counter()];
  await listening(url).listen('early', early.wake);
  await cutOff(url);
  while (clock.sleptMs.length === 0) await new Promise(setImmediate);
  await listener.listen('late', late.wake);
  await clock.passSleep();
  await Promise.all([early.woken(), late.woken()]);
  await notify(url, 'late');
  await late.woken();
  expect([early.count, late.count]).toEqual([1, 2]);
  await listener.close();
  await drop();
});

test('a database that is not there yet is asked for until it is', async () => {
  const { url, drop } = await freshDatabase({ empty: true });
  const later = url.replace(/\/t_/, '/later_');
  const name = /later_\w+/.exec(later)![0];
  const [one, two] = [counter(), counter()];
  listening(later);
  await Promise.all([listener.listen('one', one.wake), listener.listen('two', two.wake)]);
  await administer(url, `CREATE DATABASE ${name} TEMPLATE template0`);
  await clock.passSleep();
  await Promise.all([one.woken(), two.woken()]);
  await notify(later, 'one');
  await one.woken();
  expect([one.count, two.count]).toEqual([2, 1]);
  await listener.close();
  await administer(url, `DROP DATABASE ${name} WITH (FORCE)`);
  await drop();
});

test('it asks ever more seldom, and at least twice a minute', async () => {
  const stop = await listening(NEVER).listen('news', () => {});
  for (let round = 0; round < 9; round++) await clock.passSleep();
  expect(clock.sleptMs.slice(0, 9)).toEqual(
    [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].map((ms) => ms * 0.75),
  );
  await stop();
});

test('a server that never answers keeps nobody from closing', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = once(server, 'connection');
  const begun = listening(`postgres://127.0.0.1:${port}/silent`).listen('news', () => {});
  await asked;
  await listener.close();
  await begun;
  expect(clock.sleptMs.length).toBeLessThanOrEqual(1);
  server.close();
});

test('closing ends the wait for the next try', async () => {
  await listening(NEVER).listen('news', () => {});
  while (clock.sleptMs.length === 0) await new Promise(setImmediate);
  await listener.close();
  await listener.close();
});
