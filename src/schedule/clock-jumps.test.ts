import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTimedStore } from '../../test/timed-store.ts';
import { nextTurn } from '../base/index.ts';
import { STEP_KINDS } from '../facts/index.ts';
import { Leases } from '../lease/index.ts';
import { listSchedules, nextTime, runIfDue, type Schedule, type SchedulePorts } from './index.ts';

const HOUR_MS = 3_600_000;

describe('however the clock jumps', () => {
  const MINUTE_MS = 60_000;
  const jump = fc.oneof(
    fc.integer({ min: -90, max: 90 }).map((seconds) => seconds * 1000),
    fc.integer({ min: -300, max: 300 }).map((minutes) => minutes * MINUTE_MS),
    fc.integer({ min: -20_000, max: 20_000 }).map((days) => days * 24 * HOUR_MS),
  );
  const cron = fc.constantFrom('0 * * * *', '30 2 * * *', '0 6 * * 0');

  test('a schedule is never frozen, overlaps nothing and runs no due time twice in a row', async () => {
    await fc.assert(
      fc.asyncProperty(cron, fc.array(jump, { maxLength: 6 }), async (expression, jumps) => {
        await using opened = await openTimedStore('memory');
        const { store, clock } = opened;
        const dueTimes: number[] = [];
        let running = 0;
        const schedule: Schedule = {
          name: 'jumpy',
          cron: expression,
          timeZone: 'UTC',
          timeoutMs: MINUTE_MS,
          step: 'observe',
          run: async (_, dueAtMs) => {
            running += 1;
            await nextTurn();
            expect(running).toBe(1);
            running -= 1;
            expect(dueAtMs).toBeLessThanOrEqual(clock.nowMs());
            dueTimes.push(dueAtMs);
            return undefined;
          },
        };
        const runner = (holder: string): SchedulePorts => ({
          store,
          leases: new Leases(store),
          clock,
          holder,
          allowedSteps: () => Promise.resolve(STEP_KINDS),
        });
        for (const byMs of [0, ...jumps]) {
          clock.advance(Math.max(byMs, -clock.nowMs()));
          const before = dueTimes.length;
          await Promise.all([runIfDue(schedule, runner('a')), runIfDue(schedule, runner('b'))]);
          await runIfDue(schedule, runner('c'));
          expect(dueTimes.length - before).toBeLessThanOrEqual(1);
          const [{ nextDueMs } = { nextDueMs: 0 }] = await listSchedules(store);
          const following = nextTime(schedule, clock.nowMs());
          // What was just done is not done again, where the clock was set back by a moment.
          const next = following === dueTimes.at(-1) ? nextTime(schedule, following) : following;
          expect(nextDueMs).toBe(next);
        }
        for (const [at, dueAtMs] of dueTimes.entries()) expect(dueAtMs).not.toBe(dueTimes[at + 1]);
      }),
      { numRuns: 30 },
    );
  });
});
