/** The schedules, and how they went. */
import { isoTime } from '../base/index.ts';
import type { ScheduleList } from '../contracts/schedule.ts';
import { scheduleStates } from '../schedule/index.ts';
import { type AppContext, withOpened } from './context.ts';

export function listSchedules(context: AppContext): Promise<ScheduleList> {
  return withOpened(context, async ({ store, config }) => {
    const configured = Object.entries(config.schedules).map(([name, { cron, timezone }]) => ({
      name,
      cron,
      timeZone: timezone,
    }));
    const schedules = (await scheduleStates(configured, store)).map((one) => ({
      name: one.name,
      nextDueAt: isoTime(one.nextDueMs),
      lastDueAt: one.lastDueMs === null ? null : isoTime(one.lastDueMs),
      lastOutcome: one.lastOutcome,
    }));
    return { schedules };
  });
}
