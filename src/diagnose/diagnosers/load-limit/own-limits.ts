/**
 * Which settings say how many calls an agent makes at once or in a time. A name is a hint; what an agent was seen to do
 * refutes: one that made more calls at once than the value does not keep to it.
 */
import { ofNearestOwner } from '../../ownership.ts';
import type { Failure, Setting } from '../../types.ts';
import { wordsOf } from '../../wording.ts';

const AT_ONCE =
  /^(?:concurrency|concurrent|parallel|parallelism|flight|inflight|simultaneous|workers?|threads|lanes|once|fanout)$/;
const IN_A_TIME = /^(?:rate|rpm|rps|rph|qps|tpm|throttle|pace|requests|permits)$/;
const PER = /^(?:per|minute|minutes|min|second|seconds|sec|hour|hours|h|s)$/;
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

/** What its words say that it counts; undefined where they say nothing of calls. */
export function countsOf(setting: Setting): OwnLimit | undefined {
  const { value, path, unit } = setting;
  if (typeof value !== 'number' || !(value >= 1) || unit === 'ms') return undefined;
  const [last = '', holder = ''] = path.slice(-2).reverse();
  const own = wordsOf(last);
  // `rate: { max: 60 }`: the map around it says what it counts.
  const isPlain = own.every(
    (word) => /^(?:max|maximum|limit|value|count|calls|total)$/.test(word) || PER.test(word),
  );
  const words = isPlain ? [...wordsOf(holder), ...own] : own;
  if (words.some((word) => OTHERS.test(word))) return undefined;
  const number = { setting: setting as OwnLimit['setting'] };
  if (words.some((word) => AT_ONCE.test(word)) && Number.isInteger(value))
    return { ...number, counts: 'at once', value, unitsPerMinute: 1 };
  const isRate =
    words.some((word) => IN_A_TIME.test(word)) ||
    (words.includes('per') && words.some((word) => PER.test(word) && word !== 'per'));
  if (!isRate) return undefined;
  const unitsPerMinute = perMinute(words);
  return { ...number, counts: 'a minute', value: value / unitsPerMinute, unitsPerMinute };
}

/** Providers count by the minute; a key that counts otherwise says so. */
function perMinute(words: readonly string[]): number {
  if (words.some((word) => /^(?:rps|qps|second|seconds|sec|s)$/.test(word))) return 1 / 60;
  return words.some((word) => /^(?:rph|hour|hours|h)$/.test(word)) ? 60 : 1;
}
