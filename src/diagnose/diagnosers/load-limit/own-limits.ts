/**
 * Which settings say how many calls an agent makes at once or in a time. A name is a hint; what an agent was seen to do
 * refutes: one that made more calls at once than the value does not keep to it.
 */
import { quantileMs } from '../../latency-shape.ts';
import { ofNearestOwner, ownershipOf } from '../../ownership.ts';
import type { Failure, Setting } from '../../types.ts';
import { wordsOf } from '../../wording.ts';

const AT_ONCE =
  /^(?:concurrency|concurrent|parallel|parallelism|flight|inflight|simultaneous|workers?|threads|lanes|slots|once|fanout)$/;
const IN_A_TIME = /^(?:rate|quota|rpm|rps|rph|qps|tpm|throttle|pace|requests|permits)$/;
const PER = /^(?:per|minute|minutes|min|second|seconds|sec|hour|hours|h|s)$/;
const TIME = /^(?:timeouts?|wait|deadline|time|duration|patience|cutoff|ttl|lease|response)$/;
/** Words of settings that count something else. */
const OTHERS =
  /^(?:retry|retries|attempts?|tries|tokens?|timeouts?|ms|delay|backoff|sample|sampling|learning|error|errors|days|price|cost|bytes|kb|mb|size)$/;

export interface OwnLimit {
  readonly setting: Setting & { readonly value: number };
  readonly counts: 'at once' | 'a minute';
  /** Calls at once, or calls a minute. */
  readonly value: number;
  /** Units of the setting in one call a minute; 1 for calls at once. */
  readonly unitsPerMinute: number;
}

export function ownLimits(
  settings: readonly Setting[],
  place: Pick<Failure, 'agent' | 'tool'>,
): OwnLimit[] {
  return ofNearestOwner(
    settings.flatMap((setting) => countsOf(setting) ?? []),
    place,
  );
}

/** A limit that is never met says nothing by its size; but what is so many times what was ever seen counts something else. */
const FAR = 64;

/**
 * The one number of this very agent and tool, or in the agent's place that is called like the tool, of which no word says what it counts and that can be nothing else: no time, as
 * something else is the limit on time or it fits none; no number of tries; and no more calls were made than it says. None where
 * there are several.
 */
export function unnamedLimits(
  settings: readonly Setting[],
  { agent, tool, tries, succeededLatency }: Failure,
  limit: { readonly counts: OwnLimit['counts']; readonly reached: number },
): OwnLimit[] {
  const own = ofBoth(settings, { agent, tool });
  const isTimed = own.some(
    ({ unit, path }) => unit !== null || wordsOf(path.at(-1) ?? '').some((word) => TIME.test(word)),
  );
  const longest = Math.max(0, ...(tries?.chains ?? []).map(({ failed }) => failed));
  const slowMs = succeededLatency === null ? 0 : quantileMs(succeededLatency, 0.99);
  const fitsTime = (value: number) =>
    [1, 1000, 60_000].some((unit) => value * unit >= slowMs && value * unit < FAR * slowMs);
  // 88000 beside 10, where a call takes half a minute: the first is the limit on time, and 10 minutes are none.
  const isTimedByValue = own.some(
    ({ value }) => typeof value === 'number' && value > FAR * limit.reached && fitsTime(value),
  );
  const isTime = (value: number) => !isTimed && !isTimedByValue && fitsTime(value);
  const found = own.flatMap((setting): OwnLimit[] => {
    const { value, unit, path } = setting;
    if (typeof value !== 'number' || !Number.isInteger(value) || unit !== null) return [];
    const words = wordsOf(path.at(-1) ?? '');
    if (words.some((word) => OTHERS.test(word) || TIME.test(word) || AT_ONCE.test(word))) return [];
    if (value < 2 || value === longest || isTime(value) || countsOf(setting) !== undefined)
      return [];
    if (value < limit.reached || value > FAR * limit.reached) return [];
    const number = { setting: setting as OwnLimit['setting'] };
    return [{ ...number, counts: limit.counts, value, unitsPerMinute: 1 }];
  });
  return found.length === 1 ? found : [];
}

