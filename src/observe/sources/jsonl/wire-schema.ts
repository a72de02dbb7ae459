/** The wire format of Hone's JSONL: names and bounds. Other programs use it too, so it must not change. */
import { z } from 'zod';
import {
  CHANGE_TYPES,
  CORRECTION_TYPES,
  ESCALATION_REASONS,
  LINE_LEVELS,
  NAMES_MAX,
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
  span_id: name.optional(),
  parent_span_id: name.optional(),
  version: name.optional(),
  model: name.optional(),
  provider: name.optional(),
};

const spent = {
  attempt: z.int().min(1).max(1e6).optional(),
  input_bytes: z.int().min(0).max(1e12).optional(),
  output_bytes: z.int().min(0).max(1e12).optional(),
  input_tokens: z.int().min(0).max(1e12).optional(),
  output_tokens: z.int().min(0).max(1e12).optional(),
  cost_usd: z.number().min(0).max(1e9).optional(),
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
    latency_ms: latency.optional(),
    task_name: name.optional(),
    argument_names: z.array(name).max(NAMES_MAX).optional(),
    /** Those that the tool takes, by the definition that the agent was given. */
    parameter_names: z.array(name).max(NAMES_MAX).optional(),
    ...spent,
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
    error_message: text.optional(),
    retry_count: count.optional(),
    final_status: name.optional(),
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
    /** Whether values add up: each is what came since the one before. */
    is_sum: z.boolean().optional(),
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
    name,
    operation: name.optional(),
    task_name: name.optional(),
    success: z.boolean(),
    duration_ms: latency.optional(),
    error_code: name.optional(),
    error_message: text.optional(),
    ...spent,
  }),
  z.strictObject({
    ...common,
    event_type: z.literal('log_line'),
    agent: name.optional(),
    logger: name.optional(),
    level: z.enum(LINE_LEVELS),
    message: text,
  }),
  z.strictObject({
    ...common,
    event_type: z.literal('change'),
    agent: name.optional(),
    change: z.enum(CHANGE_TYPES),
    name,
    title: text.optional(),
    paths: z.array(name).max(NAMES_MAX).optional(),
  }),
]);

export type JsonlEvent = z.infer<typeof jsonlEventSchema>;
