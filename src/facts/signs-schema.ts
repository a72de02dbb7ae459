import { z } from 'zod';
import { DIRECTIONS } from './signs.ts';

const direction = z.enum(DIRECTIONS);
const tries = z.number().min(0).max(1_000_000);

/** Each of them once the change has settled, against the time before it. */
export const signsSchema = z.strictObject({
  /** The share of calls that fail. */
  failures: direction,
  /** What a call that succeeds takes. */
  latency: direction,
  /** A call takes at most so many times as long, where that follows from the change; below 1, it is waited for so much shorter. */
  latencyTimes: z.number().positive().optional(),
  /** What a call writes or sends, and with it its tokens and its cost, grows to at most so many times as much. */
  sizeTimes: z.number().min(1).optional(),
  /** Calls for each thing that is asked, and with them load and cost. */
  calls: direction,
  /** How often something is tried, where the change moves that: until the tool has recovered, fewer tries lose more. */
  tries: z.strictObject({ before: tries, after: tries }).optional(),
});
