/** Parts that every section of a scenario uses: names, paths, shares, places in files, conditions, failures. */
import { z } from 'zod';
import { unknownPlaceholder } from './messages.ts';
import { UNIT_MS, type Unit } from './places.ts';

export const word = z
  .string()
  .regex(/^[A-Za-z][\w.:/-]{0,59}$/, 'a name such as web_search or mcp__files__read');
export const line = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\n]*$/, 'one line');
export const share = z.number().min(0).max(1);
export const factor = z.number().positive().max(1000);
export const path = z
  .string()
  .max(200)
  .regex(
    /^(?!\.git(?:\/|$))(?!\.{1,2}(?:\/|$))[\w@.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w@.-]+)*$/,
    'a relative path such as agents/researcher.yaml',
  );
export const hourOfScenario = z.int().min(0).describe('Whole hours after the start.');
const expression = z
  .string()
  .min(1)
  .max(300)
  .refine(isExpression, { error: 'not a regular expression' })
  .describe('A regular expression of JavaScript with the flag m.');

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, 'm').source !== '';
  } catch {
    return false;
  }
}

const keyPath = z
  .array(z.union([z.string(), z.int().min(0)]))
  .min(1)
  .max(12)
  .describe(
    'Keys that lead to it, indices for items of lists. YAML, JSON, TOML, front matter, KEY=value.',
  );

export const placeKeys = {
  file: path,
  path: keyPath.optional(),
  match: expression
    .optional()
    .describe('In place of path, for any text: its first group is the value.'),
};
const hasOneWay = ({ path, match }: { path?: unknown; match?: unknown }) =>
  (path === undefined) !== (match === undefined);

export const placeSchema = z
  .strictObject(placeKeys)
  .describe('A place in a file. Without path and match: anywhere in it.');

const unit = z
  .enum(Object.keys(UNIT_MS) as [Unit, ...Unit[]])
  .default('ms')
  .describe('What a bare number counts, where it is a time. "30s" says it itself.');

const settingPlace = z
  .strictObject({
    ...placeKeys,
    unit,
    counts: z
      .enum(['retries', 'tries'])
      .default('retries')
      .describe('For retries: whether the number counts the first try too.'),
  })
  .refine(hasOneWay, { error: 'either path or match' });

export const settingSchema = z
  .union([z.number(), z.string(), settingPlace, z.array(settingPlace).min(1).max(10)])
  .describe(
    'Where the agent reads it; of a list the first place that exists counts (own file, then defaults). ' +
      'A bare value stands in no file.',
  );

export const conditionSchema = z
  .strictObject({
    ...placeKeys,
    file: path.optional(),
    contains: expression.optional(),
    lacks: expression.optional(),
    is: z.union([z.string(), z.number(), z.boolean()]).optional(),
    not: z.union([z.string(), z.number(), z.boolean()]).optional(),
    above: z.number().optional(),
    below: z.number().optional(),
    agents: z.array(word).optional(),
    tasks: z.array(word).optional(),
    models: z
      .array(z.string())
      .optional()
      .describe('Names of the model that the agent’s file asks for.'),
    weekdays: z.array(z.int().min(0).max(6)).optional().describe('0 is Sunday.'),
    hours: z.array(z.int().min(0).max(23)).optional().describe('Of the day, UTC.'),
  })
  .describe(
    'All that is named must hold. A file that is missing contains nothing and lacks everything.',
  );

const messages = z
  .array(
    line.refine((text) => unknownPlaceholder(text) === undefined, {
      error: 'an unknown placeholder; lab/README.md lists those there are',
    }),
  )
  .min(1)
  .max(20)
  .describe('One is drawn each time; placeholders such as {id} are filled in.');

export const wordingSchema = z
  .strictObject({ code: z.string().min(1).max(60).optional(), messages })
  .describe('How a failure shows. Without a code the event has none.');

const errorSchema = z
  .strictObject({
    code: z.string().min(1).max(60),
    rate: share.describe('Share of calls that meet it.'),
    messages,
    when: z.array(conditionSchema).max(10).optional().describe('Only where all of these hold.'),
    after_ms: z
      .number()
      .min(0)
      .max(600_000)
      .optional()
      .describe('How soon it shows; when the answer would have come where it is left out.'),
    sticky: z.boolean().optional().describe('A call that meets it meets it at every further try.'),
  })
  .describe('One kind of failure.');
export const errors = z.array(errorSchema).max(20).default([]);

export type ErrorKind = z.infer<typeof errorSchema>;
export type Condition = z.infer<typeof conditionSchema>;
export type Setting = z.infer<typeof settingSchema>;
export type Wording = z.infer<typeof wordingSchema>;
