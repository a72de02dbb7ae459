/**
 * How places fared before a window and in it, for the question when a failure began and what changed with it. Hours
 * before the window, minutes in it: a record of two weeks is a few hundred numbers for each place.
 */
import type { FailingEvent, PlaceBin, Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { type AgentSessions, isOfSession, type SessionBins } from './agent-sessions.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS, type Stretch, wholeUnits } from './units.ts';

/** Longer than any season that is looked for: two weeks have every weekday twice. */
const RECORD_MS = 14 * DAY_MS;

interface Count {
  calls: number;
  failed: number;
  timed: number;
  timedMs: number;
}

type Counts = Map<number, Count>;

/** Whose history is asked for. */
interface Asked {
  readonly type: FailingEvent;
  readonly agent: string;
  readonly tool: string;
  /** The series of the failure itself. */
  readonly series: readonly number[];
}

export class Histories {
  readonly #failed: Failed;
  readonly #places: ReadonlyMap<string, Counts>;
  readonly #tools: ReadonlyMap<string, Counts>;
  /** Of every agent, where tasks fail or people correct. */
  readonly #sessions: readonly ReadonlyMap<string, SessionBins>[];

  private constructor(
    failed: Failed,
    counted: ReturnType<typeof countsBy>,
    sessions: readonly ReadonlyMap<string, SessionBins>[],
  ) {
    this.#failed = failed;
    this.#places = counted.places;
    this.#tools = counted.tools;
    this.#sessions = sessions;
  }

  static async read(
    store: Store,
    { window, sessions }: { readonly window: Window; readonly sessions: AgentSessions },
  ): Promise<Histories> {
    const middleMs = floorTo(HOUR_MS, window.fromMs);
    const fromMs = Math.min(middleMs, floorTo(HOUR_MS, window.toMs - RECORD_MS));
    const { toMs } = wholeUnits(MINUTE_MS, window);
    const stretches = [
      { unitMs: HOUR_MS, fromMs, toMs: middleMs },
      { unitMs: MINUTE_MS, fromMs: middleMs, toMs },
    ];
    const rows = (await Promise.all(stretches.map((stretch) => placeRows(store, stretch)))).flat();
    const hasTasks = rows.some(({ type }) => isOfSession(type));
    const [before, within] = stretches;
    return new Histories(
      await failedCells(store, stretches),
      countsBy(rows),
      hasTasks ? [await sessions.byHour(before!), await sessions.byMinute(within!)] : [],
    );
  }

  of({ type, agent, tool, series }: Asked): PlaceBin[] {
    const bad = this.#failures(series);
    const own = isOfSession(type)
      ? this.#sessionsOf(agent)
      : this.#places.get(key(type, agent, tool));
    const everybody = type === 'tool_call' && tool !== '' ? this.#tools.get(tool) : undefined;
    const times = new Set([...bad.keys(), ...(own?.keys() ?? []), ...(everybody?.keys() ?? [])]);
    return [...times]
      .sort((a, b) => a - b)
      .map((atMs) => {
        const failures = bad.get(atMs) ?? 0;
        const { calls, failed, timed, timedMs } = own?.get(atMs) ?? NONE;
        const all = everybody?.get(atMs);
        return {
          atMs,
          bad: failures,
          all: Math.max(calls, failures),
          timed,
          timedMs,
          toolCalls: all?.calls ?? calls,
          othersCalls: (all?.calls ?? calls) - calls,
          othersFailed: (all?.failed ?? failed) - failed,
          othersTimed: (all?.timed ?? timed) - timed,
          othersTimedMs: (all?.timedMs ?? timedMs) - timedMs,
        };
      });
  }

  /** Whether each of them failed is not counted here. */
  #sessionsOf(agent: string): Counts {
    return new Map(
      this.#sessions.flatMap((agents) =>
        Array.from(agents.get(agent) ?? [], ([atMs, calls]) => [atMs, { ...NONE, calls }] as const),
      ),
    );
  }

  #failures(series: readonly number[]): Map<number, number> {
    const counts = new Map<number, number>();
    for (const number of series)
      for (const [atMs, events] of this.#failed.get(number) ?? [])
        counts.set(atMs, (counts.get(atMs) ?? 0) + events);
    return counts;
  }
}

