/**
 * Puts a value back to what it was before the commit that broke something: exactly the bytes it had, and no other. It
 * declines where somebody changed the value again since. Only a number in the same unit is a constant that is tuned; a
 * model's name, a switch or a text changes what an agent does, so that a person decides (`behavior_fix`).
 */
import type { SettingSubject } from '../../../facts/index.ts';
import { signsOf } from '../../expected-signs.ts';
import { ownerText } from '../../reach-text.ts';
import { titleName } from '../../title-name.ts';
import type { Generator } from '../../types.ts';
import { shown } from '../../wording.ts';

/** The commit and the moment are the evidence; these only show that it is no accident. */
const FAILURES_NEEDED = 5;

export const putBackValue: Generator = {
  name: 'put-back-value',
  type: 'constant_tune',
  async propose(pattern, files) {
    const { subject, whyNow } = pattern;
    if (subject.kind !== 'setting' || subject.before === undefined) return { drafts: [] };
    if (whyNow !== undefined && whyNow.trigger !== 'change') return { drafts: [] };
    const { commit, value } = subject.before;
    const edited = await files.putBack(subject, subject.before);
    if ('declined' in edited) return edited;
    const { file, path, value: from, reach } = subject;
    const isNumber = sameForm(edited.before) === sameForm(edited.after);
    const key = titleName(path.at(-1) ?? '', 'a value');
    return {
      drafts: [
        {
          title: `Put ${key} of ${ownerText(reach, pattern)} back from ${shown(edited.before, 40)} to ${shown(edited.after, 40)}`,
          change: { kind: 'set_value', file, path, from, to: value },
          ...(isNumber ? {} : { type: 'behavior_fix' }),
          edits: [edited.edit],
          risk: edited.aliases > 0 || !isNumber ? 'medium' : 'low',
          reach,
          signs: signsOf(pattern, subject, value),
          isUndo: true,
          failuresNeeded: FAILURES_NEEDED,
          cause: `${shown(path.join('.'))} is ${shown(edited.before, 40)} in ${shown(file)}:${edited.line} since the commit ${shortId(commit)}`,
          why: `It began right after the commit ${shortId(commit)} changed this value${wasText(subject)}; before that it was well. The old value is put back, and nothing else of that commit is touched.`,
          harm: 'What the commit wanted of the new value is undone.',
        },
      ],
    };
  },
};

const wasText = ({ before }: SettingSubject) => ` from ${shown(JSON.stringify(before!.value), 60)}`;

const shortId = (commit: string) => shown(commit, 12).replace(/…$/, '');

/** A number's quotes and unit; any other text is its own. */
function sameForm(text: string): string {
  return text.replace(/^(["']?)\d[\d_]*(?:\.\d+)?([a-z%]*\1)$/i, '$10$2');
}
