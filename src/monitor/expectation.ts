/**
 * What a change is expected to do, kept with its watch: the signs that its generator stated, and for how long something
 * may first get worse. Pure functions of counts by hour.
 *
 * With fewer tries against a tool on its knees, more is lost until the tool has recovered. How much more follows from the
 * share p of tries that fail now: a call with n tries is lost with p^n, and lives for (1 - p^n) / (1 - p) tries. How long
 * follows from what failed calls take (L) and from how far the calls in flight must fall: what was begun with n tries goes
 * on for n * L, and then each round of m tries leaves as many times fewer as the tries of a call are fewer. In a world ten
 * times faster all of that is ten times shorter. A harm beyond this, or one that outlives it, is harm.
 *
 * With a shorter wait, calls that were begun with the longer one end for as long as that was, and beside them those that
 * are begun now: of each moment twice as many are given up. Places that the longer ones hold are free after that.
 */
import type { CallHour, CallHours, Signs } from '../facts/index.ts';
import { wilsonInterval } from '../stats/index.ts';
import type { Place } from './rings.ts';
import type { Baseline, SeriesName } from './types.ts';

const HOUR_MS = 3_600_000;
/** The hours that show how the tool fares now. */
const NOW_HOURS = 3;
/** Below this, nothing is said of an hour. */
const CALLS_MIN = 20;
/** A tool that fails nearly always: beyond, the rounds would have no end. */
const FAILING_MAX = 0.98;

export interface Expectation {
  readonly signs: Signs;
  /** Absent where nothing gets worse first. */
  readonly settling?:
    | {
        readonly untilMs: number;
        /** So many times as many sessions may fail until then, and be corrected, which follows. */
        readonly tasks: number;
        /** So many times as many of its calls. */
        readonly calls?: number | undefined;
      }
    | undefined;
}

export interface Circumstances {
  readonly place: Partial<Place>;
  /** Of every agent, two weeks before the deployment. */
  readonly calls: readonly CallHours[];
  /** The longest that one of its failed calls took lately: the wait that ends. Absent where none is known. */
  readonly longestCallMs?: number | undefined;
  readonly startedAtMs: number;
  /** No settling is waited for longer. */
  readonly longestMs: number;
}

export function expectationOf(signs: Signs, circumstances: Circumstances): Expectation {
  const settling = settlingOf(signs, circumstances);
  return settling === undefined ? { signs } : { signs, settling };
}

function settlingOf(signs: Signs, circumstances: Circumstances): Expectation['settling'] {
  const { latencyTimes = 1 } = signs;
  return latencyTimes < 1
    ? ofShorterWait(latencyTimes, circumstances)
    : ofFewerTries(signs, circumstances);
}

/** What is begun now and what was begun before. */
const BOTH = 2;

function ofShorterWait(
  times: number,
  { longestCallMs, startedAtMs, longestMs }: Circumstances,
): Expectation['settling'] {
  if (longestCallMs === undefined) return undefined;
  const settlesMs = (1 + times) * longestCallMs;
  const untilMs = startedAtMs + Math.ceil(Math.min(settlesMs, longestMs));
  return { untilMs, tasks: BOTH, calls: BOTH };
}

function ofFewerTries(
  { tries }: Signs,
  { place, calls, startedAtMs, longestMs }: Circumstances,
): Expectation['settling'] {
  if (tries === undefined || tries.after >= tries.before) return undefined;
  const own = calls.find(({ agent, tool }) => agent === place.agent && tool === place.tool);
  const before = (own?.hours ?? []).filter(({ atMs }) => atMs + HOUR_MS <= startedAtMs);
  const recent = added(
    before.filter(({ atMs }) => atMs >= startedAtMs - (NOW_HOURS + 1) * HOUR_MS),
  );
  const timedBad = recent.timed - recent.timedWell;
  if (recent.calls < CALLS_MIN || timedBad <= 0) return undefined;
  const { high } = wilsonInterval({ failures: recent.failed, events: recent.calls });
  const failing = Math.min(FAILING_MAX, high);
  // Whether the number counts all tries or those after the first is not known: what allows more is taken.
  const [many, few] = [Math.max(1, tries.before), Math.max(1, tries.after)];
  const lives = (times: number) => (1 - failing ** times) / (1 - failing);
  const fewer = lives(many) / lives(few);
  if (fewer <= 1) return undefined;
  const failedMs = (recent.latencySumMs - recent.latencyWellMs) / timedBad;
  const hours = recent.hours;
  const inFlight = recent.latencySumMs / hours;
  const wellFlight = (recent.calls / hours / lives(many)) * wellMs(before);
  const rounds = Math.max(
    1,
    Math.ceil(Math.log(Math.max(1, inFlight / wellFlight)) / Math.log(fewer)),
  );
  const settlesMs = (many + rounds * few) * failedMs;
  return {
    untilMs: startedAtMs + Math.ceil(Math.min(settlesMs, longestMs)),
    tasks: failing ** (few - many) * fewer,
  };
}

