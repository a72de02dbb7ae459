/**
 * Blames too few tries: failures that pass, that are there all the time and meet each call by itself. The next try then
 * has the chance of the first, so that one try more loses only the square of the share.
 */
import { messageShare } from '../../message-share.ts';
import { placeName, settingSubject } from '../../subjects.ts';
import { isBackground, TRANSIENT_WORDS } from '../../transient.ts';
import { triesSettings } from '../../tries-setting.ts';
import { CAUSES_MAX, type Cause, type Diagnoser } from '../../types.ts';
import { percent } from '../../wording.ts';

const CONFIDENCE = 0.85;

export const lostAttempts: Diagnoser = {
  name: 'lost-attempts',
  explain(failure, evidence) {
    const { event = 'tool_call', tool } = failure;
    if (event !== 'tool_call' || tool === '' || !isBackground(failure, evidence)) return [];
    const words = messageShare(failure, TRANSIENT_WORDS, 'mention the network or a failing server');
    if (words === undefined) return [];
    const share = failure.failures / failure.calls;
    // What is lost after all of them is what counts.
    const isLost = (retries: number) => share ** (retries + 1) > evidence.failureShare;
    return triesSettings(evidence, failure, isLost)
      .slice(0, CAUSES_MAX)
      .map(({ setting, sure }): Cause => {
        const tries = `${placeName(setting.path, setting.file, setting.line)} is ${setting.value}`;
        const text = `${tries}. ${percent(share)} of the tries fail, all the time and each by itself; with one more try about ${percent(share * share)} of what is asked would fail twice.`;
        return {
          subject: { ...settingSubject(setting, failure, evidence), limits: 'tries' },
          layer: 'settings',
          confidence: CONFIDENCE * words.share * sure,
          reasons: [{ text, events: failure.examples.map(({ id }) => id) }, words.reason],
          against: [],
        };
      });
  },
};
