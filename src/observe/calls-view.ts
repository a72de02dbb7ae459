/** Calls of every agent and tool, by minute and by hour, for whoever watches changes. */
import type { CallHour, CallHours, RateBin, Window } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { ANONYMOUS_SOURCE } from './anonymous.ts';
import { KeptHours } from './kept-hours.ts';
import { OTHER } from './series.ts';
import { HOUR_MS, MINUTE_MS, wholeUnits } from './units.ts';

export interface ToolCalls {
  readonly agent: string;
  readonly tool: string;
  readonly bins: RateBin[];
}

export class Calls {
  readonly #minutes: KeptHours;
  readonly #hours: KeptHours;
  /** Of each hour of minutes that was read, by place: a watch asks for all of them every few minutes. */
  readonly #byPlace = new WeakMap<readonly Row[], ReadonlyMap<string, ToolCalls>>();
  readonly #ofHours = new WeakMap<readonly Row[], readonly PlaceHour[]>();

  constructor(store: Store) {
    this.#minutes = new KeptHours(store, ({ fromMs, toMs }) =>
      store.all(
        `SELECT s.agent, s.tool, r.at_ms, CAST(SUM(r.events) AS BIGINT) AS calls,
           CAST(SUM(CASE WHEN s.ok = 0 THEN r.events ELSE 0 END) AS BIGINT) AS failed
         FROM observe_rollups r JOIN observe_series s ON s.id = r.series
         WHERE r.unit_ms = ${MINUTE_MS} AND r.at_ms >= ? AND r.at_ms < ? AND s.type = 'tool_call'
           AND s.source <> ?
         GROUP BY s.agent, s.tool, r.at_ms ORDER BY s.agent, s.tool, r.at_ms`,
        [fromMs, toMs, ANONYMOUS_SOURCE],
      ),
    );
    this.#hours = new KeptHours(store, ({ fromMs, toMs }) =>
      store.all(
        `SELECT s.agent, s.tool, r.at_ms,
           CASE WHEN s.source = ? THEN 0 ELSE 1 END AS known,
           CAST(SUM(r.events) AS BIGINT) AS calls,
           CAST(SUM(CASE WHEN s.ok = 0 THEN r.events ELSE 0 END) AS BIGINT) AS failed,
           CAST(SUM(r.measured) AS BIGINT) AS timed, SUM(r.measure_sum) AS latency_sum,
           CAST(SUM(CASE WHEN s.ok = 1 THEN r.measured ELSE 0 END) AS BIGINT) AS timed_well,
           SUM(CASE WHEN s.ok = 1 THEN r.measure_sum END) AS latency_well,
           SUM(p.input_tokens) AS input_tokens, SUM(p.output_tokens) AS output_tokens,
           SUM(p.cost_usd) AS cost_usd
         FROM observe_rollups r JOIN observe_series s ON s.id = r.series
         LEFT JOIN observe_spent p ON p.unit_ms = r.unit_ms AND p.at_ms = r.at_ms AND p.series = r.series
         WHERE r.unit_ms = ${HOUR_MS} AND r.at_ms >= ? AND r.at_ms < ? AND s.type = 'tool_call'
           AND s.agent <> '${OTHER}' AND s.tool <> '${OTHER}'
         GROUP BY s.agent, s.tool, 4, r.at_ms ORDER BY s.agent, s.tool, r.at_ms`,
        [ANONYMOUS_SOURCE, fromMs, toMs],
      ),
    );
  }

  /** By the minute, edges moved outwards, without what nobody known sent. */
  async byTool(window: Window): Promise<ToolCalls[]> {
    const { fromMs, toMs } = wholeUnits(MINUTE_MS, window);
    const isIn = ({ atMs }: RateBin) => atMs >= fromMs && atMs < toMs;
    const places = new Map<string, ToolCalls>();
    for (const rows of await this.#minutes.hours(window)) {
      for (const [key, { agent, tool, bins }] of this.#ofHour(rows)) {
        const isWhole = bins.length > 0 && isIn(bins[0]!) && isIn(bins.at(-1)!);
        const own = isWhole ? bins : bins.filter(isIn);
        if (own.length === 0) continue;
        const place = places.get(key) ?? { agent, tool, bins: [] };
        for (const bin of own) place.bins.push(bin);
        places.set(key, place);
      }
    }
    return [...places.values()];
  }

  #ofHour(rows: readonly Row[]): ReadonlyMap<string, ToolCalls> {
    const known = this.#byPlace.get(rows);
    if (known !== undefined) return known;
    const places = new Map<string, ToolCalls>();
    for (const { agent, tool, own } of grouped(rows)) {
      const bins = own.map((row) => ({
        atMs: row['at_ms'] as number,
        bad: row['failed'] as number,
        all: row['calls'] as number,
      }));
      places.set(`${agent}\n${tool}`, { agent, tool, bins });
    }
    this.#byPlace.set(rows, places);
    return places;
  }

  /**
   * By the hour, whole hours, edges moved outwards. Where known senders sent anything, what nobody known sent is left
   * out: strangers must be able neither to hide harm nor to make a past.
   */
  async byHour(window: Window): Promise<CallHours[]> {
    const hours = (await this.#hours.hours(window)).map((rows) => this.#placesOf(rows));
    const isKnown = hours.some((places) => places.some((place) => place.isKnown));
    const places = new Map<string, { agent: string; tool: string; hours: CallHour[] }>();
    for (const ofHour of hours) {
      for (const place of ofHour) {
        if (place.isKnown !== isKnown) continue;
        const { agent, tool } = place;
        let own = places.get(place.key);
        if (own === undefined) {
          own = { agent, tool, hours: [] };
          places.set(place.key, own);
        }
        own.hours.push(place.hour);
      }
    }
    return [...places.values()];
  }

  /** Made once: whoever asks again gets the same objects, and need not compare them. */
  #placesOf(rows: readonly Row[]): readonly PlaceHour[] {
    let places = this.#ofHours.get(rows);
    if (places === undefined) {
      places = rows.map(placeHour);
      this.#ofHours.set(rows, places);
    }
    return places;
  }
}

/** An hour of an agent's calls of a tool. */
interface PlaceHour {
  readonly key: string;
  readonly agent: string;
  readonly tool: string;
  readonly isKnown: boolean;
  readonly hour: CallHour;
}

function placeHour(row: Row): PlaceHour {
  const [agent, tool] = [row['agent'] as string, row['tool'] as string];
  const hour = {
    atMs: row['at_ms'] as number,
    calls: row['calls'] as number,
    failed: row['failed'] as number,
    timed: row['timed'] as number,
    latencySumMs: Number(row['latency_sum'] ?? 0),
    timedWell: row['timed_well'] as number,
    latencyWellMs: Number(row['latency_well'] ?? 0),
    tokens: Number(row['input_tokens'] ?? 0) + Number(row['output_tokens'] ?? 0),
    costUsd: Number(row['cost_usd'] ?? 0),
  };
  return { key: `${agent}\n${tool}`, agent, tool, isKnown: row['known'] === 1, hour };
}

function grouped(rows: readonly Row[]): { agent: string; tool: string; own: Row[] }[] {
  const places = Map.groupBy(rows, (row) => `${row['agent']}\n${row['tool']}`);
  return Array.from(places.values(), (own) => ({
    agent: own[0]!['agent'] as string,
    tool: own[0]!['tool'] as string,
    own,
  }));
}
