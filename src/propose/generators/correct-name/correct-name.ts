/**
 * Corrects a name in a file: an argument that a tool calls otherwise now, a tool that has another name. The new name is one
 * that other files of the target have (a tool's schema, the list of tools), never a word of a message. What an agent asks of
 * a tool is its behaviour, so that a person decides (`behavior_fix`).
 */
import { mask } from '../../../sanitise/index.ts';
import { isPlainName, isQualifiedName } from '../../../text/index.ts';
import { ownerText } from '../../reach-text.ts';
import { titleName } from '../../title-name.ts';
import type { Generator } from '../../types.ts';
import { shown } from '../../wording.ts';

const FAILURES_NEEDED = 5;

export const correctName: Generator = {
  name: 'correct-name',
  type: 'behavior_fix',
  async propose(pattern, files) {
    const { subject } = pattern;
    if (subject.kind !== 'setting' || subject.becomes === undefined) return { drafts: [] };
    const { file, path, value: from, reach, becomes } = subject;
    const { value: to, why } = becomes;
    if (!isQualifiedName(to) || mask(to).count > 0)
      return {
        declined: `The new name for ${shown(path.join('.'))} has characters that no name should have.`,
      };
    const edited = await files.setValue(subject, to);
    if ('declined' in edited) return edited;
    const [old, next] = [shown(edited.before, 40), shown(edited.after, 40)];
    // A title is read by forges: there `ns/tool` or `a:b` could be a link.
    const names = [from, to].every((name) => isPlainName(String(name)));
    const title = names ? `Call it ${next}, not ${old},` : 'Correct a name';
    const place = titleName(path.at(-2) ?? path.at(-1) ?? '', 'a list');
    return {
      drafts: [
        {
          title: `${title} in ${place} of ${ownerText(reach, pattern)}`,
          change: { kind: 'set_value', file, path, from, to },
          edits: [edited.edit],
          risk: edited.aliases > 0 ? 'high' : 'medium',
          reach,
          failuresNeeded: FAILURES_NEEDED,
          cause: `${shown(path.join('.'))} is ${old} in ${shown(file)}:${edited.line}`,
          why: `${why} The name is corrected, and nothing else.`,
          harm: 'If the tool means something else by the new name, it answers otherwise.',
        },
      ],
    };
  },
};
