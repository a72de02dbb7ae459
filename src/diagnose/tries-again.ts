/** How further tries fare after a failure, from the rows of failed tries that were counted. Pure. */
import { wilsonInterval } from '../stats/index.ts';
import type { Evidence, Failure } from './types.ts';

/** Fewer tries show nothing. */
const TRIED_MIN = 20;

export interface Again {
  /** Tries after a failure, and how many of them failed. */
  readonly tried: number;
  readonly failed: number;
  /** Rows of failed tries: calls of which the first try failed. */
  readonly rows: number;
  /** The most tries in a row that failed. */
  readonly longest: number;
}

/**
 * Undefined where fewer than so many tries after a failure were seen. A row that is shorter than the longest ended with a success, or was
 * given up earlier: that is taken for a success, so that failing again is never overstated.
 */
export function againOf(tries: Failure['tries'], triedMin = TRIED_MIN): Again | undefined {
  const chains = tries?.chains ?? [];
  const longest = Math.max(0, ...chains.map(({ failed }) => failed));
  let [rows, tried, failed] = [0, 0, 0];
  for (const chain of chains) {
    rows += chain.count;
    failed += chain.count * (chain.failed - 1);
    tried += chain.count * (chain.failed - (chain.failed === longest ? 1 : 0));
  }
  return longest < 2 || tried < triedMin ? undefined : { tried, failed, rows, longest };
}

/** Of failed tries, the share that is followed by another: all but the last of those that are given up. */
export function triedAgainOf(tries: Failure['tries']): number {
  const chains = tries?.chains ?? [];
  const longest = Math.max(0, ...chains.map(({ failed }) => failed));
  if (longest < 2) return 0;
  let [failed, last] = [0, 0];
  for (const chain of chains) {
    failed += chain.count * chain.failed;
    if (chain.failed === longest) last += chain.count;
  }
  return 1 - last / failed;
}

/** Failed tries of one call come together: by so much more than by chance their counts vary for that alone. */
export function clumpOf(tries: Failure['tries']): number {
  let [failed, squares] = [0, 0];
  for (const chain of tries?.chains ?? []) {
    failed += chain.count * chain.failed;
    squares += chain.count * chain.failed ** 2;
  }
  return failed === 0 ? 1 : squares / failed;
}

/**
 * Whether the further tries of this agent save what fails: of its calls surely no more are lost than may be. Only where telemetry
 * numbers tries; whether a short row of failures ended with a success or was given up is not known otherwise.
 */
export function areHealed(
  { agent, tool }: Failure,
  { calls, failureShare }: Pick<Evidence, 'calls' | 'failureShare'>,
): boolean {
  let [first, failed, healed] = [0, 0, 0];
  for (const call of calls?.get(tool) ?? []) {
    if (call.agent !== agent || call.attempt === undefined) continue;
    if (call.attempt > 1) healed += call.failedWith === null ? 1 : 0;
    else {
      first += 1;
      failed += call.failedWith === null ? 0 : 1;
    }
  }
  if (healed === 0 || failed < TRIED_MIN) return false;
  const lost = Math.max(0, failed - healed);
  return wilsonInterval({ failures: lost, events: first }).high <= failureShare;
}
