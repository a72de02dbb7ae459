/** How Hone has done over a time: what people answered, what became of it, how sure it was. */
import { z } from 'zod';
import { count, time, type Wire } from './shapes.ts';

export const trackRecordInput = z.strictObject({
  days: z.coerce.number().int().min(1).max(365).default(90),
});

export const trackRecordJson = z.strictObject({
  from: time,
  to: time,
  measures: z.array(
    z.strictObject({
      id: z.enum(['H2', 'H3', 'H7']),
      state: z.enum(['ok', 'warning', 'error', 'unknown']),
      text: z.string(),
    }),
  ),
  /** How much people are asked. */
  decisions: z.strictObject({
    approved: count,
    rejected: count,
    /** Answered by Hone itself, at a tier that an operator switched on. */
    byHone: count,
    /** Half of the people's answers came within this time; null without any. */
    medianMs: z.number().nullable(),
    waiting: count,
    /** Since when the one that waits longest has waited. */
    longestSince: time.nullable(),
  }),
  /** Causes that were acted on: how sure they were by their clues, and how many turned out right. */
  confidence: z.array(
    z.strictObject({
      from: z.number(),
      to: z.number(),
      count,
      said: z.number().nullable(),
      right: count,
    }),
  ),
});

export type TrackRecord = Wire<typeof trackRecordJson>;
export type TrackRecordInput = Wire<typeof trackRecordInput>;
