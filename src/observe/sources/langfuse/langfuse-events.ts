/**
 * Records of Langfuse become events. The API and the UI write keys as `traceId`, the blob storage as `trace_id`, CSV
 * both: keys are compared by their letters.
 */
import { durationIn } from '../../reading/durations.ts';
import { levelOf, wentWell } from '../../reading/outcomes.ts';
import { event, refused } from '../../reading/records.ts';
import { lettersOf } from '../../reading/roles.ts';
import { timeOf } from '../../reading/times.ts';
import {
  argumentsOf,
  bytesOf,
  countOf,
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  nameOf,
  numberOf,
  parsedJson,
  textOf,
} from '../../reading/values.ts';
import type { Decoded } from '../../types.ts';

/** A record by the letters of its keys. */
export type Lettered = ReadonlyMap<string, unknown>;

const KEYS_MAX = 120;

export function lettered(record: Fields): Lettered {
  const known = new Map<string, unknown>();
  for (const [key, value] of Object.entries(record).slice(0, KEYS_MAX))
    if (value !== null && value !== '') known.set(lettersOf(key), value);
  return known;
}

const OBSERVATIONS = new Set(
  'span generation event tool agent chain retriever evaluator embedding guardrail'.split(' '),
);

/** What a trace tells of all that is in it. */
interface TraceContext {
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  readonly version?: string | undefined;
}

const PARTS_MAX = 200_000;

/** A document may be a trace, an observation, a score, a session, a list of them, or a page of the API. */
export function langfuseEvents(value: unknown, context: TraceContext = {}): Decoded[] {
  const records: Decoded[] = [];
  const open: [unknown, TraceContext][] = [[value, context]];
  for (let at = 0; at < open.length && at < PARTS_MAX; at++) {
    const [one, around] = open[at]!;
    if (Array.isArray(one)) {
      for (const part of one) open.push([part, around]);
      continue;
    }
    if (!isFields(one)) {
      records.push(refused('It is no record of Langfuse.'));
      continue;
    }
    const fields = lettered(one);
    const page = one['data'];
    if (Array.isArray(page)) open.push([page, around]);
    else if (isFields(one['trace']))
      open.push([{ ...one['trace'], observations: one['observations'] ?? [] }, around]);
    else if (Array.isArray(one['traces'])) open.push([one['traces'], around]);
    else {
      const inside = { ...around, ...contextOf(fields) };
      records.push(recordEvent(fields, inside));
      if (!isTrace(fields)) continue;
      open.push([listOf(one['observations']).filter(isFields), inside]);
      open.push([listOf(one['scores']).filter(isFields), inside]);
    }
  }
  if (open.length > PARTS_MAX)
    records.push(refused('It has too many records: export fewer at once.', 'too_long'));
  return records;
}

export function recordEvent(fields: Lettered, context: TraceContext = {}): Decoded {
  const type = nameOf(fields.get('type'))?.toLowerCase();
  if (type !== undefined && OBSERVATIONS.has(type) && fields.has('starttime'))
    return observation(fields, type, context);
  if (fields.has('datatype') || (fields.has('value') && fields.has('traceid')))
    return score(fields, context);
  if (isTrace(fields)) return trace(fields, context);
  return refused('It is neither a trace, an observation nor a score.');
}

const isTrace = (fields: Lettered) =>
  fields.has('timestamp') && fields.has('id') && !fields.has('value');

function contextOf(fields: Lettered): TraceContext {
  if (!isTrace(fields)) return {};
  return {
    session: nameOf(fields.get('sessionid') ?? fields.get('id')),
    agent: nameOf(fields.get('name')),
    version: nameOf(fields.get('release') ?? fields.get('version')),
  };
}

const UNNAMED = 'langfuse';

function commonOf(fields: Lettered, atMs: number, context: TraceContext) {
  const trace = nameOf(fields.get('traceid'));
  return {
    atMs,
    session: nameOf(fields.get('sessionid')) ?? context.session ?? trace ?? UNNAMED,
    traceId: trace,
    agent: nameOf(fields.get('tracename')) ?? context.agent ?? UNNAMED,
    version: nameOf(fields.get('release')) ?? context.version ?? nameOf(fields.get('version')),
  };
}

