/** The rows of one batch's events, and in which hours those of each block are (`event-hours.ts`). */
import { SANITISER_VERSION } from '../sanitise/index.ts';
import type { Value, Write } from '../store/index.ts';
import { blockOf } from './event-hours.ts';
import type { Series } from './series.ts';
import { numberIn, type SourceState } from './source-state.ts';
import type { CleanEvent } from './types.ts';
import { floorTo, HOUR_MS } from './units.ts';

const COLUMNS = ['id', 'at_ms', 'series', 'session', 'body', 'sanitiser', 'source', 'failed'];

export class EventRows {
  readonly #state: SourceState;
  readonly #values: Value[] = [];
  /** By block. */
  readonly #hours = new Map<number, Set<number>>();
  #count = 0;
  /** The block and the hour of the event before: nearly every one has the same. */
  #block = -1;
  #hourMs = -1;

  constructor(state: SourceState) {
    this.#state = state;
  }

  get count(): number {
    return this.#count;
  }

  add(event: CleanEvent, { number, dimensions }: Series): void {
    const { atMs, session } = event;
    const id = numberIn(this.#state, this.#state.events + ++this.#count);
    const body = JSON.stringify(event);
    const failed = dimensions.ok === 0 ? 1 : 0;
    const { source } = this.#state;
    this.#values.push(id, atMs, number, session, body, SANITISER_VERSION, source, failed);
    const [block, hourMs] = [blockOf(id), floorTo(HOUR_MS, atMs)];
    if (block === this.#block && hourMs === this.#hourMs) return;
    this.#hoursOf(block).add(hourMs);
    this.#block = block;
    this.#hourMs = hourMs;
  }

  writes(): Write[] {
    const columns = ['hour_ms', 'block'];
    const values = [...this.#hours].flatMap(([block, hours]) =>
      [...hours].flatMap((hourMs) => [hourMs, block]),
    );
    return [
      { insertRows: 'observe_events', columns: COLUMNS, values: this.#values },
      { insertRows: 'observe_event_hours', columns, values, onConflict: 'ignore' },
    ];
  }

  #hoursOf(block: number): Set<number> {
    let hours = this.#hours.get(block);
    if (hours === undefined) {
      hours = new Set();
      this.#hours.set(block, hours);
    }
    return hours;
  }
}
