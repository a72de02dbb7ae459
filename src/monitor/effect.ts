/**
 * What a change brought: how much smaller the share of failed calls is, at the place that it answers, than it would be
 * without it. What happened meanwhile where the change cannot reach is taken off. Only calls of one tool are measured: what
 * tasks, spans and tests failed with is not in their counts. A pure function of counts by hour.
 */
import type { CallHours, EffectTime, EntryPayload } from '../facts/index.ts';
import { newcombeInterval } from '../stats/index.ts';
import { type HourCount, normOf } from './norm.ts';
import { type Footing, ringsOf } from './rings.ts';
import { sum } from './season.ts';
import type { Count } from './types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Fewer failures of the comparison say nothing about how things went meanwhile. */
const CONTROL_FAILURES_MIN = 30;
/**
 * With fewer calls between proposal and deployment the time since the failure began is compared, which was picked for
 * being bad: its share is drawn to the whole record's, which has the weight of as many calls.
 */
const CALLS_MIN = 200;

export type Effect = EntryPayload<'monitor.effect_measured'>;

export const EFFECT_AFTER_MS: Readonly<Record<EffectTime, number>> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  two_weeks: 14 * DAY_MS,
};

export interface EffectQuestion {
  readonly calls: readonly CallHours[];
  readonly footing: Footing;
  /** The failure that it answers: its place, where that is a tool, and since when it is there. */
  readonly place: { readonly agent: string; readonly tool: string | undefined };
  readonly failsSinceMs: number;
  /** From here on nothing was picked for being bad. */
  readonly proposedAtMs: number;
  readonly startedAtMs: number;
  readonly nowMs: number;
}

/** Undefined where nothing can be compared. */
export function effectOf(after: EffectTime, question: EffectQuestion): Effect | undefined {
  const { calls, place, startedAtMs } = question;
  if (place.tool === undefined) return undefined;
  const own = byHour(
    calls.filter(({ agent, tool }) => agent === place.agent && tool === place.tool),
  );
  const { before, was } = beforeOf(own, question);
  const is = sum(own.filter(({ atMs }) => atMs >= startedAtMs && atMs < question.nowMs));
  if (was.all === 0 || is.all === 0) return undefined;
  const spread = normOf(before).dispersion;
  const { low, high } = newcombeInterval(thinned(was, spread), thinned(is, spread));
  const controls = controlsOf(question, before[0]!.atMs);
  const [p, q] = [was.bad / was.all, is.bad / is.all];
  // Without the change the share would have gone as it did elsewhere.
  const shift = p * ((controls?.ratio ?? 1) - 1);
  const unsure = p * (controls?.error ?? 0);
  return {
    after,
    beforeBad: was.bad,
    beforeAll: was.all,
    sinceBad: is.bad,
    sinceAll: is.all,
    controls: controls === undefined ? null : rounded(controls.ratio),
    benefit: rounded(p - q + shift),
    low: rounded(-high + shift - unsure),
    high: rounded(-low + shift + unsure),
  };
}

/** Ascending; each hour once. */
function byHour(calls: readonly CallHours[]): HourCount[] {
  const hours = Map.groupBy(
    calls.flatMap((one) => one.hours),
    ({ atMs }) => atMs,
  );
  return [...hours]
    .map(([atMs, all]) => ({
      atMs,
      ...sum(all.map(({ failed, calls: made }) => ({ bad: failed, all: made }))),
    }))
    .sort((a, b) => a.atMs - b.atMs);
}

function beforeOf(
  own: readonly HourCount[],
  { failsSinceMs, proposedAtMs, startedAtMs }: EffectQuestion,
): { readonly before: readonly HourCount[]; readonly was: Count } {
  const record = own.filter(({ atMs }) => atMs + HOUR_MS <= startedAtMs);
  const waited = record.filter(({ atMs }) => atMs >= proposedAtMs);
  if (sum(waited).all >= CALLS_MIN) return { before: waited, was: sum(waited) };
  const before = record.filter(({ atMs }) => atMs >= failsSinceMs);
  const [{ bad, all }, long] = [sum(before), sum(record)];
  if (all === 0) return { before, was: { bad, all } };
  const share = (bad + (CALLS_MIN * long.bad) / long.all) / (all + CALLS_MIN);
  return { before, was: { bad: Math.round(share * all), all } };
}

/** Counts that come in bursts are worth fewer. */
function thinned({ bad, all }: Count, spread: number) {
  const events = Math.max(1, Math.round(all / spread));
  return { events, failures: Math.min(events, Math.round(bad / spread)) };
}

function controlsOf(
  { calls, footing, startedAtMs, nowMs }: EffectQuestion,
  fromMs: number,
): { ratio: number; error: number } | undefined {
  const rings = ringsOf(calls, footing);
  const [was, is] = [
    { bad: 0, all: 0 },
    { bad: 0, all: 0 },
  ];
  calls.forEach(({ hours }, at) => {
    if (rings[at]! < 3) return;
    for (const hour of hours) {
      const side = hour.atMs + HOUR_MS <= startedAtMs ? was : is;
      if (hour.atMs < fromMs || hour.atMs >= nowMs) continue;
      side.bad += hour.failed;
      side.all += hour.calls;
    }
  });
  if (Math.min(was.bad, is.bad) < CONTROL_FAILURES_MIN) return undefined;
  const ratio = is.bad / is.all / (was.bad / was.all);
  return { ratio, error: 1.96 * ratio * Math.sqrt(1 / was.bad + 1 / is.bad) };
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6;
