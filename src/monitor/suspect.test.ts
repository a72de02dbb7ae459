/** What follows from a suspicion before a fix is made for its victim. */
import { expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { recordBegan } from './change-store.ts';
import { askRollback, suspectedBy } from './suspect.ts';
import type { Suspected } from './wide-look.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 2, 20);

function suspected(more: Partial<Suspected>): Suspected {
  const probability = more.probability ?? 0.9;
  const series = { agent: 'auditor', tool: 'search', measure: 'failures' };
  return {
    finding: { series, observed: { bad: 9, all: 30 }, expectedBad: 1, onsetMs: NOW - 9 * HOUR },
    suspicions: [{ proposalId: 'p_1', probability }],
    load: undefined,
    change: { proposalId: 'p_1', startedAtMs: NOW - 99 * HOUR },
    probability,
    isAlarm: true,
    sinceMs: NOW - 8 * HOUR,
    ...more,
  } as Suspected;
}

test('a likely cause is called so, a less likely one is an experiment, and said to be one', () => {
  expect(suspectedBy(suspected({}), NOW)?.verdict).toBe('cause');
  const tried = suspectedBy(suspected({ probability: 0.6 }), NOW);
  expect(tried?.verdict).toBe('experiment');
  expect(tried?.why).toContain('is an experiment');
});

test('without an alarm of the watch nothing is more than a suspicion', () => {
  const fresh = { isAlarm: false, sinceMs: NOW - HOUR };
  expect(suspectedBy(suspected(fresh), NOW)?.verdict).toBe('suspicion');
});

test('mere suspicion holds up the fix for its victim for some hours, not for two weeks', () => {
  const weak = suspected({ probability: 0.4, sinceMs: NOW - 6 * HOUR });
  expect(suspectedBy(weak, NOW)?.verdict).toBe('suspicion');
  expect(suspectedBy(weak, NOW + HOUR)).toBeUndefined();
  expect(suspectedBy(suspected({ probability: 0.2, sinceMs: NOW }), NOW)).toBeUndefined();
});

test('the likely cause holds it up for as long as its harm is beyond noise', () => {
  const likely = { isAlarm: false, sinceMs: NOW - 30 * HOUR };
  expect(suspectedBy(suspected({ ...likely, probability: 0.9 }), NOW)?.verdict).toBe('suspicion');
  expect(suspectedBy(suspected({ ...likely, probability: 0.6 }), NOW)).toBeUndefined();
  const suspicions = [0.5, 0.4].map((probability, at) => ({ proposalId: `p_${at}`, probability }));
  const either = suspected({ ...likely, probability: 0.5, suspicions });
  expect(suspectedBy(either, NOW)?.verdict).toBe('suspicion');
});

const open = storePerTest('memory');

test('who sees to the rollback: its close watch, a proposal, or only a notice', async () => {
  const { store } = open();
  const suspect = suspectedBy(suspected({}), NOW)!;
  const ask = (isWatched: boolean) =>
    askRollback(suspect, {
      store,
      nowMs: NOW,
      fateOf: async () => ({ isWatched, isAtTarget: true, calledBackAtMs: null }),
    });
  expect(await ask(true)).toEqual({ by: 'watch' });
  // A person settled it: nobody would hear of it.
  expect(await ask(false)).toEqual({ by: 'notice' });
  const { writes, entries } = recordBegan('p_1', { fromMs: 0, untilMs: NOW }, NOW);
  await store.commit({ writes, entries });
  const first = await ask(false);
  expect(first).toMatchObject({ by: 'proposal', recorded: { entries: [{ data: {} }] } });
  if (first.by !== 'proposal') throw new Error('not proposed');
  await store.commit({ writes: first.recorded!.writes });
  expect(await ask(false)).toEqual({ by: 'proposal', recorded: undefined });
});
