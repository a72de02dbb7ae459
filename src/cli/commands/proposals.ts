/** `hone proposals list|show|diff`. What is shown is made from the bytes that would be applied. */
import { AUTOMATIC_TIERS, askedTier } from '../../approve/index.ts';
import { readArtifact } from '../../artifact/index.ts';
import { isoTime } from '../../base/index.ts';
import type { Attestation, ProposalState } from '../../facts/index.ts';
import { type Dossier, latest, listProposals, readDossier } from '../../proposal/index.ts';
import type { Store } from '../../store/index.ts';
import { type Context, withOpened } from '../context.ts';
import { findProposal } from '../find-proposal.ts';
import { type Io, present, table, wrap } from '../io.ts';
import { shown, shownLines } from '../shown.ts';

export function proposalsList(
  context: Context,
  options: { state?: ProposalState; limit: number },
): Promise<number> {
  return withOpened(context, async ({ store }) => {
    const { state, limit } = options;
    const filter = state === undefined ? { limit } : { states: [state], limit };
    const proposals = (await listProposals(store, filter)).map(
      ({ id, state: at, title, digest, createdAtMs, changedAtMs }) => ({
        id,
        state: at,
        title,
        digest,
        createdAt: isoTime(createdAtMs),
        changedAt: isoTime(changedAtMs),
      }),
    );
    present(context.io, { proposals }, () =>
      proposals.length === 0
        ? 'No proposals. "hone cycle" looks for something to propose.\n'
        : table(proposals.map(({ id, state: at, title }) => [id, at, shown(title)])),
    );
    return 0;
  });
}

export function proposalsShow(context: Context, given: string): Promise<number> {
  return withOpened(context, async ({ store }) => {
    const dossier = await readDossier(store, (await findProposal(store, given)).id);
    const diff = await textOf(store, dossier.content.diff);
    const { tier } = askedTier(dossier, AUTOMATIC_TIERS);
    const { proposal, content, attestations } = dossier;
    const result = {
      id: proposal.id,
      state: proposal.state,
      digest: proposal.digest,
      tier,
      createdAt: isoTime(proposal.createdAtMs),
      changedAt: isoTime(proposal.changedAtMs),
      content,
      diff,
      attestations: attestations.map(attestationJson),
    };
    const proof = await proofLines(dossier, store);
    present(context.io, result, () => showText(dossier, { diff, tier, proof }, context.io));
    return 0;
  });
}

export function proposalsDiff(context: Context, given: string): Promise<number> {
  return withOpened(context, async ({ store }) => {
    const { id } = await findProposal(store, given);
    const { proposal, content } = await readDossier(store, id);
    const diff = await textOf(store, content.diff);
    const { digest } = proposal;
    present(context.io, { id, digest, diff }, () => colourDiff(shownLines(diff), context.io));
    return 0;
  });
}

function attestationJson(one: Attestation) {
  const { kind, verdict, subject, actor, atMs, tier, artifacts } = one;
  return { kind, verdict, digest: subject, actor, at: isoTime(atMs), tier, artifacts };
}

async function textOf(store: Store, digest: string): Promise<string> {
  return Buffer.from((await readArtifact(store, digest)).content).toString();
}

/** What the validation wrote for people. */
async function proofLines({ proposal, attestations }: Dossier, store: Store): Promise<string[]> {
  const validation = latest(attestations, 'validation', proposal.digest);
  if (validation === undefined) return ['not validated yet'];
  for (const digest of validation.artifacts) {
    const artifact = await readArtifact(store, digest);
    if (!artifact.mediaType.startsWith('text/plain')) continue;
    return Buffer.from(artifact.content).toString().trimEnd().split('\n').slice(0, 40);
  }
  return [validation.verdict];
}

function showText(
  { proposal, content, attestations }: Dossier,
  seen: { diff: string; tier: string; proof: readonly string[] },
  io: Io,
): string {
  const part = (title: string, text: string) =>
    `\n${io.style('bold', title)}\n${wrap(shown(text), 80, '  ')}`;
  const next = NEXT[proposal.state]?.(proposal.id, proposal.digest.slice(7, 19));
  return [
    io.style('bold', wrap(shown(content.title))),
    table([
      ['  Id', proposal.id],
      ['  State', proposal.state],
      ['  Kind', `${content.type}, ${content.category}`],
      ['  Severity', `${content.severity}; risk ${content.risk}`],
      ['  Tier', seen.tier],
      ['  Digest', `${proposal.digest.slice(0, 30)}…`],
    ]),
    part('Why', content.rationale),
    part('Root cause', content.rootCause),
    part('Risk', content.riskAndMitigation),
    part('Way back', content.rollback),
    `\n${io.style('bold', 'Proof')}\n`,
    ...seen.proof.map((line) => wrap(shown(line), 80, '  ')),
    `\n${io.style('bold', 'Change')}, exactly what would be applied\n`,
    colourDiff(shownLines(seen.diff), io),
    `\n${io.style('bold', 'What happened')}\n`,
    ...attestations.map((one) => wrap(attestationLine(one), 80, '  ')),
    next === undefined ? '' : `\n${next}\n`,
  ].join('');
}

function attestationLine({ kind, verdict, actor, atMs, tier }: Attestation): string {
  const at = isoTime(atMs).slice(0, 16).replace('T', ' ');
  return `${at}  ${kind} ${verdict}${tier === null ? '' : ` at ${tier}`}, by ${shown(actor.id)}`;
}

const NEXT: Readonly<Partial<Record<ProposalState, (id: string, digest: string) => string>>> = {
  pending: (id, digest) =>
    `Decide:  hone approve ${id} --digest ${digest}\n         hone reject ${id} --reason "…"`,
  monitoring: (id) => `Take it back by hand:  hone rollback ${id} --reason "…"`,
  implemented: (id) => `Take it back by hand:  hone rollback ${id} --reason "…"`,
};

/** Green and red on a terminal; the text stays the same without colour. */
function colourDiff(diff: string, io: Io): string {
  const lines = diff.replace(/\n$/, '').split('\n');
  const colour = (line: string) => {
    if (line.startsWith('+') && !line.startsWith('+++')) return io.style('green', line);
    if (line.startsWith('-') && !line.startsWith('---')) return io.style('red', line);
    return line;
  };
  return `${lines.map(colour).join('\n')}\n`;
}
