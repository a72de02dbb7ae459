/**
 * Proposes a mapping for rows that nobody described, by measuring their columns: what parses as times, what has two
 * values, what few words repeat, what counts. A column's name decides only between columns that measure alike.
 */
import type { Json } from '../../../base/index.ts';
import { delimiterOf, rowsOf } from '../../reading/csv.ts';
import { unitInKey } from '../../reading/durations.ts';
import { wentWell } from '../../reading/outcomes.ts';
import { lettersOf } from '../../reading/roles.ts';
import { linesOf, recordsOf } from '../../reading/sample-reading.ts';
import { timeOf } from '../../reading/times.ts';
import { type Fields, isFields, numberOf } from '../../reading/values.ts';
import type { Recognised, Sample } from '../../types.ts';

interface Column {
  readonly name: string;
  readonly values: readonly unknown[];
}

interface Measured extends Column {
  readonly filled: number;
  readonly times: number;
  readonly outcomes: number;
  readonly numbers: number;
  readonly distinct: number;
  readonly meanChars: number;
}

const ROWS_MIN = 3;
const COLUMNS_MAX = 100;

export function recogniseTable(sample: Sample): Recognised | undefined {
  if (sample.head.includes('\0')) return undefined;
  const records = recordsOf(sample);
  const columns = records === undefined ? csvColumns(sample) : jsonColumns(records);
  if (columns === undefined || columns.length < 2) return undefined;
  const rows = columns[0]!.values.length;
  if (rows < ROWS_MIN) return undefined;
  const proposed = propose(columns.map(measure));
  if (proposed === undefined) return undefined;
  const what = `${records === undefined ? 'CSV' : 'JSONL'} with ${columns.length} columns`;
  return { certainty: proposed.certainty, what, settings: { columns: proposed.columns } };
}

function csvColumns(sample: Sample): readonly Column[] | undefined {
  const lines = linesOf(sample);
  const found = delimiterOf(lines);
  if (found === undefined || found.share < 0.9) return undefined;
  const [header, ...rows] = rowsOf(lines, found.delimiter);
  const names = header!.map((name) => name.trim());
  // A header names its columns: no two alike, and none of them a number or a time.
  if (new Set(names).size < names.length) return undefined;
  if (
    names.some(
      (name) =>
        name === '' ||
        name.length > 100 ||
        numberOf(name) !== undefined ||
        timeOf(name) !== undefined,
    )
  )
    return undefined;
  return names
    .slice(0, COLUMNS_MAX)
    .map((name, at) => ({ name, values: rows.map((row) => row[at]?.trim()) }));
}

function jsonColumns(records: readonly Fields[]): readonly Column[] {
  const names = new Set<string>();
  const flat = records.map((record) => flattened(record));
  for (const row of flat)
    for (const name of row.keys()) if (names.size < COLUMNS_MAX) names.add(name);
  return [...names].map((name) => ({ name, values: flat.map((row) => row.get(name)) }));
}

function flattened(record: Fields): ReadonlyMap<string, unknown> {
  const flat = new Map<string, unknown>();
  const look = (fields: Fields, prefix: string, depth: number) => {
    for (const [key, value] of Object.entries(fields)) {
      if (flat.size >= COLUMNS_MAX) return;
      if (isFields(value) && depth < 3) look(value, `${prefix}${key}.`, depth + 1);
      else flat.set(`${prefix}${key}`, value);
    }
  };
  look(record, '', 0);
  return flat;
}

function measure({ name, values }: Column): Measured {
  const filled = values.filter((value) => value !== undefined && value !== null && value !== '');
  const share = (test: (value: unknown) => boolean) =>
    filled.filter(test).length / Math.max(1, filled.length);
  const texts = filled.filter((value) => typeof value !== 'object').map(String);
  return {
    name,
    values,
    filled: filled.length / Math.max(1, values.length),
    times: share(
      (value) => timeOf(value) !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(String(value)),
    ),
    outcomes: share((value) => wentWell(value) !== undefined),
    numbers: share((value) => numberOf(value) !== undefined),
    distinct: new Set(texts).size,
    meanChars: texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length),
  };
}

/** Words of names, only to choose between columns that measure alike. */
const HINTS: Readonly<Record<string, readonly string[]>> = {
  time: ['time', 'timestamp', 'ts', 'when', 'date', 'zeit', 'start', 'at'],
  tool: [
    'tool',
    'op',
    'operation',
    'action',
    'function',
    'command',
    'endpoint',
    'method',
    'werkzeug',
    'did',
    'step',
  ],
  agent: ['agent', 'service', 'app', 'who', 'component', 'dienst', 'bot', 'source', 'assistant'],
  success: ['success', 'ok', 'status', 'result', 'outcome', 'erfolg', 'passed', 'state', 'code'],
  session: ['session', 'conversation', 'thread', 'trace', 'request', 'run'],
  latency: ['latency', 'duration', 'took', 'elapsed', 'dauer', 'ms', 'seconds', 'time'],
  error: ['error', 'detail', 'message', 'reason', 'exception', 'fehler', 'msg'],
  model: ['model'],
};

