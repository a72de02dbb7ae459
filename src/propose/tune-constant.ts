/**
 * The generator for numbers: which value a setting should have. Pure. It knows timeouts and retries;
 * for anything else it says so.
 */
import type { LatencyView, SettingRef } from '../facts/index.ts';
import { readableDown, readableUp } from './readable-number.ts';
import { type Estimate, estimateLatency, quantileOf } from './timeout-estimate.ts';
import type { Tuning, TuningPattern } from './types.ts';
import { count, percent, shown } from './wording.ts';

/** The share of calls that a timeout is meant to let end. */
const AIM = 0.995;
const FACTOR_MIN = 1.25;
const FACTOR_MAX = 4;
/** Where the latencies do not tell how much is needed. */
const FACTOR_UNKNOWN = 2;
const RETRIES_MAX = 5;

export function tuneConstant(
  pattern: TuningPattern,
): { readonly tuning: Tuning } | { readonly declined: string } {
  const { kind, setting } = pattern;
  if (setting === null) return { declined: 'No setting was found that causes it.' };
  if (kind === 'timeout') return tuneTimeout(pattern, setting);
  if (kind === 'retries_exhausted') return tuneRetries(setting);
  return { declined: `No generator knows how to fix a failure of the kind ${kind} yet.` };
}

/** A change by a factor f needs 3 f² failures: the larger the change, the more must speak for it. */
export function neededOccurrences(factor: number): number {
  return Math.ceil(3 * factor * factor - 1e-9);
}

function tuneTimeout(
  pattern: TuningPattern,
  setting: SettingRef,
): { readonly tuning: Tuning } | { readonly declined: string } {
  const old = setting.value;
  if (!(old > 0))
    return { declined: `The timeout is ${old}, which sets no limit that could be raised.` };
  const unitMs = unitOf(setting, pattern.failedLatency);
  if (unitMs === undefined) {
    const key = shown(setting.path.at(-1) ?? '', 60);
    return { declined: `The unit of ${key} cannot be told from its name or from the latencies.` };
  }
  const estimate = estimateLatency(pattern.succeededLatency, pattern.occurrences, AIM);
  const wished = estimate === undefined ? old * FACTOR_UNKNOWN : estimate.ms / unitMs;
  const whole = Number.isInteger(old);
  const least = old * FACTOR_MIN;
  const most = readableDown(old * FACTOR_MAX, whole);
  const wanted = readableUp(Math.max(wished, least), whole);
  const capped = wanted > most;
  const value = capped ? most : wanted;
  const step = capped ? 'most' : wished < least ? 'least' : 'wished';
  const why = `${estimateText(estimate)} ${STEP_TEXT[step]} The new value is ${value}.`;
  return { tuning: { value, factor: value / old, capped, why } };
}

const STEP_TEXT = {
  wished: 'That is rounded up to a readable number.',
  least: `That is less than the least step, so it grows by that, ${FACTOR_MIN} times, rounded up.`,
  most: `A value grows at most ${FACTOR_MAX} times at once, so this may not be enough yet.`,
} as const;

function estimateText(estimate: Estimate | undefined): string {
  if (estimate === undefined)
    return 'Too few calls succeed to tell how long they would take, so it is doubled.';
  const { low, high } = estimate;
  const points = `${percent(low.share)} of all calls end within ${ms(low.ms)} and ${percent(high.share)} within ${ms(high.ms)}`;
  return `${points}; by a log-normal curve through both, ${percent(AIM)} would end within ${ms(estimate.ms)}.`;
}

function ms(value: number): string {
  return `${count(Math.round(value))} ms`;
}

function tuneRetries({
  value: old,
}: SettingRef): { readonly tuning: Tuning } | { readonly declined: string } {
  if (!Number.isInteger(old) || old < 0)
    return { declined: `The number of retries is ${old}, which counts nothing.` };
  if (old >= RETRIES_MAX)
    return { declined: `There are ${old} retries already; more would hide the cause.` };
  const factor = old === 0 ? 2 : (old + 1) / old;
  const why = `One more try than now, at most ${RETRIES_MAX}.`;
  return { tuning: { value: old + 1, factor, capped: false, why } };
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/(?:^|[^a-z])(?:ms|msecs?|millis|milliseconds?)$/, 1],
  [/(?:^|[^a-z])(?:s|secs?|seconds?)$/, 1000],
  [/(?:^|[^a-z])(?:min|mins|minutes?)$/, 60_000],
  [/(?:^|[^a-z])(?:h|hours?)$/, 3_600_000],
];

/** Milliseconds per unit: by the key's last word or its parent's, else by how long the failures took. */
function unitOf({ path, value }: SettingRef, failed: LatencyView | null): number | undefined {
  for (const key of path.slice(-2).reverse()) {
    const name = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
    const unit = UNITS.find(([pattern]) => pattern.test(name));
    if (unit !== undefined) return unit[1];
  }
  if (failed === null || failed.count === 0) return undefined;
  const middle = quantileOf(failed, 0.5);
  return [1, 1000, 60_000].find((unit) => {
    const ratio = middle / (value * unit);
    return ratio > 1 / 1.5 && ratio < 1.5;
  });
}
