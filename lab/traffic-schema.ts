/** Who does what how often, what their files say, what people do then, and what telemetry tells. */
import { z } from 'zod';
import { CORRECTION_TYPES } from '../src/facts/index.ts';
import {
  conditionSchema,
  errors,
  factor,
  hourOfScenario,
  path,
  settingSchema,
  share,
  word,
  wordingSchema,
} from './schema-parts.ts';

const taskSchema = z.strictObject({
  name: word,
  weight: z.number().positive().max(1000).default(1),
  calls: z
    .array(word)
    .min(1)
    .max(20)
    .describe('Tools, called one after the other; each is needed.'),
  errors: z
    .array(errors.unwrap().element)
    .max(10)
    .optional()
    .describe('The task fails at its end although every call worked.'),
  loop: z
    .strictObject({
      tool: word,
      share: share.describe('Of the sessions of this task.'),
      when: z.array(conditionSchema).max(5).optional(),
      ...wordingSchema.shape,
    })
    .optional()
    .describe(
      'The agent calls this tool again and again, until max_steps of its settings ends it.',
    ),
});

const peopleSchema = z
  .strictObject({
    correct_failures: share.default(0.2),
    correct_answers: share.default(0.01),
    escalate_failures: share.default(0.03),
    rate: share.default(0.05),
    unhappy: share.default(0.06).describe('Share of thumbs down among ratings of good answers.'),
    ask_again: share
      .default(0)
      .describe('Share of failed tasks that are asked for once more soon.'),
    corrections: z
      .array(
        z.strictObject({
          type: z.enum(CORRECTION_TYPES),
          rate: share,
          when: z.array(conditionSchema).max(5).optional(),
          tasks: z.array(word).optional(),
        }),
      )
      .max(10)
      .optional()
      .describe('Good answers that are corrected, where all conditions hold.'),
  })
  .describe('What users do after a task.');

const toolSettingsSchema = z.strictObject({
  timeout: settingSchema.optional().describe('How long it waits; ten minutes if left out.'),
  retries: settingSchema.optional().describe('0 if left out.'),
  pause: settingSchema
    .optional()
    .describe('Before a further try, times its number; 250 ms if left out.'),
  concurrency: settingSchema
    .optional()
    .describe('Calls of this agent at once; more wait for their turn.'),
  rate: settingSchema
    .optional()
    .describe('Calls a minute that this agent allows itself; more wait.'),
  max_output: settingSchema
    .optional()
    .describe('Tokens; an answer that needs more is cut and fails.'),
  max_input: settingSchema.optional().describe('Tokens; a request with more fails.'),
  arguments: settingSchema
    .optional()
    .describe('Names: a list, or a text with commas between them.'),
  calls: settingSchema
    .optional()
    .describe('The tool’s name as the file has it: another name is an unknown tool.'),
});

const settingsSchema = z
  .strictObject({
    tools: z.record(word, toolSettingsSchema).default({}),
    others: toolSettingsSchema.optional().describe('For tools, and settings, that are not named.'),
    model: settingSchema.optional(),
    allowed: settingSchema.optional().describe('The tools it may call: a list. All if left out.'),
    max_steps: settingSchema.optional().describe('Calls of one session; 50 if left out.'),
  })
  .describe('Version 2: where this agent reads what, in whichever files.');

const agentSchema = z.strictObject({
  agent: word,
  file: path
    .optional()
    .describe('The target file that this agent reads its settings from, in the form of version 1.'),
  settings: settingsSchema.optional(),
  tasks_per_hour: z.number().positive().max(3000).describe('On average over a working day.'),
  pace: factor.default(1).describe('How long it thinks between two calls, times the usual.'),
  tasks: z.array(taskSchema).min(1).max(20),
  noise: errors.describe('Failures of the agent itself, before the call reaches the tool.'),
  people: peopleSchema.prefault({}),
});

export const trafficSchema = z.strictObject({
  hours: z
    .array(z.number().min(0.01).max(1000))
    .length(24)
    .describe('Weight of each hour of the day, UTC. Only their proportions count.'),
  weekend: z.number().min(0.01).max(10).default(1).describe('Factor on Saturday and Sunday.'),
  weekdays: z
    .array(z.number().min(0.01).max(100))
    .length(7)
    .optional()
    .describe('Factor of each day of the week, Sunday first.'),
  changes: z
    .array(
      z.strictObject({
        from_hour: hourOfScenario,
        lasts_hours: z.int().min(1).optional().describe('Until the end where it is left out.'),
        factor,
        agents: z.array(word).optional().describe('All where it is left out.'),
      }),
    )
    .max(50)
    .default([]),
  agents: z.array(agentSchema).min(1).max(60),
});

export const telemetrySchema = z
  .strictObject({
    attempts: z.boolean().default(false).describe('Calls say which try they are.'),
    tokens: z.boolean().default(false),
    cost: z.boolean().default(false),
    models: z.boolean().default(false),
    providers: z.boolean().default(false),
    arguments: z
      .boolean()
      .default(false)
      .describe('Names of arguments, as called and as the tool defines them.'),
    tasks: z.boolean().default(true).describe('Calls name their task.'),
    duplicates: share.default(0).describe('Share of events that are written twice.'),
    late_minutes: z.int().min(0).max(1440).default(0).describe('So long after they happened.'),
    gaps: z
      .array(
        z.strictObject({
          from_hour: hourOfScenario,
          lasts_minutes: z.int().min(1),
          agents: z.array(word).optional(),
        }),
      )
      .max(20)
      .default([])
      .describe('Nothing of this time is ever written.'),
  })
  .describe('What agents write down beside who called what, how long it took and how it failed.');

type Traffic = z.infer<typeof trafficSchema>;
export type AgentTraffic = Traffic['agents'][number];
export type ToolSettingsPlaces = z.infer<typeof toolSettingsSchema>;