/** 2 for the name itself, 1 for a name with the word in it. */
function hint(field: string, name: string): number {
  const letters = lettersOf(name);
  const words = HINTS[field]!;
  if (words.includes(letters)) return 2;
  return words.some((word) => word.length > 2 && letters.includes(word)) ? 1 : 0;
}

function propose(all: readonly Measured[]): { columns: Json; certainty: number } | undefined {
  const rows = all[0]!.values.length;
  const left = new Set(all);
  const take = (field: string, fits: (one: Measured) => number): Measured | undefined => {
    const scored = [...left]
      .map((one) => ({ one, score: fits(one) }))
      .filter(({ score }) => score > 0);
    const best = scored.sort(
      (a, b) => b.score + hint(field, b.one.name) / 4 - a.score - hint(field, a.one.name) / 4,
    )[0];
    if (best !== undefined) left.delete(best.one);
    return best?.one;
  };
  const isText = (one: Measured) => one.numbers < 0.5 && one.times < 0.5;
  const repeats = (one: Measured) =>
    isText(one) && one.distinct <= Math.max(2, rows / 2) && one.meanChars <= 40;
  const time = take('time', (one) => (one.times >= 0.9 && one.filled >= 0.9 ? one.times : 0));
  if (time === undefined) return undefined;
  const success = take('success', (one) => successFit(one));
  const model = take('model', (one) => (repeats(one) && hint('model', one.name) > 0 ? 1 : 0));
  const session = take('session', (one) =>
    hint('session', one.name) > 0 && one.filled >= 0.9 && one.distinct > 1 ? 1 : 0,
  );
  const names = [...left].filter((one) => repeats(one) && one.filled >= 0.9 && one.outcomes < 0.9);
  const tool = take('tool', (one) =>
    names.includes(one) ? 1 + hint('tool', one.name) - hint('agent', one.name) : 0,
  );
  const agent = take('agent', (one) => (names.includes(one) ? 1 + hint('agent', one.name) : 0));
  const latency = take('latency', latencyFit);
  const error = take('error', (one) =>
    isText(one) && (one.meanChars > 6 || one.filled < 0.9) ? hint('error', one.name) : 0,
  );
  if (tool === undefined || success === undefined) return metricOf(time, left, latency);
  const named = [tool, success, agent, latency].filter(
    (one, at) =>
      one !== undefined && hint(['tool', 'success', 'agent', 'latency'][at]!, one.name) > 0,
  );
  const columns: Record<string, Json> = { time: time.name };
  const add = (field: string, one: Measured | undefined, rule: Json | undefined = one?.name) => {
    if (one !== undefined && rule !== undefined) columns[field] = rule;
  };
  add('session', session);
  add('agent', agent);
  add('tool', tool);
  add('success', success);
  add('latency', latency, latency === undefined ? undefined : latencyRule(latency));
  add('error', error);
  add('model', model);
  return { columns, certainty: 0.46 + 0.04 * named.length };
}

/** Two values, or a few words that all say how it ended. */
function successFit(one: Measured): number {
  if (one.outcomes < 0.9 || one.filled < 0.9 || one.distinct < 1 || one.distinct > 12) return 0;
  // Numbers alone may count anything: only 0 and 1 or statuses of HTTP are outcomes, and their column says so.
  if (one.numbers >= 0.5 && hint('success', one.name) === 0) return 0;
  return one.distinct === 1 ? 0.5 : 1;
}

function latencyFit(one: Measured): number {
  if (one.numbers < 0.9 || one.distinct < 2 || one.times >= 0.9) return 0;
  if (one.values.some((value) => (numberOf(value) ?? 0) < 0)) return 0;
  return hint('latency', one.name) > 0 || unitInKey(one.name) !== undefined ? 1 : 0;
}

/** Its unit by its name; else by its size: fractions below 1000 are seconds, whole numbers milliseconds. */
function latencyRule({ name, values }: Measured): Json {
  const unit = unitInKey(name);
  if (unit !== undefined) return { column: name, unit };
  const numbers = values.map(numberOf).filter((value) => value !== undefined);
  const isFraction =
    numbers.some((value) => !Number.isInteger(value)) && numbers.every((value) => value < 1000);
  return { column: name, unit: isFraction ? 's' : 'ms' };
}

/** A time and one number in each row: a metric, if anybody wants it. */
function metricOf(time: Measured, left: ReadonlySet<Measured>, latency: Measured | undefined) {
  const numbers = [...left, ...(latency === undefined ? [] : [latency])].filter(
    (one) => one.numbers >= 0.9,
  );
  const value = numbers.length === 1 ? numbers[0] : undefined;
  if (value === undefined) return undefined;
  const columns = { time: time.name, metric: { value: value.name }, value: value.name };
  return { columns, certainty: 0.4 };
}
