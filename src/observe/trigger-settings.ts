/** `observe.triggers`: limits on what telemetry shows. One that is passed asks for a cycle. */
import { z } from 'zod';
import { duration } from '../config/index.ts';
import { RATE_METRICS } from '../facts/index.ts';

/** How soon somebody looks: at once, within a quarter of an hour, or with the next cycle. */
export const URGENCIES = ['high', 'normal', 'low'] as const;
export type Urgency = (typeof URGENCIES)[number];

const name = z.string().min(1).max(200);

/** What all of them have. Agent and tool narrow it down; without them it is about everything. */
const common = {
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/),
  agent: name.optional(),
  within: duration({ min: '5m', max: '14d' }),
  urgency: z.prefault(z.enum(URGENCIES), 'normal'),
};

const trigger = z.discriminatedUnion('when', [
  z.strictObject({
    ...common,
    when: z.literal('rate'),
    of: z.enum(RATE_METRICS),
    /** A share from 0 to 1. */
    above: z.number().min(0).max(1),
    /** With fewer calls or sessions it says nothing. */
    least: z.prefault(z.int().min(1).max(1e9), 20),
  }),
  z.strictObject({
    ...common,
    when: z.literal('count'),
    tool: name.optional(),
    /** Failed events. */
    above: z.int().min(0).max(1e9),
  }),
  z.strictObject({
    ...common,
    when: z.literal('percentile'),
    tool: name.optional(),
    percentile: z.number().min(1).max(99.9),
    /** A latency, such as 5s. */
    above: duration({ min: '1ms', max: '7d' }),
    least: z.prefault(z.int().min(1).max(1e9), 20),
  }),
  z.strictObject({ ...common, when: z.literal('absence'), tool: name.optional() }),
]);

export const triggersSchema = z
  .array(trigger)
  .max(100)
  .superRefine((all, context) => {
    if (new Set(all.map((one) => one.name)).size === all.length) return;
    const why = 'Two triggers have the same name.';
    context.addIssue({ code: 'custom', params: { problem: 'bad_form', why } });
  });

export type TriggerSettings = z.output<typeof trigger>;
