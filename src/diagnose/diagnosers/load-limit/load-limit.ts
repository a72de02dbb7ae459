/**
 * Blames calls that come too many at once or too fast: the recorded calls show where a tool begins to refuse
 * (`load-limit.ts`). Where a value of the target's own files is that very limit, it is raised to what is asked for
 * (`enforced-limits.ts`). Otherwise it is somebody else's, and a setting of the agent may let more through than that: it is lowered
 * to what is taken, less what others use of it. Where no setting could do it, or the work is more than the limit lets
 * through at all, a person is told.
 */
import { quotedName } from '../../../text/index.ts';
import { heldSlots } from '../../held-slots.ts';
import { quantileMs } from '../../latency-shape.ts';
import {
  findLoadLimit,
  type LoadedCall,
  type LoadLimit,
  mostWithin,
  runningAtStart,
} from '../../load-limit.ts';
import { placeName, settingSubject } from '../../subjects.ts';
import {
  CAUSES_MAX,
  type Cause,
  type Diagnoser,
  type Evidence,
  type Failure,
  type Reason,
} from '../../types.ts';
import { courseOfFailure } from '../../why-now.ts';
import { percent } from '../../wording.ts';
import { type EnforcedLimit, enforcedLimits } from './enforced-limits.ts';
import { heldByCommit } from './held-by-commit.ts';
import { type OwnLimit, ownLimits, unnamedLimits } from './own-limits.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Of a limit that is foreseen in every call. */
const SURE = 0.95;
const TOLD = 0.85;
/** A limit that work fills to more than this makes it wait without end. */
const FILLED_MAX = 0.9;

export const loadLimit: Diagnoser = {
  name: 'load-limit',
  explain(failure, evidence) {
    const { event = 'tool_call', tool, kind } = failure;
    if (event !== 'tool_call' || tool === '' || kind === 'timeout') return [];
    if (!isAtOnce(failure)) return [];
    const { calls, limit } = refusalsAround(failure, evidence);
    // What hangs fills the slots then: there the limit on time is to blame.
    if (limit === undefined || heldSlots(failure, evidence) !== undefined) return [];
    return causesOf({ failure, evidence, calls, limit });
  },
};

interface Found {
  readonly failure: Failure;
  readonly evidence: Evidence;
  readonly calls: readonly LoadedCall[];
  readonly limit: LoadLimit;
}

/** Refused before any work: sooner than most successes. Without durations nothing speaks against it. */
function isAtOnce({ failedLatency, succeededLatency }: Failure): boolean {
  if (failedLatency === null || succeededLatency === null || succeededLatency.count === 0)
    return true;
  return quantileMs(failedLatency, 0.5) <= quantileMs(succeededLatency, 0.5);
}

interface Refusals {
  readonly calls: readonly LoadedCall[];
  readonly limit: LoadLimit | undefined;
}

/** The agents at a tool fail by one limit: it is looked for once, and not for each of them. */
const REFUSALS = new WeakMap<object, Map<string, Refusals>>();

/** Of all tools that refuse with the same words: one limit may hold for several. */
function refusalsAround({ tool, errorCode, kind }: Failure, { calls, all }: Evidence): Refusals {
  if (calls === undefined) return { calls: [], limit: undefined };
  const alike = all.filter((one) => one.kind === kind && one.errorCode === errorCode);
  const tools = [...new Set([tool, ...alike.map((one) => one.tool)])].sort();
  const known = REFUSALS.get(calls) ?? new Map<string, Refusals>();
  REFUSALS.set(calls, known);
  const key = JSON.stringify([errorCode, ...tools]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const own = tools.flatMap((one) => calls.get(one) ?? []);
  const fromMs = Math.max(...tools.flatMap((one) => calls.get(one)?.[0]?.startMs ?? []));
  const loaded = own
    .filter(({ startMs }) => startMs >= fromMs)
    .map((call) => ({ ...call, isRefused: call.failedWith === errorCode }))
    .sort((a, b) => a.startMs - b.startMs);
  const found = { calls: loaded, limit: loaded.length === 0 ? undefined : findLoadLimit(loaded) };
  known.set(key, found);
  return found;
}

function causesOf(found: Found): Cause[] {
  const { failure, evidence, calls, limit } = found;
  const refused = calls.filter(({ isRefused }) => isRefused);
  const slower = heldTimes(found);
  // So many times more places than one step may give: that calls hold them so long is why they are full.
  const candidates =
    slower > RAISED_MAX
      ? []
      : enforcedLimits(limit, failure, {
          ...evidence,
          refused: {
            agents: [...new Set(refused.map(({ agent }) => agent))],
            tools: [...new Set(refused.map(({ tool }) => tool))],
          },
          asked: limit.kind === 'slots' ? placesNeeded(calls) : mostWithin(calls, MINUTE_MS),
          sinceMs: calls[0]!.startMs,
        });
  const enforced = candidates.flatMap((one) => raisedCause(one, found) ?? []);
  // A wait that grew is why they are held so long: then nothing is said of the limit, whoever's it is.
  const grown = limit.kind === 'slots' ? heldByCommit(failure, evidence, calls) : [];
  if (grown.length > 0) return grown.slice(0, CAUSES_MAX);
  const left = 1 - enforced.reduce((sum, { share }) => sum + share, 0);
  const others = othersCauses(found);
  const isByLoad = slower <= HELD_LONGER;
  return [
    ...enforced.map(({ cause, share }) => ({ ...cause, share })),
    ...others.map((cause) => ({
      ...cause,
      confidence: cause.confidence * left,
      share: left / others.length,
    })),
  ]
    .map((cause) => ({ ...cause, isByLoad }))
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, CAUSES_MAX);
}

