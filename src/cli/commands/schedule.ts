/** `hone schedule list`: what runs by the clock, and how it went. */
import { listSchedules } from '../../app/schedules.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { table } from '../layout.ts';

export function scheduleList(context: Context): Promise<number> {
  return answer(context, listSchedules(context), ({ schedules }) => {
    const rows = schedules.map(({ name, nextDueAt, lastDueAt, lastOutcome }) => [
      name,
      nextDueAt.slice(0, 16).replace('T', ' '),
      lastDueAt === null ? 'never' : `${lastDueAt.slice(0, 16).replace('T', ' ')} ${lastOutcome}`,
    ]);
    return table({ head: ['SCHEDULE', 'NEXT (UTC)', 'LAST (UTC)'], rows }, context.io.columns);
  });
}
