/**
 * Which number in the files is the time limit that failures run into. Candidates compete by what was measured: whether
 * failures end where the number says and successes before it, whether messages name it, whose it is by its place,
 * whether agents with other limits end elsewhere. The words of its key only add to that. Somebody else's limit and an
 * unknown cause compete with them.
 *
 * Evidence is in nats: the logarithm of how many times likelier a fact is if the number is to blame. A number of no
 * meaning is within 6 % of a given duration in about one of a hundred cases (log-uniform over four decades), which would
 * be worth 4.4; it is believed up to 2.3, because numbers that people write are round and so are durations.
 */
import type { LatencyView } from '../../../facts/index.ts';
import { cutOffAt, type Pile, pileOf, shareWithin } from '../../latency-shape.ts';
import { isAnothers, type Ownership, ownershipOf } from '../../ownership.ts';
import { settingOwner } from '../../setting-owner.ts';
import type { Evidence, Failure, Setting } from '../../types.ts';
import { keySays } from './key-words.ts';
import { isNoTime } from './no-time.ts';
import { overriddenBy } from './overridden.ts';
import { isNear, type Quantity, quantitiesIn, UNIT_MS } from './quantities.ts';
import { isUsualKey } from './usual-key.ts';

export interface NumberSetting extends Setting {
  readonly value: number;
}

export interface TimeLimit {
  readonly setting: NumberSetting;
  readonly owner: Ownership;
  /** The examples whose messages name it. */
  readonly naming: readonly string[];
  /** The limit at which failures end; undefined where latencies do not say it. */
  readonly limitMs: number | undefined;
  /** What messages and durations say. */
  readonly how: number;
  /** Logarithm of its weight, the prior included. */
  readonly score: number;
  /** Agents whose failures end elsewhere, where their own limit is. */
  readonly movesWith: readonly string[];
  /** Agents that go by a longer one of their own in its place. */
  readonly overridden: readonly string[];
}

export interface TimeLimits {
  /** The best first. */
  readonly found: readonly TimeLimit[];
  /** Of everything else together: another's limit, or something unknown. */
  readonly rest: number;
  /** Agents whose failures end at the same duration although their own limit is another one. */
  readonly elsewhere: readonly string[];
  /** Agents that wait much longer at the same tool, and for nothing: what is not done by then never is. */
  readonly inVain: readonly string[];
}

/** Rates per day: a limit of the target's own, somebody else's, and what nobody thought of. */
const OWN_PRIOR = 0.05;
const REST_PRIOR = 0.05 + 0.02;

const TIGHT = 2.3;
const WIDE = 0.7;
const NAMED = 2.3;
/** Both families say how; together they are believed a little further. */
const HOW_MAX = 3.5;
const WHERE: Readonly<Record<Ownership, number>> = {
  none: Number.NEGATIVE_INFINITY,
  anyone: -0.7,
  agent: 0.7,
  tool: 1.6,
  both: 2.3,
};
const WORDS = 0.7;
const MOVES = 2.3;

/** A timer fires there or a little later; giving up takes time of its own. */
const AT_FROM = 0.95;
const TIGHT_TO = 1.12;
const WIDE_TO = 1.35;
const AT_SHARE = 0.8;
/** A timer cannot fire early: where many failures come sooner than it says, the limit is somebody else's. */
const EARLY_BELOW = 0.93;
const EARLY_SHARE = 0.05;
const BEYOND = 1.1;
const BEYOND_SHARE = 0.02;

/** Whether it looks like a call that was given up, by what was said or by how it behaves. */
export function isCutOff({ kind, failedLatency, succeededLatency }: Failure): boolean {
  if (kind === 'timeout') return true;
  return kind === 'other' && cutOffAt(failedLatency, succeededLatency) !== null;
}

