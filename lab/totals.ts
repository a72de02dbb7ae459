/** The figures that aims judge, over all runs of a set. Pure. */
import { APPROVERS } from './approvers.ts';
import type { Outcome } from './expect-schema.ts';
import type { Played } from './play.ts';

export interface Total {
  readonly metric: string;
  /** Null where no run could have shown it. */
  readonly value: number | null;
  readonly n: number;
}

export function totals(played: readonly Played[]): Total[] {
  const sum = (count: (one: Played) => number) => played.reduce((all, one) => all + count(one), 0);
  const hours = played.flatMap(({ hoursToImprovement }) => hoursToImprovement ?? []);
  const detected = played.flatMap(({ hoursToDetection }) => hoursToDetection ?? []);
  const rolledBack = played.flatMap(({ hoursToRollback }) => hoursToRollback);
  const placed = played.flatMap(({ proposals }) =>
    proposals.flatMap((one) => one.isRightPlace ?? []),
  );
  const deployed = sum(({ right }) => right.deployed);
  const scenarios = new Set(played.map(({ scenario }) => scenario)).size;
  return [
    { metric: 'fixed_share', ...worseShare(played, ['fixed']) },
    { metric: 'untouched_share', ...worseShare(played, ['untouched']) },
    { metric: 'taken_back_share', ...worseShare(played, ['taken_back']) },
    { metric: 'told_share', ...worseShare(played, ['told']) },
    { metric: 'right_place_share', ...shareOf(placed) },
    {
      metric: 'wrong_rollback_share',
      value: deployed === 0 ? null : sum(({ right }) => right.takenBack) / deployed,
      n: deployed,
    },
    { metric: 'harm_left', value: sum(({ harmLeft }) => Number(harmLeft)), n: played.length },
    { metric: 'median_hours_to_improvement', value: median(hours), n: hours.length },
    { metric: 'median_hours_to_detection', value: median(detected), n: detected.length },
    { metric: 'median_hours_to_rollback', value: median(rolledBack), n: rolledBack.length },
    cpu(played, 'cpu_seconds_ordinary_day', false),
    cpu(played, 'cpu_seconds_watched_day', true),
    { metric: 'violations', value: sum(({ violations }) => violations.length), n: played.length },
    { metric: 'scenarios', value: scenarios, n: played.length },
  ];
}

/** Of random worlds: those that need no change, told ones among them, are left alone. */
export function randomTotals(played: readonly Played[]): Total[] {
  const kept = new Set(['harm_left', 'wrong_rollback_share', 'right_place_share', 'violations']);
  const worlds = new Set(played.map(({ scenario }) => scenario)).size;
  return [
    { metric: 'fixed_share', ...worseShare(played, ['fixed']) },
    { metric: 'untouched_share', ...untouchedShare(played) },
    { metric: 'told_share', ...worseShare(played, ['told']) },
    { metric: 'taken_back_share', ...worseShare(played, ['taken_back']) },
    ...totals(played).filter(({ metric }) => kept.has(metric) || metric.startsWith('median_')),
    { metric: 'worlds', value: worlds, n: played.length },
  ];
}

/** A world in which nobody was told although somebody should have been is still one that was left alone. */
function untouchedShare(played: readonly Played[]) {
  const some = played.filter(({ expected }) => expected === 'untouched' || expected === 'told');
  const alone = some.map((one) => ({ ...one, ok: one.ok || one.label === 'not told' }));
  return worseShare(alone, ['untouched', 'told']);
}

/** Of the approver with whom it went worse. */
function worseShare(played: readonly Played[], outcomes: readonly Outcome[]) {
  const some = played.filter(({ expected }) => outcomes.includes(expected));
  const shares = APPROVERS.flatMap(
    (approver) =>
      shareOf(some.filter((one) => one.approver === approver).map(({ ok }) => ok)).value ?? [],
  );
  return { value: shares.length === 0 ? null : Math.min(...shares), n: some.length };
}

function shareOf(some: readonly boolean[]) {
  const value = some.length === 0 ? null : some.filter(Boolean).length / some.length;
  return { value, n: some.length };
}

function cpu(played: readonly Played[], metric: string, watched: boolean): Total {
  const days = played.flatMap((one) => one.days).filter((day) => day.isWatched === watched);
  return { metric, value: median(days.map(({ cpuSeconds }) => cpuSeconds)), n: days.length };
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
