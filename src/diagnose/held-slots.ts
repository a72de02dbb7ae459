/**
 * Whether calls that hang keep others from being served: the tool refuses calls at once while most of its time goes to
 * calls that are given up after a limit far beyond what any success takes, and it refuses more the more of them hang.
 * Then the limit is too long, whoever's it is. Calls that end where somebody waits longer, or waited longer once, are slow and
 * do not hang: a longer limit would get what is cut off. Some that hang end by themselves. Neither is a reason to wait for them
 * where several times as many are refused for it. Pure.
 */
import type { LatencyView, PlaceBin } from '../facts/index.ts';
import { cutOffAt, quantileMs, shareWithin, totalMs } from './latency-shape.ts';
import type { Evidence, Failure } from './types.ts';

const MINUTE_MS = 60_000;
/** Refused at once: nine of ten in less than a tenth of what a success usually takes. */
const FAST = 0.1;
/** A limit so many times what nearly all successes take waits for nothing. */
const FAR = 4;
/** What hangs is cut off in the middle of its durations: of those that end, hardly any do so before half the limit. */
const LATE = 0.5;
/** Successes that would be cut off weigh as much as so many refusals: not each of those is served for it. */
const REFUSED_FOR_LATE = 4;
const HELD_SHARE = 0.5;
const RATIO = 1.5;
const Z = 3;

export interface HeldSlots {
  /** The failure whose calls hang. */
  readonly culprit: Failure;
  /** The one that is refused. */
  readonly victim: Failure;
  readonly limitMs: number;
  /** Of the time that the tool is busy. */
  readonly heldShare: number;
  /** Nearly every success of the culprit's ended within this. */
  readonly neededMs: number;
}

/** Both the calls that hang and those that are refused for them lead to it. */
export function heldSlots(
  failure: Failure,
  { all, window }: Pick<Evidence, 'all' | 'window'>,
): HeldSlots | undefined {
  if (failure.tool === '') return undefined;
  const atTool = all.filter((one) => one.tool === failure.tool && isCall(one));
  // Before the window there are hours, which hold more of everything, and maybe another limit.
  const minutesOf = ({ history }: Failure) => history.filter(({ atMs }) => atMs >= window.fromMs);
  const victims = atTool.filter((one) => isRefused(one, atTool));
  for (const culprit of atTool) {
    const hung = hangsUntil(culprit, victims);
    if (hung === undefined) continue;
    const isSlow =
      endsForOthers(culprit, atTool, hung.limitMs) || endedBefore(culprit, hung, window.fromMs);
    if (isSlow && !isOutweighed(culprit.failures + hung.late.count, victims)) continue;
    const { limitMs, short, late } = hung;
    const heldShare = (totalMs(culprit.failedLatency!) + totalMs(late)) / busyMs(atTool);
    if (heldShare < HELD_SHARE) continue;
    for (const victim of victims) {
      if (failure !== culprit && failure !== victim) continue;
      if (!growsWith(minutesOf(victim), minutesOf(culprit), limitMs)) continue;
      const neededMs = quantileMs(short, 0.995);
      return { culprit, victim, limitMs, heldShare, neededMs };
    }
  }
  return undefined;
}

function isCall({ event }: Failure): boolean {
  return (event ?? 'tool_call') === 'tool_call';
}

function isRefused(
  { failedLatency, succeededLatency }: Failure,
  atTool: readonly Failure[],
): boolean {
  const succeeded =
    succeededLatency ?? atTool.find((one) => one.succeededLatency)?.succeededLatency;
  if (failedLatency === null || !succeeded || succeeded.count === 0) return false;
  return quantileMs(failedLatency, 0.9) < FAST * quantileMs(succeeded, 0.5);
}

interface Hung {
  readonly limitMs: number;
  /** Successes, and those that hung and ended by themselves before the limit. */
  readonly short: LatencyView;
  readonly late: LatencyView;
}

/** The limit at which calls are given up that hardly any success comes near, or few for what is refused. */
function hangsUntil(
  { failedLatency, succeededLatency }: Failure,
  victims: readonly Failure[],
): Hung | undefined {
  const pile = cutOffAt(failedLatency, succeededLatency);
  if (pile === null || succeededLatency === null) return undefined;
  const { late, short } = splitAt(succeededLatency, pile.ms * LATE);
  if (short.count === 0 || !isOutweighed(late.count, victims)) return undefined;
  return pile.ms > FAR * quantileMs(short, 0.99) ? { limitMs: pile.ms, short, late } : undefined;
}

/** Whether so many calls are few for those that are refused: who waits for them, or longer, costs others more than it brings. */
function isOutweighed(late: number, victims: readonly Failure[]): boolean {
  const refused = victims.reduce((sum, { failures }) => sum + failures, 0);
  return late * REFUSED_FOR_LATE <= refused;
}

