import { describe, expect, test } from 'vitest';
import { makeContent } from '../../test/proposals.ts';
import type { RecentCall } from '../facts/index.ts';
import type { Dossier } from '../proposal/index.ts';
import { seenOf, vainTrial, whyVain } from './trial.ts';

const HOUR = 3_600_000;
const STARTED = 100 * HOUR;
const PLACE = { agent: 'researcher', tool: 'web_search' };

function call(startMs: number, took: number, failedWith: string | null = null): RecentCall {
  return { ...PLACE, startMs, endMs: startMs + took, failedWith };
}

/** At the old limit of 800 ms calls were cut off; the new one is 3200 ms. */
function askedAt(
  hour: number,
  calls: readonly RecentCall[],
  trial = { cutOffMs: 790 },
  [from, to]: readonly [number | string, number | string] = [800, 3200],
) {
  const content = makeContent({
    trial,
    change: { kind: 'set_value', file: 'a.yaml', path: ['t'], from, to },
  });
  const windows: number[] = [];
  const answer = vainTrial({ content } as Dossier, STARTED, {
    nowMs: STARTED + hour * HOUR,
    answers: async () => ({ ...PLACE, sinceMs: 0 }),
    callHours: async () => [],
    recentCalls: async ({ fromMs, toMs }) => {
      windows.push(toMs - STARTED);
      const within = calls.filter(({ endMs }) => endMs >= fromMs && endMs < toMs);
      return new Map([[PLACE.tool, within]]);
    },
  });
  return { answer, windows };
}

const many = (number: number, took: number, failedWith: string | null = null) =>
  Array.from({ length: number }, (_, at) => call(STARTED + HOUR + at * 1000, took, failedWith));

describe('what a trial shows', () => {
  test.each([
    ['800ms', '3200ms'],
    ['0.8 seconds', '3.2 seconds'],
    ['PT0.8S', 'PT3.2S'],
  ])('is seen also where the limit is a text: %s', async (from, to) => {
    const value = [from, to] as const;
    expect(await askedAt(25, many(20, 2000), undefined, value).answer).toBeUndefined();
    expect(await askedAt(5, many(40, 3200, 'TIMEOUT'), undefined, value).answer).toContain(
      'surely less than a tenth',
    );
  });

  test('counts calls that went on for as long as the old limit, whatever a failure is called', () => {
    const calls = [
      call(0, 100),
      call(0, 100, 'BUSY'),
      call(0, 2000),
      call(0, 800, 'TIMEOUT'),
      call(0, 1500, 'GATEWAY_TIMEOUT'),
    ];
    expect(seenOf(calls, 790)).toEqual({ ended: 1, failed: 2 });
  });

  test('a success right at the old limit is none that it cut off', () => {
    expect(seenOf([call(0, 810)], 790)).toEqual({ ended: 0, failed: 0 });
  });

  test.each([
    [0, 34, false, undefined],
    [0, 35, false, 'surely less than a tenth'],
    [4, 35, false, undefined],
    [4, 35, true, undefined],
    [1, 20, true, 'a day did not show'],
    [0, 0, true, 'a day did not show'],
    [0, 0, false, undefined],
    [1, 3, true, undefined],
  ])('%i ended and %i failed, over: %s', (ended, failed, isOver, words) => {
    const why = whyVain({ ended, failed }, { isOver });
    if (words === undefined) expect(why).toBeUndefined();
    else expect(why).toContain(words);
  });
});

test('it is asked of what was seen since, as soon as that is enough', async () => {
  expect(await askedAt(2, many(40, 3200, 'TIMEOUT')).answer).toContain('brought nothing: of 40');
  expect(await askedAt(2, many(20, 3200, 'TIMEOUT')).answer).toBeUndefined();
  const some = [...many(20, 3200, 'TIMEOUT'), ...many(20, 2000)];
  expect(await askedAt(2, some).answer).toBeUndefined();
});

test('what began before the agents had it, or may still go on, does not count', async () => {
  const early = Array.from({ length: 60 }, (_, at) => call(STARTED + at * 1000, 800, 'TIMEOUT'));
  expect(await askedAt(2, early).answer).toBeUndefined();
  // Those that end soon are seen first.
  const late = Array.from({ length: 60 }, () => call(STARTED + 2 * HOUR - 1500, 850, 'GATEWAY'));
  expect(await askedAt(2, late).answer).toBeUndefined();
});

test('after a day it stays only where a tenth of them ended; later calls change nothing', async () => {
  expect(await askedAt(24, many(3, 3200, 'TIMEOUT')).answer).toContain('a day did not show');
  const { answer, windows } = askedAt(30, [...many(3, 3200, 'TIMEOUT'), ...many(1, 1500)]);
  expect(await answer).toBeUndefined();
  expect(windows).toEqual([24 * HOUR]);
});

test('a change that is no trial is not asked about', async () => {
  const plain = { content: makeContent() } as Dossier;
  expect(await vainTrial(plain, STARTED, {} as never)).toBeUndefined();
});
