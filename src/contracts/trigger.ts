/** What asks for a cycle. */
import { z } from 'zod';
import { count, reasonInput, time, type Wire } from './shapes.ts';

const urgency = z.enum(['high', 'normal', 'low']);

export const triggerListJson = z.strictObject({
  /** Those that wait first, the most urgent of them first. */
  triggers: z.array(
    z.strictObject({
      key: z.string(),
      kind: z.enum(['threshold', 'pattern', 'human', 'meta']),
      urgency,
      detail: z.string(),
      times: count,
      firstAt: time,
      lastAt: time,
      /** The cycle that took it; null while it waits. */
      cycle: z.string().nullable(),
      takenAt: time.nullable(),
    }),
  ),
});

export type TriggerList = Wire<typeof triggerListJson>;

export const triggerRequestInput = z.strictObject({
  reason: reasonInput.min(1),
  urgency: urgency.default('high'),
});

export type TriggerRequestInput = Wire<typeof triggerRequestInput>;

export const triggerRequestJson = z.strictObject({ key: z.string(), urgency });

export type TriggerRequest = Wire<typeof triggerRequestJson>;
