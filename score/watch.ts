/**
 * The watch on simulated fleets.
 *
 * - False alarms: 500 series of two weeks before and two weeks after a deployment that changes nothing, of all nine
 *   measures (`metrics/watch-worlds.ts`); any alarm of any ring at any hour counts, whether or not it would have led to a
 *   rollback. The sets by measure have the same fleets, as if this measure had the whole budget: one that is not what it
 *   promises shows there first. One set has failures alone, of 500 places.
 * - Detection: events from the beginning of a worsening to its alarm, 80th percentile, over those of a fixed-size test of
 *   that series alone that knows the effect and the dispersion.
 * - Outages: a tool that others run, or several of a provider, fails for hours at unchanged load; blamed if the change is
 *   taken for the cause (.8) at any hour of it.
 */
import { type Random, seededRandom } from '../src/base/index.ts';
import type { CallHours } from '../src/facts/index.ts';
import {
  type AtTarget,
  type CourseHour,
  courseOf,
  lookWide,
  MEASURE_SHARES,
  type Measure,
  type Series,
  seriesOf,
  suspicionOf,
} from '../src/monitor/index.ts';
import { clopperPearsonInterval } from '../src/stats/index.ts';
import type { Figure, Measurement } from '../tools/measure.ts';
import { oracleEventsCounted, percentile } from './metrics/rate-streams.ts';
import {
  BURST,
  binomial,
  HOUR_MS,
  HOURS,
  isWeekend,
  logUniform,
  poisson,
  quietFleet,
  START_MS,
} from './metrics/watch-worlds.ts';

const SERIES = 500;
/** With five tools each they have about 500 series. */
const AGENTS = 15;
const WATCHES = 120;
const DETECTIONS = 100;
/** One series is cheap, and the 80th percentile of a hundred is uncertain by a tenth. */
const DETECTIONS_ALONE = 1000;
const OUTAGES = 300;
const LIMITS = { alpha: 0.05, allowed: 0.25, otherwise: 0.1, hours: HOURS };
const SETTINGS = {
  alpha: 0.05,
  errorRate: 0.25,
  otherMetrics: 0.1,
  duration: 24 * HOUR_MS,
  probation: HOURS * HOUR_MS,
} as Parameters<typeof lookWide>[2]['settings'];

interface Worsening {
  readonly ring: Series['ring'];
  /** Series of its ring. */
  readonly among: number;
  readonly worsening: number;
  /** It begins at a random hour of these; 0 is with the deployment. */
  readonly withinHours: number;
}

const REACH = { metric: 'reach_detection_ratio', worsening: 1.25 } as const;
const OUTSIDE = { metric: 'outside_detection_ratio', worsening: 2 } as const;
/** The totals are of harm that begins with the deployment, as the oracle's does; the other sets say what lateness costs. */
const WORSENINGS: readonly (Worsening & { readonly set: string; readonly metric: string })[] = [
  { ...REACH, set: 'total', ring: 0, among: 1, withinHours: 0 },
  { ...REACH, set: 'late', ring: 0, among: 1, withinHours: 150 },
  { ...REACH, set: 'one of 20 sharers', ring: 1, among: 20, withinHours: 0 },
  { ...OUTSIDE, set: 'total', ring: 3, among: 200, withinHours: 0 },
  { ...OUTSIDE, set: 'late', ring: 3, among: 200, withinHours: 150 },
];

export const measurement: Measurement = {
  what: 'the watch: false alarms over a fleet, how soon harm is found near and far, outages blamed',
  aims: {
    family_false_alarm_upper: '<=0.06',
    reach_detection_ratio: '<=2.5',
    outside_detection_ratio: '<=5',
    outage_blamed_share: '<=0.02',
  },
  async *run({ seed, scale, progress }) {
    const random = seededRandom(seed);
    yield* falseAlarms(random, Math.max(2, Math.round(WATCHES * scale)), progress);

    for (const { set, metric, ...worsening } of WORSENINGS) {
      const isAlone = worsening.among === 1;
      const most = isAlone ? DETECTIONS_ALONE : DETECTIONS;
      // The 80th percentile of three would be the worst of them.
      const runs = Math.max(isAlone ? 40 : 3, Math.round(most * scale));
      progress(`${metric}, ${set}: ${runs} watches`);
      yield { set, metric, value: detection(random, runs, worsening), n: runs };
    }

    const outages = Math.max(5, Math.round(OUTAGES * scale));
    let blamed = 0;
    for (let outage = 0; outage < outages; outage++) {
      progress(`outage ${outage + 1} of ${outages}, ${blamed} blamed`);
      if (await isBlamed(random)) blamed += 1;
    }
    const share = blamed / outages;
    yield { set: 'total', metric: 'outage_blamed_share', value: share, n: outages };
  },
};

