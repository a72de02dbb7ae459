/**
 * Puts what a commit changed in a text, or some lines of settings or code, back to its old bytes. It declines where that part
 * was changed again since, or is not there exactly once. It may say anything, so that a person always decides (`behavior_fix`).
 */
import type { Generator } from '../../types.ts';
import { shown } from '../../wording.ts';
import { undonePart, undoneText } from './undone-text.ts';

const FAILURES_NEEDED = 5;

/** Whatever else is done in the file, parts of one commit are one place: which of them it was is tried in turn. */
const partOf = ({
  commit,
  line,
}: {
  readonly commit: string;
  readonly line?: number | undefined;
}) => (line === undefined ? [] : [commit.slice(0, 12)]);

export const putBackText: Generator = {
  name: 'put-back-text',
  type: 'behavior_fix',
  async propose(pattern, files) {
    const { subject, whyNow } = pattern;
    if (subject.kind !== 'rule' || subject.before === undefined) return { drafts: [] };
    if (whyNow !== undefined && whyNow.trigger !== 'change') return { drafts: [] };
    const { file, before } = subject;
    const [old, changed, now] = [
      await files.readTextAt(before.parent, file),
      await files.readTextAt(before.commit, file),
      await files.readText(file),
    ];
    if (old === undefined || changed === undefined || now === undefined)
      return { declined: `The text of ${shown(file)} before the commit cannot be read.` };
    const texts = { old, changed, now };
    const text =
      before.line === undefined ? undoneText(texts) : undonePart(texts, before.line, before.lines);
    if (text === undefined || text === now)
      return {
        declined: `What the commit ${before.commit.slice(0, 12)} changed in ${shown(file)} was changed again since.`,
      };
    const commit = before.commit.slice(0, 12);
    return {
      drafts: [
        {
          title:
            before.line === undefined
              ? `Put ${shown(file, 60)} back to what it was before ${commit}`
              : `Put line ${before.line} of ${shown(file, 60)} back to what it was before ${commit}`,
          change: {
            kind: 'edit_text',
            file,
            section: [...subject.section, ...partOf(before)],
            edit: 'replace',
          },
          edits: [{ path: file, content: Buffer.from(text) }],
          risk: 'medium',
          reach: subject.reach,
          isUndo: true,
          failuresNeeded: FAILURES_NEEDED,
          cause: `The commit ${commit} changed ${shown(file)} from line ${subject.line} on`,
          why: `It began right after the commit ${commit} changed this text; before that it was well. Exactly what the commit changed ${before.line === undefined ? 'in this file' : 'there'} is put back, and nothing else.`,
          harm: 'What the commit wanted of the new text is undone.',
        },
      ],
    };
  },
};
