/**
 * Blames many tries in vain: what fails once fails the same way at every further try, while other calls succeed. Then what is asked
 * decides it, and tries only take the tool's time. They are blamed where that is missing: other calls of the tool are lost for
 * another reason. Else fewer tries would cure nothing, however many they are, and the fleet is left alone (ADR 115). One further
 * try is kept: something may pass. Why it fails is another matter, which a person is told by the pattern itself.
 */
import { courseOf } from '../../course.ts';
import { placeName, settingSubject } from '../../subjects.ts';
import { againOf } from '../../tries-again.ts';
import { triesSettings } from '../../tries-setting.ts';
import {
  CAUSES_MAX,
  type Cause,
  type Diagnoser,
  type Evidence,
  type Failure,
} from '../../types.ts';
import { percent } from '../../wording.ts';

const CONFIDENCE = 0.85;
/** Of further tries nearly all fail. */
const IN_VAIN = 0.9;
/** Where most first tries fail as well, the tool itself is ill. */
const FIRST_MAX = 0.5;
/** Fewer save too little. */
const RETRIES_MIN = 3;
const KEPT = 1;
/** Of all calls, so many are tries that could be spared. */
const SPARED_MIN = 0.1;

export const vainTries: Diagnoser = {
  name: 'vain-tries',
  explain(failure, evidence) {
    const { event = 'tool_call', tool, calls, history } = failure;
    const again = againOf(failure.tries);
    if (event !== 'tool_call' || tool === '' || again === undefined) return [];
    const { tried, failed, rows, longest } = again;
    const first = rows / Math.max(rows, calls - tried);
    if (failed < IN_VAIN * tried || first > FIRST_MAX) return [];
    // What began or ended is trouble that may pass; tries are there for that.
    if (courseOf(history, evidence.failureShare).kind !== 'steady') return [];
    const spared = (failed * (longest - 1 - KEPT)) / Math.max(1, longest - 1) / calls;
    if (spared < SPARED_MIN) return [];
    if (!isMissed(failure, evidence)) return [];
    const isSeen = (retries: number) => retries >= RETRIES_MIN && retries === longest - 1;
    return triesSettings(evidence, failure, isSeen)
      .slice(0, CAUSES_MAX)
      .map(({ setting, retries, sure }): Cause => {
        const value = Number(setting.value) - (retries - KEPT);
        const what = `${placeName(setting.path, setting.file, setting.line)} is ${setting.value}`;
        const text = `${what}. What fails once fails again: ${percent(failed / tried)} of ${tried} further tries were in vain, while ${percent(1 - first)} of first tries succeed. With ${KEPT} further try about ${percent(spared)} of the calls are spared.`;
        return {
          subject: {
            ...settingSubject(setting, failure, evidence),
            limits: 'tries',
            aim: { value, why: text },
          },
          layer: 'settings',
          confidence: CONFIDENCE * sure,
          reasons: [{ text, events: failure.examples.map(({ id }) => id) }],
          against: [],
        };
      });
  },
};

/**
 * Whether what the tries take is missing to somebody: more calls of the tool than may fail are lost by something else. Other words
 * under the same code are the same failure.
 */
function isMissed({ errorCode, tool }: Failure, { all, failureShare }: Evidence): boolean {
  return all.some(
    (one) =>
      one.errorCode !== errorCode && one.tool === tool && one.failures > failureShare * one.calls,
  );
}
