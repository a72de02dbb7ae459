/**
 * What was worked out of counts, kept in memory: the hours before a deployment stay what they are, and every look asks for them
 * again. Whoever keeps something compares the counts, so that telemetry that comes late is seen; forgetting changes
 * nothing but the time that a look takes.
 */

/** About ten fleets of 500 places with all measures. */
const KEPT_MAX = 50_000;

export class Kept<T> {
  readonly #known = new Map<string, T>();

  get(key: string): T | undefined {
    return this.#known.get(key);
  }

  /** Returns what is kept. What was kept longest ago goes first. */
  set(key: string, value: T): T {
    this.#known.delete(key);
    this.#known.set(key, value);
    if (this.#known.size > KEPT_MAX) this.#known.delete(this.#known.keys().next().value!);
    return value;
  }
}

/** A number that differs where any hour or its value does. */
export function printOf<T extends { readonly atMs: number }>(
  hours: readonly T[],
  of: (hour: T) => number,
): number {
  let [low, high] = [17, 31];
  for (const hour of hours) {
    const value = Math.round(of(hour));
    low = (Math.imul(low, 31) + value + hour.atMs / 3_600_000) | 0;
    high = (Math.imul(high, 131) + (value % 0x7fff_fff1) + hour.atMs / 3_600_000) | 0;
  }
  return (high >>> 0) * 0x10_0000 + ((low >>> 0) & 0xf_ffff);
}
