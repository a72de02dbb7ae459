/**
 * Corrects a name in an agent's instructions: an argument that a tool calls otherwise now. The new name comes from a schema, a tool's
 * definition or calls that work, never from a message. It is replaced where it is written as a name: in backticks or quotes, or in a line
 * that has all the names beside it. An ordinary word that happens to be the same stays. A text is an instruction, so that a
 * person always decides (`behavior_fix`).
 */
import { isPlainName } from '../../../text/index.ts';
import type { Generator } from '../../types.ts';
import { shown } from '../../wording.ts';

const FAILURES_NEEDED = 5;

export const correctText: Generator = {
  name: 'correct-text',
  type: 'behavior_fix',
  async propose({ subject }, files) {
    if (subject.kind !== 'rule' || subject.renames === undefined) return { drafts: [] };
    const { file, section, reach, renames } = subject;
    const { from, to, beside, why } = renames;
    if (!isPlainName(from) || !isPlainName(to))
      return { declined: `A name for ${shown(file)} has characters that no name should have.` };
    const text = await files.readText(file);
    if (text === undefined) return { declined: `The text ${shown(file)} cannot be read.` };
    const edited = renamed(text, { from, to, beside });
    if (edited === undefined)
      return {
        declined: `${shown(file)} does not have ${shown(from)} as a name: not in backticks or quotes, and in no line with the other arguments.`,
      };
    const [old, next] = [shown(from, 40), shown(to, 40)];
    return {
      drafts: [
        {
          title: `Call it ${next}, not ${old}, in ${shown(file, 60)}`,
          change: { kind: 'edit_text', file, section, edit: 'replace' },
          edits: [{ path: file, content: Buffer.from(edited.text) }],
          risk: 'medium',
          reach,
          failuresNeeded: FAILURES_NEEDED,
          cause: `${shown(file)}:${edited.line} says ${old}`,
          why: `${why} The name is corrected where it is written as one, and nothing else.`,
          harm: 'If the tool means something else by the new name, it answers otherwise.',
        },
      ],
    };
  },
};

interface Renaming {
  readonly from: string;
  readonly to: string;
  readonly beside: readonly string[];
}

function renamed(
  text: string,
  { from, to, beside }: Renaming,
): { readonly text: string; readonly line: number } | undefined {
  const name = RegExp.escape(from);
  const marked = new RegExp(`(?<=(["'\`]))${name}(?=\\1)`, 'g');
  const bare = wholeName(from);
  let line: number | undefined;
  // A line ends before its newline, whichever it is.
  const lines = text.split('\n').map((one, at) => {
    const isListed = beside.length > 0 && beside.every((other) => wholeName(other).test(one));
    const next = one.replace(isListed ? bare : marked, () => to);
    if (next !== one) line ??= at + 1;
    return next;
  });
  return line === undefined ? undefined : { text: lines.join('\n'), line };
}

/** Not as a part of another name. */
const wholeName = (name: string) =>
  new RegExp(`(?<![\\w.-])${RegExp.escape(name)}(?![\\w-]|\\.\\w)`, 'g');
