/**
 * `hone proposals list|show|diff|release`. What is shown is made from the bytes that would be applied. Secrets in
 * it are masked, visibly; the digest names the exact bytes.
 */
import { AUTOMATIC_TIERS, askedTier } from '../../approve/index.ts';
import { readArtifact } from '../../artifact/index.ts';
import { isoTime } from '../../base/index.ts';
import {
  type Attestation,
  type ProposalContent,
  type ProposalState,
  type Target,
  targetWords,
} from '../../facts/index.ts';
import { type Held, heldBy, isStuck, releaseByHand, waitingProposals } from '../../loop/index.ts';
import {
  AT_THE_TARGET,
  type Dossier,
  latest,
  listProposals,
  readAllSaid,
  readDossier,
  type Said,
} from '../../proposal/index.ts';
import { mask, maskDiff } from '../../sanitise/index.ts';
import type { Store } from '../../store/index.ts';
import { type Context, type Opened, withLedger, withOpened } from '../context.ts';
import { findProposal } from '../find-proposal.ts';
import { type Io, present, refuse, table, wrap } from '../io.ts';
import { type Marked, readLetPass } from '../let-pass.ts';
import { shown, shownLines } from '../shown.ts';
import { byHand } from './decide.ts';

export function proposalsList(
  context: Context,
  options: { state?: ProposalState; limit: number },
): Promise<number> {
  return withOpened(context, async (opened) => {
    const { store } = opened;
    const { state, limit } = options;
    const filter = state === undefined ? { limit } : { states: [state], limit };
    const reasons = await waitingReasons(opened);
    const proposals = (await listProposals(store, filter)).map(
      ({ id, state: at, title, digest, createdAtMs, changedAtMs }) => ({
        id,
        state: at,
        title,
        digest,
        waiting: reasons.get(id) ?? null,
        createdAt: isoTime(createdAtMs),
        changedAt: isoTime(changedAtMs),
      }),
    );
    present(context.io, { proposals }, () =>
      proposals.length === 0
        ? 'No proposals. "hone cycle" looks for something to propose.\n'
        : listText(proposals, context.io),
    );
    return 0;
  });
}

type Listed = { id: string; state: ProposalState; title: string; waiting: string | null };

/** Under each that waits, why; not where its state says the same. */
function listText(proposals: readonly Listed[], io: Io): string {
  const rows = table(proposals.map(({ id, state, title }) => [id, state, shown(title)]));
  const lines = rows.split('\n');
  return proposals
    .map(({ state, waiting }, at) => {
      const line = `${lines[at]}\n`;
      if (waiting === null || state === 'pending') return line;
      const why = `    ${shown(waiting)}`;
      return line + io.style('dim', why.length > 80 ? `${why.slice(0, 79)}…` : why).concat('\n');
    })
    .join('');
}

async function waitingReasons({ store, killSwitch }: Opened): Promise<ReadonlyMap<string, string>> {
  const [nowMs, { stopped }] = await Promise.all([store.nowMs(), killSwitch.state()]);
  const waiting = await waitingProposals(store, { nowMs, stopped });
  return new Map(waiting.map(({ id, why }) => [id, why]));
}

/** A person looked at what vetting holds, and lets it go on. */
export function proposalsRelease(
  context: Context,
  given: string,
  options: { reason: string },
): Promise<number> {
  if (options.reason.trim() === '') {
    return Promise.resolve(refuse(context.io, 'Say why with --reason: it is on record.', 2));
  }
  return byHand(context, given, (id, rest) => releaseByHand(id, options.reason, rest));
}

