/**
 * The messages of Hone's commits. They are made from committed facts alone, so that a step that is taken
 * again makes the same commit. Text by others is quoted, so that it cannot be a trailer, and made inert, because
 * forges and CI read commands (`fixes #1`, `[skip ci]`) anywhere in a message.
 */
import type { CommitId } from '../git/index.ts';
import type { Dossier } from '../proposal/index.ts';
import { messageLine, plainLines } from './plain-text.ts';
import type { RevertCall } from './types.ts';

export function patchMessage(dossier: Dossier): string {
  const { title, rationale } = dossier.content;
  return message(`chore(hone): ${messageLine(title, 120)}`, quoted(rationale), dossier);
}

export function revertMessage(dossier: Dossier, commit: CommitId, call: RevertCall): string {
  const numbers = (call.numbers ?? []).flatMap((line) => quoted(line, 300));
  const body = [
    `This reverts commit ${commit}.`,
    '',
    ...quoted(call.reason.replaceAll('. ', '.\n'), 300),
    ...numbers,
  ];
  return message(`${REVERT} ${messageLine(dossier.content.title, 120)}`, body, dossier);
}

const REVERT = 'revert(hone):';

/** Of a commit that Hone made. */
export function isRevert(commitMessage: string): boolean {
  return commitMessage.startsWith(REVERT);
}

/** Whether a commit was made for this proposal, by its trailer. */
export function isMadeFor(proposalId: string, commitMessage: string): boolean {
  return commitMessage.split('\n').includes(trailer(proposalId));
}

/** The proposal that a commit of Hone's was made for, by its trailer. */
export function proposalOf(commitMessage: string): string | undefined {
  return /^Hone-Proposal: ([A-Za-z0-9_]{1,100})$/m.exec(commitMessage)?.[1];
}

const trailer = (proposalId: string) => `Hone-Proposal: ${proposalId}`;

const quoted = (text: string, lengthMax = 200) =>
  plainLines(text, { lines: 6, lengthMax }).map((line) => `> ${messageLine(line)}`);

function message(subject: string, body: readonly string[], { proposal }: Dossier): string {
  const trailers = [trailer(proposal.id), `Hone-Digest: ${proposal.digest}`];
  return [subject, '', ...body, '', ...trailers, ''].join('\n');
}
