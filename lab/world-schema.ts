/** What the tools are like: how long they take, how they fail, and what calls share. */
import { z } from 'zod';
import {
  conditionSchema,
  errors,
  factor,
  hourOfScenario,
  settingSchema,
  share,
  word,
  wordingSchema,
} from './schema-parts.ts';

const latencySchema = z
  .strictObject({
    median_ms: z.number().positive().max(600_000),
    sigma: z.number().min(0).max(3).describe('Spread of the log-normal distribution.'),
    family: z
      .enum(['lognormal', 'exponential', 'uniform'])
      .optional()
      .describe('exponential: from half the median on; uniform: the median ± sigma of it.'),
  })
  .describe('How long calls take: log-normal unless it says otherwise.');

const sizeSchema = z
  .strictObject({ median: z.number().positive().max(1e9), sigma: z.number().min(0).max(3) })
  .describe('Log-normal.');

const toolChangeSchema = z.strictObject({
  from_hour: hourOfScenario,
  lasts_minutes: z.int().min(1).optional().describe('Until the end where it is left out.'),
  latency_factor: factor.default(1),
  errors: errors.describe('In addition to the usual ones.'),
  ramp_hours: z.int().min(1).optional().describe('It grows to its full size over so many hours.'),
  size_factor: factor.optional().describe('Of inputs and outputs.'),
});

const busySchema = z
  .strictObject({
    above: share.describe('Share of the slots that is taken.'),
    slower: factor.describe('How many times as long a call then takes.'),
  })
  .describe('A tool that gets slower when most of its slots are taken.');

const toolSchema = z.strictObject({
  latency: latencySchema,
  slow: latencySchema
    .extend({ share: share.describe('Share of calls that are slow ones.') })
    .optional()
    .describe('A second kind of call that takes longer.'),
  kinds: z
    .array(
      latencySchema.extend({
        share: share.describe('Share of calls that are of this kind; the rest is as latency says.'),
        tasks: z.array(word).optional().describe('Only in these tasks.'),
      }),
    )
    .max(3)
    .optional()
    .describe('Further kinds of call, in place of slow.'),
  capacity: z
    .int()
    .min(1)
    .max(10_000)
    .default(10_000)
    .describe('Calls at the same time, over the whole fleet.'),
  when_busy: busySchema.optional(),
  pool: word.optional().describe('The pool of world.pools that its calls need a place in.'),
  provider: word.optional().describe('Whose service it is; telemetry may name it.'),
  limit: z
    .strictObject({ ms: z.number().positive().max(600_000), ...wordingSchema.shape })
    .optional()
    .describe('The tool’s own limit, which no file of the target changes.'),
  timed_out: wordingSchema
    .optional()
    .describe('How a call shows that the agent gave up; {limit} is its limit in ms.'),
  refused: wordingSchema.optional().describe('How a call shows that all slots are taken.'),
  requires: z
    .array(
      z.strictObject({
        from_hour: hourOfScenario.default(0),
        arguments: z.array(z.string().min(1).max(60)).max(20),
        ...wordingSchema.shape,
      }),
    )
    .max(10)
    .optional()
    .describe(
      'The arguments that the tool takes, from an hour on. A call with others, or without one of them, fails; ' +
        '{argument} is the first that is wrong.',
    ),
  input_tokens: sizeSchema.optional(),
  output_tokens: sizeSchema.optional(),
  too_long: wordingSchema
    .optional()
    .describe('How a call shows that its output was cut at max_output; {limit} is the limit.'),
  too_large: wordingSchema
    .optional()
    .describe('How a call shows that its input is over max_input; {limit} is the limit.'),
  errors,
  changes: z.array(toolChangeSchema).max(50).default([]),
});

const poolSchema = z
  .strictObject({
    capacity: settingSchema.describe('Calls at the same time; may stand in a file.'),
    when_full: z
      .enum(['refuse', 'wait'])
      .default('refuse')
      .describe('wait: calls queue, first come first served, and their waiting counts as latency.'),
    queue_max: z.int().min(0).max(100_000).optional().describe('More are refused.'),
    keeps_working: z
      .boolean()
      .default(false)
      .describe('A place stays taken until the work is done, also when the agent gave up.'),
    when_busy: busySchema.optional(),
    refused: wordingSchema.optional(),
  })
  .describe('Places that calls of several tools or agents share.');

const quotaSchema = z
  .strictObject({
    tools: z.array(word).min(1).max(40),
    agents: z.array(word).min(1).max(40).optional().describe('All where it is left out.'),
    per_minute: settingSchema.describe('Requests; may stand in a file.'),
    burst: z
      .int()
      .min(1)
      .optional()
      .describe('Requests at once; what a minute allows if left out.'),
    refused: wordingSchema.optional(),
  })
  .describe('A token bucket that refuses at once, shared by all that it names.');

const modelSchema = z.strictObject({
  latency_factor: factor.default(1),
  output_factor: factor.default(1).describe('Tokens of an answer.'),
  usd_per_1k_tokens: z.number().min(0).max(100).default(0),
  errors: errors.describe('Failures of the agent itself while it runs on this model.'),
});

const credentialSchema = z
  .strictObject({
    tools: z.array(word).min(1).max(40),
    agents: z.array(word).min(1).max(40).optional(),
    expires_hour: hourOfScenario,
    renewed_hour: hourOfScenario.optional(),
    when: z.array(conditionSchema).max(5).optional(),
    ...wordingSchema.shape,
  })
  .describe('Every call fails at once from the hour on in which it expires.');

export const worldSchema = z.strictObject({
  tools: z.record(word, toolSchema),
  pools: z.record(word, poolSchema).optional(),
  quotas: z.record(word, quotaSchema).optional(),
  models: z.record(z.string().min(1).max(100), modelSchema).optional(),
  credentials: z.array(credentialSchema).max(20).optional(),
});

export type World = z.infer<typeof worldSchema>;
export type ToolWorld = World['tools'][string];
export type Latency = z.infer<typeof latencySchema>;
