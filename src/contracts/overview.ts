/** How the fleet does over time, and what happened to it. */
import { z } from 'zod';
import { count, time, type Wire } from './shapes.ts';

/** Tool calls of one hour; hours without any are left out. */
export const callHour = z.strictObject({ at: time, calls: count, failed: count });

const tally = z.strictObject({ calls: count, failed: count });

export const overviewInput = z.strictObject({
  days: z.coerce.number().int().min(1).max(90).default(7),
});

export const overviewJson = z.strictObject({
  from: time,
  to: time,
  hours: z.array(callHour),
  /** The later half of the time that there is telemetry of, and the one before it. */
  now: tally,
  before: tally,
  /** Of the share that failed, from the one to the other, with its 95 % interval; null where one has no calls. */
  change: z
    .strictObject({
      low: z.number(),
      high: z.number(),
      verdict: z.enum(['better', 'worse', 'same']),
    })
    .nullable(),
  /** In the order of time. */
  marks: z.array(
    z.strictObject({
      at: time,
      kind: z.enum(['deployed', 'rolled_back', 'found']),
      title: z.string(),
      /** Of the proposal, or of the pattern that was found. */
      id: z.string(),
    }),
  ),
});

export type Overview = Wire<typeof overviewJson>;
export type OverviewInput = Wire<typeof overviewInput>;