function observation(fields: Lettered, type: string, context: TraceContext): Decoded {
  const atMs = timeOf(fields.get('starttime'));
  if (atMs === undefined) return refused('Its start has no time.', 'wrong_time');
  const common = commonOf(fields, atMs, context);
  const name = nameOf(fields.get('name')) ?? type;
  const said = textOf(fields.get('statusmessage'));
  const level = levelOf(fields.get('level')) ?? 'info';
  if (type === 'event')
    return event<'log_line'>({
      kind: 'log_line',
      ...common,
      spanId: nameOf(fields.get('id')),
      parentSpanId: nameOf(fields.get('parentobservationid')),
      logger: name,
      level,
      message: said ?? name,
    });
  const failed = level === 'error' || level === 'fatal';
  const ended = timeOf(fields.get('endtime'));
  const tookMs = ended === undefined ? undefined : durationIn(ended - atMs, 'ms');
  const shared = {
    ...common,
    spanId: nameOf(fields.get('id')) ?? 'unknown',
    parentSpanId: nameOf(fields.get('parentobservationid')),
    success: !failed,
    errorMessage: failed ? (said ?? 'The observation has the level ERROR.') : undefined,
    model: nameOf(fields.get('model') ?? fields.get('providedmodelname')),
    ...spent(fields),
  };
  if (type === 'tool')
    return event<'tool_call'>({
      kind: 'tool_call',
      ...shared,
      tool: name,
      latencyMs: tookMs,
      ...argumentsOf(inputOf(fields)),
    });
  const operation = type === 'generation' ? 'chat' : type === 'embedding' ? 'embeddings' : type;
  return event<'trace_span'>({
    kind: 'trace_span',
    ...shared,
    name,
    operation,
    durationMs: tookMs,
  });
}

/** The exports of the blob storage and CSV hold objects as texts. */
function objectOf(value: unknown): Fields | undefined {
  return fieldsOf(typeof value === 'string' ? parsedJson(value) : value);
}

const inputOf = (fields: Lettered) => {
  const input = fields.get('input');
  return objectOf(input) ?? input;
};

/** Version 2 wrote `usage`, version 3 `usageDetails`; older ones the counts as they are. */
function spent(fields: Lettered) {
  const usage = objectOf(fields.get('usagedetails')) ?? objectOf(fields.get('usage')) ?? {};
  const costs = objectOf(fields.get('costdetails')) ?? {};
  return {
    inputTokens: countOf(
      usage['input'] ??
        usage['promptTokens'] ??
        fields.get('inputusage') ??
        fields.get('prompttokens') ??
        fields.get('inputtokens'),
    ),
    outputTokens: countOf(
      usage['output'] ??
        usage['completionTokens'] ??
        fields.get('outputusage') ??
        fields.get('completiontokens') ??
        fields.get('outputtokens'),
    ),
    costUsd: countOf(
      fields.get('totalcost') ?? fields.get('calculatedtotalcost') ?? costs['total'],
    ),
    outputBytes: bytesOf(fields.get('output')),
  };
}

function trace(fields: Lettered, context: TraceContext): Decoded {
  const atMs = timeOf(fields.get('timestamp'));
  if (atMs === undefined) return refused('The trace has no time.', 'wrong_time');
  const id = nameOf(fields.get('id'))!;
  const inside = listOf(fields.get('observations')).filter(isFields);
  const failing = inside.find(
    (one) => one['level'] === 'ERROR' && one['parentObservationId'] == null,
  );
  const errors = countOf(fields.get('errorcount')) ?? 0;
  const { agent, session, version } = {
    ...commonOf(fields, atMs, context),
    session: context.session ?? id,
  };
  return event<'trace_span'>({
    kind: 'trace_span',
    atMs,
    session,
    agent,
    version,
    traceId: id,
    spanId: id,
    name: nameOf(fields.get('name')) ?? 'trace',
    operation: 'trace',
    success: failing === undefined && errors === 0,
    errorMessage: textOf(failing?.['statusMessage']),
    // Seconds, in the API and in the exports of tables.
    durationMs: durationIn(fields.get('latency'), 's'),
  });
}

/** People's and programs' verdicts: yes or no is feedback, a number is a metric. */
function score(fields: Lettered, context: TraceContext): Decoded {
  const atMs = timeOf(fields.get('timestamp') ?? fields.get('createdat'));
  if (atMs === undefined) return refused('The score has no time.', 'wrong_time');
  const common = commonOf(fields, atMs, context);
  const name = nameOf(fields.get('name')) ?? 'score';
  const value = numberOf(fields.get('value'));
  const said = fields.get('stringvalue') ?? fields.get('value');
  const isBoolean = nameOf(fields.get('datatype'))?.toUpperCase() === 'BOOLEAN';
  const verdict = isBoolean
    ? wentWell(value ?? said)
    : value === undefined
      ? wentWell(said)
      : undefined;
  if (verdict !== undefined)
    return event<'feedback'>({
      kind: 'feedback',
      ...common,
      rating: verdict ? 'thumbs_up' : 'thumbs_down',
    });
  if (value === undefined) return refused('The score is neither a number nor yes or no.');
  return event<'metric'>({ kind: 'metric', ...common, name, value });
}
