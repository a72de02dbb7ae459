/**
 * What sessions share, and where they get in each other's way: a tool's slots, pools of several tools, quotas, and the
 * limits that an agent keeps to by itself. Asked in the order of time.
 */
import { count } from './agent-settings.ts';
import type { TargetFiles } from './places.ts';
import type { Setting, Wording } from './schema-parts.ts';
import type { World } from './world-schema.ts';

export interface Asking {
  readonly agent: string;
  readonly tool: string;
  readonly files: TargetFiles;
  readonly nowMs: number;
  /** How long the call takes with the tool to itself, and how long it is waited for. */
  readonly latencyMs: number;
  readonly timeoutMs: number;
}

export type Admitted =
  | {
      readonly refused: false;
      /** Before its turn comes. */
      readonly waitMs: number;
      readonly slower: number;
      readonly holdsSlot: boolean;
    }
  | {
      readonly refused: true;
      readonly by: { readonly code: string; readonly wording: Wording | undefined };
      readonly capacity: number;
    };

export interface SharedLimits {
  admit(asking: Asking): Admitted;
  /** Gives back the slot of the tool itself. */
  release(tool: string): void;
  /** How long an agent holds its own call back; 0 when it may call, which then counts. */
  holdBackMs(own: OwnLimits): number;
  ownCallDone(agent: string, tool: string): void;
}

interface OwnLimits {
  readonly agent: string;
  readonly tool: string;
  readonly nowMs: number;
  readonly concurrency: number | undefined;
  readonly perMinute: number | undefined;
}

/** Each has the tools to itself, as in a replay. */
export const NO_LIMITS: SharedLimits = {
  admit: () => ({ refused: false, waitMs: 0, slower: 1, holdsSlot: false }),
  release: () => {},
  holdBackMs: () => 0,
  ownCallDone: () => {},
};

/** Looks again after this when an agent's own limit is reached. */
const HELD_BACK_MS = 500;

export class FleetLimits implements SharedLimits {
  readonly #world: World;
  readonly #slots = new Map<string, number>();
  readonly #pools = new Map<string, Pool>();
  readonly #buckets = new Map<string, Bucket>();
  readonly #ownCalls = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  admit(asking: Asking): Admitted {
    const { tool } = asking;
    const overQuota = this.#overQuota(asking);
    if (overQuota !== undefined) return overQuota;
    const { capacity, when_busy, pool, refused } = this.#world.tools[tool]!;
    const taken = this.#slots.get(tool) ?? 0;
    if (taken === capacity)
      return { refused: true, by: { code: 'overloaded', wording: refused }, capacity };
    const slower = slowerAt(taken / capacity, when_busy);
    const admitted: Admitted =
      pool === undefined
        ? { refused: false, waitMs: 0, slower, holdsSlot: true }
        : this.#enter(pool, { ...asking, latencyMs: asking.latencyMs * slower }, slower);
    if (!admitted.refused) this.#slots.set(tool, taken + 1);
    return admitted;
  }

  release(tool: string): void {
    this.#slots.set(tool, this.#slots.get(tool)! - 1);
  }

  holdBackMs({ agent, tool, nowMs, concurrency, perMinute }: OwnLimits): number {
    const key = `${agent} ${tool}`;
    const calls = this.#ownCalls.get(key) ?? 0;
    if (concurrency !== undefined && calls >= Math.max(1, concurrency)) return HELD_BACK_MS;
    if (perMinute !== undefined) {
      const waitMs = this.#bucket(`own ${key}`).take(nowMs, {
        perMinute,
        burst: Math.max(1, perMinute / 10),
      });
      if (waitMs > 0) return waitMs;
    }
    this.#ownCalls.set(key, calls + 1);
    return 0;
  }

  ownCallDone(agent: string, tool: string): void {
    const key = `${agent} ${tool}`;
    this.#ownCalls.set(key, Math.max(0, (this.#ownCalls.get(key) ?? 0) - 1));
  }

  #overQuota({ agent, tool, files, nowMs }: Asking): Admitted | undefined {
    for (const [name, quota] of Object.entries(this.#world.quotas ?? {})) {
      if (!quota.tools.includes(tool)) continue;
      if (quota.agents !== undefined && !quota.agents.includes(agent)) continue;
      const perMinute = sizeOf(files, quota.per_minute);
      const burst = quota.burst ?? perMinute;
      if (this.#bucket(name).take(nowMs, { perMinute, burst }) === 0) continue;
      return {
        refused: true,
        by: { code: 'rate_limited', wording: quota.refused },
        capacity: perMinute,
      };
    }
    return undefined;
  }

  #bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name) ?? new Bucket();
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #enter(name: string, asking: Asking, slower: number): Admitted {
    const settings = this.#world.pools![name]!;
    const pool = this.#pools.get(name) ?? new Pool();
    this.#pools.set(name, pool);
    const capacity = sizeOf(asking.files, settings.capacity);
    const busier = slowerAt(pool.busy(asking.nowMs) / capacity, settings.when_busy);
    const latencyMs = asking.latencyMs * busier;
    const waitMs = pool.enter(asking.nowMs, {
      capacity,
      waitsMax: settings.when_full === 'refuse' ? 0 : (settings.queue_max ?? Infinity),
      patienceMs: asking.timeoutMs,
      heldMs: (waitedMs) =>
        settings.keeps_working ? latencyMs : Math.min(latencyMs, asking.timeoutMs - waitedMs),
    });
    if (waitMs === undefined)
      return { refused: true, by: { code: 'overloaded', wording: settings.refused }, capacity };
    return { refused: false, waitMs, slower: slower * busier, holdsSlot: true };
  }
}

