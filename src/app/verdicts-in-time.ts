/**
 * A verdict that does not come, or comes too late, is a refusal. One timer watches all that are open, and stays for the
 * calls that come next: a timer with its signals for each call cost as much as its judgement.
 */
import type { Clock } from '../base/index.ts';
import type { Verdict } from '../gateway/index.ts';

/** Longer than a commit on a slow disk; a decision that takes longer is none. */
const DECISION_MS = 10_000;

interface Waiting {
  readonly dueMs: number;
  resolve(verdict: Verdict): void;
}

export class VerdictsInTime implements Disposable {
  readonly #clock: Clock;
  /** The oldest first: each has the same time. */
  readonly #open = new Set<Waiting>();
  readonly #over = new AbortController();
  #isWatching = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Never throws. */
  wait(judged: Promise<Verdict>): Promise<Verdict> {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    const waiting = { dueMs: this.#clock.monotonicMs() + DECISION_MS, resolve };
    this.#open.add(waiting);
    const settle = (verdict: Verdict) => {
      this.#open.delete(waiting);
      resolve(verdict);
    };
    judged.then(settle, () => settle(UNDECIDED));
    if (!this.#isWatching) void this.#watch();
    return promise;
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    for (let [oldest] = this.#open; oldest !== undefined; [oldest] = this.#open) {
      await this.#clock.sleep(oldest.dueMs - this.#clock.monotonicMs(), this.#over.signal);
      const isOver = this.#over.signal.aborted;
      for (const one of this.#open) {
        if (!isOver && one.dueMs > this.#clock.monotonicMs()) break;
        this.#open.delete(one);
        one.resolve(UNDECIDED);
      }
    }
    this.#isWatching = false;
  }

  [Symbol.dispose](): void {
    this.#over.abort('done');
  }
}

const UNDECIDED: Verdict = {
  passes: false,
  level: 3,
  reasons: [
    {
      code: 'undecided',
      level: 3,
      text: 'The call could not be judged in time, so it is refused.',
    },
  ],
  observed: false,
  maxOutput: 0,
  context: undefined,
};
