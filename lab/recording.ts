/**
 * What was seen of every attempt of a call while the fleet was live: that it ended, or after how long it was cut off.
 * A censored replay knows this and nothing else: the end of a call that was cut off, and attempts that were
 * never made, are not on record.
 */
export class Recording {
  readonly #cutMs = new Map<string, number | undefined>();

  /** `cutMs` is undefined for one that ended by itself. */
  note(attempt: string, cutMs: number | undefined): void {
    this.#cutMs.set(attempt, cutMs);
  }

  /** Whether it is known how this attempt ends if it is waited for so long. */
  knows(attempt: string, waitedMs: number): boolean {
    if (!this.#cutMs.has(attempt)) return false;
    const cutMs = this.#cutMs.get(attempt);
    return cutMs === undefined || waitedMs <= cutMs;
  }
}
