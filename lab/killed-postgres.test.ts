/** The story with its worker killed at every step, on PostgreSQL. */
import { expect, test } from 'vitest';
import { freshDatabase } from '../test/stores.ts';
import { playKilled } from './killed-story.test-support.ts';

async function play(scenario: string) {
  const { url, drop } = await freshDatabase({ empty: true });
  try {
    return await playKilled(scenario, url);
  } finally {
    await drop();
  }
}

test('a fix is found, deployed once and kept', async () => {
  const end = await play('timeout-too-low');
  expect(end).toMatchObject({ states: ['implemented'], isAsBefore: false, violations: [] });
  expect(end.arrivals.filter((to) => to === 'deploying')).toHaveLength(1);
  expect(end.kills).toBeGreaterThan(30);
});

test('harm is taken back once', async () => {
  const end = await play('helps-then-hurts');
  expect(end).toMatchObject({ states: ['reverted'], isAsBefore: true, violations: [] });
  expect(end.arrivals.filter((to) => to === 'reverted')).toHaveLength(1);
  expect(end.kills).toBeGreaterThan(30);
});
