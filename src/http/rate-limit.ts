/** How often one caller may ask: a bucket of tokens for each, filled at a steady rate. */
import type { Clock } from '../base/index.ts';

export interface Rate {
  /** So many at once. */
  readonly burst: number;
  readonly perSecond: number;
}

/** Callers that are remembered; beyond them the longest unknown is forgotten, and begins with a full bucket. */
const CALLERS_MAX = 10_000;

export class RateLimit {
  readonly #rate: Rate;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** Takes one; gives how many seconds to wait where there is none. */
  take(caller: string): number | undefined {
    const { burst, perSecond } = this.#rate;
    const bucket = this.#filled(caller);
    if (bucket.left < 1) return Math.max(1, Math.ceil((1 - bucket.left) / perSecond));
    bucket.left = Math.min(burst, bucket.left) - 1;
    return undefined;
  }

  /** Whether one could be taken; for what is only counted once it went wrong. */
  isEmpty(caller: string): boolean {
    return this.#filled(caller).left < 1;
  }

  #filled(caller: string) {
    const { burst, perSecond } = this.#rate;
    const nowMs = this.#clock.monotonicMs();
    const known = this.#buckets.get(caller) ?? { left: burst, atMs: nowMs };
    known.left = Math.min(burst, known.left + ((nowMs - known.atMs) / 1000) * perSecond);
    known.atMs = nowMs;
    this.#buckets.delete(caller);
    this.#buckets.set(caller, known);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > CALLERS_MAX && oldest !== undefined) this.#buckets.delete(oldest);
    return known;
  }
}
