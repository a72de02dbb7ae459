/**
 * Blames too few tries: failures that pass, that are there all the time and meet each call by itself. The next try then
 * has the chance of the first, so that one try more loses only the square of the share.
 */
import { messageShare } from '../../message-share.ts';
import { ownershipOf } from '../../ownership.ts';
import { placeName, settingSubject } from '../../subjects.ts';
import { isBackground, TRANSIENT_WORDS } from '../../transient.ts';
import { CAUSES_MAX, type Cause, type Diagnoser, type Failure, type Setting } from '../../types.ts';
import { percent, wordsOf } from '../../wording.ts';

const CONFIDENCE = 0.85;
const RETRIES_KEY = /^(?:retry|retries)$/;
const TRIES_KEY = /^(?:attempts?|tries)$/;
const OTHER_KEY = /^(?:delay|wait|backoff|interval|ms|seconds?|timeouts?|after|budget)$/;

export const lostAttempts: Diagnoser = {
  name: 'lost-attempts',
  explain(failure, evidence) {
    const { event = 'tool_call', tool } = failure;
    if (event !== 'tool_call' || tool === '' || !isBackground(failure, evidence)) return [];
    const words = messageShare(failure, TRANSIENT_WORDS, 'mention the network or a failing server');
    if (words === undefined) return [];
    const share = failure.failures / failure.calls;
    const settings = evidence.settings.filter((one) => {
      const retries = retriesOf(one);
      // What is lost after all of them is what counts.
      const isLost = retries !== undefined && share ** (retries + 1) > evidence.failureShare;
      return isLost && ownerRank(one, failure) > 0;
    });
    const best = Math.max(...settings.map((one) => ownerRank(one, failure)));
    return settings
      .filter((one) => ownerRank(one, failure) === best)
      .slice(0, CAUSES_MAX)
      .map((setting): Cause => {
        const tries = `${placeName(setting.path, setting.file, setting.line)} is ${setting.value}`;
        const text = `${tries}. ${percent(share)} of the tries fail, all the time and each by itself; with one more try about ${percent(share * share)} of what is asked would fail twice.`;
        return {
          subject: { ...settingSubject(setting, failure, evidence), limits: 'tries' },
          layer: 'settings',
          confidence: CONFIDENCE * words.share,
          reasons: [{ text, events: failure.examples.map(({ id }) => id) }, words.reason],
          against: [],
        };
      });
  },
};

const RANKS = ['none', 'agent', 'tool', 'both'] as const;

function ownerRank(setting: Setting, { agent, tool }: Failure): number {
  return RANKS.indexOf(ownershipOf(setting, agent, tool));
}

/** The tries after the first; undefined for what is no number of tries. */
function retriesOf({ value, path }: Setting): number | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  const words = wordsOf(path.at(-1) ?? '');
  if (words.some((word) => OTHER_KEY.test(word))) return undefined;
  if (words.some((word) => RETRIES_KEY.test(word))) return value >= 0 ? value : undefined;
  return words.some((word) => TRIES_KEY.test(word)) && value >= 1 ? value - 1 : undefined;
}
