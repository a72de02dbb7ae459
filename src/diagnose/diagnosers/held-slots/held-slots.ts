/** Blames a time limit that is far too long: calls that hang for it hold what others are refused for. */
import { quotedName } from '../../../text/index.ts';
import { heldSlots } from '../../held-slots.ts';
import { placeName, settingSubject } from '../../subjects.ts';
import { CAUSES_MAX, type Cause, type Diagnoser, type Setting } from '../../types.ts';
import { count, percent } from '../../wording.ts';
import {
  comparedIn,
  millisecondsOf,
  type NumberSetting,
  timeLimits,
} from '../setting-limit/time-limit.ts';

const CONFIDENCE = 0.9;
/** Twice what nearly every success takes; at most four times shorter in one step. */
const ROOM = 2;
const STEP_MAX = 4;
/** A limit that would still hold more than half as long frees too little to be worth the calls that it cuts off. */
const FREED_AT = 0.5;

export const heldSlotsDiagnoser: Diagnoser = {
  name: 'held-slots',
  explain(failure, evidence) {
    const held = heldSlots(failure, evidence);
    if (held === undefined) return [];
    const { culprit, limitMs, heldShare, neededMs } = held;
    const numbers = evidence.settings.filter(
      (one: Setting): one is NumberSetting => typeof one.value === 'number',
    );
    const { found } = timeLimits(culprit, numbers, comparedIn(evidence));
    return found.slice(0, CAUSES_MAX).flatMap(({ setting, score }): Cause[] => {
      const unitMs =
        (millisecondsOf(setting).find((ms) => ms > limitMs / 1.5 && ms < limitMs * 1.5) ??
          setting.value) / setting.value;
      const value = Math.max(setting.value / STEP_MAX, (ROOM * neededMs) / unitMs);
      if (value > FREED_AT * setting.value) return [];
      const text = `${placeName(setting.path, setting.file, setting.line)} is ${setting.value}: calls of ${quotedName(culprit.agent)} that hang until then hold ${percent(heldShare)} of the time that ${quotedName(culprit.tool)} is busy, and the more of them hang the more calls are refused at once. Nearly every call that does not hang ends within ${count(Math.round(neededMs))} ms.`;
      return [
        {
          subject: {
            ...settingSubject(setting, culprit, evidence),
            limits: 'time',
            aim: { value, why: text },
          },
          layer: 'settings',
          confidence: CONFIDENCE * (score === found[0]!.score ? 1 : 0.5),
          reasons: [{ text, events: failure.examples.map(({ id }) => id) }],
          against: [],
        },
      ];
    });
  },
};
