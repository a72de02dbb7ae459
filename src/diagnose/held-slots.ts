/**
 * Whether calls that hang keep others from being served: the tool refuses calls at once while most of its time goes to
 * calls that are given up after a limit far beyond what any success takes, and it refuses more the more of them hang.
 * Then the limit is too long, whoever's it is. Calls that end where somebody waits longer, or waited longer once, are slow and
 * do not hang: a shorter limit would cut off what can be had. Pure.
 */
import type { PlaceBin } from '../facts/index.ts';
import { cutOffAt, quantileMs, shareWithin, totalMs } from './latency-shape.ts';
import type { Evidence, Failure } from './types.ts';

const MINUTE_MS = 60_000;
/** Refused at once: nine of ten in less than a tenth of what a success usually takes. */
const FAST = 0.1;
/** A limit so many times what nearly all successes take waits for nothing. */
const FAR = 4;
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
    const limitMs = hangsUntil(culprit);
    if (limitMs === undefined || endsForOthers(culprit, atTool, limitMs)) continue;
    if (endedBefore(culprit, limitMs, window.fromMs)) continue;
    const heldShare = totalMs(culprit.failedLatency!) / busyMs(atTool);
    if (heldShare < HELD_SHARE) continue;
    for (const victim of victims) {
      if (failure !== culprit && failure !== victim) continue;
      if (!growsWith(minutesOf(victim), minutesOf(culprit), limitMs)) continue;
      const neededMs = quantileMs(culprit.succeededLatency!, 0.995);
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

/** The limit at which calls are given up that no success comes near. */
function hangsUntil({ failedLatency, succeededLatency }: Failure): number | undefined {
  const pile = cutOffAt(failedLatency, succeededLatency);
  if (pile === null || succeededLatency === null) return undefined;
  return pile.ms > FAR * quantileMs(succeededLatency, 0.99) ? pile.ms : undefined;
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

/**
 * Whether successes once took so much longer that calls like those that are cut off now must have been among them: under
 * a longer limit than today's they ended.
 */
function endedBefore(
  { history, failures, calls }: Failure,
  limitMs: number,
  fromMs: number,
): boolean {
  const timed = history.filter((bin) => bin.timed > 0);
  const meanOf = (bins: readonly PlaceBin[]) =>
    bins.reduce((sum, bin) => sum + bin.timedMs, 0) /
    Math.max(
      1,
      bins.reduce((sum, bin) => sum + bin.timed, 0),
    );
  const now = meanOf(timed.filter(({ atMs }) => atMs >= fromMs));
  const more = (ENDED_SHARE * limitMs * failures) / Math.max(1, calls);
  return timed.some((bin) => {
    const isPast = bin.atMs < fromMs && bin.timed >= TIMED_MIN;
    return isPast && bin.timedMs / bin.timed > now + more;
  });
}

/** Half of what is cut off now, at the shortest duration that it can have had. */
const ENDED_SHARE = 0.5;

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
