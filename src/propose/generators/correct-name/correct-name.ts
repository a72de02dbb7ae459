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

/** The old name and the new one: the values themselves, or the one part of a text with commas that differs. */
function changedName(from: string, to: string): readonly [string, string] | undefined {
  const [before, after] = [from, to].map((text) => text.split(',').map((part) => part.trim()));
  if (before!.length !== after!.length || !after!.every(isQualifiedName)) return undefined;
  if (after!.length === 1) return [from, to];
  const changed = [...after!.keys()].filter((at) => before![at] !== after![at]);
  const [at, ...others] = changed;
  return at === undefined || others.length > 0 ? undefined : [before![at]!, after![at]!];
}

export const correctName: Generator = {
  name: 'correct-name',
  type: 'behavior_fix',
  async propose(pattern, files) {
    const { subject } = pattern;
    if (subject.kind !== 'setting' || subject.becomes === undefined) return { drafts: [] };
    const { file, path, value: from, reach, becomes } = subject;
    const { value: to, why } = becomes;
    const names = changedName(String(from), to);
    if (names === undefined || mask(to).count > 0)
      return {
        declined: `The new name for ${shown(path.join('.'))} has characters that no name should have.`,
      };
    const edited = await files.setValue(subject, to);
    if ('declined' in edited) return edited;
    const old = shown(edited.before, 40);
    // A title is read by forges: there `ns/tool` or `a:b` could be a link.
    const title = names.every(isPlainName)
      ? `Call it ${shown(names[1], 40)}, not ${shown(names[0], 40)},`
      : 'Correct a name';
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
