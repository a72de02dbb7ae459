/** `hone schedule list`: what runs by the clock, and how it went. */

import { withOpened } from '../../app/context.ts';
import { isoTime } from '../../base/index.ts';
import { scheduleStates } from '../../schedule/index.ts';
import type { Context } from '../context.ts';
import { present } from '../io.ts';
import { table } from '../layout.ts';

export function scheduleList(context: Context): Promise<number> {
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
    present(context.io, { schedules }, () => {
      const rows = schedules.map(({ name, nextDueAt, lastDueAt, lastOutcome }) => [
        name,
        nextDueAt.slice(0, 16).replace('T', ' '),
        lastDueAt === null ? 'never' : `${lastDueAt.slice(0, 16).replace('T', ' ')} ${lastOutcome}`,
      ]);
      return table({ head: ['SCHEDULE', 'NEXT (UTC)', 'LAST (UTC)'], rows }, context.io.columns);
    });
    return 0;
  });
}
