/** Results of evaluations: by OpenAI's interface, and in the logs of `openai/evals`. */
import { event, stemOf } from '../../reading/records.ts';
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  nameOf,
  textOf,
  valueAt,
} from '../../reading/values.ts';
import type { Decoded } from '../../types.ts';
import { type Around, NO_TIME, timeIn } from './openai-common.ts';

/** A row of an evaluation that OpenAI ran. */
export function evalItem(record: Fields, around: Around): Decoded {
  const atMs = timeIn(around, record['created_at']);
  if (atMs === undefined) return NO_TIME;
  const failed = listOf(record['results'])
    .filter(isFields)
    .filter((one) => one['passed'] === false);
  const status = nameOf(record['status']);
  const isPassed = status === 'pass' || status === 'passed';
  return event<'test_result'>({
    kind: 'test_result',
    atMs,
    session: nameOf(record['run_id']) ?? 'evaluation',
    model: nameOf(valueAt(record, 'sample.model')),
    suite: nameOf(record['eval_id']),
    test: nameOf(record['datasource_item_id']) ?? nameOf(record['id']) ?? 'item',
    status: isPassed ? 'passed' : 'failed',
    errorMessage: isPassed
      ? undefined
      : (textOf(valueAt(record, 'sample.error.message')) ??
        `Not passed: ${failed.map((one) => String(one['name'])).join(', ')}`),
  });
}

/** The name under which `openai/evals` runs; undefined for any other line. */
export function suiteIn(record: unknown): string | undefined {
  return nameOf(valueAt(record, 'spec.eval_name') ?? valueAt(record, 'spec.base_eval'));
}

/** A line of the log of `openai/evals`: most of them are steps of a sample and no result. */
export function evalsLine(record: Fields, around: Around): Decoded[] {
  if (isFields(record['spec'])) return [];
  const atMs = timeIn(around, record['created_at']);
  const session = nameOf(record['run_id']) ?? stemOf(around.about.name);
  const report =
    fieldsOf(record['final_report']) ??
    (record['type'] === 'metrics' ? fieldsOf(record['data']) : undefined);
  if (report !== undefined)
    return Object.entries(report)
      .slice(0, 50)
      .flatMap(([name, value]) => {
        const number = typeof value === 'number' ? value : undefined;
        if (number === undefined || atMs === undefined) return [];
        return [
          event<'metric'>({
            kind: 'metric',
            atMs,
            session,
            name: nameOf(name) ?? 'metric',
            value: number,
          }),
        ];
      });
  const correct = valueAt(record, 'data.correct');
  const isError = record['type'] === 'error';
  if (typeof correct !== 'boolean' && !isError) return [];
  if (atMs === undefined) return [NO_TIME];
  const passed = correct === true;
  const message = isError
    ? textOf(valueAt(record, 'data.message') ?? valueAt(record, 'data.error'))
    : 'The answer is not the expected one.';
  return [
    event<'test_result'>({
      kind: 'test_result',
      atMs,
      session,
      suite: around.suite,
      test: nameOf(record['sample_id']) ?? 'sample',
      status: passed ? 'passed' : 'failed',
      errorMessage: passed ? undefined : message,
    }),
  ];
}
