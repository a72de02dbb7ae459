/**
 * `hone proposals list|show|diff|release`. What is shown is made from the bytes that would be applied. Secrets in
 * it are masked, visibly; the digest names the exact bytes.
 */

import { type Opened, withLedger, withOpened } from '../../app/context.ts';
import { findProposal } from '../../app/find-proposal.ts';
import { type Marked, readLetPass } from '../../app/let-pass.ts';
import { askedTier } from '../../approve/index.ts';
import { readArtifact } from '../../artifact/index.ts';
import { isoTime } from '../../base/index.ts';
import {
  type Attestation,
  type ProposalContent,
  type ProposalState,
  statementText,
  type Target,
  targetWords,
} from '../../facts/index.ts';
import {
  type Held,
  heldBy,
  isStuck,
  releaseByHand,
  TIER_SETTINGS,
  waitingProposals,
} from '../../loop/index.ts';
import {
  AT_THE_TARGET,
  type Dossier,
  latestByMode,
  latestDecision,
  listProposals,
  readAllSaid,
  readDossier,
  type Said,
  type Validation,
  validationOf,
} from '../../proposal/index.ts';
import { mask, maskDiff } from '../../sanitise/index.ts';
import type { Store } from '../../store/index.ts';
import type { Context } from '../context.ts';
import { type Io, present, refuse } from '../io.ts';
import { fields, table, wrap } from '../layout.ts';
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
        ? wrap('No proposals. "hone cycle" looks for something to propose.', context.io.columns)
        : listText(proposals, context.io),
    );
    return 0;
  });
}

type Listed = { id: string; state: ProposalState; title: string; waiting: string | null };

/** Under each that waits, why; not where its state says the same. */
function listText(proposals: readonly Listed[], io: Io): string {
  const isSaid = ({ state, waiting }: Listed) => waiting !== null && state !== 'pending';
  return table(
    {
      head: ['ID', 'STATE', 'TITLE'],
      rows: proposals.map(({ id, state, title }) => [id, state, shown(title)]),
      isLastProse: true,
      notes: proposals.map((one) => (isSaid(one) ? io.style('dim', shown(one.waiting!)) : null)),
    },
    io.columns,
  );
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
    const tier = askedTier(dossier, TIER_SETTINGS);
    const { proposal, content, attestations } = dossier;
    const said = await readAllSaid(store, attestations);
    const result = {
      id: proposal.id,
      state: proposal.state,
      digest: proposal.digest,
      tier,
      validation: validationNow(dossier).verdict ?? null,
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
    if (masked > 0 && !io.json) io.err(wrap(`${maskedText(masked)}.`, io.errorColumns));
    return 0;
  });
}

/** What was decided stays where it went; anything else goes where the configuration says. */
function targetOf({ proposal, attestations }: Dossier, { home, config }: Opened): Target {
  const decided = latestDecision(attestations, proposal.digest)?.target;
  if (decided !== undefined && AT_THE_TARGET.includes(proposal.state)) return decided;
  const { branch, forge } = config.deploy;
  return { repository: home.id, branch, forge };
}

