/**
 * Hours that say nothing of a series, because what the change cannot reach was ill in them too. A pure function.
 *
 * A series is masked only by what has to do with it: by farther callers of its own tool, or by trouble at two tools and
 * two agents out of reach, which is trouble of everything. Trouble at one unrelated place masks nothing: it would blind the
 * watch elsewhere. What is out of reach is never masked, or trouble there would hide itself.
 *
 * Every other measure of an agent is masked in hours in which its calls fail: what fails is judged by its failures, and that
 * its tasks fail too, or it calls less, says nothing more.
 *
 * An hour is chosen by the counts of others up to that hour, and never given back: leaving it out keeps the evidence valid.
 */
import { poissonSf } from '../stats/index.ts';
import type { Series } from './measures.ts';
import type { Norm } from './norm.ts';

export interface Known {
  readonly series: Series;
  readonly norm: Norm;
}

const HOUR_MS = 3_600_000;
/** Below this, nothing is said of an hour. */
const FAILURES_MIN = 5;
/** Hours that are this unlikely by chance, */
const ILL_CHANCE = 0.001;
/** and worse than a tool differs from day to day anyway: the increase that a watch allows by default. */
const ILL_INCREASE = 1.25;
/** What is more than this share of the hours is not an exception: as in `norm.ts`. */
const MASKED_MAX = 0.1;
/** In the first days one episode of common length: nine of ten that end by themselves are over in 6.3 hours. */
const MASKED_HOURS = 6;

/** The same, each without the hours in which it is masked. */
export function withoutIllHours(known: readonly Known[]): Known[] {
  const far = known.filter(({ series }) => series.ring === 3 && series.measure === 'failures');
  const everywhere = illEverywhere(far);
  const byTool = Map.groupBy(
    known.filter(({ series }) => series.ring >= 2 && series.measure === 'failures'),
    ({ series }) => series.tool,
  );
  // Rings 0 and 1 of a tool have the same farther callers; ring 2 has only those of ring 3.
  const asked = new Map<string, ReadonlySet<number>>();
  const ofTool = (tool: string, ring: number) => {
    const key = `${Math.max(1, ring)}/${tool}`;
    const hours =
      asked.get(key) ??
      illHours((byTool.get(tool) ?? []).filter(({ series }) => series.ring > Math.max(1, ring)));
    asked.set(key, hours);
    return hours;
  };
  const byAgent = Map.groupBy(
    known.filter(({ series }) => series.measure === 'failures'),
    ({ series }) => series.agent,
  );
  const ofAgents = new Map<string, ReadonlySet<number>>();
  const ofAgent = (agent: string) => {
    const hours = ofAgents.get(agent) ?? illHours(byAgent.get(agent) ?? []);
    ofAgents.set(agent, hours);
    return hours;
  };
  return known.map((one) => {
    const { series, norm } = byItself(one, ofAgent);
    if (series.ring === 3) return { series, norm };
    const own = ofTool(series.tool, series.ring);
    if (own.size === 0 && everywhere.size === 0) return { series, norm };
    let masked = 0;
    const since = series.since.filter(({ atMs }, at) => {
      if (!own.has(atMs) && !everywhere.has(atMs)) return true;
      if (masked >= Math.max(MASKED_HOURS, Math.floor(MASKED_MAX * (at + 1)))) return true;
      masked += 1;
      return false;
    });
    return { series: { ...series, since }, norm };
  });
}

function byItself({ series, norm }: Known, illOf: (agent: string) => ReadonlySet<number>): Known {
  if (series.measure === 'failures') return { series, norm };
  const ill = illOf(series.agent);
  if (ill.size === 0) return { series, norm };
  const since = series.since.filter(({ atMs }) => !ill.has(atMs));
  return { series: { ...series, since }, norm };
}

/** Hours in which at least two tools and at least two agents are ill. */
function illEverywhere(far: readonly Known[]): ReadonlySet<number> {
  const isTwice = (of: (one: Known) => string) => {
    const times = new Map<number, number>();
    for (const some of Map.groupBy(far, of).values())
      for (const atMs of illHours(some)) times.set(atMs, (times.get(atMs) ?? 0) + 1);
    return new Set([...times].filter(([, count]) => count >= 2).map(([atMs]) => atMs));
  };
  return isTwice(({ series }) => series.tool).intersection(isTwice(({ series }) => series.agent));
}

/** Hours in which these together fail beyond chance, and beyond what a tool differs from day to day. */
export function illHours(some: readonly Known[]): ReadonlySet<number> {
  const ends = some.flatMap(({ series }) => [series.since[0], series.since.at(-1)]);
  const known = ends.flatMap((hour) => (hour === undefined ? [] : [hour.atMs / HOUR_MS]));
  if (known.length === 0) return new Set();
  const first = Math.min(...known);
  const length = Math.max(...known) - first + 1;
  const [bad, expected] = [new Float64Array(length), new Float64Array(length)];
  const spread = new Float64Array(length).fill(1);
  for (const { series, norm } of some) {
    const rate = (norm.bad + 0.5) / (norm.all + 1);
    for (const hour of series.since) {
      const at = hour.atMs / HOUR_MS - first;
      bad[at]! += hour.bad;
      expected[at]! += hour.all * rate * norm.factorAt(hour.atMs);
      if (norm.dispersion > spread[at]!) spread[at] = norm.dispersion;
    }
  }
  const ill = new Set<number>();
  for (let at = 0; at < length; at++) {
    if (bad[at]! < FAILURES_MIN || bad[at]! <= ILL_INCREASE * expected[at]!) continue;
    const chance = poissonSf(bad[at]! / spread[at]! - 1, expected[at]! / spread[at]!);
    if (chance < ILL_CHANCE) ill.add((first + at) * HOUR_MS);
  }
  return ill;
}
