/**
 * Whether the fleet is steady enough that Hone may act by itself (HLTH-4): as many days with traffic as are asked for,
 * among the last 14, and none of them apart from the others. A day is apart when its share of failures differs from that of the
 * other days beyond noise (hours that scatter count for less) and by more than the watch tolerates of a change. Pure.
 *
 * Days end now, not at midnight: nobody has to know where the users live. A fleet that rests at weekends has its days all
 * the same. Ten times the traffic finds smaller differences, and the tolerance keeps them from counting; a tenth of it has
 * wider intervals, so that only large ones do.
 */
import { type HourCount, rateChange } from './rate-change.ts';

const DAY_MS = 86_400_000;
/** Longer ago says little about now. */
const BASELINE_DAYS_MAX = 14;
/** All days together are wrongly told apart this seldom. */
const ALPHA = 0.05;

export interface BaselineHour extends HourCount {
  readonly atMs: number;
  readonly timedWell: number;
  readonly latencyWellMs: number;
}

export interface BaselineSettings {
  readonly nowMs: number;
  readonly days: number;
  /** With fewer calls a day says nothing. */
  readonly callsMin: number;
  /** Relative: .25 is a quarter more or less. */
  readonly tolerance: number;
}

export interface Baseline {
  readonly verdict: 'stable' | 'unstable' | 'too_short';
  readonly daysNeeded: number;
  readonly daysSeen: number;
  readonly calls: number;
  /** Of all counted days; null without calls. */
  readonly failureRate: number | null;
  readonly lowestDay: number | null;
  readonly highestDay: number | null;
  /** Of calls that ended well; shown, not judged. */
  readonly latencyMs: number | null;
  /** In one clause. */
  readonly why: string;
}

export function judgeBaseline(
  hours: readonly BaselineHour[],
  { nowMs, days, callsMin, tolerance }: BaselineSettings,
): Baseline {
  const all = Array.from({ length: BASELINE_DAYS_MAX }, (_, ago) => {
    const [from, to] = [nowMs - (ago + 1) * DAY_MS, nowMs - ago * DAY_MS];
    return hours.filter(({ atMs }) => atMs >= from && atMs < to);
  });
  const counted = all.filter((day) => callsOf(day) >= callsMin).slice(0, days);
  const together = counted.flat();
  const rates = counted.map((day) => failedOf(day) / callsOf(day));
  const calls = callsOf(together);
  const timed = together.reduce((sum, { timedWell }) => sum + timedWell, 0);
  const shown = {
    daysNeeded: days,
    daysSeen: counted.length,
    calls,
    failureRate: calls === 0 ? null : failedOf(together) / calls,
    lowestDay: rates.length === 0 ? null : Math.min(...rates),
    highestDay: rates.length === 0 ? null : Math.max(...rates),
    latencyMs:
      timed === 0 ? null : together.reduce((sum, one) => sum + one.latencyWellMs, 0) / timed,
  };
  if (counted.length < days) {
    const why = `${counted.length} of ${days} days with at least ${callsMin} calls were seen`;
    return { ...shown, verdict: 'too_short', why };
  }
  const apart = counted.findIndex((day, at) =>
    isApart(day, counted.toSpliced(at, 1).flat(), { level: 1 - ALPHA / days, tolerance }),
  );
  if (apart < 0) return { ...shown, verdict: 'stable', why: `${days} days alike` };
  const others = counted.toSpliced(apart, 1).flat();
  const why = `one day failed ${percent(rates[apart]!)} of its calls, the others ${percent(failedOf(others) / callsOf(others))}`;
  return { ...shown, verdict: 'unstable', why };
}

function isApart(
  day: readonly BaselineHour[],
  others: readonly BaselineHour[],
  { level, tolerance }: { level: number; tolerance: number },
): boolean {
  const change = rateChange(others, day, level);
  if (change === null || change.verdict === 'same') return false;
  const usual = failedOf(others) / callsOf(others);
  return Math.abs(failedOf(day) / callsOf(day) - usual) > tolerance * usual;
}

const callsOf = (some: readonly HourCount[]) => some.reduce((sum, { calls }) => sum + calls, 0);
const failedOf = (some: readonly HourCount[]) => some.reduce((sum, { failed }) => sum + failed, 0);
const percent = (share: number) => `${Number((share * 100).toPrecision(2))} %`;
