/** Blames a number in the target's files that failures run into: a timeout, a number of tries, a rate, a size. */
import { heldSlots } from '../../held-slots.ts';
import { isMostlyTries, stormOf } from '../../retry-storm.ts';
import { settingSubject } from '../../subjects.ts';
import { triesSettings } from '../../tries-setting.ts';
import {
  CAUSES_MAX,
  type Diagnoser,
  type Evidence,
  type Failure,
  type Reason,
} from '../../types.ts';
import { explainBySettings } from './explain-by-setting.ts';
import { comparedIn } from './time-limit.ts';

export const settingLimit: Diagnoser = {
  name: 'setting-limit',
  explain(failure, evidence) {
    if (!isWork(failure)) return [];
    const explained = explainBySettings(failure, evidence.settings, comparedIn(evidence));
    const against = loadReasons(failure, evidence);
    return explained.slice(0, CAUSES_MAX).map(({ setting, limits, reasons, against: own }) => ({
      subject: {
        ...settingSubject(setting, failure, evidence),
        // The kind of the failure says it otherwise.
        ...(limits === null || failure.kind === 'timeout' ? {} : { limits }),
      },
      layer: 'settings',
      // None of them is better than the others, whatever share of the messages names each.
      confidence: explained[0]!.weight * (against.length === 0 ? 1 : AGAINST),
      reasons,
      against: [...own, ...against],
    }));
  },
};

/** A longer limit makes a tool that has too much to do busier still. */
const AGAINST = 0.3;

function loadReasons(failure: Failure, evidence: Evidence): Reason[] {
  const { all, window } = evidence;
  const isHeld = heldSlots(failure, { all, window }) !== undefined;
  const isStorm = triesSettings(evidence, failure).some(
    ({ retries }) =>
      isMostlyTries(failure, retries) ||
      stormOf(failure, { retries, windowFromMs: window.fromMs }) !== undefined,
  );
  const text = (why: string) => ({
    text: `A longer limit would make it worse: ${why}.`,
    events: [],
  });
  return [
    ...(isHeld ? [text('calls that hang keep others from being served')] : []),
    ...(isStorm ? [text('tries after failures are what loads the tool')] : []),
  ];
}

/** What tests, spans and logs run into may be anybody's limit: whoever watches a change sees calls and tasks only. */
function isWork({ event }: Failure): boolean {
  return event === undefined || event === 'tool_call' || event === 'task_failure';
}