function* falseAlarms(
  random: Random,
  watches: number,
  progress: (message: string) => void,
): Iterable<Figure> {
  const alone = new Map<string, number>();
  const alarmed: string[] = [];
  let [ofFailures, series] = [0, 0];
  for (let watch = 0; watch < watches; watch++) {
    progress(`watch ${watch + 1} of ${watches}, alarms: ${alarmed.join(', ') || 'none'}`);
    const all = seriesOf(quietFleet(random, AGENTS), CHANGE, LIMITS.otherwise);
    series += all.length;
    const rings = [...courseOf(all, LIMITS).values()];
    const first = rings.flatMap((hours) => hours.find(({ share }) => share >= 1) ?? [])[0];
    if (first !== undefined) alarmed.push(largestOf(first));
    for (const measure of Object.keys(MEASURE_SHARES) as Measure[])
      if (rings.some((hours) => hours.some((hour) => shareAlone(hour, measure) >= 1)))
        alone.set(measure, (alone.get(measure) ?? 0) + 1);
    const wide = courseOf(fleet(random, SERIES), LIMITS);
    if ([...wide.values()].some((hours) => hours.some(({ share }) => share >= 1))) ofFailures += 1;
  }
  const figure = (set: string, alarms: number, what: string): Figure => ({
    set,
    metric: 'family_false_alarm_upper',
    value: clopperPearsonInterval({ failures: alarms, events: watches }, 0.9).high,
    n: watches,
    note: `${alarms} of ${watches} watches of ${what}`,
  });
  const by = alarmed.length === 0 ? '' : `, by ${alarmed.join(', ')}`;
  const mean = Math.round(series / watches);
  yield figure('total', alarmed.length, `${mean} series of all measures${by}`);
  yield figure('failures of 500 places', ofFailures, `${SERIES} series of failures`);
  for (const measure of Object.keys(MEASURE_SHARES))
    yield figure(`${measure} alone`, alone.get(measure) ?? 0, `${measure} with the whole budget`);
}

/** The measure that has the most of an alarm. */
function largestOf({ parts }: CourseHour): string {
  const [largest] = Object.entries(parts).sort(([, a], [, b]) => b - a);
  return largest![0];
}

/** As if nothing else were watched. */
function shareAlone({ parts }: CourseHour, measure: Measure): number {
  const there = Object.keys(parts) as Measure[];
  const shares = there.reduce((total, one) => total + MEASURE_SHARES[one], 0);
  return ((parts[measure] ?? 0) * shares) / MEASURE_SHARES[measure];
}

interface Law {
  readonly callsPerHour: number;
  readonly rate: number;
  readonly swing: number;
  readonly weekend: number;
}

function drawLaw(random: Random): Law {
  return {
    callsPerHour: logUniform(random, 2, 200),
    rate: logUniform(random, 0.005, 0.1),
    swing: 0.5 * random.next(),
    weekend: 0.4 + 0.6 * random.next(),
  };
}

/** Rings as a fleet of fifty agents with ten tools has them. */
function fleet(random: Random, size: number): Series[] {
  return Array.from({ length: size }, (_, at) => {
    const law = drawLaw(random);
    const hours = countsOf(random, law, () => 1);
    const ring = at === 0 ? 0 : at < 30 ? 1 : at < 120 ? 2 : 3;
    return failuresOf(hours, ring, `a${at}`);
  });
}

function failuresOf(
  hours: readonly { atMs: number; bad: number; all: number }[],
  ring: Series['ring'],
  agent: string,
): Series {
  return {
    agent,
    tool: 't',
    measure: 'failures',
    ring,
    before: hours.filter(({ atMs }) => atMs < START_MS),
    since: hours.filter(({ atMs }) => atMs >= START_MS),
  };
}

/** Two weeks before and two weeks after. Failures come by session, and with the hour of the day. */
function countsOf(random: Random, law: Law, timesAt: (atMs: number) => number) {
  return Array.from({ length: 2 * HOURS }, (_, hour) => {
    const atMs = START_MS + (hour - HOURS) * HOUR_MS;
    const day = Math.sin((2 * Math.PI * (hour % 24)) / 24);
    const calls = law.callsPerHour * (1 - 0.6 * day) * (isWeekend(atMs) ? law.weekend : 1);
    const all = poisson(random, calls);
    const rate = Math.min(0.95, law.rate * (1 + law.swing * day) * timesAt(atMs));
    const bad = Math.min(all, BURST * poisson(random, (all * rate) / BURST));
    return { atMs, bad, all };
  });
}