/** Full places make calls wait now and then; longer calls than this fill the places without more being asked. */
const HELD_LONGER = 1.5;

/** How many times longer calls take their places since it began: beyond a little no load is needed to explain it. */
function heldTimes({ failure, evidence, limit }: Found): number {
  if (limit.kind !== 'slots') return 1;
  return courseOfFailure(failure, evidence.failureShare, evidence.all).slower ?? 1;
}

/** Beyond this a value is not moved at once, and below it nothing would be seen of it. */
const RAISED_MAX = 4;
const RAISED_MIN = 1.25;
/** Room above the busiest minute that was seen. */
const ROOM = 1.1;

/** The limit itself, raised to what is asked for in the busiest time that was seen. */
function raisedCause(
  { setting, units, share }: EnforcedLimit,
  { failure, evidence, calls, limit }: Found,
): { readonly cause: Cause; readonly share: number } | undefined {
  const { value } = setting;
  const needed = limit.kind === 'slots' ? placesNeeded(calls) : ROOM * mostWithin(calls, MINUTE_MS);
  const most = value * RAISED_MAX;
  const aim = Math.ceil(Math.min(most, Math.max(needed * units, value * RAISED_MIN)));
  const what = limit.kind === 'slots' ? 'calls run at once' : 'calls a minute come';
  const why = `In the busiest time that was seen, up to ${amount(needed / (limit.kind === 'slots' ? 1 : ROOM))} ${what}, those counted that were refused.${needed * units > most ? ` A value grows at most ${RAISED_MAX} times at once.` : ''}`;
  const sure = Math.min(SURE, share) * Math.min(limit.foreseen, limit.right);
  const place = placeName(setting.path, setting.file, setting.line);
  const cause: Cause = {
    subject: {
      ...settingSubject(setting, failure, evidence),
      limits: limit.kind === 'slots' ? 'calls' : 'rate',
      aim: { value: aim, why },
    },
    layer: 'settings',
    confidence: sure,
    reasons: [
      { text: `${place} is ${value}, and as much is let through.`, events: [] },
      reasonOf({ failure, evidence, calls, limit }),
    ],
    against: [],
  };
  return { cause, share };
}

/** So many that hardly any call finds none: calls that come by themselves vary by the root of their number. */
function placesNeeded(calls: readonly LoadedCall[]): number {
  const work = busyShare(calls);
  return Math.ceil(work + 3 * Math.sqrt(work));
}

/** The one number that is left when all others are something else: two of ten such numbers are nothing that is known. */
const BY_ELIMINATION = 0.8;
const NO_WORD = 'No word says what it counts; it is the only number there that may count calls.';

/** What can be done where the limit is somebody else's. */
function othersCauses(found: Found): Cause[] {
  const { failure, evidence, limit } = found;
  const sure = SURE * Math.min(limit.foreseen, limit.right);
  const seen = reasonOf(found);
  const counts = limit.kind === 'slots' ? 'at once' : 'a minute';
  const told = ownLimits(evidence.settings, failure).filter((one) => one.counts === counts);
  const reached = reachedBy(minesOf(found), limit);
  const own =
    told.length > 0 ? told : unnamedLimits(evidence.settings, failure, { counts, reached });
  const known = told.length > 0 ? 1 : BY_ELIMINATION;
  const aimed = own.flatMap((one) => aimOf(one, found) ?? []);
  if (aimed.length > 0)
    return aimed.slice(0, CAUSES_MAX).map(({ own: { setting }, aim, why, reached }) => ({
      subject: {
        ...settingSubject(setting, failure, evidence),
        limits: limit.kind === 'slots' ? 'calls' : 'rate',
        aim: { value: aim, why, reached },
      },
      layer: 'settings',
      confidence: sure * known,
      reasons: [
        {
          text: `${placeName(setting.path, setting.file, setting.line)} is ${setting.value}: it lets more through than that.`,
          events: [],
        },
        seen,
      ],
      against: known < 1 ? [{ text: NO_WORD, events: [] }] : [],
    }));
  const text = `No setting of ${quotedName(failure.agent)} keeps it below that: somebody has to ask for a larger limit, or to let the agent wait for its turn.`;
  return [
    {
      subject: { kind: 'service', name: failure.tool },
      layer: 'tool',
      confidence: TOLD * Math.min(limit.foreseen, limit.right),
      reasons: [seen, { text, events: [] }],
      against: [],
    },
  ];
}

