/**
 * Rates by minute, read in increments: a watch asks for the same window every few minutes, and a little more each
 * time. What was read is kept by the hour, under the number of events that were counted in that hour. Counts only
 * grow, so an hour with the same number is the same hour, and is not read again.
 */
import type { RateBin, RateMetric, Window } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { ANONYMOUS_SESSIONS, ANONYMOUS_SOURCE } from './anonymous.ts';
import { eventsByHour } from './kept-hours.ts';
import { floorTo, HOUR_MS, MINUTE_MS, wholeUnits } from './units.ts';

/** Each has at most a week of minutes; one for each agent that is watched at once. */
const KEPT_MAX = 48;
const HOURS_MAX = 24 * 15;

/** One minute, with what the metrics of one read need. */
interface Minute {
  readonly atMs: number;
  readonly all: number;
  readonly bad: Partial<Record<RateMetric, number>>;
  readonly begun: number | undefined;
}

interface Hour {
  /** How many events, of all kinds, it had when it was read. */
  readonly events: number;
  /** Made once: whoever asks again gets the same objects, and need not compare them. */
  readonly bins: Partial<Record<RateMetric, readonly RateBin[]>>;
}

type Hours = Map<number, Hour>;

/** Metrics that come from the same rows are read together. */
type Kind = 'calls' | 'sessions';

export class Rates {
  readonly #store: Store;
  readonly #kept = new Map<string, Hours>();
  /** Reads in progress: whoever asks in the meantime gets the same. */
  readonly #asked = new Map<string, Promise<Hours>>();
  readonly #counting = new Map<string, Promise<ReadonlyMap<number, number>>>();

  constructor(store: Store) {
    this.#store = store;
  }

  async read(metric: RateMetric, window: Window, scope: RateScope): Promise<RateBin[]> {
    const { fromMs, toMs } = wholeUnits(MINUTE_MS, window);
    const kind = metric === 'error_rate' ? 'calls' : 'sessions';
    const known = scope.known === true && (await this.#hasAnonymous());
    const { agent, tool } = scope;
    const asked = { kind, agent, tool, known, window: wholeUnits(HOUR_MS, window) } as const;
    const hours = await this.#hours(asked);
    const bins: RateBin[] = [];
    for (let hourMs = floorTo(HOUR_MS, fromMs); hourMs < toMs; hourMs += HOUR_MS) {
      const hour = hours.get(hourMs);
      if (hour === undefined) continue;
      const isWhole = hourMs >= fromMs && hourMs + HOUR_MS <= toMs;
      for (const bin of hour.bins[metric]!)
        if (isWhole || (bin.atMs >= fromMs && bin.atMs < toMs)) bins.push(bin);
    }
    return bins;
  }

  #hours(asked: Asked): Promise<Hours> {
    const { kind, agent, tool, known, window } = asked;
    const key = JSON.stringify([kind, agent ?? null, tool ?? null, known]);
    const whole = `${key} ${window.fromMs} ${window.toMs}`;
    return together(this.#asked, whole, () => this.#refresh(key, asked));
  }

  async #refresh(key: string, asked: Asked): Promise<Hours> {
    const { fromMs, toMs } = asked.window;
    const kept = this.#kept.get(key) ?? new Map();
    // Read before the minutes: what comes in between is read again next time.
    const events = await together(this.#counting, `${fromMs} ${toMs}`, () =>
      eventsByHour(this.#store, asked.window),
    );
    const changed = [...events].filter(([hour, count]) => kept.get(hour)?.events !== count);
    const hours: Hours = new Map(
      [...kept].filter(([hour]) => hour < fromMs || hour >= toMs || events.has(hour)),
    );
    if (changed.length > 0) {
      const first = Math.min(...changed.map(([hour]) => hour));
      const last = Math.max(...changed.map(([hour]) => hour));
      const window = { fromMs: first, toMs: last + HOUR_MS };
      const minutes = Map.groupBy(await this.#minutes({ ...asked, window }), ({ atMs }) =>
        floorTo(HOUR_MS, atMs),
      );
      for (const [hour, count] of events) {
        if (hour < first || hour > last) continue;
        hours.set(hour, { events: count, bins: binsBy(METRICS[asked.kind], minutes.get(hour)) });
      }
    }
    const ofWindow = () => [...hours].filter(([hour]) => hour >= fromMs && hour < toMs);
    this.#keep(key, hours.size > HOURS_MAX ? new Map(ofWindow()) : hours);
    return hours;
  }

  #keep(key: string, hours: Hours): void {
    this.#kept.delete(key);
    if (hours.size > HOURS_MAX) return;
    this.#kept.set(key, hours);
    if (this.#kept.size <= KEPT_MAX) return;
    const [oldest] = this.#kept.keys();
    this.#kept.delete(oldest!);
  }

  /** Without any, what is known is everything, and is not read twice. */
  async #hasAnonymous(): Promise<boolean> {
    const rows = await this.#store.all('SELECT 1 AS one FROM observe_sources WHERE source = ?', [
      ANONYMOUS_SOURCE,
    ]);
    return rows.length > 0;
  }

  async #minutes({ kind, agent, tool, known, window }: Asked): Promise<Minute[]> {
    const values = [
      window.fromMs,
      window.toMs,
      ...(agent === undefined ? [] : [agent]),
      ...(tool === undefined ? [] : [tool]),
      ...(known ? [ANONYMOUS[kind]] : []),
    ];
    const ofAgent = agent === undefined ? '' : 'AND agent = ?';
    const ofTool = tool === undefined ? '' : 'AND s.tool = ?';
    const ofKnown = known ? KNOWN[kind] : '';
    const rows = await this.#store.all(SQL[kind](`${ofAgent} ${ofTool} ${ofKnown}`), values);
    return rows.map((row) => ({
      atMs: row['minute_ms'] as number,
      all: row['total'] as number,
      bad: BAD_OF[kind](row),
      begun: row['begun'] as number | undefined,
    }));
  }
}

