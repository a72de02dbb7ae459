import { z } from 'zod';
import { CAUSE_LAYERS, FAILURE_KINDS, REACH_KINDS } from './pattern.ts';
import { SEVERITIES } from './proposal.ts';

const name = z.string().max(400);
const count = z.int().min(0);
const share = z.number().min(0).max(1);

const latencySchema = z.strictObject({
  count,
  minMs: z.number(),
  maxMs: z.number(),
  buckets: z.array(z.strictObject({ uptoMs: z.number(), count })).max(2000),
});

/** Who a value applies to, by where it stands in its file. */
export const reachSchema = z.strictObject({
  kind: z.enum(REACH_KINDS),
  /** Tools, or agents; for `all` those of the file that are known to inherit it. */
  names: z.array(z.string().max(1000)).max(100),
  /** The one agent whose value it is; null where it is everybody's. */
  within: z.string().max(1000).nullable(),
});

/** A value in a file of the target, by file and line. */
const settingSchema = z.strictObject({
  file: name,
  /** From 1. */
  line: z.int().min(1),
  /** The keys that lead to it, such as `tools`, `web_search`, `timeout_ms`. */
  path: z.array(name).min(1).max(50),
  value: z.number(),
  /** The commit it was read from. */
  commit: z.string(),
  reach: reachSchema,
});

export const patternSchema = z.strictObject({
  id: z.string(),
  /** One line a person understands. */
  title: z.string().max(200),
  kind: z.enum(FAILURE_KINDS),
  template: z.string().max(16_384),
  agent: name,
  tool: name,
  errorCode: name,
  occurrences: count,
  calls: count,
  sessions: count,
  firstAtMs: count,
  lastAtMs: count,
  /** occurrences × impact ÷ noise. */
  score: z.number(),
  impact: z.number(),
  noise: z.number(),
  severity: z.enum(SEVERITIES),
  layer: z.enum(CAUSE_LAYERS),
  /** How sure the layer is. */
  confidence: share,
  /** Why this layer: plain sentences, the strongest first. */
  reasons: z.array(z.string().max(1000)).max(20),
  /** `event:<id>` each; every one leads back to an event. */
  evidence: z.array(z.string()).max(100),
  /** The value that causes it, where one was found. */
  setting: settingSchema.nullable(),
  failedLatency: latencySchema.nullable(),
  succeededLatency: latencySchema.nullable(),
});
