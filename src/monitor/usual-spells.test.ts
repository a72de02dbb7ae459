/** A place that is held for eight minutes at a time, many times a day: to whom it happens right after a deployment owes it nothing. */
import { expect, test } from 'vitest';
import type { RateBin } from '../facts/index.ts';
import { type Answer, answerTo } from './answer.ts';
import { hoursOf } from './groups.ts';
import { isUsualSpell } from './usual-spells.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BEFORE = { fromMs: -24 * HOUR, toMs: 0 };
const LIMITS = {
  ...{ alpha: 0.05, errorRate: 0.25, otherMetrics: 0.1, duration: 24 * HOUR, hold: HOUR },
  ...{ fast: HOUR, fastInterval: MINUTE, interval: 5 * MINUTE },
};

type Share = (atMs: number) => number;
const spells: Share = (atMs) => ((atMs + 24 * HOUR) % (40 * MINUTE) < 8 * MINUTE ? 0.75 : 0);
const even: Share = () => 0.15;

function minutes(share: Share, fromMs: number, toMs: number, all = 8): RateBin[] {
  const made: RateBin[] = [];
  let failing = 0;
  for (let atMs = fromMs; atMs < toMs; atMs += MINUTE) {
    failing += share(atMs) * all;
    const bad = Math.floor(failing);
    failing -= bad;
    made.push({ atMs, bad, all });
  }
  return made;
}

/** What is said first that is not fine, and every verdict of twelve hours. */
function said(before: Share, since: Share, isKnown = true): (Answer['say'] | 'worse late')[] {
  const names = [
    { metric: 'error_rate', agent: null },
    { metric: 'error_rate', agent: 'search' },
  ] as const;
  const made = (share: Share, fromMs: number, toMs: number) =>
    names.map((name) => ({
      ...name,
      bins: minutes(share, fromMs, toMs, name.agent === null ? 10 : 8),
    }));
  const minutesBefore = made(before, BEFORE.fromMs, 0);
  const series = minutesBefore.map(({ bins, ...name }) => ({
    ...name,
    hours: hoursOf(bins, BEFORE),
  }));
  const verdicts = new Set<Answer['say'] | 'worse late'>();
  for (let nowMs = 5 * MINUTE; nowMs <= 12 * HOUR; nowMs += 5 * MINUTE) {
    const { say } = answerTo({
      baseline: { startedAtMs: 0, series },
      observed: made(since, MINUTE, nowMs),
      ...(isKnown && { minutesBefore }),
      watch: { proposalId: 'p_1', startedAtMs: 0 },
      others: [],
      limits: LIMITS,
      nowMs,
    });
    verdicts.add(say === 'worse' && nowMs > HOUR ? 'worse late' : say);
    if (say === 'worse') break;
  }
  return [...verdicts];
}

test('a spell like those before the deployment is waited out each time', () => {
  expect(said(spells, spells, false)).toContain('worse');
  expect(said(spells, spells)).toEqual(['held', 'fine']);
});

test('one that does not pass is taken back after the hold', () => {
  expect(said(spells, () => 0.75)).toEqual(['held', 'worse late']);
});

test('failures that came evenly before excuse nothing', () => {
  expect(said(even, (atMs) => (atMs < 8 * MINUTE ? 0.75 : 0.15))).toContain('worse');
});

test('spells of another size, two of them and none at all are not usual', () => {
  const finding = { fromMs: 0, foundAtMs: 4 * MINUTE, observed: { bad: 27, all: 36 } };
  const found = { finding } as Parameters<typeof isUsualSpell>[0];
  const on = (share: Share) => isUsualSpell(found, minutes(share, BEFORE.fromMs, 0));
  expect(on(spells)).toBe(true);
  expect(on((atMs) => spells(atMs) / 2)).toBe(false);
  expect(on((atMs) => (atMs < -24 * HOUR + 50 * MINUTE ? spells(atMs) * 0.99 : 0))).toBe(false);
  expect(on(() => 0)).toBe(false);
  expect(isUsualSpell(found, [])).toBe(false);
});
