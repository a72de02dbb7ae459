/**
 * Which limit on load refuses calls: so many at once, so many in a time, or a bucket that is filled again. Each is a model
 * that is played over the recorded calls and says of every one whether it would be refused; it is blamed only where it
 * tells refused from admitted calls far better than their share alone. Others may call the same tool unseen, so that a
 * model is brought back in step by what really happened. Pure.
 */
import type { RecentCall } from '../facts/index.ts';

const MINUTE_MS = 60_000;
/** Fewer show no limit. */
const REFUSED_MIN = 15;
/** Nats by which a model must beat the plain share, beyond what choosing its numbers is worth. */
const GAIN_MIN = 10;
/** Of the refused calls the model must foresee this share, and of those that it foresees this share must be refused. */
const FORESEEN = 0.75;
const RATES = 32;
const FINER = 8;
const QUOTAS_MAX = 1000;
const BURSTS = [
  1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512,
] as const;

export type LoadLimit =
  | {
      readonly kind: 'slots';
      /** Calls at once that the tool takes. */
      readonly capacity: number;
      readonly foreseen: number;
      readonly right: number;
    }
  | {
      readonly kind: 'rate';
      /** Calls a minute, and the least and most that the calls leave possible. */
      readonly perMinute: number;
      readonly lowPerMinute: number;
      readonly highPerMinute: number;
      readonly foreseen: number;
      readonly right: number;
    };

export interface LoadedCall extends RecentCall {
  readonly isRefused: boolean;
}

/** Undefined where no limit explains the refusals. `calls` are in the order in which they began. */
export function findLoadLimit(calls: readonly LoadedCall[]): LoadLimit | undefined {
  const refused = calls.filter(({ isRefused }) => isRefused).length;
  if (refused < REFUSED_MIN || calls.length - refused < REFUSED_MIN) return undefined;
  const plain = logLikelihood({ hit: refused, missed: 0, wrong: calls.length - refused, rest: 0 });
  const slots = bestSlots(calls);
  const rate = bestRate(calls);
  const gain = (one: { readonly nats: number } | undefined) =>
    one === undefined ? Number.NEGATIVE_INFINITY : one.nats - plain;
  const best = gain(rate) > gain(slots) ? rate : slots;
  if (best === undefined || gain(best) < GAIN_MIN) return undefined;
  const { hit, missed, wrong } = best.table;
  const [foreseen, right] = [hit / (hit + missed), hit / Math.max(1, hit + wrong)];
  if (foreseen < FORESEEN || right < FORESEEN) return undefined;
  return { ...best.limit, foreseen, right };
}

/** Refused as foreseen, refused unforeseen, foreseen but admitted, and admitted as foreseen. */
interface Table {
  hit: number;
  missed: number;
  wrong: number;
  rest: number;
}

interface Model {
  readonly limit:
    | { readonly kind: 'slots'; readonly capacity: number }
    | {
        readonly kind: 'rate';
        readonly perMinute: number;
        readonly lowPerMinute: number;
        readonly highPerMinute: number;
      };
  readonly table: Table;
  readonly nats: number;
}

/** Of what is refused, given what the model says of each call; with half a call more in every cell. */
function logLikelihood({ hit, missed, wrong, rest }: Table): number {
  const part = (some: number, others: number) =>
    some === 0 ? 0 : some * Math.log((some + 0.5) / (some + others + 1));
  return part(hit, wrong) + part(wrong, hit) + part(missed, rest) + part(rest, missed);
}

function bestSlots(calls: readonly LoadedCall[]): Model | undefined {
  const running = runningAtStart(calls);
  const most = Math.max(...running);
  const [refusedAt, admittedAt] = [new Array(most + 1).fill(0), new Array(most + 1).fill(0)];
  for (const [at, { isRefused }] of calls.entries())
    (isRefused ? refusedAt : admittedAt)[running[at]!]++;
  let best: Model | undefined;
  const table: Table = {
    hit: 0,
    missed: refusedAt.reduce((sum: number, one: number) => sum + one, 0),
    wrong: 0,
    rest: admittedAt.reduce((sum: number, one: number) => sum + one, 0),
  };
  for (let capacity = most; capacity >= 1; capacity--) {
    table.hit += refusedAt[capacity]!;
    table.missed -= refusedAt[capacity]!;
    table.wrong += admittedAt[capacity]!;
    table.rest -= admittedAt[capacity]!;
    const nats = logLikelihood(table) - Math.log(most);
    if (best === undefined || nats > best.nats)
      best = { limit: { kind: 'slots', capacity }, table: { ...table }, nats };
  }
  return best;
}

/** How many admitted calls ran when each began. */
export function runningAtStart(
  calls: readonly {
    readonly startMs: number;
    readonly endMs: number;
    readonly isRefused: boolean;
  }[],
): number[] {
  const ends: number[] = [];
  return calls.map(({ startMs, endMs, isRefused }) => {
    while (ends.length > 0 && ends[0]! <= startMs) ends.shift();
    const running = ends.length;
    if (!isRefused) {
      let at = ends.length;
      while (at > 0 && ends[at - 1]! > endMs) at--;
      ends.splice(at, 0, endMs);
    }
    return running;
  });
}

