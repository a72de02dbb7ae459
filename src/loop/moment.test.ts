import { describe, expect, test } from 'vitest';
import { monitorPorts } from './adapters/monitor.ts';
import { worldPerTest } from './loop.test-support.ts';
import { Moments } from './moment.ts';

describe('who reads a backlog', () => {
  const open = worldPerTest('memory');
  const signal = new AbortController().signal;

  test('lets a watch look in between, and counts all of it', async () => {
    const world = await open();
    const known = 120;
    const lines = 41_000;
    world.files.text += 'x\n'.repeat(lines);
    const moments = new Moments(world.ports());
    const order: string[] = [];
    const note =
      (name: string) =>
      <T>(result: T): T => {
        order.push(name);
        return result;
      };
    const [all, look] = await Promise.all([
      moments.collect(signal).then(note('all')),
      moments.collect(signal, 10).then(note('look')),
    ]);
    expect(order).toEqual(['look', 'all']);
    expect(all.events + look.events).toBe(known);
    expect(all.aside + look.aside).toBe(lines);
    expect(all.more).toBe(false);
  });
});

describe('what became of another change', () => {
  const open = worldPerTest('memory');

  test('is known although its content cannot be read', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    const store = new Proxy(world.store, {
      get: (real, name) => {
        if (name === 'all')
          return (sql: string, parameters: never[]) =>
            sql.includes('artifact_blobs')
              ? Promise.reject(new Error('the disk is damaged there'))
              : real.all(sql, parameters);
        const value: unknown = Reflect.get(real, name);
        return typeof value === 'function' ? value.bind(real) : value;
      },
    });
    const moment = await new Moments(world.ports({ store })).now();
    expect(await monitorPorts(moment).fateOf(proposal.id)).toEqual({
      isWatched: true,
      isAtTarget: true,
      calledBackAtMs: null,
    });
  });
});
