import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoTime } from '../base/index.ts';
import { nextTime } from './index.ts';

function times(cron: string, from: string, count: number, timeZone = 'Europe/Berlin'): string[] {
  const found: string[] = [];
  for (let at = Date.parse(from); found.length < count; found.push(isoTime(at).slice(5, 16))) {
    at = nextTime({ cron, timeZone }, at);
  }
  return found;
}

describe('SCHED-1 times of a cron expression', () => {
  test('are those of its time zone, in winter and in summer', () => {
    expect(times('0 1 * * *', '2026-01-10T12:00Z', 1)).toEqual(['01-11T00:00']);
    expect(times('0 1 * * *', '2026-07-10T12:00Z', 1)).toEqual(['07-10T23:00']);
    expect(times('0 1 * * *', '2026-07-10T12:00Z', 1, 'UTC')).toEqual(['07-11T01:00']);
    expect(times('0 6 * * 0', '2026-03-20T12:00Z', 2)).toEqual(['03-22T05:00', '03-29T04:00']);
  });

  test('never are the time asked from: a run does not follow itself', () => {
    const noon = Date.parse('2026-01-10T12:00Z');
    expect(nextTime({ cron: '0 12 * * *', timeZone: 'UTC' }, noon)).toBe(noon + 86_400_000);
  });

  test('on the day the clocks go forward, a time that does not exist is run once, when the gap ends', () => {
    expect(times('30 2 * * *', '2026-03-28T12:00Z', 2)).toEqual(['03-29T01:00', '03-30T00:30']);
  });

  test('on the day the clocks go back, a time that exists twice is run once', () => {
    expect(times('30 2 * * *', '2026-10-24T12:00Z', 2)).toEqual(['10-25T00:30', '10-26T01:30']);
  });

  test('every hour stays every hour on both days', () => {
    const spring = ['03-29T00:00', '03-29T01:00', '03-29T02:00'];
    expect(times('0 * * * *', '2026-03-28T23:30Z', 3)).toEqual(spring);
    const autumn = ['10-24T23:00', '10-25T00:00', '10-25T01:00', '10-25T02:00'];
    expect(times('0 * * * *', '2026-10-24T22:30Z', 4)).toEqual(autumn);
  });

  test('an expression that never comes is never due', () => {
    expect(nextTime({ cron: '0 0 31 2 *', timeZone: 'UTC' }, 0)).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('in whatever order times are asked for, the answer is the expression’s own', () => {
    const startMs = Date.UTC(2026, 9, 24);
    const expressions = ['*/5 * * * *', '30 2 * * *', '0 0 1 * *'].map((cron) => ({
      cron,
      timeZone: 'Europe/Berlin',
    }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(2), fc.nat(3 * 86_400_000)), { minLength: 2, maxLength: 20 }),
        (asked) => {
          for (const [which, afterMs] of asked) {
            const { cron, timeZone } = expressions[which]!;
            const own = new Cron(cron, { timezone: timeZone }).nextRun(new Date(startMs + afterMs));
            expect(nextTime(expressions[which]!, startMs + afterMs)).toBe(own!.getTime());
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
