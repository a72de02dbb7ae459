import { expect, test } from 'vitest';
import { seededRandom } from '../base/index.ts';
import type { CallHours } from '../facts/index.ts';
import { toolsThatMoveWith } from './moves-together.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 2);
const HOURS = 336;
const random = seededRandom(4);

/** 200 calls an hour of which 2 % fail, and half of them in the hours that are named. */
function tool(name: string, ill: readonly number[], agent = 'a'): CallHours {
  const hours = Array.from({ length: HOURS }, (_, hour) => {
    const rate = ill.includes(hour) ? 0.5 : 0.02;
    let failed = 0;
    for (let call = 0; call < 200; call++) if (random.next() < rate) failed += 1;
    const none = { timed: 0, latencySumMs: 0, timedWell: 0, latencyWellMs: 0 };
    return { atMs: START + hour * HOUR, calls: 200, failed, ...none, tokens: 0, costUsd: 0 };
  });
  return { agent, tool: name, hours };
}

const NIGHTS = [20, 21, 90, 91, 150, 151, 152, 240, 300];

test('tools that are ill in the same episodes share something, whoever calls them', () => {
  const calls = [
    tool('search', NIGHTS),
    tool(
      'maps',
      NIGHTS.map((hour) => hour + (hour === 240 ? 1 : 0)),
      'b',
    ),
    tool('mail', [5, 60, 120, 200, 280]),
    tool('files', []),
  ];
  expect(toolsThatMoveWith('search', calls)).toEqual(['maps']);
  expect(toolsThatMoveWith('mail', calls)).toEqual([]);
  expect(toolsThatMoveWith('files', calls)).toEqual([]);
  expect(toolsThatMoveWith('unknown', calls)).toEqual([]);
});

test('one long night together is one coincidence', () => {
  const night = Array.from({ length: 12 }, (_, hour) => 100 + hour);
  expect(toolsThatMoveWith('a', [tool('a', night), tool('b', night), tool('c', [])])).toEqual([]);
});

test('what everybody has says nothing of two', () => {
  const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => tool(name, NIGHTS));
  expect(toolsThatMoveWith('a', calls)).toEqual([]);
});

test('tools that are ill at many hours meet by chance', () => {
  const often = (from: number) => Array.from({ length: 30 }, (_, at) => from + at * 11);
  expect(toolsThatMoveWith('a', [tool('a', often(0)), tool('b', often(5)), tool('c', [])])).toEqual(
    [],
  );
});
