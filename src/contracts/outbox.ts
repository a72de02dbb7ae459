/** Effects on the outside. */
import { z } from 'zod';
import { EFFECT_STATES } from '../facts/index.ts';
import { count, limitInput, nextPage, time, type Wire } from './shapes.ts';

const effectJson = z.strictObject({
  key: z.string(),
  destination: z.string(),
  step: z.string(),
  state: z.enum(EFFECT_STATES),
  attempts: count,
  dueAt: time,
  changedAt: time,
  error: z.string().nullable(),
});

export const outboxListJson = z.strictObject({
  counts: z.partialRecord(z.enum(EFFECT_STATES), count),
  effects: z.array(effectJson),
  next: nextPage,
});

export const outboxShowJson = z.strictObject({ effect: effectJson, payload: z.unknown() });

export const outboxSettleJson = z.strictObject({ key: z.string(), outcome: z.string() });

export const outboxListInput = z.strictObject({
  state: z.enum(EFFECT_STATES).optional(),
  /** Only those that are older than the one with this key. */
  before: z.string().min(1).max(500).optional(),
  limit: limitInput,
});
export const outboxSettleInput = z.strictObject({
  outcome: z.enum(['delivered', 'retry', 'dropped']),
});

export type OutboxList = Wire<typeof outboxListJson>;
export type ShownEffect = Wire<typeof outboxShowJson>;
export type SettledEffect = Wire<typeof outboxSettleJson>;
export type OutboxListInput = Wire<typeof outboxListInput>;
export type OutboxSettleInput = Wire<typeof outboxSettleInput>;
