/**
 * Whether a setting explains a failure: its key fits the kind, it belongs to this agent or tool, and
 * its number is seen at work: it is in the messages, or (timeouts) failures take as long as it
 * says while successes stay below it.
 */
import type { FailureKind, LatencyView } from '../../../facts/index.ts';
import { type Ownership, ownershipOf } from '../../ownership.ts';
import { placeName } from '../../subjects.ts';
import type { Setting as AnySetting, Failure, Reason } from '../../types.ts';
import { count, percent, sameName, wordsOf } from '../../wording.ts';
import { isNear, type Quantity, quantitiesIn, UNIT_MS } from './quantities.ts';

/** Only a number is a limit. */
interface Setting extends AnySetting {
  readonly value: number;
}

const isNumber = (setting: AnySetting): setting is Setting => typeof setting.value === 'number';

export interface Explanation {
  readonly setting: Setting;
  readonly owner: Ownership;
  /** Share of the messages that name the number. */
  readonly named: number;
  /** Failures take as long as the setting says, successes less. */
  readonly atLimit: boolean;
  /** 0 to 1. */
  readonly weight: number;
  readonly reasons: readonly Reason[];
}

const KEY_WORDS: Readonly<Record<FailureKind, RegExp>> = {
  timeout: /^(?:timeouts?|deadline|wait|ttl|patience)$/,
  rate_limit: /^(?:rate|rpm|rps|tpm|qps|concurrency|concurrent|parallel|parallelism|burst)$/,
  size_limit: /^(?:max|limit|size|length|tokens|bytes|chars)$/,
  retries_exhausted: /^(?:retry|retries|attempts?|tries)$/,
  other: /^$/,
};
/** `retry_wait_ms` and `cache_ttl_s` wait for something else; `retry_delay_ms` is not a number of tries. */
const OTHER_WORDS: Readonly<Record<FailureKind, RegExp>> = {
  timeout: /^(?:retry|retries|backoff|delay|interval|cache|cooldown|poll)$/,
  rate_limit: /^(?:learning|sample|sampling|error)$/,
  size_limit: /^(?:retries|retry|attempts?|timeouts?|rate|rpm|rps|qps|concurrency)$/,
  retries_exhausted: /^(?:delay|wait|backoff|interval|ms|seconds?|timeouts?|after)$/,
  other: /^$/,
};

const OWNER_WEIGHT: Readonly<Record<Ownership, number>> = {
  both: 1,
  tool: 0.95,
  agent: 0.85,
  none: 0,
};
const OWNER_RANK: readonly Ownership[] = ['none', 'agent', 'tool', 'both'];

/** The best explanation; several where none is better than the others, in the order of the settings. */
export function explainBySettings(
  failure: Failure,
  settings: readonly AnySetting[],
): readonly Explanation[] {
  const { kind, examples } = failure;
  const said = examples.map(({ message }) => quantitiesIn(message, kind));
  const found = new Map<string, Explanation>();
  for (const setting of settings.filter(isNumber)) {
    const one = explain(failure, setting, said);
    const place = `${setting.start} ${setting.file}`;
    const before = found.get(place);
    // An anchored value is met once for each alias; it counts once, by its best reading.
    if (one !== undefined && (before === undefined || rank(one, before) < 0)) found.set(place, one);
  }
  const sorted = [...found.values()].sort(rank);
  return sorted.filter((one) => rank(one, sorted[0]!) === 0);
}

/** A number in the messages outweighs ownership, and ownership outweighs the latencies. */
function rank(one: Explanation, other: Explanation): number {
  return (
    Number(other.named > 0) - Number(one.named > 0) ||
    OWNER_RANK.indexOf(other.owner) - OWNER_RANK.indexOf(one.owner) ||
    Number(other.atLimit) - Number(one.atLimit)
  );
}

/** `said`: the numbers of each message. */
type Said = readonly (readonly Quantity[])[];

function explain(failure: Failure, setting: Setting, said: Said): Explanation | undefined {
  const { kind, agent, tool } = failure;
  if (setting.value < 0 || !fitsKind(setting, failure)) return undefined;
  const owner = ownershipOf(setting, agent, tool);
  if (owner === 'none') return undefined;
  const naming = namingEvents(failure, setting, said);
  const named = naming.length / Math.max(1, said.length);
  const limitMs =
    kind === 'timeout' ? millisecondsOf(setting).find((ms) => isAtLimit(failure, ms)) : undefined;
  const atLimit = limitMs !== undefined;
  if (named === 0 && !atLimit) return undefined;
  if (kind === 'timeout' && millisecondsOf(setting).every((ms) => isEarly(failure, ms)))
    return undefined;
  const seen = named > 0 ? 0.85 * named : 0.75;
  const weight = (named > 0 && atLimit ? Math.max(0.95 * named, 0.8) : seen) * OWNER_WEIGHT[owner];
  return {
    setting,
    owner,
    named,
    atLimit,
    weight,
    reasons: reasonsOf(failure, setting, { naming, limitMs }),
  };
}

