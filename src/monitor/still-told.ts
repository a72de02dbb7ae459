/**
 * Whether the agents still sent telemetry at the end of a watch, compared with the same hours of the day in
 * the baseline: an agent that works in office hours is silent at night without any change.
 *
 * The end is as long as it takes for a quarter of what the whole watch leads to expect. A watch that ends at
 * night reaches back into the day, so that a fleet that fell silent is found there.
 */
import { countedOf } from './comparison.ts';
import { mainReading } from './report.ts';
import { sum } from './season.ts';
import type { Baseline, Count, Judgement, SeriesObserved, Watch } from './types.ts';

const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;
/** The share of the whole watch's expected telemetry that its end should bring. */
const END_SHARE = 0.25;
/** The share of the expected telemetry at the end that must have come. */
const TOLD_SHARE_MIN = 0.1;

/** A change after which agents fall silent did not hold: without telemetry it cannot be judged. */
export function isStillTold(
  { startedAtMs, untilMs }: Watch,
  { readings }: Judgement,
  series: { baseline: Baseline; observed: readonly SeriesObserved[] },
): boolean {
  const main = mainReading(readings);
  const counted = main && countedOf(series, main.metric, main.agent);
  if (counted === undefined) return false;
  const perMinute = minuteByHour(counted.hours);
  const minutes = Array.from(
    { length: Math.floor((untilMs - startedAtMs) / MINUTE_MS) },
    (_, at) => perMinute[Math.floor(at / MINUTES_PER_HOUR) % HOURS_PER_DAY]!,
  );
  const wanted = END_SHARE * minutes.reduce((total, one) => total + one, 0);
  let [from, expected] = [minutes.length, 0];
  while (from > 0 && expected < wanted) expected += minutes[--from]!;
  const fromMs = startedAtMs + from * MINUTE_MS;
  const told = sum(counted.bins.filter(({ atMs }) => atMs >= fromMs)).all;
  return told >= TOLD_SHARE_MIN * expected;
}

/** For each hour since the deployment, modulo a day; one that the baseline lacks is like their mean. */
function minuteByHour(hours: readonly Count[]): number[] {
  return Array.from({ length: HOURS_PER_DAY }, (_, hour) => {
    const same = hours.filter((_, at) => (hours.length - at + hour) % HOURS_PER_DAY === 0);
    const some = same.length === 0 ? hours : same;
    return some.length === 0 ? 0 : sum(some).all / some.length / MINUTES_PER_HOUR;
  });
}