/** What is expected of an hour since the deployment over one before, at the place that was changed. */
export interface Factors {
  readonly latency: number;
  /** Of tokens and cost. */
  readonly size: number;
  readonly moreCalls: number;
  readonly fewerCalls: number;
}

const AS_BEFORE: Factors = { latency: 1, size: 1, moreCalls: 1, fewerCalls: 1 };
/** More than nine of ten that failed do not all go on. */
const GOES_ON_MAX = 0.9;

/** How calls fared at the place that was changed; undefined where durations are not told. */
export interface Before {
  /** The share that failed. */
  readonly failing: number;
  /** What a success took, and what a failure did. */
  readonly wellMs: number | undefined;
  readonly failedMs: number | undefined;
}

export function factorsOf(
  expected: Expectation | undefined,
  ring: number,
  before: Before,
): Factors {
  if (expected === undefined || ring > 1) return AS_BEFORE;
  const { latencyTimes = 1, sizeTimes = 1, failures, calls, tries } = expected.signs;
  // What failed may go on, here and at the tools that are called after it.
  const goesOn = failures === 'less' ? 1 / (1 - Math.min(GOES_ON_MAX, before.failing)) : 1;
  if (ring === 1) return { ...AS_BEFORE, moreCalls: goesOn };
  const tried = tries === undefined ? 1 : (tries.after + 1) / (tries.before + 1);
  return {
    latency: longerTimes(latencyTimes, before),
    size: sizeTimes,
    moreCalls: calls === 'more' ? Math.max(goesOn, tried) : goesOn,
    fewerCalls: calls === 'less' ? Math.min(1, tried) : 1,
  };
}

/**
 * A longer limit lets calls end that were cut off, and each of them takes up to the new limit: where they were of another kind than
 * the others, that is many times what a success took. Without durations it is the limit's own growth.
 */
function longerTimes(limitTimes: number, { failing, wellMs, failedMs }: Before): number {
  if (limitTimes <= 1) return 1;
  if (wellMs === undefined || failedMs === undefined || wellMs <= 0) return limitTimes;
  const mean = (1 - failing) * wellMs + failing * failedMs * limitTimes;
  return Math.max(limitTimes, mean / wellMs);
}

/** What a success takes while the tool is well: the shortest hour's mean. */
function wellMs(hours: readonly CallHour[]): number {
  const means = hours
    .filter(({ timedWell }) => timedWell >= CALLS_MIN)
    .map(({ timedWell, latencyWellMs }) => latencyWellMs / timedWell);
  return means.length === 0 ? 1 : Math.max(1, Math.min(...means));
}

function added(hours: readonly CallHour[]) {
  const sum = (of: (hour: CallHour) => number) => hours.reduce((total, one) => total + of(one), 0);
  return {
    hours: hours.length,
    calls: sum(({ calls }) => calls),
    failed: sum(({ failed }) => failed),
    timed: sum(({ timed }) => timed),
    timedWell: sum(({ timedWell }) => timedWell),
    latencySumMs: sum(({ latencySumMs }) => latencySumMs),
    latencyWellMs: sum(({ latencyWellMs }) => latencyWellMs),
  };
}

/** How many times as many may be bad in this series at this time, because that was predicted. */
export function predictedTimes(
  { expected, series }: Pick<Baseline, 'expected' | 'series'>,
  { metric, agent, tool }: SeriesName,
): (atMs: number) => number {
  const settling = expected?.settling;
  if (settling === undefined) return () => 1;
  const { untilMs, tasks, calls = 1 } = settling;
  const predicted = metric === 'error_rate' ? calls : tasks;
  const wide = series.filter((one) => one.metric === metric && one.tool === undefined);
  const changed = wide.find((one) => one.agent !== null)?.agent;
  // Others at its tool have their own calls.
  if (tool !== undefined && agent !== changed) return () => 1;
  const bad = (isIt: (agent: string | null) => boolean) =>
    wide
      .filter((one) => isIt(one.agent))
      .reduce((total, { hours }) => total + hours.reduce((sum, hour) => sum + hour.bad, 0), 0);
  // Of the fleet's failures only the agent's part grows.
  const [own, fleet] = [bad((one) => one !== null), bad((one) => one === null)];
  const part = agent !== null || fleet === 0 ? 1 : Math.min(1, own / fleet);
  const times = 1 + (predicted - 1) * part;
  return (atMs) => (atMs < untilMs ? times : 1);
}
