/**
 * What a pull request says: made from the decided content and its evidence, never from a proposer's summary alone. Text
 * by others is made inert, because GitHub obeys mentions, closing words and links anywhere in a body.
 */
import { inert } from '../../../text/index.ts';
import { plainLine, plainLines } from '../../plain-text.ts';
import type { PullDraft } from '../../types.ts';

/** GitHub takes 256 characters of a title and 65 536 of a body. */
const TITLE_MAX = 200;
const LINE_MAX = 300;

export function pullTitle({ title }: PullDraft): string {
  return `[Hone] ${inertLine(title, TITLE_MAX)}`;
}

/** `withExamples`: false on a public repository. */
export function pullBody(draft: PullDraft, { withExamples }: { withExamples: boolean }): string {
  const examples = withExamples ? draft.examples : [];
  return [
    '### Why',
    ...quoted(draft.rationale),
    '',
    ...(examples.length === 0
      ? []
      : ['### Examples', ...examples.slice(0, 3).map((one) => `> ${inertLine(one)}`), '']),
    '### Proof',
    ...draft.proof.slice(0, 20).map((line) => `- ${inertLine(line)}`),
    '',
    '### To decide',
    `- ${draft.howToDecide}`,
    `- Or: \`hone approve ${draft.proposalId}\`, \`hone reject ${draft.proposalId}\`.`,
    '- Do not merge it here: Hone merges it once it is decided. Another merge is recorded as one outside of Hone.',
    '',
    `Proposal ${draft.proposalId}`,
    `Content ${draft.contentDigest}`,
    `Evidence ${draft.evidenceDigest}`,
    '',
  ].join('\n');
}

const quoted = (text: string) =>
  plainLines(text, { lines: 10, lengthMax: LINE_MAX }).map((line) => `> ${inertLine(line)}`);

/** One line without anything that GitHub would obey or render. */
function inertLine(text: string, lengthMax = LINE_MAX): string {
  const line = inert(plainLine(text, lengthMax)).replace(/[<>`[\]!|*_~\\]/g, (sign) => `\\${sign}`);
  return plainLine(line, 2 * lengthMax);
}