function slowerAt(
  busyShare: number,
  when: { readonly above: number; readonly slower: number } | undefined,
): number {
  return when !== undefined && busyShare > when.above ? when.slower : 1;
}

/** A file that does not say it any more leaves room for one. */
function sizeOf(files: TargetFiles, setting: Setting): number {
  try {
    return Math.max(1, count(files, setting));
  } catch {
    return 1;
  }
}

/** Places with a known end: who comes first is served first. */
class Pool {
  /** When each place is free again. */
  readonly #freeMs: number[] = [];
  #startsMs: number[] = [];

  busy(nowMs: number): number {
    return this.#freeMs.filter((ms) => ms > nowMs).length;
  }

  /** How long it waits; undefined when it may not. One whose patience ends in the queue never gets a place. */
  enter(
    nowMs: number,
    call: {
      capacity: number;
      waitsMax: number;
      patienceMs: number;
      heldMs: (waitedMs: number) => number;
    },
  ): number | undefined {
    const free = this.#freeMs;
    free.sort((a, b) => a - b);
    while (free.length < call.capacity) free.unshift(nowMs);
    // Places that were taken away close as soon as they are free.
    const index = free.length - call.capacity;
    const startMs = Math.max(nowMs, free[index]!);
    this.#startsMs = this.#startsMs.filter((ms) => ms > nowMs);
    const waitMs = startMs - nowMs;
    if (waitMs > 0 && this.#startsMs.length >= call.waitsMax) return undefined;
    if (waitMs >= call.patienceMs) return waitMs;
    if (waitMs > 0) this.#startsMs.push(startMs);
    free[index] = startMs + call.heldMs(waitMs);
    free.splice(0, index);
    return waitMs;
  }
}

class Bucket {
  #tokens: number | undefined;
  #atMs = 0;

  /** 0 when a token was there and is taken; else in how many ms one will be. */
  take(nowMs: number, { perMinute, burst }: { perMinute: number; burst: number }): number {
    const filled = (this.#tokens ?? burst) + ((nowMs - this.#atMs) / 60_000) * perMinute;
    this.#tokens = Math.min(burst, filled);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return Math.ceil(((1 - this.#tokens) / perMinute) * 60_000);
    this.#tokens -= 1;
    return 0;
  }
}