function detection(
  random: Random,
  runs: number,
  { ring, among, worsening, withinHours }: Worsening,
): number {
  const ratios = Array.from({ length: runs }, () => {
    const law = { callsPerHour: 120, rate: 0.05, swing: 0.3, weekend: 0.7 };
    const fromMs = START_MS + Math.floor(withinHours * random.next()) * HOUR_MS;
    const ill = countsOf(random, law, (atMs) => (atMs >= fromMs ? worsening : 1));
    const well = Array.from({ length: among - 1 }, (_, at) =>
      failuresOf(
        countsOf(random, law, () => 1),
        ring,
        `a${at}`,
      ),
    );
    const course = courseOf([failuresOf(ill, ring, 'ill'), ...well], LIMITS);
    const [hours] = course.values();
    const alarm = hours!.find(({ atMs, share }) => atMs >= fromMs && share >= 1);
    const untilMs = alarm?.atMs ?? Number.POSITIVE_INFINITY;
    const events = sumOf(ill.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs));
    // It has the same baseline, in which busy hours have fewer failures.
    const baseline = sumOf(ill.filter(({ atMs }) => atMs < START_MS));
    const rate = law.rate * (1 - 0.3 * law.swing);
    const oracle = BURST * oracleEventsCounted(rate, rate * worsening, baseline / BURST);
    return alarm === undefined ? Number.POSITIVE_INFINITY : events / oracle;
  });
  return percentile(ratios, 0.8);
}

const sumOf = (hours: readonly { readonly all: number }[]) =>
  hours.reduce((total, { all }) => total + all, 0);

/** Twelve agents and eight tools, of which three are one provider's; the change is at the first of each. */
const CHANGE: AtTarget = {
  proposalId: 'p_1',
  startedAtMs: START_MS,
  footing: { agents: ['a0'], tools: ['t0'], after: ['t1'] },
};

async function isBlamed(random: Random): Promise<boolean> {
  const tools = random.next() < 0.3 ? ['t0', 't1', 't2'] : [`t${Math.floor(8 * random.next())}`];
  const fromMs = START_MS + (1 + Math.floor(300 * random.next())) * HOUR_MS;
  const lastsHours = 1 + Math.floor(8 * random.next());
  const toMs = fromMs + lastsHours * HOUR_MS;
  const more = 0.1 + 0.8 * random.next();
  const tookFactor = random.next() < 0.5 ? 0.2 : 3;
  const calls: CallHours[] = [];
  for (let agent = 0; agent < 12; agent++)
    for (let tool = 0; tool < 8; tool++) {
      if ((agent + tool) % 4 !== 0 && !(agent === 0 && tool < 2)) continue;
      calls.push(
        toolHours(random, { agent: `a${agent}`, tool: `t${tool}` }, (atMs) =>
          tools.includes(`t${tool}`) && atMs >= fromMs && atMs < toMs
            ? { more, tookFactor }
            : undefined,
        ),
      );
    }
  for (let hour = 1; hour <= lastsHours; hour++) {
    const nowMs = fromMs + hour * HOUR_MS + 6 * 60_000;
    const callHours = async () =>
      calls.map((one) => ({
        ...one,
        hours: one.hours.filter(({ atMs }) => atMs + HOUR_MS <= nowMs),
      }));
    const [harmed] = await lookWide(CHANGE, [], {
      callHours,
      sessionHours: async () => [],
      recentCalls: async () => new Map(),
      nowMs,
      settings: SETTINGS,
    });
    if (harmed !== undefined && suspicionOf(harmed.suspicions, 'p_1') >= 0.8) return true;
  }
  return false;
}

function toolHours(
  random: Random,
  place: { agent: string; tool: string },
  illAt: (atMs: number) => { more: number; tookFactor: number } | undefined,
): CallHours {
  const law = { ...drawLaw(random), callsPerHour: logUniform(random, 10, 200) };
  const tookMs = logUniform(random, 200, 20_000);
  const hours = countsOf(random, law, () => 1).map(({ atMs, bad, all }) => {
    const ill = illAt(atMs);
    const failed = ill === undefined ? bad : Math.min(all, bad + binomial(random, all, ill.more));
    const took = tookMs * (ill?.tookFactor ?? 1);
    return {
      atMs,
      calls: all,
      failed,
      timed: all,
      latencySumMs: took * all,
      timedWell: all - failed,
      latencyWellMs: took * (all - failed),
      tokens: 0,
      costUsd: 0,
    };
  });
  return { ...place, hours: hours.filter((one) => one.calls > 0) };
}
