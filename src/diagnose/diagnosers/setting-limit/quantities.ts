/** Numbers that messages name: durations with their unit, tries, and bare numbers. Linear in the text. */
import type { FailureKind } from '../../../facts/index.ts';
import type { TimeUnit } from '../../types.ts';

const LOOKED_AT_CHARS = 2000;

export const UNIT_MS: Readonly<Record<TimeUnit, number>> = {
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
};

/** What a message says about a limit: milliseconds where it names a unit, else the number as it is. */
export interface Quantity {
  readonly value: number;
  readonly ms: boolean;
}

const NUMBER =
  /(?<![\w.])(\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,9})?)(?: ?([A-Za-z]{1,12})\b)?(?!\w|\.\d)/g;
const TRIES =
  /(\d{1,6}) (?:attempts?|tries|retries|times)\b|(?:attempts?|tries|retries)\W{1,3}(\d{1,6})\b/gi;

const TIME_WORDS: readonly (readonly [RegExp, TimeUnit])[] = [
  [/^(?:ms|msecs?|millis|milliseconds?)$/i, 'ms'],
  [/^(?:s|secs?|seconds?)$/i, 's'],
  [/^(?:min|mins|minutes?)$/i, 'min'],
  [/^(?:h|hours?)$/i, 'h'],
];

export function quantitiesIn(message: string, kind: FailureKind): readonly Quantity[] {
  const text = message.slice(0, LOOKED_AT_CHARS);
  if (kind === 'retries_exhausted') {
    return [...text.matchAll(TRIES)].map(([, before, after]) => ({
      value: Number(before ?? after),
      ms: false,
    }));
  }
  const found = [...text.matchAll(NUMBER)].map(([, digits, word]) => {
    const unit = TIME_WORDS.find(([pattern]) => pattern.test(word ?? ''))?.[1];
    const value = Number(digits!.replaceAll(',', ''));
    return { value: unit === undefined ? value : value * UNIT_MS[unit], ms: unit !== undefined };
  });
  if (kind !== 'timeout') return found.filter(({ ms }) => !ms);
  // In "request 30 timed out after 800 ms" the limit is the number with a unit.
  const durations = found.filter(({ ms }) => ms);
  return durations.length > 0 ? durations : found;
}

export function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-6 * Math.max(Math.abs(one), Math.abs(other));
}
