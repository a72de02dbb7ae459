/** What should come of a scenario: one expectation, or a list of which each must hold. */
import { z } from 'zod';
import { hourOfScenario, path, placeKeys, placeSchema, share, word } from './schema-parts.ts';

const direction = z.enum(['up', 'down']);
const places = z.array(placeSchema).max(40).optional();
const tries = z
  .array(
    z.strictObject({
      ...placeKeys,
      hurts: direction
        .optional()
        .describe('The direction in which a change here hurts; one in the other may stay.'),
    }),
  )
  .max(40)
  .optional();
const onset = {
  onset_hour: hourOfScenario
    .default(0)
    .describe('When the fault begins. Hours to improvement run from here.'),
};

const settingExpected = z
  .strictObject({
    ...placeKeys,
    direction: direction.optional().describe('Against what the file says without Hone.'),
    becomes: z.union([z.string(), z.number()]).optional().describe('Exactly this value.'),
    at_least: z.number().optional().describe('As a bare number, or in ms where it has a unit.'),
    at_most: z.number().optional(),
  })
  .refine(({ path, match }) => (path === undefined) !== (match === undefined), {
    error: 'either path or match',
  });

const textExpected = z.strictObject({
  file: path,
  contains: z.string().min(1).max(300).optional().describe('A regular expression.'),
  lacks: z.string().min(1).max(300).optional().describe('A regular expression.'),
});

const rateExpected = z.strictObject({
  of: z
    .enum(['calls', 'tasks', 'corrections'])
    .default('calls')
    .describe('Calls that failed, tasks that failed, or corrections for each task.'),
  agent: word.optional(),
  tool: word.optional(),
  task: word.optional(),
  code: z.string().optional(),
  below: share,
  to_hour: hourOfScenario.optional().describe('Until then; to the end if left out.'),
});

const fixedSchema = z
  .strictObject({
    outcome: z.literal('fixed'),
    file: path.optional(),
    path: z.array(z.string()).min(1).max(10).optional().describe('Keys that lead to the number.'),
    direction: direction.optional(),
    agent: word.optional(),
    tool: word.optional(),
    error_rate_below: share.optional().describe('Of this agent’s calls of this tool.'),
    within_hours: z.int().min(1).describe('After the start, waiting for people included.'),
    settings: z.array(settingExpected).max(20).optional(),
    one_suffices: z.boolean().default(false).describe('One of the settings and texts is enough.'),
    texts: z.array(textExpected).max(20).optional(),
    rates: z.array(rateExpected).max(20).optional().describe('From the fix on.'),
    places: places.describe('Right places beside those of settings and texts.'),
    ...onset,
  })
  .describe('What had to change did, and the failures went away.');

const tolerated = {
  may_try: tries.describe('A change here is no mistake, if it is gone at the end.'),
};

const expectationSchema = z.discriminatedUnion('outcome', [
  fixedSchema,
  z
    .strictObject({ outcome: z.literal('untouched'), ...tolerated })
    .describe('No file of the target changes.'),
  z
    .strictObject({
      outcome: z.literal('taken_back'),
      places: tries.describe('Where the harmful change would be; everywhere if left out.'),
    })
    .describe('A change may be deployed; at the end the files are the first ones again.'),
  z
    .strictObject({
      outcome: z.literal('told'),
      agent: word.optional(),
      tool: word.optional(),
      about: z
        .string()
        .max(300)
        .optional()
        .describe('A regular expression that what is told matches.'),
      within_hours: z.int().min(1).optional().describe('After the onset.'),
      ...onset,
      ...tolerated,
    })
    .describe('Only a person can cure it: somebody is told, and no file changes.'),
]);

export const expectSchema = z.union([expectationSchema, z.array(expectationSchema).min(1).max(10)]);

export type Expectation = z.infer<typeof expectationSchema>;
export type TriedPlace = NonNullable<z.infer<typeof tries>>[number];
export type FixExpected = z.infer<typeof fixedSchema>;
export type Outcome = Expectation['outcome'];
export type RateExpected = z.infer<typeof rateExpected>;
