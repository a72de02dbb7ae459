/**
 * Whether a longer time limit is worth a trial (ADR 225): everything says that this limit cuts the calls off, and only whether they are
 * long or hang for ever is not known. A trial shows it, and costs what hung calls hold meanwhile: it is given only where these
 * would hold less than one place more at their busiest hour, and nothing says that places are short. Pure.
 */
import type { Pattern, WhyNow } from '../facts/index.ts';
import type { RootCause } from './causes.ts';
import { heldSlots } from './held-slots.ts';
import { cutOffAt, quantileMs } from './latency-shape.ts';
import { longerWaitOf } from './tail.ts';
import type { Evidence, Failure } from './types.ts';
import { sharesOf } from './weigh.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What the tail says where calls that are cut off may hang. */
const UNSURE: ReadonlySet<string | undefined> = new Set(['gap', 'thin', 'many']);
/**
 * In calls at once, so that a world ten times faster or slower is the same. A tool with so few places that one counts refuses
 * calls already; in a fleet that calls so much that it is more, a person decides.
 */
const PLACES_MAX = 1;
/** A smaller step catches too few of what is long. */
const TIMES_MIN = 2;
const TIMES_MAX = 4;

export function trialOf(
  failure: Failure,
  { weighed, subject, alternatives }: Pick<RootCause, 'weighed' | 'subject' | 'alternatives'>,
  { trigger, wait }: Pick<WhyNow, 'trigger' | 'wait'>,
  evidence: Evidence,
): Pattern['trial'] {
  const pile = cutOffAt(failure.failedLatency, failure.succeededLatency);
  const best = weighed.find((one) => one.subject === subject);
  if (pile === null || best?.by !== 'setting-limit') return undefined;
  // What began at some time has something to do with that time, and a record of some hours knows no busiest one.
  const isKnown = (failure.history[0]?.atMs ?? Infinity) <= evidence.window.toMs - DAY_MS;
  if (trigger !== 'none' || wait !== null || !isKnown) return undefined;
  if (subject.kind !== 'setting' || subject.reach.kind !== 'one') return undefined;
  // What is asked for is long all the time; a tool that is slow for a while is not.
  if (best.clues.when !== 'files even') return undefined;
  if (!UNSURE.has(best.clues.tail) || longerWaitOf(failure, evidence) !== undefined)
    return undefined;
  const atTool = evidence.all.filter(({ tool }) => tool === failure.tool);
  if (atTool.some((one) => isRefused(one) || heldSlots(one, evidence) !== undefined))
    return undefined;
  const timesMax = Math.min(TIMES_MAX, 1 + PLACES_MAX / placesHeld(atTool, pile.ms));
  if (timesMax < TIMES_MIN) return undefined;
  const ifLong = likelihoodIfLong(weighed, [subject, ...alternatives]);
  return { cutOffMs: pile.ms, timesMax, ifLong };
}

/** Failures that come sooner than nearly every success: the tool, or somebody before it, has no room. */
function isRefused({ kind, failedLatency, succeededLatency }: Failure): boolean {
  if (kind === 'rate_limit') return true;
  if (failedLatency === null || succeededLatency === null) return false;
  return quantileMs(failedLatency, 0.5) < quantileMs(succeededLatency, 0.05);
}

/** By calls that are cut off so late, everybody's, in their busiest hour. */
function placesHeld(atTool: readonly Failure[], limitMs: number): number {
  const hours = new Map<number, number>();
  for (const { failedLatency, succeededLatency, history } of atTool) {
    if (cutOffAt(failedLatency, succeededLatency) === null) continue;
    for (const { atMs, bad } of history) {
      const hour = Math.floor(atMs / HOUR_MS);
      hours.set(hour, (hours.get(hour) ?? 0) + bad);
    }
  }
  return (Math.max(1, ...hours.values()) * limitMs) / HOUR_MS;
}

/** How likely these are by everything but the tail, which says only whether what is cut off is long. */
function likelihoodIfLong(
  weighed: RootCause['weighed'],
  subjects: readonly RootCause['subject'][],
): number {
  const rivals = weighed.flatMap(({ among, clues: { tail: _, ...clues }, subject }) =>
    among === null ? [] : [{ among, clues, subject }],
  );
  const shares = sharesOf(rivals);
  const sum = rivals.reduce(
    (total, one, at) => total + (subjects.includes(one.subject) ? shares[at]! : 0),
    0,
  );
  return Math.round(Math.min(1, sum) * 1000) / 1000;
}
