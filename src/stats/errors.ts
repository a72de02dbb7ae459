/**
 * What this room refuses, by name. Everything here is pure, so each code is a fault of the input:
 * the caller passed something that no answer exists for.
 */
import { HoneError } from '../base/index.ts';

export type StatsErrorCode =
  /** A parameter lies outside the range in which the question has an answer. */
  | 'STATS_PARAMETER'
  /** The sample has fewer elements than the method needs. */
  | 'STATS_TOO_FEW'
  /** NaN or an infinity where a finite number is needed. */
  | 'STATS_NOT_FINITE'
  /** Two samples that must have the same length do not. */
  | 'STATS_LENGTH_MISMATCH';

export class StatsError extends HoneError<StatsErrorCode> {}

/** Refuses a parameter unless the condition holds; the message names what was expected and given. */
export function requireParameter(holds: boolean, name: string, expected: string, given: unknown) {
  if (holds) return;
  throw new StatsError('STATS_PARAMETER', `${name} must be ${expected}, but is ${String(given)}.`);
}

export function requireFinite(values: ArrayLike<number>, name: string): void {
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    throw new StatsError(
      'STATS_NOT_FINITE',
      `${name}[${i}] is ${values[i]}, not a finite number.`,
      {
        hint: 'Drop missing values before the call; this method cannot guess them.',
      },
    );
  }
}

export function requireCount(count: number, least: number, name: string): void {
  if (count >= least) return;
  throw new StatsError('STATS_TOO_FEW', `${name} has ${count} elements; at least ${least} needed.`);
}
