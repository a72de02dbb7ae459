/**
 * The newest calls of some tools, one by one: what they met at the same time, and how large they were, is in no count. Of
 * each tool only so many are read, however much traffic there is, so that a look costs the same in any fleet.
 */
import type { RecentCall, Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { eventsOfHour, hoursIn } from './event-hours.ts';
import { eventsByHour } from './kept-hours.ts';
import type { CleanEvent } from './types.ts';
import { HOUR_MS, wholeUnits } from './units.ts';

interface Limits {
  /** Of each tool. Enough for a limit to show; read in a tenth of a second. */
  readonly callsMax: number;
  /** Of all of them, in memory: some tens of megabytes. */
  readonly keptMax: number;
}

const LIMITS: Limits = { callsMax: 3000, keptMax: 100_000 };

/** A tool, and about how many calls of it the window has. */
export interface AskedCalls {
  readonly tool: string;
  readonly calls: number;
  /** The newest before this time, where those at the window's end show less. */
  readonly untilMs?: number | undefined;
}

/** What was read of one hour of a tool. */
interface Hour {
  /** How many events, of all kinds and tools, the hour had when it was read. */
  readonly events: number;
  /** The newest first. */
  readonly calls: readonly RecentCall[];
  /** Whether there are no older ones in the hour. */
  readonly isWhole: boolean;
}

/**
 * Hours are kept under the number of their events, as others are (`kept-hours.ts`): where harm goes on, every look asks for the same
 * calls again, for each place that has it and each change that may have done it. Forgetting changes nothing but the time.
 */
export class RecentCalls {
  readonly #store: Store;
  readonly #limits: Limits;
  /** By tool and hour; those that were asked for last come last. */
  readonly #kept = new Map<string, Hour>();
  #count = 0;

  constructor(store: Store, limits: Partial<Limits> = {}) {
    this.#store = store;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** By tool, in the order in which they began. */
  async read(
    asked: readonly AskedCalls[],
    window: Window,
  ): Promise<ReadonlyMap<string, readonly RecentCall[]>> {
    const found = new Map<string, readonly RecentCall[]>();
    const hours = (await hoursIn(this.#store, window)).reverse();
    // Counted before the events are read: what comes in between is read again next time.
    const counted = wholeUnits(HOUR_MS, window);
    const events = hours.length === 0 ? new Map() : await eventsByHour(this.#store, counted);
    const spanMs = window.toMs - window.fromMs;
    for (const { tool, calls, untilMs = window.toMs } of asked) {
      // So far back there are about as many as are wanted; traffic that gathers elsewhere gives fewer, which is enough.
      const backMs = Math.ceil((spanMs * this.#limits.callsMax) / Math.max(1, calls));
      const toMs = Math.min(window.toMs, untilMs);
      const within = { fromMs: Math.max(window.fromMs, toMs - backMs), toMs };
      found.set(tool, await this.#callsOf(tool, { within, hours, events }));
    }
    return found;
  }

  async #callsOf(tool: string, { within, hours, events }: Within): Promise<RecentCall[]> {
    const { callsMax } = this.#limits;
    const found: RecentCall[] = [];
    for (const hourMs of hours) {
      if (hourMs >= within.toMs) continue;
      if (found.length >= callsMax || hourMs <= within.fromMs - HOUR_MS) break;
      const limit = callsMax - found.length;
      const hour = await this.#hour(tool, hourMs, events.get(hourMs));
      const own = hour.calls.filter(({ endMs }) => endMs >= within.fromMs && endMs < within.toMs);
      // Of a very busy hour only its newest are kept, and others are asked for where the window ends within it.
      const isEnough = hour.isWhole || own.length >= limit || within.toMs >= hourMs + HOUR_MS;
      const calls = isEnough ? own : await this.#readCalls(tool, hourMs, within);
      for (const call of calls.slice(0, limit)) found.push(call);
    }
    return found.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  }

  async #hour(tool: string, hourMs: number, events: number | undefined): Promise<Hour> {
    const key = `${hourMs} ${tool}`;
    const known = this.#kept.get(key);
    if (known !== undefined) this.#forget(key, known);
    const isKnown = known !== undefined && known.events === events;
    const hour = isKnown ? known : await this.#readHour(tool, hourMs, events ?? 0);
    if (events !== undefined) this.#keep(key, hour);
    return hour;
  }

  async #readHour(tool: string, hourMs: number, events: number): Promise<Hour> {
    const within = { fromMs: hourMs, toMs: hourMs + HOUR_MS };
    const calls = await this.#readCalls(tool, hourMs, within);
    return { events, calls, isWhole: calls.length < this.#limits.callsMax };
  }

  /** The newest first. */
  async #readCalls(tool: string, hourMs: number, window: Window): Promise<RecentCall[]> {
    const rows = await eventsOfHour(this.#store, hourMs, {
      window,
      columns: 'e.at_ms, e.body',
      rest: `AND e.series IN (SELECT id FROM observe_series WHERE type = 'tool_call' AND tool = ?)
             ORDER BY e.at_ms DESC, e.id DESC LIMIT ?`,
      values: [tool, this.#limits.callsMax],
    });
    return rows.flatMap((row) =>
      callOf(JSON.parse(row['body'] as string) as CleanEvent, row['at_ms'] as number),
    );
  }

  /** An hour without a call counts as one, so that those are bounded too. */
  #keep(key: string, hour: Hour): void {
    const before = this.#kept.get(key);
    if (before !== undefined) this.#forget(key, before);
    this.#kept.set(key, hour);
    this.#count += hour.calls.length + 1;
    for (const [oldest, one] of this.#kept) {
      if (this.#count <= this.#limits.keptMax) return;
      this.#forget(oldest, one);
    }
  }

  #forget(key: string, { calls }: Hour): void {
    if (this.#kept.delete(key)) this.#count -= calls.length + 1;
  }
}

interface Within {
  readonly within: Window;
  readonly hours: readonly number[];
  readonly events: ReadonlyMap<number, number>;
}

function callOf(event: CleanEvent, endMs: number): RecentCall[] {
  if (event.kind !== 'tool_call') return [];
  const { agent, tool, success, latencyMs = 0, errorCode = '' } = event;
  const { attempt, inputTokens, outputTokens, argumentNames, parameterNames } = event;
  return [
    {
      agent,
      tool,
      startMs: endMs - latencyMs,
      endMs,
      failedWith: success ? null : errorCode,
      ...(attempt === undefined ? {} : { attempt }),
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...(argumentNames === undefined ? {} : { argumentNames }),
      ...(parameterNames === undefined ? {} : { parameterNames }),
    },
  ];
}