/** What a failure is compared with. */
export interface Compared {
  readonly all: readonly Failure[];
  /** Files that changed since the window began: what they say now is not what others ran with. */
  readonly moved: ReadonlySet<string>;
  /** By which a file that names nobody is found to be somebody's: theirs mentions it. */
  readonly words?: Evidence['words'] | undefined;
}

const ALONE: Compared = { all: [], moved: new Set() };

export function comparedIn({ all, commits, window, words }: Evidence): Compared {
  const since = commits.filter(({ atMs }) => atMs >= window.fromMs);
  return { all, moved: new Set(since.flatMap(({ paths }) => paths)), words };
}

export function timeLimits(
  failure: Failure,
  settings: readonly NumberSetting[],
  { all, moved, words }: Compared = ALONE,
): TimeLimits {
  const said = failure.examples.map(({ message }) => quantitiesIn(message, 'timeout'));
  const asking = { agent: failure.agent, tool: failure.tool, known: all.map(({ tool }) => tool) };
  const fitting = settings
    .flatMap((setting) => admit(failure, setting, { said, words, settings, all, moved }) ?? [])
    .filter(({ setting, owner }) => owner === 'both' || !isAnothers(setting, settings, asking));
  // In a file that is only mentioned, a key that says nothing is farther than any number that fits in a file of their own.
  const hasOwn = fitting.some(({ owner, isMentioned }) => owner !== 'anyone' && !isMentioned);
  const admitted = fitting.filter(
    ({ isMentioned, isWorded }) => !hasOwn || !isMentioned || isWorded,
  );
  const told = admitted.filter(({ isGuess }) => !isGuess);
  const owned = told.filter(({ owner }) => owner !== 'anyone');
  // A number whose key says nothing, in the agent's own file, counts where it is the only one that fits.
  const guesses = told.length === 0 && distinct(admitted) === 1 ? admitted : [];
  const candidates = worded(owned.length > 0 ? owned : [...told, ...guesses]);
  const siblings = siblingsOf(
    failure,
    settings.filter(({ file }) => !moved.has(file)),
    all,
  );
  const elsewhere = siblings.filter(({ isOwn }) => !isOwn).map(({ agent }) => agent);
  const movesWith = siblings.filter(({ isOwn }) => isOwn).map(({ agent }) => agent);
  const prior = Math.log(OWN_PRIOR / Math.max(1, distinct(candidates)));
  const found = elsewhere.length > 0 ? [] : candidates;
  return {
    found: found
      .map((one) => ({
        ...one,
        movesWith,
        score: one.score + prior + (movesWith.length > 0 ? MOVES : 0),
      }))
      .sort((a, b) => b.score - a.score),
    rest: REST_PRIOR,
    elsewhere,
    inVain: waitingInVain(failure, all),
  };
}

/** Of equal numbers in one file, those whose keys speak of waiting or that are written as times: nothing else tells them apart. */
function worded<T extends { readonly setting: NumberSetting; readonly isWorded: boolean }>(
  candidates: readonly T[],
): T[] {
  const keyOf = ({ setting: { file, value } }: T) => `${value} ${file}`;
  const said = new Set(candidates.filter(({ isWorded }) => isWorded).map(keyOf));
  return candidates.filter((one) => one.isWorded || !said.has(keyOf(one)));
}

const LONGER = 2;
const SUCCESSES_MIN = 100;
const LATE_SHARE_MAX = 0.1;

/** Others who wait at least twice as long: of what we cut off, hardly any would have ended in their time. */
function waitingInVain(failure: Failure, all: readonly Failure[]): string[] {
  const own = pileOf(failure.failedLatency);
  if (own === null || failure.tool === '') return [];
  const cutShare = failure.failures / failure.calls;
  const found = all.filter(({ agent, tool, failedLatency, succeededLatency }) => {
    if (tool !== failure.tool || agent === failure.agent || succeededLatency === null) return false;
    const theirs = pileOf(failedLatency);
    if (theirs === null || theirs.ms < LONGER * own.ms) return false;
    const late = shareWithin(succeededLatency, own.ms * BEYOND, Number.POSITIVE_INFINITY);
    return succeededLatency.count >= SUCCESSES_MIN && late < LATE_SHARE_MAX * cutShare;
  });
  return [...new Set(found.map(({ agent }) => agent))];
}

