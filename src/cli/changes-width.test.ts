/** `hone changes show` and `hone watch` at 40, 80 and 120 columns and in a pipe: both need a change at the target. */
import { expect, test } from 'vitest';
import type { ShownChange, ShownWatch } from '../contracts/change.ts';
import { showText, watchTextOf } from './commands/changes.ts';
import { displayWidth } from './display-width.ts';
import type { Io } from './io.ts';

const AT = '2026-03-16T10:00:00.000Z';
const CHANGE = {
  id: 'p_0123456789abcdefghjkmnpqrs',
  title: 'Raise timeout_ms of a_search_tool_with_a_long_name from 800 to 1500',
  state: 'implemented',
  deployedAt: AT,
  watch: 'probation',
  outcome: 'held',
  rollback: {
    why: 'Since 2026-03-15T09:30:00.000Z 140 of 200 calls of search by auditor failed.',
    since: AT,
  },
  watchedUntil: AT,
} as const;

const SHOWN: ShownChange = {
  ...CHANGE,
  outcomeReason: 'Since 2026-03-15T09:30:00.000Z the failures are fewer.',
  effects: [
    {
      after: 'day',
      at: AT,
      before: { bad: 406, all: 4494 },
      since: { bad: 12, all: 4100 },
      controls: 1.02,
      benefit: 0.087,
      low: 0.07,
      high: 0.1,
    },
  ],
  story: [{ at: AT, what: 'It is watched until the end of the month, and looked at every hour.' }],
};

const WATCHED: ShownWatch = {
  ...CHANGE,
  at: AT,
  rings: [
    {
      ring: 'changed',
      share: 0.4,
      course: Array.from({ length: 100 }, (_, hour) => ({ at: AT, share: hour / 250 })),
    },
    { ring: 'rest', share: 0, course: [] },
  ],
  series: [
    {
      agent: 'researcher',
      tool: 'a_search_tool_with_a_long_name',
      measure: 'latency',
      words: { all: 'hours of calls', bad: 'took longer than nine of ten hours before' },
      before: { bad: 33, all: 336 },
      since: { bad: 9, all: 40 },
      share: 0.4,
    },
  ],
  notCompared: [{ agent: 'newcomer', tool: 'search' }],
};

const io = (columns: number) =>
  ({ columns, style: (_: string, text: string) => text }) as unknown as Io;
const wordsIn = (text: string) =>
  new Set(text.split(/\s+/).filter((word) => word !== '' && !/[·▁▂▃▄▅▆▇█|]/.test(word)));

test.each([40, 80, 120])('both fit %d columns and say the same as in a pipe', (columns) => {
  const texts = [
    [showText(SHOWN, io(columns)), showText(SHOWN, io(Number.POSITIVE_INFINITY))],
    [watchTextOf(WATCHED, io(columns)), watchTextOf(WATCHED, io(Number.POSITIVE_INFINITY))],
  ] as const;
  for (const [text, piped] of texts) {
    // One command to be copied is never cut.
    const lines = text.split('\n').filter((line) => !/^ *hone /.test(line));
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    expect(wordsIn(text)).toEqual(wordsIn(piped));
  }
});

test('a watch says what is counted, and which places cannot be compared', () => {
  const text = watchTextOf(WATCHED, io(Number.POSITIVE_INFINITY)).replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    '9 of 40 (22.5 %) hours of calls took longer than nine of ten hours before',
  );
  expect(text).toContain('too few calls came before the change: search by newcomer');
});

test('no time is shown as machines write it', () => {
  const pipe = io(Number.POSITIVE_INFINITY);
  for (const shown of [showText(SHOWN, pipe), watchTextOf(WATCHED, pipe)]) {
    const text = shown.replaceAll(/\s+/g, ' ');
    expect(text).toContain('2026-03-15 09:30 UTC');
    expect(text).toContain('2026-03-16 10:00 UTC');
    expect(text).not.toMatch(/\dT\d/);
  }
});

test('only an alarm is a full bar, the newest hours stand below each other, and no number is beyond belief', () => {
  const course = (shares: readonly number[]) => shares.map((share) => ({ at: AT, share }));
  const text = watchTextOf(
    {
      ...WATCHED,
      rings: [
        { ring: 'changed', share: 1.7e12, course: course([0, 0, 0.99, 1.7e12]) },
        { ring: 'shared', share: 0.01, course: course([0.0001, 0.01]) },
      ],
      series: WATCHED.series.map((one) => ({ ...one, share: 1.7e12 })),
    },
    io(120),
  );
  expect(text).toContain('changed  ▁▁▇█| an alarm, none of its budget left');
  expect(text).toContain('shared   ··▁▃| 1.0 % of an alarm, 99.0 % of its budget left');
  expect(text).not.toMatch(/\d{6}[.]\d/);
});
