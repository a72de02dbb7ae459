/**
 * Time is a port. `systemClock` is the only place that reads the machine's clock or starts a timer;
 * tests and the lab pass a `ManualClock` and move it by hand.
 */

export interface Clock {
  /** Milliseconds since 1970, UTC. May jump. */
  nowMs(): number;
  /** Milliseconds that only grow; for durations. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A longer `setTimeout` fires at once: 2^31 ms, 24.8 days, do not fit. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const arm = (leftMs: number): NodeJS.Timeout =>
        leftMs <= TIMER_MS_MAX
          ? setTimeout(done, leftMs)
          : setTimeout(() => {
              timer = arm(leftMs - TIMER_MS_MAX);
            }, TIMER_MS_MAX);
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      let timer = arm(ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};

/**
 * How far apart two readings of good clocks may be: two machines, a correction by a time server, a row that was
 * written between reading the clock and reading the row.
 */
export const CLOCK_SLACK_MS = 60_000;

/** Whether something was dated by a clock that was ahead: no such time has been yet. */
export function isDatedAhead(writtenAtMs: number, nowMs: number): boolean {
  return writtenAtMs > nowMs + CLOCK_SLACK_MS;
}

interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** A clock that stands still until `advance` moves it; sleepers wake in the order of their time. */
export class ManualClock implements Clock {
  #nowMs: number;
  #sleepers: Sleeper[] = [];

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = { wakeAtMs: this.#nowMs + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener(
        'abort',
        () => {
          this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
          resolve();
        },
        { once: true },
      );
    });
  }

  advance(ms: number): void {
    this.#nowMs += ms;
    const due = this.#sleepers.filter((sleeper) => sleeper.wakeAtMs <= this.#nowMs);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.wakeAtMs > this.#nowMs);
    for (const sleeper of due.sort((a, b) => a.wakeAtMs - b.wakeAtMs)) sleeper.wake();
  }
}

/** A reason that is there already: without one, each abort makes an error with a stack. */
const DONE = 'done';

/** Runs work with a signal that aborts after `ms`. The work decides what an abort means. */
export async function withTimeout<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const finished = new AbortController();
  const timer = clock.sleep(ms, finished.signal).then(() => {
    if (!finished.signal.aborted) timeout.abort(new Error(`took longer than ${ms} ms`));
  });
  try {
    return await work(timeout.signal);
  } finally {
    finished.abort(DONE);
    await timer;
  }
}

/**
 * Resolves after the I/O that is already waiting was handled. It is not a clock: it is how work that
 * arrives together is gathered, and how long work lets others in.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

let lastMinute = Number.NaN;
let lastText = '';

/**
 * A time as people and the ledger see it: UTC with milliseconds. What comes before the seconds is kept for a
 * minute: entries and events come in numbers, and asking for it took 5 µs of each.
 */
export function isoTime(ms: number): string {
  const minute = Math.floor(ms / 60_000);
  if (minute !== lastMinute) {
    lastText = new Date(minute * 60_000).toISOString().slice(0, -'00.000Z'.length);
    lastMinute = minute;
  }
  const rest = Math.trunc(ms - minute * 60_000);
  const second = Math.floor(rest / 1000);
  const part = rest - second * 1000;
  return `${lastText}${second < 10 ? '0' : ''}${second}.${part < 10 ? '00' : part < 100 ? '0' : ''}${part}Z`;
}
