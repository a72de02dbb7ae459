/** Durations as programs write them, in milliseconds. */
import { countOf } from './values.ts';

const MS_BY_UNIT: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
export const DURATION_UNITS = ['ns', 'us', 'ms', 's', 'm', 'h'] as const;
export type DurationUnit = (typeof DURATION_UNITS)[number];

/** The room refuses longer ones. */
const MS_MAX = 1e9;

/** `120`, in this unit. */
export function durationIn(value: unknown, unit: DurationUnit): number | undefined {
  const count = countOf(value);
  return count === undefined ? undefined : withinBounds(count * MS_BY_UNIT[unit]!);
}

/** `1.5s`, `120 ms`, `1m2.5s` as Go writes it, and `00:01:02.5`; undefined without a unit. */
export function durationWithUnit(text: string): number | undefined {
  if (text.length > 40) return undefined;
  const clock = /^(\d{1,3}):(\d{2}):(\d{2}(?:\.\d{1,9})?)$/.exec(text);
  if (clock !== null)
    return withinBounds(
      Number(clock[1]) * 3_600_000 + Number(clock[2]) * 60_000 + Number(clock[3]) * 1000,
    );
  const part = /(\d{1,15}(?:[.,]\d{1,15})?) ?(ns|us|µs|μs|ms|seconds?|secs?|s|mins?|m|h)/y;
  let total = 0;
  let at = 0;
  while (at < text.length) {
    part.lastIndex = at;
    const found = part.exec(text);
    if (found === null) return undefined;
    total += Number(found[1]!.replace(',', '.')) * MS_BY_UNIT[unitOf(found[2]!)]!;
    at = part.lastIndex;
  }
  return at === 0 ? undefined : withinBounds(total);
}

const unitOf = (word: string) =>
  /^s/.test(word) ? 's' : /^mi?n?s?$/.test(word) && word !== 'ms' ? 'm' : word;

const UNIT_OF_SUFFIX: Readonly<Record<string, DurationUnit>> = {
  ms: 'ms',
  millis: 'ms',
  milliseconds: 'ms',
  msec: 'ms',
  s: 's',
  sec: 's',
  secs: 's',
  seconds: 's',
  us: 'us',
  micros: 'us',
  microseconds: 'us',
  ns: 'ns',
  nanos: 'ns',
  nanoseconds: 'ns',
};

/** The unit at the end of a key: `took_ms`, `durationNanos`, `latency (s)`. */
export function unitInKey(key: string): DurationUnit | undefined {
  const words = key
    .slice(0, 80)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const last = words.filter((word) => word !== '').at(-1);
  return last !== undefined && Object.hasOwn(UNIT_OF_SUFFIX, last) && words.length > 1
    ? UNIT_OF_SUFFIX[last]
    : undefined;
}

/**
 * A duration under a key, with the unit of the text, of the key, or of the value's form: programs that count in
 * whole numbers count milliseconds, and nobody waits 1000 s. A fraction below that may be either: it is left out.
 */
export function durationAt(key: string, value: unknown): number | undefined {
  if (typeof value === 'string') {
    const withUnit = durationWithUnit(value.trim());
    if (withUnit !== undefined) return withUnit;
  }
  const unit = unitInKey(key);
  if (unit !== undefined) return durationIn(value, unit);
  const count = countOf(value);
  if (count === undefined) return undefined;
  return Number.isInteger(count) || count >= 1000 ? withinBounds(count) : undefined;
}

function withinBounds(ms: number): number | undefined {
  if (!(ms >= 0 && ms <= MS_MAX)) return undefined;
  return Math.round(ms * 1e6) / 1e6;
}
