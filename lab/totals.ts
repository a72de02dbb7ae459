/** The figures that aims judge, over all runs. Pure. */
import type { Played } from './play.ts';

export interface Total {
  readonly metric: string;
  /** Null where no run could have shown it. */
  readonly value: number | null;
  readonly n: number;
}

export function totals(played: readonly Played[]): Total[] {
  const of = (expected: Played['expected']) => played.filter((one) => one.expected === expected);
  const fixable = of('fixed');
  const healthy = of('untouched');
  const hours = fixable.flatMap(({ hoursToImprovement }) => hoursToImprovement ?? []);
  const sum = (count: (one: Played) => number) => played.reduce((all, one) => all + count(one), 0);
  const cpu = (metric: string, watched: boolean): Total => {
    const days = played.flatMap((one) => one.days).filter((day) => day.isWatched === watched);
    return { metric, value: median(days.map(({ cpuSeconds }) => cpuSeconds)), n: days.length };
  };
  return [
    { metric: 'fixed_share', value: share(fixable), n: fixable.length },
    { metric: 'untouched_share', value: share(healthy), n: healthy.length },
    { metric: 'taken_back_share', value: share(of('taken_back')), n: of('taken_back').length },
    { metric: 'harm_left', value: sum(({ harmLeft }) => Number(harmLeft)), n: played.length },
    { metric: 'median_hours_to_improvement', value: median(hours), n: hours.length },
    cpu('cpu_seconds_ordinary_day', false),
    cpu('cpu_seconds_watched_day', true),
    { metric: 'violations', value: sum(({ violations }) => violations.length), n: played.length },
    {
      metric: 'scenarios',
      value: new Set(played.map(({ scenario }) => scenario)).size,
      n: played.length,
    },
  ];
}

function share(some: readonly Played[]): number | null {
  return some.length === 0 ? null : some.filter(({ ok }) => ok).length / some.length;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
