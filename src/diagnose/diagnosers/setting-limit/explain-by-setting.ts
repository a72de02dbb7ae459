/**
 * Which settings explain a failure. Time limits are found by what was measured (`time-limit.ts`); a number of tries, a
 * rate or a size by its key and its number in the messages.
 */

import { shareWithin } from '../../latency-shape.ts';
import { OWNER_RANK, type Ownership, ownershipOf } from '../../ownership.ts';
import { placeName } from '../../subjects.ts';
import type { Failure, Reason, Setting } from '../../types.ts';
import { count, percent } from '../../wording.ts';
import { keySays } from './key-words.ts';
import { isNear, type Quantity, quantitiesIn } from './quantities.ts';
import {
  type Compared,
  isCutOff,
  type NumberSetting,
  type TimeLimit,
  timeLimits,
} from './time-limit.ts';

export interface Explanation {
  readonly setting: NumberSetting;
  /** 0 to 1. */
  readonly weight: number;
  readonly limits: 'time' | null;
  readonly reasons: readonly Reason[];
  readonly against: readonly Reason[];
}

/** Those within this factor of the best are as good. */
const EQUAL = Math.log(3);
const SURE_MAX = 0.95;
/** A longer limit was tried by others and did not help them. */
const IN_VAIN = 0.3;

/** The best explanation; several where none is better than the others, in the order of the settings. */
export function explainBySettings(
  failure: Failure,
  settings: readonly Setting[],
  compared?: Compared,
): readonly Explanation[] {
  const numbers = settings.filter(
    (setting): setting is NumberSetting => typeof setting.value === 'number',
  );
  return isCutOff(failure) ? byTime(failure, numbers, compared) : byMessages(failure, numbers);
}

function byTime(
  failure: Failure,
  settings: readonly NumberSetting[],
  compared: Compared | undefined,
): readonly Explanation[] {
  const { found, rest, inVain } = timeLimits(failure, settings, compared);
  const [best] = found;
  if (best === undefined) return [];
  const rivals = once(found, (one, other) => other.score - one.score).filter(
    (one) => !isShadowed(one, best),
  );
  const isEqual = (one: TimeLimit) => one.owner === best.owner && one.score > best.score - EQUAL;
  const equal = rivals.filter(isEqual);
  // They are tried one after the other, so that it is enough if one of them is it.
  const weightOf = (some: readonly TimeLimit[]) =>
    some.reduce((sum, { score }) => sum + Math.exp(score), 0);
  const weight = Math.min(SURE_MAX, weightOf(equal) / (weightOf(rivals) + rest));
  const order = new Map(settings.map((setting, at) => [setting, at]));
  return equal
    .sort((a, b) => order.get(a.setting)! - order.get(b.setting)!)
    .map((one) => ({
      setting: one.setting,
      weight: inVain.length === 0 ? weight : weight * IN_VAIN,
      limits: 'time',
      reasons: timeReasons(failure, one),
      against:
        inVain.length === 0
          ? []
          : [
              {
                text: `Others wait much longer at the same tool, and hardly anything ends in that time: ${inVain.slice(0, 5).join(', ')}.`,
                events: [],
              },
            ],
    }));
}

/** What an agent or a tool has for all is not at work where it has the same for this one. */
function isShadowed(one: TimeLimit, best: TimeLimit): boolean {
  return OWNER_RANK.indexOf(one.owner) < OWNER_RANK.indexOf(best.owner) && one.how <= best.how;
}

