/** Work that runs by the clock. */
import { z } from 'zod';
import { time, type Wire } from './shapes.ts';

export const scheduleListJson = z.strictObject({
  schedules: z.array(
    z.strictObject({
      name: z.string(),
      nextDueAt: time,
      lastDueAt: time.nullable(),
      lastOutcome: z.string().nullable(),
    }),
  ),
});

export type ScheduleList = Wire<typeof scheduleListJson>;
