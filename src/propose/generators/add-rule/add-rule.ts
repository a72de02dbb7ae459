/**
 * Adds a rule to an agent's instructions. Its wording is fixed here; only names from the target's files stand in it, and none
 * that is not a plain name. A rule about a tool improves a skill (`skill_improve`), one about the phases of a process is a
 * `protocol_update`. Nobody can compute how much it helps, and it reaches all that the agent does: the risk is high, so that a
 * person always decides. Declined where the text says it already, or where its end cannot take a list item.
 */
import type { AddedRule, ProposalContent } from '../../../facts/index.ts';
import { isPlainName } from '../../../text/index.ts';
import type { Generator } from '../../types.ts';
import { shown } from '../../wording.ts';

const FAILURES_NEEDED = 10;

interface RuleText {
  readonly type: ProposalContent['type'];
  /** What stands in the file. */
  rule(names: readonly string[]): string;
  /** Behind "Add a rule to AGENTS.md …". */
  readonly title: string;
  /** Behind the file's name. */
  cause(names: string): string;
  readonly why: string;
  readonly harm: string;
}

const MEASURED = 'How much a rule helps cannot be computed beforehand; the watch measures it.';

const WORDING: Readonly<Record<AddedRule, RuleText>> = {
  no_repeated_call: {
    type: 'skill_improve',
    rule: ([tool]) =>
      `Do not call \`${tool}\` again with the same arguments. When its answer does not help, try something else, or say what is missing and stop.`,
    title: 'against repeating a call',
    cause: (names) => `does not say when to stop calling ${names}`,
    why: `Failed sessions repeat the very same call until they are ended. ${MEASURED}`,
    harm: 'An agent that has a reason to ask the same again may stop too early.',
  },
  give_argument: {
    type: 'skill_improve',
    rule: ([tool, argument]) => `Give \`${argument}\` in every call of \`${tool}\`.`,
    title: 'about an argument',
    cause: (names) => `does not say which arguments a call needs (${names})`,
    why: `Calls fail because they do not give what the tool asks for. ${MEASURED}`,
    harm: 'An agent that does not know the value may make one up.',
  },
  own_evidence: {
    type: 'protocol_update',
    rule: ([phase]) =>
      `Before you leave \`${phase}\`, commit your work and let Hone prove it: \`hone evidence run TASK\`. A result that you hand in yourself does not count.`,
    title: 'about what must be proven',
    cause: (names) => `does not say that Hone itself has to prove the work of ${names}`,
    why: `Tasks ask to leave the phase without what its gate wants, and are refused. ${MEASURED}`,
    harm: 'Agents run the tests more often, which takes time.',
  },
  hand_in: {
    type: 'protocol_update',
    rule: ([phase, document]) =>
      `Before you leave \`${phase}\`, write \`${document}\` and hand it in: \`hone evidence add TASK FILE --kind document\`. \`hone task show TASK\` names the sections that it needs.`,
    title: 'about what must be handed in',
    cause: (names) => `does not say what has to be handed in (${names})`,
    why: `Tasks ask to leave the phase without what its gate wants, and are refused. ${MEASURED}`,
    harm: 'Agents may hand in a document that says little, only to pass.',
  },
};

export const addRule: Generator = {
  name: 'add-rule',
  type: 'skill_improve',
  async propose(pattern, files) {
    const { subject } = pattern;
    if (subject.kind !== 'rule' || subject.adds === undefined) return { drafts: [] };
    const { file, section, reach, adds } = subject;
    if (!adds.names.every(isPlain))
      return { declined: `A rule for ${shown(file)} would hold a name that is no plain name.` };
    const text = await files.readText(file);
    if (text === undefined) return { declined: `The text ${shown(file)} cannot be read.` };
    const wording = WORDING[adds.rule];
    const rule = wording.rule(adds.names);
    if (text.includes(rule)) return { declined: `${shown(file)} has the rule already.` };
    const edited = withItem(text, rule);
    if (edited === undefined)
      return {
        declined: `${shown(file)} ends inside a block of code, where no rule can be added.`,
      };
    return {
      drafts: [
        {
          title: `Add a rule to ${shown(file, 60)} ${wording.title}`,
          change: { kind: 'edit_text', file, section, edit: 'add' },
          edits: [{ path: file, content: Buffer.from(edited) }],
          type: wording.type,
          risk: 'high',
          reach,
          failuresNeeded: FAILURES_NEEDED,
          cause: `${shown(file)} ${wording.cause(shown(adds.names.join(', ')))}`,
          why: wording.why,
          harm: wording.harm,
        },
      ],
    };
  },
};

/** A document may have its ending. */
const isPlain = (name: string) => isPlainName(name.replace(/\.(?:md|txt|json)$/, ''));

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