/** An anchored value is met once for each alias. */
function distinct(candidates: readonly { readonly setting: Setting }[]): number {
  return new Set(candidates.map(({ setting }) => `${setting.start} ${setting.file}`)).size;
}

type Said = readonly (readonly Quantity[])[];

type Admitted = Omit<TimeLimit, 'movesWith'> & {
  readonly isGuess: boolean;
  /** Whether its key speaks of waiting, or its value is written as a time. */
  readonly isWorded: boolean;
  /** Theirs only because a file about them mentions its file. */
  readonly isMentioned: boolean;
};

function admit(
  failure: Failure,
  setting: NumberSetting,
  {
    said,
    words: files,
    settings,
    all,
    moved,
  }: { readonly said: Said; readonly settings: readonly NumberSetting[] } & Compared,
): Admitted | undefined {
  if (!(setting.value > 0)) return undefined;
  const readings = millisecondsOf(setting).filter((ms) => !isEarly(failure, ms));
  if (readings.length === 0) return undefined;
  const naming = namingEvents(failure, { value: setting.value, readings }, said);
  const tight = readings.find((ms) => isAtLimit(failure, ms, TIGHT_TO));
  const limitMs = tight ?? readings.find((ms) => isAtLimit(failure, ms, WIDE_TO));
  if (naming.length === 0 && limitMs === undefined) return undefined;
  // Few numbers come so far; names are compared for those alone.
  const words = keySays(setting, failure, 'timeout');
  if (words === 'others') return undefined;
  // Two tries and two seconds are the same number.
  if (words !== 'fits' && COUNTS.some((kind) => keySays(setting, failure, kind) === 'fits'))
    return undefined;
  // A message that names the number says more than what stands beside it.
  const isUntold = words !== 'fits' && naming.length === 0;
  if (isUntold && isNoTime(setting, limitMs!, { failure, settings, all, moved })) return undefined;
  const owner = settingOwner(setting, failure, { words: files });
  if (owner === 'none') return undefined;
  // A key that says nothing needs a number that is seen at work, in a place that is the tool's own; in one that is only the agent's
  // it is a guess.
  const overridden =
    owner === 'anyone' && tight !== undefined
      ? overriddenBy(setting, tight, { failure, settings, all })
      : [];
  const isUsual =
    owner === 'anyone' &&
    tight !== undefined &&
    words !== 'fits' &&
    isUsualKey(setting, { failure, settings, all });
  const isSeen = words === 'fits' || overridden.length > 0;
  const isOwn = owner === 'both' || owner === 'tool' || overridden.length > 0 || isUsual;
  if (!isSeen && (tight === undefined || (owner === 'anyone' && !isUsual))) return undefined;
  if (!isSeen && firesEarly(failure, tight!)) return undefined;
  // `3500ms` is a time whatever its key says; 3500 beside it may be a height.
  const isTime = words === 'fits' || (setting.unit !== null && tight !== undefined);
  const isGuess = !isTime && !isOwn;
  if (owner === 'anyone' && (tight === undefined || !(isSeen || isUsual))) return undefined;
  const named = naming.length / Math.max(1, said.length);
  const at = tight !== undefined ? TIGHT : limitMs !== undefined ? WIDE : 0;
  const how = Math.min(HOW_MAX, NAMED * named + at);
  const score = how + WHERE[owner] + (isTime ? WORDS : 0) + (overridden.length > 0 ? MOVES : 0);
  const isMentioned = owner !== ownershipOf(setting, failure.agent, failure.tool);
  const isWorded = isTime || overridden.length > 0;
  const found = { setting, owner, naming, limitMs, how, score, overridden };
  return { ...found, isGuess, isWorded, isMentioned };
}

