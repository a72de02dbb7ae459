/**
 * What is new of sums that a program counts from its start on. A source's totals are known by the series they belong to
 * (who sent it, name, attributes), and are stored with the position or in the commit that counts them, so that a
 * restart counts nothing twice.
 *
 * - The first value of a series is where counting begins: it counts itself only if its program began after the
 *   source was first heard, since then nothing of it came before.
 * - A later start, or a smaller value, means that the program began anew: all of it is new.
 * - A value that is older than the last one brings nothing.
 *
 * The `SERIES_MAX` heard last are known. If one is forgotten, series that began before that moment count as heard
 * before: what came in between is lost, and nothing is counted twice.
 */
import type { Json } from '../base/index.ts';
import type { EventOf } from '../facts/index.ts';
import type { Decoded } from './types.ts';

/** As JSON at most 75 characters each; a decoder's state has 64 Ki. */
const SERIES_MAX = 800;

/** Which running total an event's value is. */
export interface RunningTotal {
  /** A number of 48 bits, by which its series is known. */
  readonly series: number;
  /** When its program began to count; null where it does not say. */
  readonly startMs: number | null;
}

interface Last {
  readonly startMs: number | null;
  readonly atMs: number;
  readonly value: number;
}

export class RunningTotals {
  /** The one heard last at the end. */
  readonly #last: Map<number, Last>;
  /** Since then every series that there is was heard; null before the first. */
  #sinceMs: number | null;
  #isChanged = false;

  private constructor(last: Map<number, Last>, sinceMs: number | null) {
    this.#last = last;
    this.#sinceMs = sinceMs;
  }

  /** Our own writing, read leniently: that of another build must not stop telemetry. */
  static of(state: Json | undefined): RunningTotals {
    const [since, ...rows] = Array.isArray(state) ? state : [];
    const last = new Map<number, Last>();
    for (const row of rows) {
      if (!Array.isArray(row)) continue;
      const [series, startMs, atMs, value] = row as number[];
      last.set(series!, { startMs: startMs ?? null, atMs: atMs!, value: value! });
    }
    return new RunningTotals(last, typeof since === 'number' ? since : null);
  }

  /** Numbers only: nothing in it is anybody's text. */
  state(): Json {
    if (this.#sinceMs === null) return null;
    const rows = Array.from(this.#last, ([series, { startMs, atMs, value }]) => [
      ...[series, startMs, atMs, value],
    ]);
    return [this.#sinceMs, ...rows];
  }

  /** Since they were read or stored. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  stored(): void {
    this.#isChanged = false;
  }

  /** The record with what is new of its total; any other as it is. */
  newOf<R extends Decoded>(record: R): R {
    if (!record.ok || record.total === undefined || record.event.kind !== 'metric') return record;
    const value = this.#added(record.event, record.total);
    return { ...record, event: { ...record.event, value } };
  }

  #added({ atMs, value }: EventOf<'metric'>, { series, startMs }: RunningTotal): number {
    this.#sinceMs ??= atMs;
    this.#isChanged = true;
    const before = this.#last.get(series);
    if (before !== undefined && atMs < before.atMs) return 0;
    this.#last.delete(series);
    this.#last.set(series, { startMs, atMs, value });
    if (before === undefined) {
      if (this.#last.size > SERIES_MAX) this.#forget(atMs);
      return startMs !== null && startMs >= this.#sinceMs ? value : 0;
    }
    const isAnew = value < before.value || (startMs ?? 0) > (before.startMs ?? 0);
    return isAnew ? value : value - before.value;
  }

  #forget(nowMs: number): void {
    const [oldest] = this.#last.keys();
    this.#last.delete(oldest!);
    this.#sinceMs = Math.max(this.#sinceMs!, nowMs);
  }
}
