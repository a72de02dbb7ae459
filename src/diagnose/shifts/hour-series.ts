/** What may shift, as one value an hour: metrics, and how long calls take and what one of them spends. */
import type { Measure, MetricHours, Pattern, UnitHours } from '../../facts/index.ts';
import type { HourValue } from './find-shift.ts';

export interface HourSeries {
  readonly event: 'metric' | UnitHours['event'];
  readonly agent: string;
  /** Of a metric its name. */
  readonly tool: string;
  readonly measure: Measure;
  /** Ascending, without hours in which nothing was measured. */
  readonly hours: readonly HourValue[];
}

/** Those that are never negative, and compared as factors. */
export function isRatio(measure: Measure): boolean {
  return measure === 'latency' || measure === 'tokens' || measure === 'cost';
}

export function metricSeries({ agent, name, isSum, hours }: MetricHours): HourSeries {
  return {
    event: 'metric',
    agent,
    tool: name,
    measure: isSum ? 'rate' : 'value',
    hours: hours
      .filter(({ values }) => values > 0)
      .map(({ atMs, sum, values }) => ({ atMs, value: isSum ? sum : sum / values })),
  };
}

/** Without what no event tells. */
export function unitSeries({ event, agent, tool, hours }: UnitHours): HourSeries[] {
  const of = (measure: Measure, whole: keyof Hour, parts: keyof Hour): HourSeries => ({
    event,
    agent,
    tool,
    measure,
    hours: hours
      .filter((hour) => hour[parts] > 0 && hour[whole] > 0)
      .map((hour) => ({ atMs: hour.atMs, value: hour[whole] / hour[parts] })),
  });
  return [
    of('latency', 'latencySumMs', 'timed'),
    of('tokens', 'tokens', 'events'),
    of('cost', 'costUsd', 'events'),
  ].filter((series) => series.hours.length > 0);
}

type Hour = UnitHours['hours'][number];

/** The same for one measure of one place, in every cycle. */
export function identityOf({ event, agent, tool, measure }: HourSeries) {
  return { kind: 'shift' satisfies Pattern['kind'], event, agent, tool, measure };
}