function binsBy(metrics: readonly RateMetric[], minutes: readonly Minute[] = []): Hour['bins'] {
  const binsOf = (metric: RateMetric) =>
    minutes.map(({ atMs, all, bad, begun }) => ({
      ...{ atMs, bad: bad[metric]!, all },
      ...(begun === undefined ? {} : { begun }),
    }));
  return Object.fromEntries(metrics.map((metric) => [metric, binsOf(metric)]));
}

/** Callers during a read share its result; later callers get what came since. */
function together<T>(
  underWay: Map<string, Promise<T>>,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  const asked = underWay.get(key);
  if (asked !== undefined) return asked;
  const reading = read().finally(() => underWay.delete(key));
  underWay.set(key, reading);
  return reading;
}

/** Of which telemetry rates are read. */
export interface RateScope {
  readonly agent?: string;
  /** Of `error_rate` only: a session has no tool. */
  readonly tool?: string;
  /** Leaves out what nobody known sent. */
  readonly known?: boolean;
}

interface Asked {
  readonly kind: Kind;
  readonly agent: string | undefined;
  readonly tool: string | undefined;
  readonly known: boolean;
  /** Of whole hours. */
  readonly window: Window;
}

const KNOWN: Readonly<Record<Kind, string>> = {
  calls: 'AND s.source <> ?',
  sessions: 'AND session NOT LIKE ?',
};
const ANONYMOUS: Readonly<Record<Kind, string>> = {
  calls: ANONYMOUS_SOURCE,
  sessions: ANONYMOUS_SESSIONS,
};

const SQL: Readonly<Record<Kind, (filter: string) => string>> = {
  calls: (filter) => `SELECT r.at_ms AS minute_ms, CAST(SUM(r.events) AS BIGINT) AS total,
      CAST(SUM(CASE WHEN s.ok = 0 THEN r.events ELSE 0 END) AS BIGINT) AS bad
    FROM observe_rollups r JOIN observe_series s ON s.id = r.series
    WHERE r.unit_ms = ${MINUTE_MS} AND r.at_ms >= ? AND r.at_ms < ? AND s.type = 'tool_call' ${filter}
    GROUP BY r.at_ms ORDER BY r.at_ms`,
  sessions: (filter) => `SELECT minute_ms, COUNT(DISTINCT session) AS total,
      COUNT(DISTINCT CASE WHEN failed = 1 THEN session END) AS failed,
      COUNT(DISTINCT CASE WHEN corrected = 1 THEN session END) AS corrected,
      COUNT(DISTINCT CASE WHEN minute_ms = first_ms THEN session END) AS begun
    FROM (SELECT minute_ms, session, failed, corrected,
        MIN(minute_ms) OVER (PARTITION BY session, minute_ms / ${HOUR_MS}) AS first_ms
      FROM observe_activity WHERE minute_ms >= ? AND minute_ms < ? ${filter}) AS active
    GROUP BY minute_ms ORDER BY minute_ms`,
};

const METRICS: Readonly<Record<Kind, readonly RateMetric[]>> = {
  calls: ['error_rate'],
  sessions: ['task_failure_rate', 'correction_rate'],
};

const BAD_OF: Readonly<Record<Kind, (row: Row) => Minute['bad']>> = {
  calls: (row) => ({ error_rate: row['bad'] as number }),
  sessions: (row) => ({
    task_failure_rate: row['failed'] as number,
    correction_rate: row['corrected'] as number,
  }),
};
