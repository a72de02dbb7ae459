/**
 * Which settings say how often a call is tried again: by their key, or, where no key says it, by their value: so many tries in
 * a row fail and never one more. A value of nobody in particular counts where it is what is seen, and first of all one that a file
 * about this agent or tool uses.
 */
import { ofNearestOwner, ownershipOf } from './ownership.ts';
import { type FileWords, isAbout, usersOf } from './references.ts';
import type { Evidence, Failure, Setting } from './types.ts';
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
  const words = keyWords(last);
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

/** A second before another word is no time: `second_tries`, `clientSecondChances`. */
const keyWords = (key: string) =>
  wordsOf(key).filter((word, at, { length }) => word !== 'second' || at === length - 1);

export interface TriesSetting {
  readonly setting: Setting;
  readonly retries: number;
  /** 1 where its key says what it is and its place whose. */
  readonly sure: number;
}

/** Found by what was counted, and not by what it is called. */
const BY_COUNT = 0.9;

type Place = Pick<Failure, 'agent' | 'tool' | 'tries'>;

/** Those of the nearest owner that has any; else one whose value is what is seen. */
export function triesSettings(
  { settings, words = new Map() }: Pick<Evidence, 'settings' | 'words'>,
  place: Place,
  isWanted: (retries: number) => boolean = () => true,
): TriesSetting[] {
  const told = settings.flatMap((setting) => {
    const retries = retriesOf(setting);
    return retries !== undefined && isWanted(retries) ? [{ setting, retries, sure: 1 }] : [];
  });
  const found = ofNearestOwner(told, place);
  if (found.length > 0) return found;
  const seen = retriesSeen(place.tries);
  if (seen === undefined || !isWanted(seen)) return [];
  const anyones = told.filter(
    ({ setting, retries }) =>
      retries === seen && ownershipOf(setting, place.agent, place.tool) === 'anyone',
  );
  const used = anyones.filter(({ setting }) => isUsed(setting, place, words));
  const shared = used.length > 0 ? used : anyones;
  return shared.length > 0
    ? shared.map((one) => ({ ...one, sure: BY_COUNT }))
    : byValue(settings, { place, seen, words });
}

/** Whether a file about the agent or the tool mentions it. */
function isUsed(setting: Setting, place: Place, words: FileWords): boolean {
  return usersOf(setting, words).some((file) => isAbout(file, place, words));
}

/** Fewer show no end. */
const CHAINS_MIN = 20;
/** People who ask again make some chains longer. */
const CHAINS_SHARE = 0.97;
/** Where nearly every call fails, the next one often follows: of the rows that come so far, so many end there all the same. */
const GIVEN_UP = 0.8;
/** Words that say what a number is: then it is not a number of tries. */
const TOLD_KEY =
  /^(?:ms|s|sec|seconds?|min|minutes?|hours?|timeouts?|wait|deadline|delay|backoff|interval|ttl|port|rate|rpm|rps|qps|per|concurrency|parallel|workers?|lanes|max|limit|size|length|tokens?|temperature|seed|version|priority|level|index|weight|cache|retries|retry|tries|attempts?)$/;

/**
 * The one value of the nearest owner that is what is seen, counted as tries or as tries after the first, where no word says
 * what it is: of several the one whose place is called like the tool, and none where that leaves more.
 */
function byValue(
  settings: readonly Setting[],
  { place, seen, words }: { place: Place; seen: number; words: FileWords },
): TriesSetting[] {
  const places = new Map<string, { readonly setting: Setting }>();
  for (const one of settings) {
    if ((one.value !== seen && one.value !== seen + 1) || one.unit !== null) continue;
    if (keyWords(one.path.at(-1) ?? '').some((word) => TOLD_KEY.test(word))) continue;
    const isOwned = ownershipOf(one, place.agent, place.tool) !== 'anyone';
    if (isOwned || isUsed(one, place, words))
      places.set(`${one.start} ${one.file}`, { setting: one });
  }
  const nearest = ofNearestOwner([...places.values()], place, 'anyone');
  const like = nearest.filter(({ setting }) => setting.like?.includes(place.tool) === true);
  const found = like.length > 0 ? like : nearest;
  if (found.length !== 1) return [];
  return [{ setting: found[0]!.setting, retries: seen, sure: BY_COUNT }];
}

/** After so many tries beyond the first an agent gives up; undefined where the tries do not show it. */
export function retriesSeen(tries: Failure['tries']): number | undefined {
  const chains = tries?.chains ?? [];
  const all = chains.reduce((sum, one) => sum + one.count, 0);
  if (all < CHAINS_MIN) return undefined;
  let before = 0;
  for (const [at, { failed, count }] of chains.entries()) {
    const reached = all - before;
    before += count;
    // Who gives up there does so often: longer rows do not just become rare.
    const shorter = chains[at - 1];
    const isOften = shorter === undefined || count > shorter.count;
    if (before >= CHAINS_SHARE * all) return failed === 1 || isOften ? failed - 1 : undefined;
    if (failed > 1 && isOften && count >= GIVEN_UP * reached) return failed - 1;
  }
  return undefined;
}
