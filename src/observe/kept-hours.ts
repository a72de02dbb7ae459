/**
 * What was read of each hour, kept under the number of events that were counted in that hour. Counts only grow, so an
 * hour with the same number is the same hour, and is not read again: whoever asks for the same weeks every hour reads one
 * hour.
 */
import type { Window } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { floorTo, HOUR_MS, wholeUnits } from './units.ts';

/** A baseline of two weeks, a probation of two weeks, and some room. */
const HOURS_MAX = 24 * 45;

interface Hour {
  /** How many events, of all kinds, it had when it was read. */
  readonly events: number;
  readonly rows: readonly Row[];
}

export class KeptHours {
  readonly #store: Store;
  /** Rows of a window of whole hours, each with its `at_ms`. */
  readonly #read: (window: Window) => Promise<readonly Row[]>;
  #kept: ReadonlyMap<number, Hour> = new Map();
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(store: Store, read: (window: Window) => Promise<readonly Row[]>) {
    this.#store = store;
    this.#read = read;
  }

  /** The rows of every hour that the window touches, hours ascending. One read at a time. */
  rows(window: Window): Promise<Row[]> {
    const asked = this.#underWay.then(() => this.#refreshed(wholeUnits(HOUR_MS, window)));
    this.#underWay = asked.catch(() => {});
    return asked;
  }

  async #refreshed({ fromMs, toMs }: Window): Promise<Row[]> {
    // Counted before the rows are read: what comes in between is read again next time.
    const events = await this.#eventsByHour({ fromMs, toMs });
    const changed = [...events.keys()].filter(
      (hour) => this.#kept.get(hour)?.events !== events.get(hour),
    );
    const hours = new Map<number, Hour>(
      [...this.#kept].filter(([hour]) => hour < fromMs || hour >= toMs || events.has(hour)),
    );
    if (changed.length > 0) {
      const window = { fromMs: Math.min(...changed), toMs: Math.max(...changed) + HOUR_MS };
      const rows = Map.groupBy(await this.#read(window), (row) =>
        floorTo(HOUR_MS, row['at_ms'] as number),
      );
      for (const [hour, count] of events)
        if (hour >= window.fromMs && hour < window.toMs)
          hours.set(hour, { events: count, rows: rows.get(hour) ?? [] });
    }
    const isAsked = (hour: number) => hour >= fromMs && hour < toMs;
    this.#kept =
      hours.size > HOURS_MAX ? new Map([...hours].filter(([hour]) => isAsked(hour))) : hours;
    return [...hours]
      .filter(([hour]) => isAsked(hour))
      .sort(([a], [b]) => a - b)
      .flatMap(([, { rows }]) => rows);
  }

  async #eventsByHour({ fromMs, toMs }: Window): Promise<Map<number, number>> {
    const rows = await this.#store.all(
      `SELECT at_ms, CAST(SUM(events) AS BIGINT) AS events FROM observe_rollups
       WHERE unit_ms = ${HOUR_MS} AND at_ms >= ? AND at_ms < ? GROUP BY at_ms`,
      [fromMs, toMs],
    );
    return new Map(rows.map((row) => [row['at_ms'] as number, row['events'] as number]));
  }
}