const COUNTS = ['retries_exhausted', 'rate_limit'] as const;

interface Read {
  readonly value: number;
  /** In milliseconds, as it may be meant. */
  readonly readings: readonly number[];
}

/** At least half of the messages must name it; else it is there by chance. */
function namingEvents({ examples }: Failure, { value, readings }: Read, said: Said): string[] {
  const isIt = (said: Quantity) =>
    said.ms ? readings.some((ms) => isNear(ms, said.value)) : isNear(said.value, value);
  const naming = examples.filter((_, at) => said[at]!.some(isIt));
  return naming.length * 2 >= said.length ? naming.map(({ id }) => id) : [];
}

/**
 * Without a unit a time is in milliseconds or seconds; the evidence says which. Minutes are not tried: hardly any client
 * counts in them, and each further reading lets more numbers match by chance.
 */
export function millisecondsOf({ value, unit }: NumberSetting): readonly number[] {
  return unit === null ? [value, value * 1000] : [value * UNIT_MS[unit]];
}

function isAtLimit(
  { failedLatency, succeededLatency }: Pick<Failure, 'failedLatency' | 'succeededLatency'>,
  limitMs: number,
  to: number,
): boolean {
  if (failedLatency === null || succeededLatency === null || limitMs <= 0) return false;
  const at = shareWithin(failedLatency, AT_FROM * limitMs, to * limitMs);
  return at >= AT_SHARE && beyondShare(succeededLatency, limitMs) <= BEYOND_SHARE;
}

function beyondShare(succeeded: LatencyView, limitMs: number): number {
  return shareWithin(succeeded, BEYOND * limitMs, Number.POSITIVE_INFINITY);
}

function isEarly({ failedLatency }: Failure, limitMs: number): boolean {
  if (failedLatency === null || limitMs <= 0) return false;
  return shareWithin(failedLatency, 0, EARLY_BELOW * limitMs) > EARLY_SHARE;
}

const ROUNDED = 0.99;

/** Whether the first of those that end there comes sooner than a timer of so long fires, beyond what rounding makes. */
function firesEarly({ failedLatency }: Failure, limitMs: number): boolean {
  if (failedLatency === null) return false;
  const { minMs } = failedLatency;
  return minMs >= AT_FROM * limitMs && minMs < ROUNDED * limitMs;
}

interface Sibling {
  readonly agent: string;
  /** Their failures end where their own limit is, which is another one than ours. */
  readonly isOwn: boolean;
}

/** Other agents at the same tool whose limit is another one: do they end at theirs, or where we do? */
function siblingsOf(
  failure: Failure,
  settings: readonly NumberSetting[],
  all: readonly Failure[],
): Sibling[] {
  const own = pileOf(failure.failedLatency);
  if (own === null || failure.tool === '') return [];
  return all.flatMap((other): Sibling[] => {
    if (other.tool !== failure.tool || other.agent === failure.agent) return [];
    const pile = pileOf(other.failedLatency);
    if (pile === null) return [];
    const limits = settings
      .filter(
        (one) =>
          one.value > 0 &&
          keySays(one, other, 'timeout') === 'fits' &&
          ['both', 'agent'].includes(ownershipOf(one, other.agent, other.tool)),
      )
      .flatMap(millisecondsOf);
    if (limits.length === 0) return [];
    const isOwn = limits.some((ms) => isAt(pile, ms));
    if (isAt(own, pile.ms)) return isOwn ? [] : [{ agent: other.agent, isOwn: false }];
    return isOwn ? [{ agent: other.agent, isOwn: true }] : [];
  });
}

/** Whether a timer of so long makes the pile. */
export function isAt(pile: Pile, ms: number): boolean {
  return ms >= pile.ms / TIGHT_TO && ms <= pile.ms * TIGHT_TO;
}
