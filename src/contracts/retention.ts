/** How long telemetry is kept, and what went. */
import { z } from 'zod';
import { count, time, type Wire } from './shapes.ts';

const rows = { events: count, activeMinutes: count, counts: count };

export const retentionJson = z.strictObject({
  /** As durations, such as 30d. */
  keep: z.strictObject({ events: z.string(), counts: z.string() }),
  /** False: nothing was deleted, and these would go now. */
  deleted: z.boolean(),
  ...rows,
  /** Events that are old enough to go and stay because a proposal names them; null after a deletion. */
  named: count.nullable(),
  /** When the schedule runs next, and ran last. */
  nextAt: time,
  lastAt: time.nullable(),
});

export type RetentionAnswer = Wire<typeof retentionJson>;