/** Key words that name no owner: below `timeouts:` there are these, or the name of a tool. */
const NEUTRAL =
  /^(?:value|defaults?|all|max|limit|total|overall|request|call|read|connect|ms|s|sec|seconds?|min|minutes?)$/;

function fitsKind({ steps }: Setting, { kind, agent, tool }: Failure): boolean {
  const keys = steps.map(({ key }) => key).slice(-2);
  // The tool may be called `wait_for`: the words of a name say nothing about a limit.
  const isName = (key: string) => sameName(key, tool) || sameName(key, agent);
  const fits = (key: string) =>
    !isName(key) && wordsOf(key).some((word) => KEY_WORDS[kind].test(word));
  const last = keys.at(-1)!;
  const words = keys.filter((key) => !isName(key)).flatMap(wordsOf);
  if (words.some((word) => OTHER_WORDS[kind].test(word))) return false;
  if (fits(last)) return true;
  const neutral = isName(last) || wordsOf(last).every((word) => NEUTRAL.test(word));
  return neutral && keys.length === 2 && fits(keys[0]!);
}

/** The examples that name it. At least half of the messages must; else it is there by chance. */
function namingEvents({ examples, kind }: Failure, setting: Setting, said: Said): string[] {
  const naming = examples.filter((_, at) =>
    said[at]!.some((quantity) => isNamed(quantity, setting, kind)),
  );
  return naming.length * 2 >= said.length ? naming.map(({ id }) => id) : [];
}

function isNamed({ value, ms }: Quantity, setting: Setting, kind: FailureKind): boolean {
  // "Gave up after 4 attempts" is one attempt and 3 retries.
  if (kind === 'retries_exhausted') return value === setting.value || value === setting.value + 1;
  if (!ms) return isNear(value, setting.value);
  return millisecondsOf(setting).some((one) => isNear(one, value));
}

/** Without a unit in its key a timeout is in milliseconds or in seconds; the evidence says which. */
function millisecondsOf({ value, unit }: Setting): readonly number[] {
  return unit === null ? [value, value * 1000] : [value * UNIT_MS[unit]];
}

/** Buckets are about 5 % wide, and giving up takes a little time of its own. */
const AT_FROM = 0.95;
const AT_TO = 1.35;
const BELOW = 1.1;

function isAtLimit({ failedLatency, succeededLatency }: Failure, limitMs: number): boolean {
  if (failedLatency === null || succeededLatency === null || limitMs <= 0) return false;
  const at = shareWithin(failedLatency, AT_FROM * limitMs, AT_TO * limitMs);
  const below = shareWithin(succeededLatency, 0, BELOW * limitMs);
  return at >= 0.8 && below >= 0.98;
}

/** A timer cannot fire early: where many failures come sooner than it says, the limit is somebody else's. */
const EARLY_BELOW = 0.93;
const EARLY_SHARE = 0.05;

function isEarly({ failedLatency }: Failure, limitMs: number): boolean {
  if (failedLatency === null || limitMs <= 0) return false;
  return shareWithin(failedLatency, 0, EARLY_BELOW * limitMs) > EARLY_SHARE;
}

function shareWithin({ buckets }: LatencyView, fromMs: number, toMs: number): number {
  let [inside, all] = [0, 0];
  for (const bucket of buckets) {
    all += bucket.count;
    if (bucket.uptoMs >= fromMs && bucket.uptoMs <= toMs) inside += bucket.count;
  }
  return all === 0 ? 0 : inside / all;
}

function reasonsOf(
  failure: Failure,
  setting: Setting,
  { naming, limitMs }: { naming: readonly string[]; limitMs: number | undefined },
): Reason[] {
  const reasons: Reason[] = [];
  const { path, file, line, value } = setting;
  const what = `${placeName(path, file, line)} is ${value}`;
  if (naming.length > 0) {
    const text = `${what}, and ${count(naming.length)} of ${failure.examples.length} messages name that number.`;
    reasons.push({ text, events: naming });
  }
  const { failedLatency: failed, succeededLatency: succeeded } = failure;
  if (limitMs !== undefined && failed !== null && succeeded !== null) {
    const at = percent(shareWithin(failed, AT_FROM * limitMs, AT_TO * limitMs));
    const text = `${what}: ${at} of the failures took about ${count(limitMs)} ms, and calls that succeed took at most ${count(Math.round(succeeded.maxMs))} ms.`;
    reasons.push({ text, events: [] });
  }
  return reasons;
}
