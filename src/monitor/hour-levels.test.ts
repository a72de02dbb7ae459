import { expect, test } from 'vitest';
import { type Random, seededRandom } from '../base/index.ts';
import { gaussian, poissonCount } from '../stats/noise.test-support.ts';
import { ruleOf } from './hour-levels.ts';
import { seriesOf } from './measures.ts';
import type { HourCount } from './norm.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 2, 16);
const HOURS = Array.from({ length: 672 }, (_, hour) => START_MS + (hour - 336) * HOUR_MS);
const SERIES = 60;

/** Bad hours after the deployment for each before, over many series that go on as before. */
function afterByBefore(
  draw: (random: Random) => { before: readonly HourCount[]; since: readonly HourCount[] },
): number {
  const random = seededRandom(7);
  const totals = { before: { bad: 0, all: 0 }, since: { bad: 0, all: 0 } };
  for (let at = 0; at < SERIES; at++) {
    const drawn = draw(random);
    for (const side of ['before', 'since'] as const)
      for (const { bad, all } of drawn[side]) {
        totals[side].bad += bad;
        totals[side].all += all;
      }
  }
  const { before, since } = totals;
  return since.bad / since.all / (before.bad / before.all);
}

test('what goes on as before has as many unusual hours as before', () => {
  const share = afterByBefore((random) => {
    const levels = HOURS.map((atMs) => ({ atMs, value: Math.exp(0.3 * gaussian(random)) }));
    const rule = ruleOf(levels.slice(0, 336), { side: 'high', allowed: 0.1 })!;
    const since = levels.slice(336).map(({ atMs, value }) => rule.mark(atMs, value));
    return { before: rule.before, since };
  });
  expect(share).toBeLessThan(1.05);
  expect(share).toBeGreaterThan(0.9);
});

test('what is called about once an hour falls silent as often as before', () => {
  const share = afterByBefore((random) => {
    const hours = HOURS.map((atMs) => {
      const calls = poissonCount(random, 1);
      const timed = { timed: calls, latencySumMs: calls, timedWell: calls, latencyWellMs: calls };
      return { atMs, calls, failed: 0, ...timed, tokens: 0, costUsd: 0 };
    }).filter(({ calls }) => calls > 0);
    const others = HOURS.map((atMs) => ({ ...hours[0]!, atMs }));
    const calls = [
      { agent: 'a', tool: 't', hours },
      { agent: 'b', tool: 'u', hours: others },
    ];
    const change = {
      startedAtMs: START_MS,
      footing: { agents: ['a'], tools: ['t'], after: [] },
    };
    return seriesOf({ calls, sessions: [] }, change, 0.1).find(
      ({ agent, measure }) => agent === 'a' && measure === 'silence',
    )!;
  });
  expect(share).toBeLessThan(1.05);
  expect(share).toBeGreaterThan(0.9);
});
