/** Which value a number should have. Pure. It knows timeouts and retries. */
import type { LatencyView, Pattern, SettingSubject } from '../../../facts/index.ts';
import type { Declined } from '../../types.ts';
import { count, percent, shown } from '../../wording.ts';
import { readableDown, readableUp } from './readable-number.ts';
import { type Estimate, estimateLatency, isGapBefore, quantileOf } from './timeout-estimate.ts';

/** The share of calls that a timeout is meant to let end. */
const AIM = 0.995;
const FACTOR_MIN = 1.25;
const FACTOR_MAX = 4;
/** Used if the latencies do not show how much is needed. */
const FACTOR_UNKNOWN = 2;
const RETRIES_MAX = 5;

/** The new value of a setting, and how it was found. */
export interface Tuning {
  readonly value: number;
  /** How many times larger or smaller than the old one; at least 1. */
  readonly factor: number;
  /** The wanted step was larger than the limit for one change. */
  readonly capped: boolean;
  /** Plain sentences with the numbers it comes from. */
  readonly why: string;
}

export type TunedPattern = Pick<
  Pattern,
  'kind' | 'occurrences' | 'calls' | 'failedLatency' | 'succeededLatency' | 'trial'
>;

/** Undefined where it is not a number, or the failure is not of a kind that a number is tuned for. */
export function tuneConstant(
  pattern: TunedPattern,
  setting: SettingSubject,
): Tuning | Declined | undefined {
  const { value } = setting;
  if (typeof value !== 'number') return undefined;
  if (setting.aim !== undefined) return tuneToAim(setting.aim, value);
  if (setting.limits === 'tries') return addTries(pattern, value);
  if (pattern.kind === 'timeout' || setting.limits === 'time')
    return tuneTimeout(pattern, setting, value);
  if (pattern.kind === 'retries_exhausted') return tuneRetries(value);
  return undefined;
}

/** A change by a factor f needs 3 f² failures: the larger the change, the more evidence it needs. */
export function neededFailures(factor: number): number {
  return Math.ceil(3 * factor * factor - 1e-9);
}

function tuneTimeout(
  pattern: TunedPattern,
  { unit, path }: SettingSubject,
  old: number,
): Tuning | Declined {
  if (!(old > 0))
    return { declined: `The timeout is ${old}, which is not a limit that could be raised.` };
  const unitMs = UNIT_MS.get(unit ?? '') ?? unitByLatency(old, pattern.failedLatency);
  if (unitMs === undefined) {
    const key = shown(path.at(-1) ?? '', 60);
    return { declined: `The unit of ${key} cannot be told from its name or from the latencies.` };
  }
  const estimate = estimateLatency(pattern.succeededLatency, pattern.occurrences, AIM);
  const { succeededLatency, occurrences: failures } = pattern;
  const isOtherKind =
    estimate !== undefined &&
    isGapBefore(succeededLatency, estimate, { limitMs: old * unitMs, failures });
  const factorMax = Math.min(FACTOR_MAX, pattern.trial?.timesMax ?? FACTOR_MAX);
  const guess = isOtherKind ? old * factorMax : old * FACTOR_UNKNOWN;
  const wished = estimate === undefined || isOtherKind ? guess : estimate.ms / unitMs;
  const whole = Number.isInteger(old);
  const least = old * FACTOR_MIN;
  const most = readableDown(old * factorMax, whole);
  const wanted = readableUp(Math.max(wished, least), whole);
  const capped = wanted > most;
  const value = capped ? most : wanted;
  const step = capped ? 'most' : wished < least ? 'least' : 'wished';
  const text = isOtherKind ? otherKindText(value / old) : estimateText(estimate);
  const why = `${text} ${STEP_TEXT[step]} The new value is ${value}.`;
  return { value, factor: value / old, capped, why };
}

/** Beyond the limit, as far as calls of another kind may be: as likely at each length of a logarithmic scale. */
const OTHER_KIND_SPAN = 16;

function otherKindText(factor: number): string {
  const caught = percent(Math.log(factor) / Math.log(OTHER_KIND_SPAN));
  return `Calls that succeed end well before the limit, and hardly any just below it: those that are cut off are of another kind, and how long they would take cannot be told. About ${caught} of such calls end within ${Number(factor.toFixed(2))} times the limit.`;
}

const STEP_TEXT = {
  wished: 'That is rounded up to a readable number.',
  least: `That is less than the smallest step, so it grows by that step, ${FACTOR_MIN} times, rounded up.`,
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

function tuneRetries(old: number): Tuning | Declined {
  if (!Number.isInteger(old) || old < 0)
    return { declined: `The number of retries is ${old}, which is not a count.` };
  if (old >= RETRIES_MAX)
    return { declined: `There are ${old} retries already; more would hide the cause.` };
  const factor = old === 0 ? 2 : (old + 1) / old;
  const why = `One more try than now, at most ${RETRIES_MAX}.`;
  return { value: old + 1, factor, capped: false, why };
}

/** The diagnosis read it off counts that a pattern does not have. A whole number stays one. */
function tuneToAim(
  { value: aim, why, reached }: NonNullable<SettingSubject['aim']>,
  old: number,
): Tuning | Declined {
  if (!(old > 0) || !(aim > 0))
    return { declined: `The value is ${old}, which is not a limit that could be moved.` };
  const whole = Number.isInteger(old);
  const isUp = aim > old;
  const rounded =
    Number.isInteger(aim) && whole ? aim : isUp ? readableUp(aim, whole) : shorter(aim, old, whole);
  const value = Math.max(whole ? 1 : Number.MIN_VALUE, rounded);
  if (value === old || value > old !== isUp)
    return {
      declined: `The value is ${old}, and no readable number is nearer to ${Number(aim.toPrecision(3))}.`,
    };
  // From a limit that was never met to one that is: what changes is what was seen at work.
  const met = reached === undefined ? old : Math.min(old, Math.max(reached, value));
  const factor = Math.max(value / met, met / value, 1);
  return { value, factor, capped: false, why: `${why} The new value is ${value}.` };
}

/** Rounded up where that is still shorter: too short is worse than too long. */
function shorter(aim: number, old: number, whole: boolean): number {
  const up = readableUp(aim, whole);
  if (up < old) return up;
  return whole && aim < 1 ? old : readableDown(aim, whole);
}

/** Of what is asked, this share may be lost after every try. */
const LOST_AIM = 0.005;
const ADDED_MAX = 2;

/** Each try fails by itself with the share that was seen: so many more that hardly anything is lost. */
function addTries({ occurrences, calls }: TunedPattern, old: number): Tuning | Declined {
  const share = occurrences / Math.max(1, calls);
  if (!Number.isInteger(old) || old < 0 || !(share < 1))
    return { declined: `The number of tries is ${old}, and ${percent(share)} of them fail.` };
  let more = 1;
  while (more < ADDED_MAX && share ** (more + 1) > LOST_AIM) more += 1;
  const why = `${percent(share)} of the tries fail. If each fails by itself, about ${percent(share ** (more + 1))} of what is asked would be lost with ${more} more.`;
  return { value: old + more, factor: (old + more) / Math.max(1, old), capped: false, why };
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
]);

/** Milliseconds per unit, by how long the failures took. */
function unitByLatency(value: number, failed: LatencyView | null): number | undefined {
  if (failed === null || failed.count === 0) return undefined;
  const middle = quantileOf(failed, 0.5);
  return [1, 1000, 60_000].find((unit) => {
    const ratio = middle / (value * unit);
    return ratio > 1 / 1.5 && ratio < 1.5;
  });
}