function splitAt(view: LatencyView, ms: number): { short: LatencyView; late: LatencyView } {
  const part = (isIn: (uptoMs: number) => boolean) => {
    const buckets = view.buckets.filter(({ uptoMs }) => isIn(uptoMs));
    return { ...view, buckets, count: buckets.reduce((sum, { count }) => sum + count, 0) };
  };
  return { short: part((uptoMs) => uptoMs < ms), late: part((uptoMs) => uptoMs >= ms) };
}

/** Of what is cut off, a tenth that ends where somebody waits is enough: then it is slow, and does not hang. */
const ENDS_SHARE = 0.1;
const BEYOND = 1.1;

/** Whether calls that take longer than the limit succeed for others who wait longer. */
function endsForOthers(
  { agent, failures, calls }: Failure,
  atTool: readonly Failure[],
  limitMs: number,
): boolean {
  const cutShare = failures / Math.max(1, calls);
  return atTool.some((other) => {
    if (other.agent === agent || other.succeededLatency === null) return false;
    const late = shareWithin(other.succeededLatency, BEYOND * limitMs, Number.POSITIVE_INFINITY);
    return late > ENDS_SHARE * cutShare;
  });
}

const TIMED_MIN = 20;
/** Half of what is cut off now, at the shortest duration that it can have had. */
const ENDED_SHARE = 0.5;
/** So many deviations of the number of late successes are no chance, whichever stretch of the past they are in. */
const CHANCE_Z = 3.5;

/**
 * Whether successes once took so much longer that calls like those that are cut off now must have been among them: under
 * a longer limit than today's they ended. Where some end late today as well, a stretch of the past that is compared has so many
 * calls that chance does not make up the difference.
 */
function endedBefore(
  { history, failures }: Failure,
  { limitMs, short, late }: Hung,
  fromMs: number,
): boolean {
  const succeeded = short.count + late.count;
  const [cutShare, lateShare] = [failures / succeeded, late.count / succeeded];
  const least = Math.max(TIMED_MIN, lateShare * (CHANCE_Z / (ENDED_SHARE * cutShare)) ** 2);
  const meanOf = ({ timed, timedMs }: Timed) => timedMs / Math.max(1, timed);
  const now = meanOf(timedIn(history.filter(({ atMs }) => atMs >= fromMs)));
  const more = ENDED_SHARE * limitMs * cutShare;
  let past: Timed = { timed: 0, timedMs: 0 };
  for (const bin of history) {
    if (bin.atMs >= fromMs) continue;
    past = timedIn([past, bin]);
    if (past.timed < least) continue;
    if (meanOf(past) > now + more) return true;
    past = { timed: 0, timedMs: 0 };
  }
  return false;
}

type Timed = Pick<PlaceBin, 'timed' | 'timedMs'>;

function timedIn(bins: readonly Timed[]): Timed {
  return {
    timed: bins.reduce((sum, bin) => sum + bin.timed, 0),
    timedMs: bins.reduce((sum, bin) => sum + bin.timedMs, 0),
  };
}

/** Of all calls at the tool whose durations are known; an agent's successes are counted once. */
function busyMs(atTool: readonly Failure[]): number {
  const successes = new Map(atTool.map((one) => [one.agent, one.succeededLatency]));
  let sum = 0;
  for (const view of successes.values()) if (view !== null) sum += totalMs(view);
  for (const { failedLatency } of atTool) if (failedLatency !== null) sum += totalMs(failedLatency);
  return sum;
}

/** Whether a larger share is refused in minutes in which more calls hang. A call that ends at a limit hung before. */
function growsWith(
  victim: readonly PlaceBin[],
  culprit: readonly PlaceBin[],
  limitMs: number,
): boolean {
  const minutes = Math.max(1, Math.round(limitMs / MINUTE_MS));
  const hanging = new Map<number, number>();
  for (const { atMs, bad } of culprit)
    for (let back = 0; back < Math.min(minutes, 120); back++) {
      const minute = Math.floor(atMs / MINUTE_MS) - back;
      hanging.set(minute, (hanging.get(minute) ?? 0) + bad);
    }
  const seen = victim
    .filter(({ all }) => all > 0)
    .map(({ atMs, bad, all }) => ({
      hung: hanging.get(Math.floor(atMs / MINUTE_MS)) ?? 0,
      bad,
      all,
    }))
    .sort((a, b) => a.hung - b.hung);
  const middle = seen[Math.floor(seen.length / 2)]?.hung ?? 0;
  const many = sumOf(seen.filter(({ hung }) => hung > middle));
  const few = sumOf(seen.filter(({ hung }) => hung <= middle));
  if (many.all === 0 || few.all === 0) return false;
  const [high, low] = [many.bad / many.all, few.bad / few.all];
  const both = (many.bad + few.bad) / (many.all + few.all);
  const deviation = Math.sqrt(both * (1 - both) * (1 / many.all + 1 / few.all));
  return high > RATIO * low && deviation > 0 && (high - low) / deviation > Z;
}

function sumOf(bins: readonly { readonly bad: number; readonly all: number }[]) {
  return {
    bad: bins.reduce((sum, one) => sum + one.bad, 0),
    all: bins.reduce((sum, one) => sum + one.all, 0),
  };
}
