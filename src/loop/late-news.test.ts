/** News where no schedule runs: told late, each once, and never more kept than a bound. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import { agentFile, makeTarget, SETTINGS } from '../cli/target.test-support.ts';
import { Leases } from '../lease/index.ts';
import { tellNews } from '../notify/index.ts';
import { listEffects } from '../outbox/index.ts';
import { controlMigrations, openSqlite } from '../store/index.ts';
import { tellLateNews } from './late-news.ts';
import { HOUR_MS, MINUTE_MS, type World, worldPerTest } from './loop.test-support.ts';

const DAY_MS = 24 * HOUR_MS;
const CHANNELS = ['terminal'];

describe.each(['memory', 'postgres'] as const)('late news on %s', (kind) => {
  const open = worldPerTest(kind);
  const keep = (world: World, severity: 'low' | 'medium' | 'high', keys: readonly string[]) => {
    const news = { to: 'operator', severity, title: 'Held back', text: 'x', step: 'vet' } as const;
    const nowMs = world.clock.nowMs();
    return world.store.commit({
      writes: keys.flatMap((key) => tellNews({ ...news, key }, CHANNELS, nowMs).writes),
    });
  };
  const titles = async ({ store }: World) =>
    (await listEffects(store, { limit: 100 }))
      .map(({ payload }) => (payload as { title: string }).title)
      .sort();
  const kept = async ({ store }: World) =>
    (await store.all('SELECT key FROM notify_pending')).length;

  test('what its schedule should have told is told once, the rest goes on waiting', async () => {
    const world = await open();
    await keep(world, 'high', ['a', 'b']);
    await keep(world, 'medium', ['c']);
    await tellLateNews(world.ports());
    expect(await titles(world)).toEqual([]);
    world.clock.advance(HOUR_MS + 16 * MINUTE_MS);
    await tellLateNews(world.ports());
    expect(await titles(world)).toEqual(['2 things to know (highNotices)']);
    world.clock.advance(DAY_MS);
    await tellLateNews(world.ports());
    await tellLateNews(world.ports());
    expect(await titles(world)).toEqual([
      '1 thing to know (digest)',
      '2 things to know (highNotices)',
    ]);
    expect(await kept(world)).toBe(0);
  });

  test('by many at one moment it is told once, and not beside a run of its schedule', async () => {
    const world = await open();
    await keep(world, 'high', ['a']);
    world.clock.advance(2 * HOUR_MS);
    const leases = new Leases(world.store);
    const run = await leases.acquire('schedule/highNotices', 'up', 30_000);
    await tellLateNews(world.ports());
    expect(await titles(world)).toEqual([]);
    if (run.acquired) await leases.release(run.lease);
    const ports = ['one', 'two', 'three'].map((holder) => world.ports({ holder }));
    await Promise.all(ports.map((one) => tellLateNews(one)));
    expect(await titles(world)).toEqual(['1 thing to know (highNotices)']);
    // A later batch has another key.
    await keep(world, 'high', ['later']);
    world.clock.advance(2 * HOUR_MS);
    await tellLateNews(world.ports());
    expect(await titles(world)).toHaveLength(2);
  });

  test('more than a thousand are told before their time, most of them as a count', async () => {
    const world = await open();
    const keys = Array.from({ length: 1001 }, (_, at) => `k${at}`);
    await keep(world, 'low', keys);
    await tellLateNews(world.ports());
    expect(await titles(world)).toEqual(['500 things to know (digest)']);
    expect(await kept(world)).toBe(501);
  });

  test('nothing while everything is stopped', async () => {
    const world = await open();
    await keep(world, 'high', ['a']);
    world.clock.advance(2 * HOUR_MS);
    await world.killSwitch.stop(OPERATOR, 'wait', 'command');
    await tellLateNews(world.ports());
    expect(await kept(world)).toBe(1);
  });
});

test('hone cycle tells what waited too long, where nothing else runs', async () => {
  using target = await makeTarget({ 'agents/researcher.yaml': agentFile('researcher', 'search') });
  writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
  const path = join(await target.installation.stateDir(), 'control.db');
  const row = { recipient: 'operator', severity: 'medium', title: 'Deployed', text: 'x', at_ms: 0 };
  const store = await openSqlite({ path, synchronous: 'normal', migrations: controlMigrations });
  await store.commit({ writes: [{ insert: 'notify_pending', row: { key: 'old', ...row } }] });
  await store.close();
  expect((await target.hone('cycle')).err).toContain('1 thing to know (digest)');
  expect((await target.hone('cycle')).err).not.toContain('to know');
});
