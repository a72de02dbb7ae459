import { describe, expect, test } from 'vitest';
import { worldPerTest } from './loop.test-support.ts';
import { RoomMaker } from './rooms.ts';

describe('who reads a backlog', () => {
  const open = worldPerTest('memory');
  const signal = new AbortController().signal;

  test('lets a watch look in between, and counts all of it', async () => {
    const world = await open();
    const known = 120;
    const lines = 41_000;
    world.files.text += 'x\n'.repeat(lines);
    const rooms = new RoomMaker(world.ports());
    const order: string[] = [];
    const note =
      (name: string) =>
      <T>(result: T): T => {
        order.push(name);
        return result;
      };
    const [all, look] = await Promise.all([
      rooms.collect(signal).then(note('all')),
      rooms.collect(signal, 10).then(note('look')),
    ]);
    expect(order).toEqual(['look', 'all']);
    expect(all.events + look.events).toBe(known);
    expect(all.aside + look.aside).toBe(lines);
    expect(all.more).toBe(false);
  });
});