/** By series, and within it by bin. Read once: a look for each failure would read every count of the record again. */
type Failed = ReadonlyMap<number, readonly (readonly [atMs: number, events: number])[]>;

async function failedCells(store: Store, stretches: readonly Stretch[]): Promise<Failed> {
  const failed = new Map<number, (readonly [number, number])[]>();
  for (const { unitMs, fromMs, toMs } of stretches) {
    const rows = await store.all(
      `SELECT r.series, r.at_ms, r.events
       FROM observe_rollups r JOIN observe_series s ON s.id = r.series
       WHERE r.unit_ms = ${unitMs} AND r.at_ms >= ? AND r.at_ms < ? AND s.ok = 0`,
      [fromMs, toMs],
    );
    for (const row of rows) {
      const series = row['series'] as number;
      const cell = [row['at_ms'] as number, row['events'] as number] as const;
      const known = failed.get(series);
      if (known === undefined) failed.set(series, [cell]);
      else known.push(cell);
    }
  }
  return failed;
}

const NONE: Readonly<Count> = { calls: 0, failed: 0, timed: 0, timedMs: 0 };

interface PlaceRow extends Count {
  readonly type: FailingEvent;
  readonly agent: string;
  readonly tool: string;
  readonly atMs: number;
}

async function placeRows(store: Store, { unitMs, fromMs, toMs }: Stretch): Promise<PlaceRow[]> {
  const rows = await store.all(
    `SELECT s.type, s.agent, s.tool, r.at_ms, CAST(SUM(r.events) AS BIGINT) AS calls,
       CAST(SUM(CASE WHEN s.ok = 0 THEN r.events ELSE 0 END) AS BIGINT) AS failed,
       CAST(SUM(CASE WHEN s.ok = 1 THEN r.measured ELSE 0 END) AS BIGINT) AS timed,
       SUM(CASE WHEN s.ok = 1 THEN r.measure_sum ELSE 0 END) AS timed_ms
     FROM observe_rollups r JOIN observe_series s ON s.id = r.series
     WHERE r.unit_ms = ${unitMs} AND r.at_ms >= ? AND r.at_ms < ? AND s.ok IS NOT NULL
     GROUP BY s.type, s.agent, s.tool, r.at_ms`,
    [fromMs, toMs],
  );
  return rows.map((row) => ({
    type: row['type'] as FailingEvent,
    agent: row['agent'] as string,
    tool: row['tool'] as string,
    atMs: row['at_ms'] as number,
    calls: row['calls'] as number,
    failed: row['failed'] as number,
    timed: row['timed'] as number,
    timedMs: Number(row['timed_ms'] ?? 0),
  }));
}

/** By place; by tool for calls, whoever made them. */
function countsBy(rows: readonly PlaceRow[]) {
  const places = new Map<string, Counts>();
  const tools = new Map<string, Counts>();
  for (const row of rows) {
    add(places, key(row.type, row.agent, row.tool), row);
    if (row.type !== 'tool_call') continue;
    add(tools, row.tool, row);
  }
  return { places, tools };
}

function add(all: Map<string, Counts>, name: string, row: PlaceRow): void {
  let counts = all.get(name);
  if (counts === undefined) {
    counts = new Map();
    all.set(name, counts);
  }
  const one = counts.get(row.atMs) ?? { ...NONE };
  one.calls += row.calls;
  one.failed += row.failed;
  one.timed += row.timed;
  one.timedMs += row.timedMs;
  counts.set(row.atMs, one);
}

function key(type: string, agent: string, tool: string): string {
  return `${type}\n${agent}\n${tool}`;
}
