/**
 * The mapping of a table in `hone.yaml`: which column is which field of an event. Small on purpose: a field is a
 * column, a column read in a way, or a constant. Nothing is computed.
 *
 *   columns:
 *     time: { column: ts, unit: ms }            # a date in any form, or a count since 1970
 *     agent: { value: shop }                    # the same in every row
 *     tool: request.op                          # a column, or a path in JSON
 *     success: { column: status, is: [ok, 200] }
 *     latency: { column: took, unit: s }
 */
import { z } from 'zod';
import { EVENT_FIELDS, type EventKind } from '../../../facts/index.ts';
import { DURATION_UNITS } from '../../reading/durations.ts';

/** As people write it: field of an event, by its name in the mapping. */
const FIELDS = {
  time: 'atMs',
  session: 'session',
  agent: 'agent',
  tool: 'tool',
  success: 'success',
  latency: 'latencyMs',
  error: 'errorMessage',
  errorCode: 'errorCode',
  errorCategory: 'errorCategory',
  task: 'task',
  test: 'test',
  suite: 'suite',
  status: 'status',
  duration: 'durationMs',
  metric: 'name',
  value: 'value',
  unit: 'unit',
  level: 'level',
  message: 'message',
  logger: 'logger',
  rating: 'rating',
  traceId: 'traceId',
  spanId: 'spanId',
  parentSpanId: 'parentSpanId',
  version: 'version',
  model: 'model',
  provider: 'provider',
  variant: 'variant',
  attempt: 'attempt',
  inputTokens: 'inputTokens',
  outputTokens: 'outputTokens',
  inputBytes: 'inputBytes',
  outputBytes: 'outputBytes',
  cost: 'costUsd',
  retries: 'retries',
} as const;
export type MappedField = keyof typeof FIELDS;
const MAPPED_FIELDS = Object.keys(FIELDS) as MappedField[];

/** What rows can become, by the field that says so; the first one that is mapped decides. */
const DECIDED_BY: readonly (readonly [MappedField, RowKind])[] = [
  ['tool', 'tool_call'],
  ['test', 'test_result'],
  ['metric', 'metric'],
  ['rating', 'feedback'],
  ['errorCategory', 'task_failure'],
  ['message', 'log_line'],
];
const ROW_KINDS = [
  'tool_call',
  'test_result',
  'metric',
  'feedback',
  'task_failure',
  'log_line',
] as const satisfies readonly EventKind[];
export type RowKind = (typeof ROW_KINDS)[number];
const NEEDED: Readonly<Record<RowKind, readonly MappedField[]>> = {
  tool_call: ['tool', 'success'],
  test_result: ['test', 'status'],
  metric: ['metric', 'value'],
  feedback: ['rating'],
  task_failure: ['task', 'errorCategory'],
  log_line: ['message'],
};
/** Without which a row is no event. */
export const neededFields = (kind: RowKind) => NEEDED[kind];

/** Fields whose values are words of ours: each may list the table's words for them. */
export const WORDS = {
  success: ['is', 'not'],
  level: ['debug', 'info', 'warning', 'error', 'fatal'],
  status: ['passed', 'failed', 'skipped', 'flaky'],
  rating: ['thumbs_up', 'thumbs_down'],
} as const;
type WordField = keyof typeof WORDS;
/** Values whose unit the column may not tell. */
const TIMED: readonly string[] = ['time', 'latency', 'duration'];

const column = z.string().min(1).max(200);
const constant = z.union([z.string().min(1).max(200), z.number(), z.boolean()]);
const values = z
  .array(z.union([z.string().max(200), z.number(), z.boolean()]))
  .min(1)
  .max(50);
const lists = Object.fromEntries(
  [...new Set(Object.values(WORDS).flat())].map((word) => [word, values.optional()]),
) as Record<(typeof WORDS)[WordField][number], z.ZodOptional<typeof values>>;

const read = z.strictObject({
  column: column.optional(),
  value: constant.optional(),
  unit: z.enum(DURATION_UNITS).optional(),
  ...lists,
});
export type ColumnRule = z.output<typeof read>;

const fields = Object.fromEntries(
  MAPPED_FIELDS.map((name) => [name, z.union([column, read]).optional()]),
) as Record<MappedField, z.ZodOptional<z.ZodUnion<[typeof column, typeof read]>>>;

export const columnsKey = z.strictObject(fields).superRefine((given, context) => {
  const refuse = (why: string, path: string[]) =>
    context.addIssue({ code: 'custom', path, params: { problem: 'bad_form', why } });
  for (const [name, rule] of Object.entries(given)) {
    const why = typeof rule === 'object' ? ruleProblem(name, rule) : undefined;
    if (why !== undefined) refuse(why, [name]);
  }
  const kind = rowKindOf(given);
  if (kind === undefined) {
    const named = DECIDED_BY.map(([field]) => field).join(', ');
    return refuse(`One of these says what a row is: ${named}.`, []);
  }
  if (given.time === undefined) refuse('A row needs a time: name its column.', []);
  for (const field of NEEDED[kind])
    if (given[field] === undefined) refuse(`A row with ${namedBy(kind)} needs ${field} too.`, []);
  for (const name of Object.keys(given) as MappedField[])
    if (given[name] !== undefined && !Object.hasOwn(EVENT_FIELDS[kind], FIELDS[name]))
      refuse(`A row with ${namedBy(kind)} has no ${name}.`, [name]);
});
export type Columns = z.output<typeof columnsKey>;

function ruleProblem(name: string, rule: ColumnRule): string | undefined {
  if ((rule.column === undefined) === (rule.value === undefined))
    return 'Name either a column or a value.';
  const words: readonly string[] = Object.hasOwn(WORDS, name) ? WORDS[name as WordField] : [];
  const lists = Object.keys(rule).filter((key) => !['column', 'value', 'unit'].includes(key));
  const foreign = lists.find((key) => !words.includes(key));
  if (foreign !== undefined) return `${name} has no list called ${foreign}.`;
  if (rule.unit !== undefined && !TIMED.includes(name)) return `${name} has no unit.`;
  if (name === 'time' && (rule.unit === 'm' || rule.unit === 'h'))
    return 'A time counts in s, ms, us or ns.';
  return undefined;
}

const namedBy = (kind: RowKind) => DECIDED_BY.find(([, one]) => one === kind)![0];

/** What a row becomes; undefined if nothing says it. */
export function rowKindOf(columns: { readonly [F in MappedField]?: unknown }): RowKind | undefined {
  return DECIDED_BY.find(([field]) => columns[field] !== undefined)?.[1];
}

export const fieldOf = (name: MappedField) => FIELDS[name];
