/** What was counted, as units of work by minute, metrics by hour, and sums by any dimension. */
import {
  type BreakdownBy,
  type BreakdownRow,
  type EventKind,
  layerOf,
  type MetricHours,
  type SpentSums,
  type Unit,
  type UnitHours,
  type UnitMinute,
  type Window,
} from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { SUM } from './event-facts.ts';
import { Latencies } from './latency-view.ts';
import { OTHER } from './series.ts';
import type { TemplateBook } from './template-book.ts';
import { coveringSql, coveringValues, HOUR_MS, MINUTE_MS, wholeUnits } from './units.ts';

/** Whose units are asked for. Whoever watches one agent does not read a fleet. */
export interface UnitScope {
  readonly event?: EventKind;
  readonly agent?: string;
  readonly tool?: string;
}

const SPENT = [
  ...['retries', 'input_tokens', 'output_tokens', 'input_bytes', 'output_bytes', 'cost_usd'],
] as const;
const SPENT_SUMS = SPENT.map((column) => `SUM(p.${column}) AS ${column}`).join(', ');

export async function readUnits(store: Store, window: Window, scope: UnitScope): Promise<Unit[]> {
  const { fromMs, toMs } = wholeUnits(MINUTE_MS, window);
  const wanted = Object.entries({ type: scope.event, agent: scope.agent, tool: scope.tool }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const rows = await store.all(
    `SELECT s.type, s.agent, s.tool, s.task, s.ok, r.at_ms, CAST(SUM(r.events) AS BIGINT) AS events,
       CAST(SUM(r.measured) AS BIGINT) AS timed, SUM(r.measure_sum) AS latency_sum,
       MIN(r.measure_min) AS latency_min, MAX(r.measure_max) AS latency_max, ${SPENT_SUMS}
     FROM observe_rollups r
     JOIN observe_series s ON s.id = r.series
     LEFT JOIN observe_spent p ON p.unit_ms = r.unit_ms AND p.at_ms = r.at_ms AND p.series = r.series
     WHERE r.unit_ms = ${MINUTE_MS} AND r.at_ms >= ? AND r.at_ms < ?
       AND s.type NOT IN ('aside', 'metric') ${wanted.map(([column]) => `AND s.${column} = ?`).join(' ')}
     GROUP BY s.type, s.agent, s.tool, s.task, s.ok, r.at_ms
     ORDER BY s.type, s.agent, s.tool, s.task, r.at_ms, s.ok`,
    [fromMs, toMs, ...wanted.map(([, value]) => value)],
  );
  const units = new Map<string, Unit & { readonly minutes: UnitMinute[] }>();
  for (const row of rows) {
    const { type, agent, tool, task } = row as Record<string, string>;
    const key = JSON.stringify([type, agent, tool, task]);
    let unit = units.get(key);
    if (unit === undefined) {
      unit = { event: type as EventKind, agent: agent!, tool: tool!, task: task!, minutes: [] };
      units.set(key, unit);
    }
    unit.minutes.push(minuteOf(row));
  }
  return [...units.values()];
}

function minuteOf(row: Row): UnitMinute {
  const ok = row['ok'] as number | null;
  return {
    atMs: row['at_ms'] as number,
    ok: ok === null ? null : ok === 1,
    events: row['events'] as number,
    timed: row['timed'] as number,
    latencySumMs: (row['latency_sum'] as number | null) ?? 0,
    latencyMinMs: row['latency_min'] as number | null,
    latencyMaxMs: row['latency_max'] as number | null,
    ...spentOf(row),
  };
}

function spentOf(row: Row): SpentSums {
  const sum = (column: (typeof SPENT)[number]) => Number(row[column] ?? 0);
  return {
    retries: sum('retries'),
    inputTokens: sum('input_tokens'),
    outputTokens: sum('output_tokens'),
    inputBytes: sum('input_bytes'),
    outputBytes: sum('output_bytes'),
    costUsd: sum('cost_usd'),
  };
}

/** Names that were folded into one say nothing together. */
const ONE_NAME = `s.agent <> '${OTHER}' AND s.tool <> '${OTHER}'`;

export async function readUnitHours(store: Store, window: Window): Promise<UnitHours[]> {
  const { fromMs, toMs } = wholeUnits(HOUR_MS, window);
  const rows = await store.all(
    `SELECT s.type, s.agent, s.tool, r.at_ms, CAST(SUM(r.events) AS BIGINT) AS events,
       CAST(SUM(CASE WHEN s.ok = 1 THEN r.measured ELSE 0 END) AS BIGINT) AS timed,
       SUM(CASE WHEN s.ok = 1 THEN r.measure_sum END) AS latency_sum,
       SUM(p.input_tokens) AS input_tokens, SUM(p.output_tokens) AS output_tokens,
       SUM(p.cost_usd) AS cost_usd
     FROM observe_rollups r
     JOIN observe_series s ON s.id = r.series
     LEFT JOIN observe_spent p ON p.unit_ms = r.unit_ms AND p.at_ms = r.at_ms AND p.series = r.series
     WHERE r.unit_ms = ${HOUR_MS} AND r.at_ms >= ? AND r.at_ms < ?
       AND s.type IN ('tool_call', 'trace_span') AND ${ONE_NAME}
     GROUP BY s.type, s.agent, s.tool, r.at_ms ORDER BY s.type, s.agent, s.tool, r.at_ms`,
    [fromMs, toMs],
  );
  const units = Map.groupBy(rows, ({ type, agent, tool }) => JSON.stringify([type, agent, tool]));
  return Array.from(units.values(), (own) => ({
    event: own[0]!['type'] as UnitHours['event'],
    agent: own[0]!['agent'] as string,
    tool: own[0]!['tool'] as string,
    hours: own.map((row) => ({
      atMs: row['at_ms'] as number,
      events: row['events'] as number,
      timed: row['timed'] as number,
      latencySumMs: Number(row['latency_sum'] ?? 0),
      tokens: Number(row['input_tokens'] ?? 0) + Number(row['output_tokens'] ?? 0),
      costUsd: Number(row['cost_usd'] ?? 0),
    })),
  }));
}

export async function readMetrics(store: Store, window: Window): Promise<MetricHours[]> {
  const { fromMs, toMs } = wholeUnits(HOUR_MS, window);
  const rows = await store.all(
    `SELECT s.agent, s.tool, s.error_code, r.at_ms, CAST(SUM(r.measured) AS BIGINT) AS counted,
       SUM(r.measure_sum) AS total, MIN(r.measure_min) AS least, MAX(r.measure_max) AS most
     FROM observe_rollups r JOIN observe_series s ON s.id = r.series
     WHERE r.unit_ms = ${HOUR_MS} AND r.at_ms >= ? AND r.at_ms < ? AND s.type = 'metric'
       AND ${ONE_NAME}
     GROUP BY s.agent, s.tool, s.error_code, r.at_ms ORDER BY s.agent, s.tool, s.error_code, r.at_ms`,
    [fromMs, toMs],
  );
  const metrics = Map.groupBy(rows, ({ agent, tool, error_code: code }) =>
    JSON.stringify([agent, tool, code]),
  );
  return Array.from(metrics.values(), (own) => ({
    agent: own[0]!['agent'] as string,
    name: own[0]!['tool'] as string,
    isSum: own[0]!['error_code'] === SUM,
    hours: own.map((row) => ({
      atMs: row['at_ms'] as number,
      values: row['counted'] as number,
      sum: row['total'] as number,
      min: row['least'] as number,
      max: row['most'] as number,
    })),
  }));
}

const EVENTS = coveringSql('series, events');
const SPENDING = coveringSql(`series, ${SPENT.join(', ')}`, 'observe_spent');

/** Most events first. Metrics and records that were set aside are not counted. */
export async function readBreakdown(
  store: Store,
  book: TemplateBook,
  { window, by }: { readonly window: Window; readonly by: BreakdownBy },
): Promise<BreakdownRow[]> {
  const covering = coveringValues(window);
  const rows = await store.all(
    `SELECT s.id, s.type, s.agent, s.tool, s.task, s.template, s.variant, s.model, s.version, s.provider,
       s.error_code, s.source, s.ok, c.events, ${SPENT.map((column) => `p.${column}`).join(', ')}
     FROM (SELECT series, CAST(SUM(events) AS BIGINT) AS events FROM (${EVENTS}) AS e GROUP BY series) AS c
     JOIN observe_series s ON s.id = c.series
     LEFT JOIN (SELECT series, ${SPENT.map((column) => `SUM(${column}) AS ${column}`).join(', ')}
                FROM (${SPENDING}) AS q GROUP BY series) AS p ON p.series = c.series
     WHERE s.type NOT IN ('aside', 'metric') ORDER BY s.id`,
    [...covering, ...covering],
  );
  const nameOf = by === 'template' ? await templateNames(rows, book) : NAMES[by];
  const latencies = await Latencies.read(store, window);
  return Array.from(Map.groupBy(rows, nameOf), ([name, own]) => ({
    name,
    ...sumsOf(own),
    latency: latencies.of(own.map((row) => row['id'] as number)),
  })).sort((a, b) => b.events - a.events || (a.name < b.name ? -1 : 1));
}

type NameOf = (row: Row) => string;

const NAMES: Readonly<Record<Exclude<BreakdownBy, 'template'>, NameOf>> = {
  agent: (row) => row['agent'] as string,
  tool: (row) => row['tool'] as string,
  task: (row) => row['task'] as string,
  variant: (row) => row['variant'] as string,
  model: (row) => row['model'] as string,
  version: (row) => row['version'] as string,
  provider: (row) => row['provider'] as string,
  errorCode: (row) => row['error_code'] as string,
  source: (row) => row['source'] as string,
  event: (row) => row['type'] as string,
  layer: (row) => layerOf(row['type'] as EventKind),
};

/** What the templates say today; a forgotten one keeps its id. */
async function templateNames(rows: readonly Row[], book: TemplateBook): Promise<NameOf> {
  const texts = new Map<string, ReadonlyMap<string, string>>();
  for (const [source, own] of Map.groupBy(rows, (row) => row['source'] as string))
    texts.set(
      source,
      await book.texts(source, new Set(own.map((row) => row['template'] as string))),
    );
  return (row) => {
    const template = row['template'] as string;
    if (template === '' || template === OTHER) return template;
    return texts.get(row['source'] as string)!.get(template) ?? template;
  };
}

function sumsOf(rows: readonly Row[]): Omit<BreakdownRow, 'name' | 'latency'> {
  let [events, failed, judged] = [0, 0, 0];
  const spent: { -readonly [F in keyof SpentSums]: number } = spentOf({});
  for (const row of rows) {
    const own = row['events'] as number;
    events += own;
    if (row['ok'] === 0) failed += own;
    if (row['ok'] !== null) judged += own;
    const more = spentOf(row);
    for (const field in more) spent[field as keyof SpentSums] += more[field as keyof SpentSums];
  }
  return { events, failed, judged, ...spent };
}