interface Aimed {
  readonly own: OwnLimit;
  readonly aim: number;
  readonly why: string;
  readonly reached: number;
}

function minesOf({ failure, calls }: Found): LoadedCall[] {
  return calls.filter(({ agent, tool }) => agent === failure.agent && tool === failure.tool);
}

/** The most calls at once, or in a minute, that were made: those that were refused as well. */
function reachedBy(mine: readonly LoadedCall[], { kind }: LoadLimit): number {
  return kind === 'slots' ? Math.max(...runningAtStart(mine)) + 1 : mostWithin(mine, MINUTE_MS);
}

function aimOf(own: OwnLimit, found: Found): Aimed | undefined {
  const { failure, calls, limit } = found;
  const mine = minesOf(found);
  const others = calls.filter((one) => !mine.includes(one));
  const reached = reachedBy(mine, limit);
  // An agent that made more calls than the value does not keep to it.
  if (own.value < reached * 0.8) return undefined;
  const free =
    limit.kind === 'slots' ? limit.capacity - runningOften(others) : rateFree(limit, others, mine);
  const aim = own.unitsPerMinute === 1 ? Math.floor(free) : free * own.unitsPerMinute;
  if (!(aim >= (own.unitsPerMinute === 1 ? 1 : 0)) || aim <= 0 || aim >= own.setting.value)
    return undefined;
  const work = limit.kind === 'slots' ? busyShare(mine) : busiestRate(mine);
  if (work > FILLED_MAX * free) return undefined;
  const what = limit.kind === 'slots' ? 'calls at once' : 'calls a minute';
  const left = others.length === 0 ? '' : ', less what others use of it';
  const why = `${quotedName(failure.tool)} takes about ${amount(limit.kind === 'slots' ? limit.capacity : limit.perMinute)} ${what}${left}; the work itself needs ${amount(work)} on average in its busiest hour, so that calls wait for a short time only.`;
  return { own, aim, why, reached: reached * (limit.kind === 'slots' ? 1 : own.unitsPerMinute) };
}

/** The least that is possible, if the work fits into it. */
function rateFree(
  limit: LoadLimit & { kind: 'rate' },
  others: readonly LoadedCall[],
  mine: readonly LoadedCall[],
): number {
  const used = busiestRate(others);
  const low = limit.lowPerMinute - used;
  return busiestRate(mine) > FILLED_MAX * low ? limit.perMinute - used : low;
}

/** Calls a minute in the busiest hour; of a shorter record in all of it. */
function busiestRate(calls: readonly LoadedCall[]): number {
  if (calls.length === 0) return 0;
  const spanMs = calls.at(-1)!.startMs - calls[0]!.startMs;
  const overMs = Math.min(HOUR_MS, Math.max(spanMs, MINUTE_MS));
  return (mostWithin(calls, overMs) * MINUTE_MS) / overMs;
}

/** Calls that run at the same time in the busiest hour, on average; what was refused would have taken as long. */
function busyShare(calls: readonly LoadedCall[]): number {
  const admitted = calls.filter(({ isRefused }) => !isRefused);
  if (admitted.length === 0) return 0;
  const meanMs =
    admitted.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / admitted.length;
  return (busiestRate(calls) * meanMs) / MINUTE_MS;
}

/** In 95 of 100 cases not more of the others' calls run. */
function runningOften(others: readonly LoadedCall[]): number {
  if (others.length === 0) return 0;
  const sorted = runningAtStart(others).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)]!;
}

function reasonOf({ failure, limit }: Found): Reason {
  const place = quotedName(failure.tool);
  const how =
    limit.kind === 'slots'
      ? `${place} refuses when ${limit.capacity} ${limit.capacity === 1 ? 'call runs' : 'calls run'} already`
      : `${place} refuses what goes beyond about ${amount(limit.perMinute)} calls a minute, its rate limit or quota`;
  const text = `${how}: that foretells ${percent(limit.foreseen)} of the refusals, and ${percent(limit.right)} of what it foretells was refused.`;
  return { text, events: failure.examples.map(({ id }) => id) };
}

const amount = (value: number) => String(Number(value.toPrecision(2)));
