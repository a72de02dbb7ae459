/**
 * Turns tail probabilities into alarms, one per episode: a probability under the threshold raises an
 * alarm unless one was raised within the last `QUIET_POINTS`; one that is twenty times rarer than the
 * last alarm breaks through. Without quiet time every point of a long outage would be an alarm.
 */

/**
 * The documented threshold, fixed for all series. Half of it and twice as much change the
 * benchmark by at most three points; the README has the figures.
 */
export const ALARM_PROBABILITY = 0.003;
/** An alarm covers this many points; 30 gives 76 benchmark points, 100 gives 77, 150 gives 75. */
export const QUIET_POINTS = 100;
const BREAK_THROUGH = 1 / 20;

export class AlarmGate {
  readonly #threshold: number;
  #pointsSince = QUIET_POINTS;
  #last = 1;

  constructor(threshold = ALARM_PROBABILITY) {
    this.#threshold = threshold;
  }

  /** Whether this point raises an alarm. */
  push(probability: number): boolean {
    this.#pointsSince += 1;
    if (probability >= this.#threshold) return false;
    const isQuiet = this.#pointsSince <= QUIET_POINTS;
    if (isQuiet && probability >= BREAK_THROUGH * this.#last) return false;
    this.#pointsSince = 0;
    this.#last = probability;
    return true;
  }
}