/** Of this agent and tool by their names; where none is, of the agent by its name and called like the tool. */
function ofBoth(
  settings: readonly Setting[],
  { agent, tool }: Pick<Failure, 'agent' | 'tool'>,
): readonly Setting[] {
  const named = settings.filter((one) => ownershipOf(one, agent, tool) === 'both');
  if (named.length > 0) return named;
  return settings.filter(
    (one) => one.like?.includes(tool) === true && ownershipOf(one, agent, tool) === 'agent',
  );
}

/** What its words say that it counts; undefined where they say nothing of calls. */
export function countsOf(setting: Setting): OwnLimit | undefined {
  const { value, path, unit } = setting;
  if (typeof value !== 'number' || !(value >= 1) || unit === 'ms') return undefined;
  const [last = '', holder = ''] = path.slice(-2).reverse();
  const own = wordsOf(last).flatMap(parts);
  // `rate: { max: 60 }`: the map around it says what it counts.
  const isPlain = own.every((word) => PLAIN.test(word) || PER.test(word));
  const words = isPlain ? [...wordsOf(holder).flatMap(parts), ...own] : own;
  if (words.some((word) => OTHERS.test(word))) return undefined;
  const number = { setting: setting as OwnLimit['setting'] };
  if (isAtOnce(words) && Number.isInteger(value))
    return { ...number, counts: 'at once', value, unitsPerMinute: 1 };
  const isRate =
    words.some((word) => IN_A_TIME.test(word)) ||
    isInATime(own) ||
    (words.includes('per') && words.some((word) => PER.test(word) && word !== 'per'));
  if (!isRate) return undefined;
  const unitsPerMinute = perMinute(words);
  return { ...number, counts: 'a minute', value: value / unitsPerMinute, unitsPerMinute };
}

/** Of words that say how much of what is counted. */
const PLAIN = /^(?:max|maximum|limit|value|count|calls?|total)$/;
const LETTERS_MIN = 3;
/** No other word ends in one of so many. */
const LETTERS_SURE = 6;

/**
 * `MAXRATE` and `callquota` are two words each, where both are words that say what is counted; of `UPSTREAMMAXINFLIGHT` the end is a
 * word by itself. Any other word is one.
 */
function parts(word: string): readonly string[] {
  const isOne = (part: string) => [PLAIN, AT_ONCE, IN_A_TIME, PER].some((some) => some.test(part));
  if (isOne(word)) return [word];
  for (let at = LETTERS_MIN; at <= word.length - LETTERS_SURE; at += 1) {
    const end = word.slice(at);
    if ([AT_ONCE, IN_A_TIME].some((some) => some.test(end))) return [word.slice(0, at), end];
  }
  for (let at = LETTERS_MIN; at <= word.length - LETTERS_MIN; at += 1) {
    const both = [word.slice(0, at), word.slice(at)];
    if (both.every(isOne)) return both;
  }
  return [word];
}

/** `fan_out` is `fanout`: where a key is split between its words is a matter of taste. */
const isAtOnce = (words: readonly string[]) =>
  words.some((word, at) => AT_ONCE.test(word) || AT_ONCE.test(`${word}${words[at + 1] ?? ''}`));

const ONE_TIME = /^(?:second|minute|hour)$/;

/** `bookings_a_minute`, `eachHour`: things in one unit of time, whatever the things are called. A time is said in the plural. */
const isInATime = (words: readonly string[]) =>
  words.length > 1 && ONE_TIME.test(words.at(-1)!) && !words.some((word) => TIME.test(word));

/** Providers count by the minute; a key that counts otherwise says so. */
function perMinute(words: readonly string[]): number {
  if (words.some((word) => /^(?:rps|qps|second|seconds|sec|s)$/.test(word))) return 1 / 60;
  return words.some((word) => /^(?:rph|hour|hours|h)$/.test(word)) ? 60 : 1;
}