export function proposalsShow(context: Context, given: string): Promise<number> {
  return withLedger(context, async (opened) => {
    const { store } = opened;
    const dossier = await readDossier(store, (await findProposal(store, given)).id);
    const { diff, masked } = await shownDiff(store, dossier.content.diff);
    const { tier } = askedTier(dossier, AUTOMATIC_TIERS);
    const { proposal, content, attestations } = dossier;
    const said = await readAllSaid(store, attestations);
    const result = {
      id: proposal.id,
      state: proposal.state,
      digest: proposal.digest,
      tier,
      target: targetOf(dossier, opened),
      waiting: (await waitingReasons(opened)).get(proposal.id) ?? null,
      held: proposal.state === 'quarantined' ? await heldBy(store, dossier) : [],
      createdAt: isoTime(proposal.createdAtMs),
      changedAt: isoTime(proposal.changedAtMs),
      content: maskedContent(content),
      diff,
      masked,
      attestations: attestations.map((one) => attestationJson(one, said.get(one.id))),
      letPass: await readLetPass(store, proposal.id),
    };
    const proof = await proofLines(dossier, store);
    const { letPass, waiting, held, target } = result;
    const seen = { diff, masked, tier, target, proof, letPass, waiting, held, said };
    present(context.io, result, () => showText(dossier, seen, context.io));
    return 0;
  });
}

export function proposalsDiff(context: Context, given: string): Promise<number> {
  return withOpened(context, async ({ store }) => {
    const { id } = await findProposal(store, given);
    const { proposal, content } = await readDossier(store, id);
    const { diff, masked } = await shownDiff(store, content.diff);
    const { digest } = proposal;
    const { io } = context;
    present(io, { id, digest, diff, masked }, () => colourDiff(shownLines(diff), io));
    if (masked > 0 && !io.json) io.err(wrap(`${maskedText(masked)}.`));
    return 0;
  });
}

/** What was decided stays where it went; anything else goes where the configuration says. */
function targetOf({ proposal, attestations }: Dossier, { home, config }: Opened): Target {
  const decided = latest(attestations, 'decision', proposal.digest)?.target ?? null;
  if (decided !== null && AT_THE_TARGET.includes(proposal.state)) return decided;
  const { branch, forge } = config.deploy;
  return { repository: home.id, branch, forge };
}

function attestationJson(one: Attestation, said: Said | undefined) {
  const { kind, verdict, subject, actor, atMs, tier, target, artifacts } = one;
  const { reason = '', numbers = [] } = said ?? {};
  const words = { reason, numbers: [...numbers] };
  return {
    kind,
    verdict,
    digest: subject,
    actor,
    at: isoTime(atMs),
    tier,
    target,
    artifacts,
    ...words,
  };
}

async function shownDiff(store: Store, digest: string): Promise<{ diff: string; masked: number }> {
  const bytes = Buffer.from((await readArtifact(store, digest)).content).toString();
  const { text, hidden } = maskDiff(bytes);
  return { diff: text, masked: hidden.length };
}

const maskedText = (count: number) =>
  `${count} ${count === 1 ? 'secret is' : 'secrets are'} masked here, not in what is applied`;

/** Every text of it, lists included. */
function maskedContent(content: ProposalContent): ProposalContent {
  const shownPart = (part: unknown): unknown => {
    if (typeof part === 'string') return mask(part).text;
    return Array.isArray(part) ? part.map(shownPart) : part;
  };
  const parts = Object.entries(content).map(([name, part]) => [name, shownPart(part)]);
  return Object.fromEntries(parts) as ProposalContent;
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
  dossier: Dossier,
  seen: {
    diff: string;
    masked: number;
    tier: string;
    target: Target;
    proof: readonly string[];
    letPass: readonly Marked[];
    waiting: string | null;
    held: readonly Held[];
    said: ReadonlyMap<string, Said>;
  },
  io: Io,
): string {
  const part = (title: string, text: string) =>
    `\n${io.style('bold', title)}\n${wrap(shown(text), 80, '  ')}`;
  const { proposal, attestations } = dossier;
  const content = maskedContent(dossier.content);
  const next = nextText(dossier, seen.held);
  return [
    io.style('bold', wrap(shown(content.title))),
    table([
      ['  Id', proposal.id],
      ['  State', proposal.state],
      ['  Kind', `${content.type}, ${content.category}`],
      ['  Severity', `${content.severity}; risk ${content.risk}`],
      ['  Tier', seen.tier],
      ['  Goes to', shown(targetWords(seen.target))],
      ['  Digest', `${proposal.digest.slice(0, 30)}…`],
    ]),
    seen.waiting === null ? '' : part('Where it stands', seen.waiting),
    heldText(seen.held, io),
    part('Why', content.rationale),
    part('Root cause', content.rootCause),
    part('Risk', content.riskAndMitigation),
    part('Way back', content.rollback),
    letPassText(seen.letPass, io),
    `\n${io.style('bold', 'Proof')}\n`,
    ...seen.proof.map((line) => wrap(shown(line), 80, '  ')),
    changeHead(seen.masked, io),
    colourDiff(shownLines(seen.diff), io),
    `\n${io.style('bold', 'What happened')}\n`,
    ...attestations.flatMap((one) => [
      wrap(attestationLine(one), 80, '  '),
      ...saidLines(seen.said.get(one.id)),
    ]),
    next === undefined ? '' : `\n${next}\n`,
  ].join('');
}

