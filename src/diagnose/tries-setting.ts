/** Which settings say how often a call is tried again. */
import { OWNER_RANK, ownershipOf } from './ownership.ts';
import type { Failure, Setting } from './types.ts';
import { wordsOf } from './wording.ts';

const RETRIES_KEY = /^(?:retry|retries)$/;
const TRIES_KEY = /^(?:attempts?|tries)$/;
const OTHER_KEY = /^(?:delay|wait|backoff|interval|ms|seconds?|timeouts?|after|budget)$/;
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
  if (told.some((word) => TRIES_KEY.test(word))) return value >= 1 ? value - 1 : undefined;
  return told.some((word) => RETRIES_KEY.test(word)) && value >= 0 ? value : undefined;
}

const NOBODYS = OWNER_RANK.indexOf('anyone');

export interface TriesSetting {
  readonly setting: Setting;
  readonly retries: number;
}

/** Those of the nearest owner that has any. */
export function triesSettings(
  settings: readonly Setting[],
  { agent, tool }: Pick<Failure, 'agent' | 'tool'>,
  isWanted: (retries: number) => boolean = () => true,
): TriesSetting[] {
  const rank = (setting: Setting) =>
    Math.max(0, OWNER_RANK.indexOf(ownershipOf(setting, agent, tool)) - NOBODYS);
  const found = settings.flatMap((setting) => {
    const retries = retriesOf(setting);
    return retries !== undefined && isWanted(retries) && rank(setting) > 0
      ? [{ setting, retries }]
      : [];
  });
  const nearest = Math.max(...found.map(({ setting }) => rank(setting)));
  return found.filter(({ setting }) => rank(setting) === nearest);
}
