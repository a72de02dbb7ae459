/**
 * `8 * SECOND`, `30 * 1000`, `5 * 60 * 1000`: people write durations as a number times a unit. The number is a value like any other,
 * and what it is multiplied by says its unit: a name of a unit of time, or a number that is one. Every other product has to be
 * computed to be known (`4 * 1024`, `TRIES * WAIT`), and is left out.
 */

/** What a number is multiplied by. */
export type Factor = { readonly name: string } | { readonly number: number };

/** A unit as durations have it in every file: `8s`. */
export type ProductUnit = 'ms' | 's' | 'm' | 'h';

/** From long to short: `MS_PER_SECOND` is a second, `SECONDS_PER_MINUTE` a minute. */
const NAMES: readonly (readonly [ProductUnit, RegExp])[] = [
  ['h', /^(?:hours?|hrs?)$/],
  ['m', /^(?:minutes?|mins?)$/],
  ['s', /^(?:seconds?|secs?)$/],
  ['ms', /^(?:ms|msecs?|millis(?:econds?)?)$/],
];
/** Of programs that count in milliseconds, and of those that count in seconds. */
const NUMBERS: Readonly<Record<number, ProductUnit>> = {
  60: 'm',
  1000: 's',
  3600: 'h',
  60000: 'm',
  3600000: 'h',
};

/** Undefined where the factors are no unit of time. */
export function unitOfFactors(factors: readonly Factor[]): ProductUnit | undefined {
  const [first] = factors;
  if (first === undefined) return undefined;
  if (factors.length === 1 && 'name' in first) return unitOfName(first.name);
  let product = 1;
  for (const factor of factors) {
    if ('name' in factor) return undefined;
    product *= factor.number;
  }
  return NUMBERS[product];
}

function unitOfName(name: string): ProductUnit | undefined {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return NAMES.find(([, unit]) => words.some((word) => unit.test(word)))?.[0];
}
