/**
 * Which settings say how often a call is tried again: by their key, or, where no key says it, by their value: so many tries in
 * a row fail and never one more.
 */
import { ofNearestOwner, ownershipOf } from './ownership.ts';
import type { Failure, Setting } from './types.ts';
import { wordsOf } from './wording.ts';

const RETRIES_KEY = /^(?:retry|retries)$/;
const TRIES_KEY = /^(?:attempts?|tries)$/;
const OTHER_KEY = /^(?:delay|wait|backoff|interval|ms|seconds?|timeouts?|after|budget)$/;
const MORE_KEY = /^(?:extra|additional|more|further)$/;
const RETRIES_MAX = 100;

/** The tries after the first; undefined for what is no number of tries. */
function retriesOf({ value, path }: Setting): number | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value) || value > RETRIES_MAX)
    return undefined;
  const [last = '', holder = ''] = path.slice(-2).reverse();
  const words = wordsOf(last);
  if (words.some((word) => OTHER_KEY.test(word))) return undefined;
  // `retry: { max: 3 }`: the map around it says what it counts.
  const told = [
    ...words,
    ...(/^(?:max|maximum|limit|count|times|total)$/i.test(last) ? wordsOf(holder) : []),
  ];
  const isTries = told.some((word) => TRIES_KEY.test(word));
  // `extra_tries` come after the first.
  const isMore = isTries && told.some((word) => MORE_KEY.test(word));
  if (isTries && !isMore) return value >= 1 ? value - 1 : undefined;
  const isRetries = isMore || told.some((word) => RETRIES_KEY.test(word));
  return isRetries && value >= 0 ? value : undefined;
}

export interface TriesSetting {
  readonly setting: Setting;
  readonly retries: number;
}

/** Those of the nearest owner that has any; where no key says it, the one whose value is what is seen. */
export function triesSettings(
  settings: readonly Setting[],
  place: Pick<Failure, 'agent' | 'tool' | 'tries'>,
  isWanted: (retries: number) => boolean = () => true,
): TriesSetting[] {
  const told = settings.flatMap((setting) => {
    const retries = retriesOf(setting);
    return retries !== undefined && isWanted(retries) ? [{ setting, retries }] : [];
  });
  const found = ofNearestOwner(told, place);
  if (found.length > 0) return found;
  return byValue(settings, place).filter(({ retries }) => isWanted(retries));
}

/** Fewer show no end. */
const CHAINS_MIN = 20;
/** People who ask again make some chains longer. */
const CHAINS_SHARE = 0.97;
/** Words that say what a number is: then it is not a number of tries. */
const TOLD_KEY =
  /^(?:ms|s|sec|seconds?|min|minutes?|hours?|timeouts?|wait|deadline|delay|backoff|interval|ttl|port|rate|rpm|rps|qps|per|concurrency|parallel|workers?|lanes|max|limit|size|length|tokens?|temperature|seed|version|priority|level|index|weight|cache|retries|retry|tries|attempts?)$/;

/** The one value of this agent and tool that is what is seen, where no word says what it is; none where there are several. */
function byValue(
  settings: readonly Setting[],
  { agent, tool, tries }: Pick<Failure, 'agent' | 'tool' | 'tries'>,
): TriesSetting[] {
  const retries = retriesSeen(tries);
  // 1 may be a try or a retry.
  if (retries === undefined || retries === 1) return [];
  const places = new Map<string, Setting>();
  for (const one of settings) {
    if (one.value !== retries || one.unit !== null) continue;
    if (wordsOf(one.path.at(-1) ?? '').some((word) => TOLD_KEY.test(word))) continue;
    if (ownershipOf(one, agent, tool) === 'both') places.set(`${one.start} ${one.file}`, one);
  }
  return places.size === 1 ? [...places.values()].map((setting) => ({ setting, retries })) : [];
}

/** After so many tries beyond the first an agent gives up; undefined where the tries do not show it. */
function retriesSeen(tries: Failure['tries']): number | undefined {
  const chains = tries?.chains ?? [];
  const all = chains.reduce((sum, one) => sum + one.count, 0);
  if (all < CHAINS_MIN) return undefined;
  let before = 0;
  for (const [at, { failed, count }] of chains.entries()) {
    before += count;
    if (before < CHAINS_SHARE * all) continue;
    // Who gives up there does so often: longer rows do not just become rare.
    const shorter = chains[at - 1];
    return failed === 1 || shorter === undefined || count > shorter.count ? failed - 1 : undefined;
  }
  return undefined;
}
