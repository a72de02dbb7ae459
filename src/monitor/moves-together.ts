/**
 * Tools that share something with another one although no file says so: a quota, a queue, a host. Where one of them is ill the
 * other is too, episode by episode. A pure function of counts before a change.
 *
 * Episodes are counted, not hours: a bad night is one event, however long. By chance an episode meets a bad hour of another
 * tool as often as any stretch of its length does; more than that, beyond one in a thousand over all tools, is something that
 * they share. An hour in which most tools are ill is everybody's trouble and says nothing of two.
 */
import type { CallHours } from '../facts/index.ts';
import { binomialSf } from '../stats/index.ts';
import { illHours } from './ill-hours.ts';
import { type HourCount, normOf } from './norm.ts';

const HOUR_MS = 3_600_000;
/** Twice may be a coincidence that a person would not believe in either. */
const EPISODES_MIN = 3;
const CHANCE = 0.001;

export function toolsThatMoveWith(tool: string, calls: readonly CallHours[]): string[] {
  const ill = illByTool(calls);
  const own = episodesOf(ill.get(tool) ?? new Set());
  if (own.length < EPISODES_MIN) return [];
  const [firstMs, hours] = spanOf(calls);
  const others = [...ill].filter(([name]) => name !== tool);
  return others
    .filter(([, bad]) => {
      const met = own.filter((episode) => meets(episode, bad)).length;
      if (met < EPISODES_MIN) return false;
      const byChance = own.map(({ lastsHours }) => shareMet(bad, { firstMs, hours, lastsHours }));
      const mean = byChance.reduce((total, one) => total + one, 0) / own.length;
      return binomialSf(met - 1, own.length, mean) < CHANCE / others.length;
    })
    .map(([name]) => name)
    .sort();
}

/** Without the hours in which most of at least three tools are ill. */
function illByTool(calls: readonly CallHours[]): ReadonlyMap<string, ReadonlySet<number>> {
  const ill = new Map(
    [...Map.groupBy(calls, ({ tool }) => tool)].map(([tool, some]) => [tool, illHoursOf(some)]),
  );
  const times = new Map<number, number>();
  for (const hours of ill.values())
    for (const atMs of hours) times.set(atMs, (times.get(atMs) ?? 0) + 1);
  const most = Math.max(2, ill.size / 2);
  const isEverybodys = (atMs: number) => times.get(atMs)! > most;
  return new Map(
    [...ill].map(([tool, hours]) => [
      tool,
      new Set([...hours].filter((atMs) => !isEverybodys(atMs))),
    ]),
  );
}

/** Of one tool, whoever calls it. */
function illHoursOf(calls: readonly CallHours[]): ReadonlySet<number> {
  const byHour = new Map<number, HourCount>();
  for (const { hours } of calls)
    for (const { atMs, failed, calls: made } of hours) {
      const known = byHour.get(atMs) ?? { atMs, bad: 0, all: 0 };
      byHour.set(atMs, { atMs, bad: known.bad + failed, all: known.all + made });
    }
  const before = [...byHour.values()].sort((a, b) => a.atMs - b.atMs);
  const series = { agent: '', tool: '', measure: 'failures', ring: 3, before, since: before };
  return illHours([{ series: { ...series, measure: 'failures', ring: 3 }, norm: normOf(before) }]);
}

interface Episode {
  readonly fromMs: number;
  readonly lastsHours: number;
}

function episodesOf(ill: ReadonlySet<number>): Episode[] {
  const episodes: Episode[] = [];
  for (const atMs of [...ill].sort((a, b) => a - b)) {
    const last = episodes.at(-1);
    if (last !== undefined && atMs === last.fromMs + last.lastsHours * HOUR_MS)
      episodes[episodes.length - 1] = { ...last, lastsHours: last.lastsHours + 1 };
    else episodes.push({ fromMs: atMs, lastsHours: 1 });
  }
  return episodes;
}

function meets({ fromMs, lastsHours }: Episode, ill: ReadonlySet<number>): boolean {
  for (let hour = 0; hour < lastsHours; hour++) if (ill.has(fromMs + hour * HOUR_MS)) return true;
  return false;
}

/** Of all stretches of this length. */
function shareMet(
  ill: ReadonlySet<number>,
  {
    firstMs,
    hours,
    lastsHours,
  }: { readonly firstMs: number; readonly hours: number; readonly lastsHours: number },
): number {
  const starts = Math.max(1, hours - lastsHours + 1);
  let met = 0;
  for (let at = 0; at < starts; at++)
    if (meets({ fromMs: firstMs + at * HOUR_MS, lastsHours }, ill)) met += 1;
  return met / starts;
}

function spanOf(calls: readonly CallHours[]): readonly [firstMs: number, hours: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { hours } of calls)
    for (const { atMs } of hours) {
      first = Math.min(first, atMs);
      last = Math.max(last, atMs);
    }
  return [first, (last - first) / HOUR_MS + 1];
}