type RateModel = Model & { readonly perMinute: number; readonly burst: number };

function bestRate(calls: readonly LoadedCall[]): Model | undefined {
  const admitted = calls.filter(({ isRefused }) => !isRefused);
  const spanMs = calls.at(-1)!.startMs - calls[0]!.startMs;
  const mean = admitted.length / Math.max(1, spanMs / MINUTE_MS);
  const peak = mostWithin(admitted, MINUTE_MS);
  const bursts = BURSTS.filter((burst) => burst <= 2 * peak);
  const tried: RateModel[] = [];
  const played = packed(calls);
  const tryBucket = (perMinute: number, burst: number) =>
    tried.push(rateModel(playBucket(played, perMinute / MINUTE_MS, burst), perMinute, burst));
  const [least, times] = [Math.max(mean / 2, 0.01), Math.max(4, (4 * peak) / mean)];
  for (let at = 0; at < RATES; at++)
    for (const burst of bursts) tryBucket(least * times ** (at / (RATES - 1)), burst);
  for (let quota = 1; quota <= Math.min(peak, QUOTAS_MAX); quota++)
    tried.push(rateModel(playWindows(played, quota), quota, quota));
  // A bucket that is nearly always empty shows its rate to a hundredth: once more, closer to the best.
  const near = bestOf(tried);
  const step = times ** (1 / (RATES - 1));
  for (let at = -FINER; near !== undefined && at <= FINER; at++)
    for (const share of [0.75, 0.83, 0.9, 1, 1.1, 1.2, 1.33])
      tryBucket(near.perMinute * step ** (at / FINER), Math.max(1, Math.round(near.burst * share)));
  const best = bestOf(tried);
  if (best === undefined) return undefined;
  // Those that explain the calls nearly as well are as possible.
  const possible = tried.filter(({ nats }) => nats > best.nats - 2).map((one) => one.perMinute);
  const [lowPerMinute, highPerMinute] = [Math.min(...possible), Math.max(...possible)];
  const perMinute = Math.sqrt(lowPerMinute * highPerMinute);
  return { ...best, limit: { kind: 'rate', perMinute, lowPerMinute, highPerMinute } };
}

function rateModel(table: Table, perMinute: number, burst: number): RateModel {
  const limit = { kind: 'rate', perMinute, lowPerMinute: perMinute, highPerMinute: perMinute };
  return {
    limit: limit as Model['limit'],
    table,
    nats: logLikelihood(table) - Math.log(RATES * BURSTS.length),
    perMinute,
    burst,
  };
}

function bestOf(tried: readonly RateModel[]): RateModel | undefined {
  return tried.reduce<RateModel | undefined>(
    (one, other) => (one === undefined || other.nats > one.nats ? other : one),
    undefined,
  );
}

export function mostWithin(calls: readonly { readonly startMs: number }[], spanMs: number): number {
  let [from, most] = [0, 0];
  for (const [at, { startMs }] of calls.entries()) {
    while (calls[from]!.startMs <= startMs - spanMs) from++;
    most = Math.max(most, at - from + 1);
  }
  return most;
}

/** A bucket that holds `burst` and is filled by `perMs`. A call that was admitted had a token, one that was refused had none. */
function playBucket({ startsMs, refused }: Packed, perMs: number, burst: number): Table {
  let [hit, missed, wrong, rest] = [0, 0, 0, 0];
  let tokens = burst;
  let lastMs = startsMs[0]!;
  for (let at = 0; at < startsMs.length; at++) {
    const startMs = startsMs[at]!;
    tokens = Math.min(burst, tokens + (startMs - lastMs) * perMs);
    lastMs = startMs;
    if (refused[at] === 1) {
      if (tokens < 1) hit++;
      else {
        missed++;
        tokens = 1 - 1e-9;
      }
    } else if (tokens < 1) {
      wrong++;
      tokens = 0;
    } else {
      rest++;
      tokens -= 1;
    }
  }
  return { hit, missed, wrong, rest };
}

/** So many in every minute of the clock. */
function playWindows({ minutes, refused }: Packed, quota: number): Table {
  let [hit, missed, wrong, rest] = [0, 0, 0, 0];
  let [minute, admitted] = [-1, 0];
  for (let at = 0; at < minutes.length; at++) {
    if (minutes[at] !== minute) {
      minute = minutes[at]!;
      admitted = 0;
    }
    const isForeseen = admitted >= quota;
    if (refused[at] === 1) {
      if (isForeseen) hit++;
      else missed++;
    } else {
      if (isForeseen) wrong++;
      else rest++;
      admitted++;
    }
  }
  return { hit, missed, wrong, rest };
}

/** What the models play over, a thousand times. */
interface Packed {
  readonly startsMs: Float64Array;
  readonly minutes: Float64Array;
  /** 1 where it was. */
  readonly refused: Uint8Array;
}

function packed(calls: readonly LoadedCall[]): Packed {
  const startsMs = Float64Array.from(calls, ({ startMs }) => startMs);
  return {
    startsMs,
    minutes: startsMs.map((startMs) => Math.floor(startMs / MINUTE_MS)),
    refused: Uint8Array.from(calls, ({ isRefused }) => Number(isRefused)),
  };
}