function timeReasons(failure: Failure, limit: TimeLimit): Reason[] {
  const { setting, naming, limitMs, movesWith, overridden } = limit;
  const reasons: Reason[] = [];
  const { path, file, line, value, unit } = setting;
  const what = `${placeName(path, file, line)} is ${value}${unit === null ? '' : ` ${unit}`}`;
  if (naming.length > 0) {
    const text = `${what}, and ${count(naming.length)} of ${failure.examples.length} messages name that number.`;
    reasons.push({ text, events: [...naming] });
  }
  const { failedLatency: failed, succeededLatency: succeeded } = failure;
  if (limitMs !== undefined && failed !== null && succeeded !== null) {
    const at = percent(shareWithin(failed, 0.95 * limitMs, 1.35 * limitMs));
    const text = `${what}: ${at} of the failures took about ${count(Math.round(limitMs))} ms, and calls that succeed took at most ${count(Math.round(succeeded.maxMs))} ms.`;
    reasons.push({ text, events: [] });
  }
  if (overridden.length > 0)
    reasons.push({
      text: `Agents that say the same in a file of their own wait longer by it, and get what is cut off here: ${overridden.slice(0, 5).join(', ')}.`,
      events: [],
    });
  if (movesWith.length > 0)
    reasons.push({
      text: `Agents with another limit at the same tool are cut off at theirs: ${movesWith.slice(0, 5).join(', ')}.`,
      events: [],
    });
  return reasons;
}

/** By place in the file: an anchored value is met once for each alias and counts once, by its best reading. */
function once<T extends { readonly setting: Setting }>(
  all: readonly T[],
  rank: (one: T, other: T) => number,
): T[] {
  const found = new Map<string, T>();
  for (const one of all) {
    const place = `${one.setting.start} ${one.setting.file}`;
    const before = found.get(place);
    if (before === undefined || rank(one, before) < 0) found.set(place, one);
  }
  return [...found.values()];
}

/** `said`: the numbers of each message. */
type Said = readonly (readonly Quantity[])[];

interface Named {
  readonly setting: NumberSetting;
  readonly owner: Ownership;
  readonly naming: readonly string[];
}

const NAMED_WEIGHT = 0.85;
const OWNER_WEIGHT: Readonly<Record<Ownership, number>> = {
  both: 1,
  tool: 0.95,
  agent: 0.85,
  anyone: 0,
  none: 0,
};

function byMessages(failure: Failure, settings: readonly NumberSetting[]): Explanation[] {
  const said = failure.examples.map(({ message }) => quantitiesIn(message, failure.kind));
  const found = once(
    settings.flatMap((setting) => named(failure, setting, said) ?? []),
    (one, other) => OWNER_RANK.indexOf(other.owner) - OWNER_RANK.indexOf(one.owner),
  );
  const nearest = Math.max(...found.map(({ owner }) => OWNER_RANK.indexOf(owner)));
  return found
    .filter(({ owner }) => OWNER_RANK.indexOf(owner) === nearest)
    .map(({ setting, owner, naming }) => {
      const { path, file, line, value } = setting;
      const share = naming.length / Math.max(1, said.length);
      const text = `${placeName(path, file, line)} is ${value}, and ${count(naming.length)} of ${failure.examples.length} messages name that number.`;
      return {
        setting,
        weight: NAMED_WEIGHT * share * OWNER_WEIGHT[owner],
        limits: null,
        reasons: [{ text, events: [...naming] }],
        against: [],
      };
    });
}

function named(failure: Failure, setting: NumberSetting, said: Said): Named | undefined {
  const { kind, agent, tool, examples } = failure;
  if (setting.value < 0 || keySays(setting, failure, kind) !== 'fits') return undefined;
  const owner = ownershipOf(setting, agent, tool);
  if (OWNER_WEIGHT[owner] === 0) return undefined;
  const naming = examples.filter((_, at) =>
    said[at]!.some(({ value }) =>
      // "Gave up after 4 attempts" is one attempt and 3 retries.
      kind === 'retries_exhausted'
        ? value === setting.value || value === setting.value + 1
        : isNear(value, setting.value),
    ),
  );
  if (naming.length === 0 || naming.length * 2 < said.length) return undefined;
  return { setting, owner, naming: naming.map(({ id }) => id) };
}
