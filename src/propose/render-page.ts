/**
 * A proposal as a Markdown page: everything an approver reads, and what was done with it so far. The page is
 * committed and pushed, so secrets are hidden on it; the digest still names the exact bytes.
 */
import { digestOf, isoTime } from '../base/index.ts';
import {
  type Attestation,
  allowanceText,
  changeKey,
  type Pattern,
  statementText,
} from '../facts/index.ts';
import { mask, maskDiff } from '../sanitise/index.ts';
import { fenced, inline, line, paragraphs } from './markdown.ts';
import type { PageInput } from './types.ts';

const EVIDENCE_SHOWN_MAX = 100;

export function renderPage(input: PageInput): string {
  const { proposal, content } = input;
  const sections: readonly (readonly [string, string])[] = [
    ['Problem', told(content.rationale)],
    ['Evidence', evidenceText(input)],
    ['Root cause', told(content.rootCause)],
    ['Proposed solution', solutionText(input)],
    ['Unified diff', diffText(input)],
    ['Affected files', content.files.map((file) => `- ${line(mask(file).text)}`).join('\n')],
    ['Risk', `Risk: ${content.risk}\n\n${told(content.riskAndMitigation)}`],
    ['Rollback', told(content.rollback)],
    ['Validation', told(content.validationPlan)],
    ['Review', reviewText(input)],
    ['Implementation log', logText(input)],
  ];
  const body = sections.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n');
  return `# Proposal: ${inline(mask(proposal.title).text)}\n\n${headText(input)}\n\n---\n\n${body}\n`;
}

const told = (text: string) => paragraphs(mask(text).text);

function diffText({ diffText: bytes }: PageInput): string {
  const { text, hidden } = maskDiff(bytes);
  const shown = fenced(text, 'diff');
  if (hidden.length === 0) return shown;
  const many = hidden.length === 1 ? '1 secret is' : `${hidden.length} secrets are`;
  return `${shown}\n\n${many} masked here, as \`[REDACTED…]\`. What is applied is the exact text.`;
}

function headText({ proposal, version, state, content }: PageInput): string {
  const { proposer } = content;
  const fields: readonly (readonly [string, string])[] = [
    ['ID', inline(proposal.id)],
    ['Created', isoTime(proposal.createdAtMs)],
    ['Status', state],
    ['Category', content.category],
    ['Type', content.type],
    ['Severity', content.severity],
    ['Author', `${inline(proposer.id)} (${proposer.kind})`],
    ['Version', String(version)],
  ];
  // Two spaces at the end of a line make a line break.
  return fields.map(([name, value]) => `**${name}**: ${value}`).join('  \n');
}

/** What a page on the branch says about itself; anybody can edit the branch, so only these words count. */
export function readHead(page: string): {
  readonly version: number | undefined;
  readonly severity: Pattern['severity'] | undefined;
} {
  const head = page.slice(0, 5000);
  const version = /^\*\*Version\*\*: (\d{1,9}) *$/m.exec(head)?.[1];
  const severity = /^\*\*Severity\*\*: (low|medium|high|critical) *$/m.exec(head)?.[1];
  return {
    version: version === undefined ? undefined : Number(version),
    severity: severity as Pattern['severity'] | undefined,
  };
}

function evidenceText({ content }: PageInput): string {
  const { evidence, patternId: pattern } = content;
  const lines = evidence.slice(0, EVIDENCE_SHOWN_MAX).map((one) => `- ${line(one)}`);
  if (evidence.length > EVIDENCE_SHOWN_MAX)
    lines.push(`- and ${evidence.length - EVIDENCE_SHOWN_MAX} more`);
  if (pattern !== null) lines.unshift(`- pattern: ${inline(pattern)}`);
  return lines.length === 0 ? 'None.' : lines.join('\n');
}

function solutionText({ content }: PageInput): string {
  return [
    told(content.title),
    `Change: ${inline(mask(changeKey(content.change)).text)}`,
    `Base commit: ${inline(content.baseCommit)}`,
    `Digest of the proposal: ${inline(digestOf(content))}`,
    'This page is for reading only. Decide on what `hone proposals show` shows, by that digest.',
  ].join('\n\n');
}

function reviewText({ attestations, content, said, beforeDecision }: PageInput): string {
  const decisions = attestations.filter((one) => one.kind === 'decision');
  if (decisions.length === 0)
    return ['Not reviewed yet.', ...beforeDecision.map(told)].join('\n\n');
  const present = digestOf(content);
  return decisions
    .map((decision) =>
      [
        `- Reviewed by: ${actorText(decision)}`,
        `- Reviewed at: ${isoTime(decision.atMs)}`,
        `- Decision: ${decision.verdict}, tier ${decision.tier}, about ${allowanceText(decision.allows)}`,
        `- Evidence shown: ${inline(decision.evidenceDigest)}`,
        ...(said.has(decision.id) ? [`- Reason: ${line(said.get(decision.id)!.reason)}`] : []),
        ...(decision.contentDigest === present
          ? []
          : ['- About an earlier version of the change.']),
      ].join('\n'),
    )
    .join('\n\n');
}

function logText({ attestations, content, state, said }: PageInput): string {
  const present = digestOf(content);
  const lines = attestations.flatMap((one) => {
    const earlier = one.contentDigest === present ? '' : ', about an earlier version of the change';
    const { reason = '', numbers = [] } = said.get(one.id) ?? {};
    const words = [...(reason === '' ? [] : [reason]), ...numbers];
    return [
      `- ${isoTime(one.atMs)}: ${statementText(one)}, by ${actorText(one)}${earlier}`,
      ...words.map((text) => `  - ${line(text)}`),
    ];
  });
  return [...lines, `- now: ${state}`].join('\n');
}

function actorText({ actor }: Attestation): string {
  return `${inline(actor.id)} (${actor.kind}, verified by ${actor.verified})`;
}