function changeHead(masked: number, io: Io): string {
  const note = masked === 0 ? '' : `; ${maskedText(masked)}`;
  return `\n${wrap(`${io.style('bold', 'Change')}, exactly what would be applied${note}`)}`;
}

/** Whoever decides must see that a gate looked away. */
function letPassText(letPass: readonly Marked[], io: Io): string {
  if (letPass.length === 0) return '';
  const lines = letPass.map(({ gate, what, why }) =>
    wrap(shown(`${gate}: ${what}: ${why}`), 80, '  '),
  );
  return `\n${io.style('yellow', 'Let pass by gates that do not enforce')}\n${lines.join('')}`;
}

function attestationLine({ kind, verdict, actor, atMs, tier, target }: Attestation): string {
  const at = isoTime(atMs).slice(0, 16).replace('T', ' ');
  const how = kind === 'decision' ? ` (${actor.verified})` : '';
  const where = target === null ? '' : ` for ${shown(targetWords(target))}`;
  return `${at}  ${kind} ${verdict}${tier === null ? '' : ` at ${tier}`}${where}, by ${shown(actor.id)}${how}`;
}

/** A person's reason, or a watch's numbers, under what they are about. */
function saidLines(said: Said | undefined): string[] {
  if (said === undefined) return [];
  const words = [...(said.reason === '' ? [] : [said.reason]), ...said.numbers];
  return words.map((text) => wrap(shown(text), 80, '    '));
}

const NEXT: Readonly<Partial<Record<ProposalState, (id: string, digest: string) => string>>> = {
  pending: (id, digest) =>
    `Decide:  hone approve ${id} --digest ${digest}\n         hone reject ${id} --reason "…"`,
  monitoring: (id) => `Take it back by hand:  hone rollback ${id} --reason "…"`,
  implemented: (id) => `Take it back by hand:  hone rollback ${id} --reason "…"`,
};

function nextText(dossier: Dossier, held: readonly Held[]): string | undefined {
  const { id, state, digest } = dossier.proposal;
  if (isStuck(dossier)) return settleText(id);
  if (state === 'quarantined') return releaseText(id, held);
  return NEXT[state]?.(id, digest.slice(7, 19));
}

function heldText(held: readonly Held[], io: Io): string {
  if (held.length === 0) return '';
  const lines = held.map(({ name, rule, why }) =>
    wrap(shown(`${name}${rule === null ? '' : ` (rule ${rule})`}: ${why}`), 80, '  '),
  );
  return `\n${io.style('yellow', 'Held by vetting')}\n${lines.join('')}`;
}

/** What a rule of the constitution holds, nobody releases. */
function releaseText(id: string, held: readonly Held[]): string {
  const close = `hone reject ${id} --reason "…"`;
  if (held.some(({ rule }) => rule !== null)) {
    return `The constitution holds it, and nobody releases that. Close it:\n  ${close}`;
  }
  return `Let it go on, or close it:\n  hone proposals release ${id} --reason "…"\n  ${close}`;
}

const settleText = (id: string) =>
  `It could not be taken back. Do it on the branch, or leave it there; then say so:
  hone settle ${id} --reverted --reason "…"
  hone settle ${id} --kept --reason "…"`;

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
