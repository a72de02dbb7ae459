/** Results of health checks: what an endpoint answered, kept as a file, or one line for each check. */
import { pathKey } from '../../files/file-source.ts';
import { bothForms } from '../../reading/both-forms.ts';
import { valuesOf } from '../../reading/documents.ts';
import { durationAt } from '../../reading/durations.ts';
import { wentWell } from '../../reading/outcomes.ts';
import { event, NOT_JSON, refused, sessionOfDay, stemOf } from '../../reading/records.ts';
import { documentOf, recordsOf } from '../../reading/sample-reading.ts';
import { timeOf } from '../../reading/times.ts';
import {
  type Fields,
  fieldsIn,
  firstAt,
  isFields,
  nameOf,
  numberOf,
  textOf,
} from '../../reading/values.ts';
import type { Decoded, Decoder, Recognised, Sample, SourceKind, StreamAbout } from '../../types.ts';

const keys = { path: pathKey };
const SUITE = 'health';
const CHECKS_MAX = 1000;

export const health: SourceKind<typeof keys> = {
  kind: 'health',
  about:
    'results of health checks as JSON or JSONL: a status for all, and one for each check or component',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    bothForms(
      path,
      {
        documents: {
          wanted: { extensions: ['json'] },
          decoder: healthDocuments,
          unit: 'document',
          payloadBytesMax: 1024 * 1024,
        },
        lines: { wanted: { extensions: ['jsonl', 'ndjson', 'log'] }, decoder: healthLines },
      },
      ports,
    ),
  recognise,
};

export const healthLines: Decoder<null> = {
  start: null,
  decode(line, _, about) {
    const result = fieldsIn(line);
    return {
      records: result === undefined ? [NOT_JSON] : healthEvents(result, about),
      state: null,
    };
  },
};

export const healthDocuments: Decoder<null> = {
  start: null,
  decode(payload, _, about) {
    const { values, broken } = valuesOf(payload);
    const all = values.flatMap((value) => (Array.isArray(value) ? value : [value]));
    const records = all.flatMap((one) => (isFields(one) ? healthEvents(one, about) : [NONE]));
    return {
      records: broken > 0 || all.length === 0 ? [...records, NOT_JSON] : records,
      state: null,
    };
  },
};

const NONE = refused('It is no result of a health check: it has no status.');

interface Check {
  readonly name: string;
  readonly result: Fields;
}

/** The single checks; where there are none, the whole is one. */
function healthEvents(result: Fields, about: StreamAbout): Decoded[] {
  const atMs =
    timeOf(firstAt(result, 'timestamp', 'time', 'checked_at', 'checkedAt', 'ts', 'date')) ??
    about.modifiedMs;
  if (atMs === null) return [refused('The result has no time, nor has its file.', 'wrong_time')];
  const checks = checksOf(result);
  const own = checks.length > 0 ? checks : [{ name: nameIn(result) ?? stemOf(about.name), result }];
  const common = {
    session: sessionOfDay(stemOf(about.name), atMs),
    version: nameOf(firstAt(result, 'version', 'releaseId')),
  };
  const events = own.flatMap(({ name, result: one }) =>
    checkEvents(name, one, { ...common, atMs }),
  );
  return events.length === 0 ? [NONE] : events;
}

const nameIn = (result: Fields) =>
  nameOf(
    firstAt(result, 'check', 'name', 'service', 'component', 'target', 'url', 'endpoint', 'probe'),
  );

/** An object by name, a list, or (health+json) a list under each name. */
function checksOf(result: Fields): readonly Check[] {
  const given = firstAt(
    result,
    'checks',
    'components',
    'services',
    'dependencies',
    'results',
    'details',
    'info',
  );
  const named: Check[] = [];
  const add = (name: string | undefined, value: unknown) => {
    if (named.length >= CHECKS_MAX || name === undefined) return;
    if (isFields(value) && statusOf(value) !== undefined) named.push({ name, result: value });
    else if (wentWell(value) !== undefined) named.push({ name, result: { status: value } });
  };
  if (Array.isArray(given))
    for (const one of given) add(isFields(one) ? nameIn(one) : undefined, one);
  else if (isFields(given))
    for (const [name, value] of Object.entries(given)) {
      if (Array.isArray(value)) for (const one of value) add(nameOf(name), one);
      else add(nameOf(name), value);
    }
  return named;
}

const statusOf = (result: Fields) =>
  firstAt(result, 'status', 'state', 'healthy', 'ok', 'success', 'up', 'result', 'passed');

/** A check that warns did pass; one that is out of service or starting is not judged. */
function checkStatus(value: unknown): 'passed' | 'failed' | 'skipped' | undefined {
  if (typeof value === 'string' && /^(?:warn|degraded)/i.test(value)) return 'passed';
  if (
    typeof value === 'string' &&
    /^(?:unknown|starting|out_of_service|maintenance|disabled|skipped)/i.test(value)
  )
    return 'skipped';
  const well = wentWell(value);
  return well === undefined ? undefined : well ? 'passed' : 'failed';
}

function checkEvents(
  name: string,
  result: Fields,
  common: { atMs: number; session: string; version: string | undefined },
): Decoded[] {
  const status = checkStatus(statusOf(result));
  if (status === undefined) return [];
  const atMs = timeOf(firstAt(result, 'time', 'timestamp')) ?? common.atMs;
  const test = event<'test_result'>({
    kind: 'test_result',
    ...common,
    atMs,
    suite: SUITE,
    test: name,
    status,
    durationMs: tookMs(result),
    errorMessage:
      status === 'failed'
        ? textOf(firstAt(result, 'error', 'output', 'message', 'reason', 'details.error', 'detail'))
        : undefined,
  });
  const value = numberOf(result['observedValue']);
  if (value === undefined) return [test];
  const unit = nameOf(result['observedUnit'])?.slice(0, 40);
  return [test, event<'metric'>({ kind: 'metric', ...common, atMs, name, value, unit })];
}

function tookMs(result: Fields): number | undefined {
  for (const key of [
    'duration_ms',
    'latency_ms',
    'response_time_ms',
    'elapsed_ms',
    'responseTimeMs',
    'durationMs',
    'latencyMs',
    'duration',
    'latency',
    'responseTime',
    'response_time',
    'elapsed',
  ])
    if (result[key] !== undefined) return durationAt(key, result[key]);
  return undefined;
}

function recognise(sample: Sample): Recognised | undefined {
  const lines = recordsOf(sample);
  if (lines !== undefined && lines.length > 1) {
    const checks = lines.filter(
      (one) => one['check'] !== undefined || one['probe'] !== undefined || checksOf(one).length > 0,
    );
    if (
      checks.length < 0.9 * lines.length ||
      !checks.every((one) => checkStatus(statusOf(one)) !== undefined)
    )
      return undefined;
    return { certainty: 0.85, what: 'Results of health checks' };
  }
  const value = documentOf(sample);
  const result = Array.isArray(value) ? value.find(isFields) : value;
  if (!isFields(result) || checkStatus(statusOf(result)) === undefined) return undefined;
  if (checksOf(result).length > 0) return { certainty: 0.88, what: 'Result of health checks' };
  return /health/i.test(sample.path.slice(-120))
    ? { certainty: 0.7, what: 'Result of a health check' }
    : undefined;
}
