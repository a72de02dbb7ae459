/**
 * Adds a rule to an agent's instructions. Its wording is fixed here; only names from the target's files stand in it, and none
 * that is not a plain name. A rule changes what an agent does and nobody can compute how much it helps, so that a person
 * always decides (`behavior_fix`). Declined where the text says it already, or where its end cannot take a list item.
 */
import type { AddedRule } from '../../../facts/index.ts';
import { isPlainName } from '../../../text/index.ts';
import type { Generator } from '../../types.ts';
import { shown } from '../../wording.ts';

const FAILURES_NEEDED = 10;

const WORDING: Readonly<Record<AddedRule, (names: readonly string[]) => string>> = {
  no_repeated_call: ([tool]) =>
    `Do not call \`${tool}\` again with the same arguments. When its answer does not help, try something else, or say what is missing and stop.`,
};

export const addRule: Generator = {
  name: 'add-rule',
  type: 'behavior_fix',
  async propose(pattern, files) {
    const { subject } = pattern;
    if (subject.kind !== 'rule' || subject.adds === undefined) return { drafts: [] };
    const { file, section, reach, adds } = subject;
    if (!adds.names.every(isPlainName))
      return { declined: `A rule for ${shown(file)} would hold a name that is no plain name.` };
    const text = await files.readText(file);
    if (text === undefined) return { declined: `The text ${shown(file)} cannot be read.` };
    const rule = WORDING[adds.rule](adds.names);
    if (text.includes(rule)) return { declined: `${shown(file)} has the rule already.` };
    const edited = withItem(text, rule);
    if (edited === undefined)
      return {
        declined: `${shown(file)} ends inside a block of code, where no rule can be added.`,
      };
    return {
      drafts: [
        {
          title: `Add a rule to ${shown(file, 60)} against repeating a call`,
          change: { kind: 'edit_text', file, section, edit: 'add' },
          edits: [{ path: file, content: Buffer.from(edited) }],
          risk: 'medium',
          reach,
          failuresNeeded: FAILURES_NEEDED,
          cause: `${shown(file)} does not say when to stop calling ${shown(adds.names.join(', '))}`,
          why: 'Failed sessions repeat the very same call until they are ended. How much a rule helps cannot be computed beforehand; the watch measures it.',
          harm: 'An agent that has a reason to ask the same again may stop too early.',
        },
      ],
    };
  },
};

const FENCE = /^ {0,3}(?:```|~~~)/;
const ITEM = /^(\s*)([-*+]) \S/;

/** As the last item of the list that the text ends with, or as a list of its own. Line ends stay as they are. */
function withItem(text: string, rule: string): string | undefined {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  if (lines.filter((line) => FENCE.test(line)).length % 2 === 1) return undefined;
  const body = text.replace(/\s+$/, '');
  const last = lines.findLast((line) => line.trim() !== '') ?? '';
  const [, indent = '', mark = '-'] = ITEM.exec(last) ?? [];
  const isList = ITEM.test(last) && indent === '';
  const gap = body === '' ? '' : isList ? newline : newline + newline;
  return `${body}${gap}${mark} ${rule}${newline}`;
}
