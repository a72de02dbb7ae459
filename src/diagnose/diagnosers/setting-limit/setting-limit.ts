/** Blames a number in the target's files that failures run into: a timeout, a number of tries, a rate, a size. */
import { settingSubject } from '../../subjects.ts';
import { CAUSES_MAX, type Diagnoser, type Failure } from '../../types.ts';
import { explainBySettings } from './explain-by-setting.ts';

export const settingLimit: Diagnoser = {
  name: 'setting-limit',
  explain(failure, evidence) {
    if (!isWork(failure)) return [];
    const explained = explainBySettings(failure, evidence.settings);
    return explained.slice(0, CAUSES_MAX).map(({ setting, reasons }) => ({
      subject: settingSubject(setting, failure, evidence),
      layer: 'settings',
      // None of them is better than the others, whatever share of the messages names each.
      confidence: explained[0]!.weight,
      reasons,
      against: [],
    }));
  },
};

/** What tests, spans and logs run into may be anybody's limit: whoever watches a change sees calls and tasks only. */
function isWork({ event }: Failure): boolean {
  return event === undefined || event === 'tool_call' || event === 'task_failure';
}
