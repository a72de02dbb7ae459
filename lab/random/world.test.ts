import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { expectationsOf, mainOutcome } from '../expected.ts';
import { readScenario } from '../scenario.ts';
import { callsOf, eventsOf, failedShare } from '../test-scenarios.ts';
import { editBetween } from './line-edit.ts';
import { randomWorld } from './world.ts';

/** Seeds whose worlds are drawn fast: they have no trap. */
const SEEDS = [8, 13, 18, 21, 22, 33, 34, 38];
const worlds = SEEDS.map(randomWorld);

describe('random worlds', () => {
  test('the same seed gives the same world', () => {
    expect(randomWorld(34)).toEqual(randomWorld(34));
    expect(randomWorld(34)).not.toEqual(randomWorld(33));
  });

  test('a printed world reads back as it was', () => {
    for (const world of worlds.slice(0, 4)) {
      const reading = readScenario(stringify(world), 'x.yaml');
      expect(reading).toEqual({ ok: true, scenario: world });
    }
  });

  test('some need a change and some do not, some have no replay', () => {
    expect(new Set(worlds.map(mainOutcome))).toEqual(new Set(['fixed', 'untouched', 'told']));
    expect(new Set(worlds.map(({ replay }) => replay))).toEqual(
      new Set(['none', 'censored', 'full']),
    );
  });

  test('no world is so busy that playing it takes minutes', () => {
    for (const scenario of worlds) {
      const calls = callsOf(eventsOf({ scenario, seed: 1, fromHour: 58, hours: 4 }));
      expect(calls.length).toBeGreaterThan(20);
      expect(calls.length).toBeLessThan(4 * 1500);
      expect(failedShare(calls)).toBeLessThan(0.6);
    }
  });

  test('whatever somebody is to be told of is called often enough to be seen', () => {
    const [scenario] = worlds.filter((world) => mainOutcome(world) === 'told');
    const told = expectationsOf(scenario!).find(({ outcome }) => outcome === 'told');
    const tool = told?.outcome === 'told' ? told.tool : undefined;
    const calls = callsOf(
      eventsOf({ scenario: scenario!, seed: 1, hours: 24 }),
      (call) => call.tool === tool,
    );
    expect(calls.length).toBeGreaterThan(60);
  });

  test('one whose cure hurts names the place where it may be tried', () => {
    const trapped = randomWorld(39);
    expect(trapped.expect).toMatchObject([
      { outcome: 'untouched', may_try: [{ file: expect.any(String), hurts: 'up' }] },
    ]);
  });

  test('whoever shares the places of a trap is well without the change', () => {
    const world = randomWorld(25);
    const [trap, partner] = Object.keys(world.world.tools).filter(
      (tool) => world.world.tools[tool]!.pool !== undefined,
    );
    const calls = callsOf(eventsOf({ scenario: world, seed: 1, fromHour: 24, hours: 24 }));
    const share = (tool: string) => failedShare(calls.filter((call) => call.tool === tool));
    expect(share(trap!)).toBeGreaterThan(0.05);
    expect(share(partner!)).toBeLessThan(0.05);
  });
});

test('an edit names one place only', () => {
  const before = 'a: 1\nx: 5\nb: 1\nx: 5\n';
  const { from, to } = editBetween(before, 'a: 1\nx: 5\nb: 1\nx: 7\n');
  expect(before.replace(from, to)).toBe('a: 1\nx: 5\nb: 1\nx: 7\n');
  const removed = editBetween('a\nb\nc\n', 'a\nc\n');
  expect('a\nb\nc\n'.replace(removed.from, removed.to)).toBe('a\nc\n');
});
