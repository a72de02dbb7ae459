/**
 * Measures that move together (DIAG-4), one possibly some hours after the other. What the time of day does to both is taken out first;
 * told where the correlation is at least 0.7, and of all pairs that were compared at most one in twenty is chance. Pure.
 */
import { nextTurn } from '../../base/index.ts';
import { benjaminiHochberg, laggedCorrelation } from '../../stats/index.ts';
import { writtenName } from '../../text/index.ts';
import { HOUR_MS } from './find-shift.ts';
import { type HourSeries, isRatio } from './hour-series.ts';

const CORRELATION_MIN = 0.7;
/** The means and spreads of what overlaps at a lag differ a little from those of all. */
const NEAR_MIN = 0.8 * CORRELATION_MIN;
const FALSE_SHARE = 0.05;
const LAG_HOURS_MAX = 6;
/** Three days: fewer make any two slow measures alike. */
const HOURS_MIN = 72;
/** Of a series, in the hours that both cover; gaps count as usual. */
const MEASURED_MIN = 0.7;
/** 30 make 435 pairs, a few milliseconds each. */
const SERIES_MAX = 30;
const TOLD_MAX = 5;

export interface Together {
  readonly first: HourSeries;
  readonly second: HourSeries;
  readonly correlation: number;
  /** How many hours the second follows the first. */
  readonly lagHours: number;
  readonly pValue: number;
}

/** The surest first. */
export async function movingTogether(all: readonly HourSeries[]): Promise<readonly Together[]> {
  const series = [...all]
    .filter(({ hours }) => hours.length >= HOURS_MIN)
    .sort((a, b) => b.hours.length - a.hours.length)
    .slice(0, SERIES_MAX)
    .map((one) => ({ one, rest: restOf(one) }));
  const compared: Together[] = [];
  for (const [at, { one: a, rest: restA }] of series.entries()) {
    for (const { one: b, rest: restB } of series.slice(at + 1)) {
      // Latency, tokens and cost of one place are one work.
      if (a.event === b.event && a.agent === b.agent && a.tool === b.tool) continue;
      const pair = pairOf(restA, restB);
      if (pair === undefined) continue;
      // What is plainly too weak is only counted: the test of every lag takes a hundred times as long.
      const { lag, correlation, pValue } = isNear(pair)
        ? laggedCorrelation(pair.a, pair.b, LAG_HOURS_MAX)
        : { lag: 0, correlation: 0, pValue: 1 };
      const [first, second] = lag >= 0 ? [a, b] : [b, a];
      compared.push({ first, second, correlation, lagHours: Math.abs(lag), pValue });
    }
    await nextTurn();
  }
  const { found } = benjaminiHochberg(
    compared.map(({ pValue }) => pValue),
    FALSE_SHARE,
  );
  return compared
    .filter(({ correlation }, at) => found[at] === true && Math.abs(correlation) >= CORRELATION_MIN)
    .sort((a, b) => a.pValue - b.pValue)
    .slice(0, TOLD_MAX);
}

/** By hour, how far a value is from the usual one of that hour of the day. */
function restOf({ hours, measure }: HourSeries): ReadonlyMap<number, number> {
  const values = hours.map(({ atMs, value }) => ({
    hour: Math.round(atMs / HOUR_MS),
    value: isRatio(measure) ? Math.log(value) : value,
  }));
  const usual = new Map(
    [...Map.groupBy(values, ({ hour }) => hour % 24)].map(([hour, all]) => [
      hour,
      all.map(({ value }) => value).sort((a, b) => a - b)[all.length >> 1]!,
    ]),
  );
  return new Map(values.map(({ hour, value }) => [hour, value - usual.get(hour % 24)!]));
}

function pairOf(one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>) {
  const from = Math.max(Math.min(...one.keys()), Math.min(...other.keys()));
  const to = Math.min(Math.max(...one.keys()), Math.max(...other.keys()));
  const length = to - from + 1;
  if (length < HOURS_MIN) return undefined;
  const values = (of: ReadonlyMap<number, number>) =>
    Array.from({ length }, (_, at) => of.get(from + at));
  const [a, b] = [values(one), values(other)];
  const measured = (all: readonly (number | undefined)[]) =>
    all.filter((value) => value !== undefined).length;
  if (Math.min(measured(a), measured(b)) < MEASURED_MIN * length) return undefined;
  return { a: a.map((value) => value ?? 0), b: b.map((value) => value ?? 0) };
}

/** Whether any lag may reach what is told. */
function isNear({
  a,
  b,
}: {
  readonly a: readonly number[];
  readonly b: readonly number[];
}): boolean {
  const [x, y] = [scaled(a), scaled(b)];
  for (let lag = -LAG_HOURS_MAX; lag <= LAG_HOURS_MAX; lag++) {
    let sum = 0;
    for (let at = Math.max(0, -lag); at + Math.max(0, lag) < x.length; at++)
      sum += x[at]! * (y[at + lag] ?? 0);
    if (Math.abs(sum) >= NEAR_MIN * (x.length - Math.abs(lag))) return true;
  }
  return false;
}

function scaled(values: readonly number[]): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length,
  );
  return Float64Array.from(values, (value) => (spread > 0 ? (value - mean) / spread : 0));
}

/** `latency of web_search of researcher follows queue of shop by 2 hours (correlation 0.83).` */
export function togetherWords({ first, second, correlation, lagHours }: Together): string {
  const how = correlation < 0 ? 'moves against' : lagHours === 0 ? 'moves with' : 'follows';
  const later = lagHours === 0 ? '' : ` by ${lagHours} ${lagHours === 1 ? 'hour' : 'hours'}`;
  return `${nameOf(second)} ${how} ${nameOf(first)}${later} (correlation ${correlation.toFixed(2)}).`;
}

function nameOf({ agent, tool, measure }: HourSeries): string {
  const names = [tool, agent].filter((name) => name !== '').map((name) => writtenName(name, 60));
  const what = measure === 'value' || measure === 'rate' ? '' : `${measure} of `;
  return `${what}${names.join(' of ')}`;
}
