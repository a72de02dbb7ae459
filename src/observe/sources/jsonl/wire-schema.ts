/** The wire format of Hone's JSONL: names and bounds. Other programs use it too, so it must not change. */
import { z } from 'zod';
import {
  CORRECTION_TYPES,
  ESCALATION_REASONS,
  RATINGS,
  TEST_STATUSES,
} from '../../../facts/index.ts';

const name = z.string().min(1).max(200);
const text = z.string().max(16_384);
const latency = z.number().min(0).max(1e9);
const count = z.int().min(0).max(1e6);

const common = {
  timestamp: z.iso.datetime({ offset: true }),
  session_id: name,
  /** Which of two versions served it, stamped by a target that routes a share to a candidate. */
  variant: name.optional(),
  trace_id: name.optional(),
};

/** Strict: an unknown key may hold text that nobody sanitises. */
export const jsonlEventSchema = z.discriminatedUnion('event_type', [
  z.strictObject({
    ...common,
    event_type: z.literal('tool_call'),
    agent: name,
    tool: name,
    success: z.boolean(),
    error_code: name.optional(),
    error_message: text.optional(),
    latency_ms: latency,
    task_name: name.optional(),
  }),
  z.strictObject({
    ...common,
    event_type: z.literal('user_correction'),
    agent: name,
    correction_type: z.enum(CORRECTION_TYPES),
  }),
  z.strictObject({
    ...common,
    event_type: z.literal('task_failure'),
    agent: name.optional(),
    task_name: name,
    error_category: name,
    retry_count: count,
    final_status: name,
  }),
  z.strictObject({
    ...common,
    event_type: z.literal('feedback'),
    agent: name,
    rating: z.enum(RATINGS),
  }),
  z.strictObject({
    ...common,
    event_type: z.literal('escalation'),
    agent: name,
    reason_category: z.enum(ESCALATION_REASONS),
  }),
  z.strictObject({
    ...common,
    event_type: z.literal('metric'),
    agent: name.optional(),
    name,
    value: z.number(),
    unit: z.string().max(40).optional(),
  }),
  z.strictObject({
    ...common,
    event_type: z.literal('test_result'),
    suite: name.optional(),
    test: name,
    status: z.enum(TEST_STATUSES),
    duration_ms: latency.optional(),
    error_message: text.optional(),
  }),
  z.strictObject({
    ...common,
    event_type: z.literal('trace_span'),
    agent: name.optional(),
    span_id: name,
    parent_span_id: name.optional(),
    name,
    success: z.boolean(),
    duration_ms: latency,
    error_message: text.optional(),
  }),
]);

export type JsonlEvent = z.infer<typeof jsonlEventSchema>;