function attestationJson(one: Attestation, said: Said | undefined) {
  const { id: _, proposalId: __, atMs, ...rest } = one;
  const { reason = '', numbers = [] } = said ?? {};
  return { ...rest, at: isoTime(atMs), reason, numbers: [...numbers] };
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

function validationNow({ proposal, attestations }: Dossier): Validation {
  return validationOf(attestations, proposal.digest, TIER_SETTINGS.requiredModes);
}

/** What the modes of validation wrote for people, in the order in which they ran. */
async function proofLines(dossier: Dossier, store: Store): Promise<string[]> {
  const { proposal, attestations } = dossier;
  const newest = new Set(latestByMode(attestations, proposal.digest).values());
  const ran = attestations.filter((one) => one.kind === 'validation' && newest.has(one));
  if (ran.length === 0) return ['not validated yet'];
  const { verdict, improvesTarget, missingModes } = validationNow(dossier);
  const lines = [`Validation: ${verdict ?? 'not complete'}. Does it help? ${helpsWords()}.`];
  for (const one of ran) lines.push(...(await modeLines(one, store)));
  return [...lines, ...missingModes.map((mode) => `${mode}: not run`)];

  function helpsWords(): string {
    if (improvesTarget) return 'yes';
    return ran.some((one) => one.kind === 'validation' && one.improvesTarget !== null)
      ? 'not shown'
      : 'not measured';
  }
}

const MODE_LINES_MAX = 40;

async function modeLines(one: Attestation, store: Store): Promise<string[]> {
  for (const digest of one.artifacts) {
    const artifact = await readArtifact(store, digest);
    if (!artifact.mediaType.startsWith('text/plain')) continue;
    const lines = Buffer.from(artifact.content).toString().trimEnd().split('\n');
    return lines.slice(0, MODE_LINES_MAX);
  }
  return [statementText(one)];
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
  const { columns } = io;
  const part = (title: string, text: string) =>
    `\n${io.style('bold', title)}\n${wrap(shown(text), columns, '  ')}`;
  const { proposal, attestations } = dossier;
  const content = maskedContent(dossier.content);
  const next = nextText(dossier, seen.held, columns);
  return [
    io.style('bold', wrap(shown(content.title), columns)),
    fields(
      [
        ['Id', proposal.id],
        ['State', proposal.state],
        ['Kind', `${content.type}, ${content.category}`],
        ['Severity', `${content.severity}; risk ${content.risk}`],
        ['Tier', seen.tier],
        ['Goes to', shown(targetWords(seen.target))],
        ['Digest', proposal.digest],
      ],
      columns,
      '  ',
    ),
    seen.waiting === null ? '' : part('Where it stands', seen.waiting),
    heldText(seen.held, io),
    part('Why', content.rationale),
    part('Root cause', content.rootCause),
    part('Risk', content.riskAndMitigation),
    part('Way back', content.rollback),
    letPassText(seen.letPass, io),
    `\n${io.style('bold', 'Proof')}\n`,
    ...seen.proof.map((line) => wrap(shown(line), columns, '  ')),
    changeHead(seen.masked, io),
    colourDiff(shownLines(seen.diff), io),
    `\n${io.style('bold', 'What happened')}\n`,
    ...attestations.flatMap((one) => [
      wrap(attestationLine(one), columns, '  '),
      ...saidLines(seen.said.get(one.id)).map((text) => wrap(shown(text), columns, '    ')),
    ]),
    next === undefined ? '' : `\n${next}`,
  ].join('');
}

function changeHead(masked: number, io: Io): string {
  const note = masked === 0 ? '' : `; ${maskedText(masked)}`;
  return `\n${wrap(`${io.style('bold', 'Change')}, exactly what would be applied${note}`, io.columns)}`;
}

/** Whoever decides must see that a gate looked away. */
function letPassText(letPass: readonly Marked[], io: Io): string {
  if (letPass.length === 0) return '';
  const lines = letPass.map(({ gate, what, why }) =>
    wrap(shown(`${gate}: ${what}: ${why}`), io.columns, '  '),
  );
  return `\n${io.style('yellow', 'Let pass by gates that do not enforce')}\n${lines.join('')}`;
}

function attestationLine(one: Attestation): string {
  const at = isoTime(one.atMs).slice(0, 16).replace('T', ' ');
  const by = `by ${shown(one.actor.id)}`;
  if (one.kind !== 'decision') return `${at}  ${statementText(one)}, ${by}`;
  const where = `at ${one.tier} for ${shown(targetWords(one.target))}`;
  return `${at}  ${statementText(one)} ${where}, ${by} (${one.actor.verified})`;
}

/** A person's reason, or a watch's numbers, under what they are about. */
function saidLines(said: Said | undefined): string[] {
  if (said === undefined) return [];
  return [...(said.reason === '' ? [] : [said.reason]), ...said.numbers];
}

/** What to do, then the commands that do it, each on one line to be copied. */
interface Next {
  readonly words: string;
  readonly commands: readonly string[];
}

const ROLL_BACK = (id: string): Next => ({
  words: 'Take it back by hand:',
  commands: [`hone rollback ${id} --reason "…"`],
});

const NEXT: Readonly<Partial<Record<ProposalState, (id: string, digest: string) => Next>>> = {
  pending: (id, digest) => ({
    words: 'Decide:',
    commands: [`hone approve ${id} --digest ${digest}`, `hone reject ${id} --reason "…"`],
  }),
  monitoring: ROLL_BACK,
  implemented: ROLL_BACK,
};

function nextText(dossier: Dossier, held: readonly Held[], columns: number): string | undefined {
  const next = nextOf(dossier, held);
  if (next === undefined) return undefined;
  return [wrap(next.words, columns), ...next.commands.map((one) => `  ${one}\n`)].join('');
}

function nextOf(dossier: Dossier, held: readonly Held[]): Next | undefined {
  const { id, state, digest } = dossier.proposal;
  if (isStuck(dossier)) return settleNext(id);
  if (state === 'quarantined') return releaseNext(id, held);
  return NEXT[state]?.(id, digest.slice(7, 19));
}

function heldText(held: readonly Held[], io: Io): string {
  if (held.length === 0) return '';
  const lines = held.map(({ name, rule, why }) =>
    wrap(shown(`${name}${rule === null ? '' : ` (rule ${rule})`}: ${why}`), io.columns, '  '),
  );
  return `\n${io.style('yellow', 'Held by vetting')}\n${lines.join('')}`;
}

/** What a rule of the constitution holds, nobody releases. */
function releaseNext(id: string, held: readonly Held[]): Next {
  const close = `hone reject ${id} --reason "…"`;
  if (held.some(({ rule }) => rule !== null)) {
    const words = 'The constitution holds it, and nobody releases that. Close it:';
    return { words, commands: [close] };
  }
  const release = `hone proposals release ${id} --reason "…"`;
  return { words: 'Let it go on, or close it:', commands: [release, close] };
}

const settleNext = (id: string): Next => ({
  words: 'It could not be taken back. Do it on the branch, or leave it there; then say so:',
  commands: [`hone settle ${id} --reverted --reason "…"`, `hone settle ${id} --kept --reason "…"`],
});

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
