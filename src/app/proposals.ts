/**
 * Proposals as whoever decides sees them: made from the bytes that would be applied. Secrets in them are masked,
 * visibly; the digest names the exact bytes.
 */
import { askedTier } from '../approve/index.ts';
import { readArtifact } from '../artifact/index.ts';
import { isoTime, Recent } from '../base/index.ts';
import type {
  ProposalList,
  ProposalsListInput,
  ShownDiff,
  ShownProposal,
} from '../contracts/proposal.ts';
import {
  type Attestation,
  comparedId,
  type ProposalContent,
  type Target,
  type VerdictOf,
} from '../facts/index.ts';
import {
  heldBy,
  isStuck,
  openWorks,
  ownedFiles,
  TIER_SETTINGS,
  targetOf,
  waitingOf,
} from '../loop/index.ts';
import {
  AT_THE_TARGET,
  type Dossier,
  dossierOf,
  evidenceDigest,
  isEscalated,
  isPaused,
  latestByPerson,
  latestDecision,
  listProposals as listRows,
  type OwnedFile,
  type Proposal,
  readAllSaid,
  type Said,
} from '../proposal/index.ts';
import { mask, maskDiff } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { type AppContext, type Opened, withLedger, withOpened } from './context.ts';
import { findProposal } from './find-proposal.ts';
import { keptRows, sameAnswer } from './kept-rows.ts';
import { readLetPass } from './let-pass.ts';
import { pageOf } from './page.ts';
import { proofFigures, proofLines, validationNow } from './proof.ts';

/** The newest first. */
export function listProposals(
  context: AppContext,
  { state, before, limit }: ProposalsListInput,
): Promise<ProposalList> {
  return withOpened(context, async (opened) => {
    // One more than is shown says whether there are others.
    const filter = {
      ...(state === undefined ? {} : { states: [state] }),
      before,
      limit: limit + 1,
    };
    const listed = keptRows(opened.store, `proposals ${JSON.stringify(filter)}`, async (store) =>
      listOf(await listRows(store, filter), limit),
    );
    const [made, reasons] = await Promise.all([listed, waitingReasons(opened)]);
    return made(reasons);
  });
}

/** The list, given why each proposal does not move. */
function listOf(
  found: readonly Proposal[],
  limit: number,
): (reasons: ReadonlyMap<string, string>) => ProposalList {
  const { shown, next } = pageOf(found, limit, ({ id }) => id);
  const make = sameAnswer((waiting: readonly (string | null)[]): ProposalList => {
    const proposals = shown.map(({ id, state, title, digest, createdAtMs, changedAtMs }, at) => ({
      ...{ id, state, title, digest, waiting: waiting[at]! },
      createdAt: isoTime(createdAtMs),
      changedAt: isoTime(changedAtMs),
    }));
    return { proposals, next };
  });
  return (reasons) => make(shown.map(({ id }) => reasons.get(id) ?? null));
}

async function waitingReasons({ store, killSwitch }: Opened): Promise<ReadonlyMap<string, string>> {
  const [works, nowMs, { stopped }] = await Promise.all([
    keptRows(store, 'open works', openWorks),
    store.nowMs(),
    killSwitch.state(),
  ]);
  return new Map(waitingOf(works, { nowMs, stopped }).map(({ id, why }) => [id, why]));
}

/** `given`: its id, or a unique prefix of it. */
export function showProposal(context: AppContext, given: string): Promise<ShownProposal> {
  return withLedger(context, async (opened) => {
    const { store } = opened;
    const [read, reasons] = await Promise.all([
      keptRows(store, `proposal ${given}`, (reading) => readShown(reading, given)),
      waitingReasons(opened),
    ]);
    const { dossier } = read;
    return read.shown({
      target: await targetNow(dossier, opened),
      waiting: reasons.get(dossier.proposal.id) ?? null,
      approval: await approvalNow(read, opened),
    });
  });
}

/** What depends on more than rows: the time, the configuration, the repository. */
type AroundProposal = Pick<ShownProposal, 'target' | 'waiting' | 'approval'>;

async function readShown(store: Store, given: string) {
  const dossier = await dossierOf(store, await findProposal(store, given));
  const { proposal, content, attestations } = dossier;
  const said = await readAllSaid(store, attestations);
  const tier = askedTier(dossier, TIER_SETTINGS);
  const rows = {
    id: proposal.id,
    state: proposal.state,
    digest: proposal.digest,
    tier,
    validation: validationNow(dossier).verdict ?? null,
    held: proposal.state === 'quarantined' ? await heldBy(store, dossier) : [],
    createdAt: isoTime(proposal.createdAtMs),
    changedAt: isoTime(proposal.changedAtMs),
    content: maskedOnce(proposal.digest, () => maskedContent(content)),
    ...(await shownDiff(store, content.diffDigest)),
    attestations: attestations.map((one) => attestationJson(one, said.get(one.id))),
    proof: await proofLines(dossier, store),
    figures: await proofFigures(dossier, store),
    stuck: isStuck(dossier),
    letPass: await readLetPass(store, proposal.id),
  };
  const shown = sameAnswer((around: AroundProposal) => ({ ...rows, ...around }));
  return { dossier, tier, decided: decidedNow(dossier), shown };
}

type Read = Awaited<ReturnType<typeof readShown>>;

export function showDiff(context: AppContext, given: string): Promise<ShownDiff> {
  return withOpened(context, async ({ store }) => {
    const { proposal, content } = await dossierOf(store, await findProposal(store, given));
    return {
      id: proposal.id,
      digest: proposal.digest,
      ...(await shownDiff(store, content.diffDigest)),
    };
  });
}

/** A decided change keeps its target; any other goes where the configuration says. */
async function targetNow(
  { proposal, attestations }: Dossier,
  { home, config }: Opened,
): Promise<Target> {
  const decided = latestDecision(attestations, proposal.digest)?.target;
  if (decided !== undefined && AT_THE_TARGET.includes(proposal.state)) return decided;
  const { branch, forge } = config.deploy;
  if (forge === 'local') return { repository: home.id, branch, forge };
  // The address of a remote stands in the repository's own configuration.
  const { openRepository } = await import('../git/index.ts');
  await using repository = await openRepository({ root: home.root });
  return await targetOf({ config, repository, repositoryId: home.id });
}

/** What people said about what is proposed now. */
function decidedNow({ proposal, attestations }: Dossier) {
  const shown = evidenceDigest(attestations, proposal.digest);
  const newest = latestDecision(attestations, proposal.digest);
  // Whoever approved it on an earlier base counts where that was carried over.
  const carried = newest?.verdict === 'carried' ? newest.carried : undefined;
  const said = latestByPerson(attestations, carried?.fromDigest ?? proposal.digest);
  const saying = (verdict: VerdictOf<'decision'>) =>
    said.filter((one) => one.verdict === verdict).map(({ actor }) => actor.id);
  return {
    approvedBy: said
      .filter(
        (one) =>
          one.verdict === 'approved' && (carried !== undefined || one.evidenceDigest === shown),
      )
      .map(({ actor }) => actor.id),
    changesRequestedBy: saying('changes_requested'),
    isEscalated: isEscalated(attestations),
    isPaused: isPaused(attestations),
  };
}

/** And whose approval is still missing. */
async function approvalNow(
  { dossier, tier, decided }: Read,
  { home, config }: Opened,
): Promise<ShownProposal['approval']> {
  const isTheirs = (people: readonly string[]) =>
    people.some((id) => decided.approvedBy.some((by) => comparedId(by) === comparedId(id)));
  return {
    needed: tier === 'approve' || tier === 'require' ? config.approve.approvers[tier] : 0,
    ...decided,
    owned: (await ownedNow(dossier, { home, config })).map(({ file, owners, people }) => ({
      ...{ file, owners: [...owners], people: [...people], isApproved: isTheirs(people) },
    })),
  };
}

/** A base that is gone has no owners to show; the gate still asks for them. */
async function ownedNow(
  dossier: Dossier,
  { home, config }: Pick<Opened, 'home' | 'config'>,
): Promise<readonly OwnedFile[]> {
  if (!config.approve.codeOwners) return [];
  const { GitError, openRepository } = await import('../git/index.ts');
  await using repository = await openRepository({ root: home.root });
  try {
    return await ownedFiles(dossier, { config, repository });
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

function attestationJson(one: Attestation, said: Said | undefined) {
  const { id: _, proposalId: __, atMs, ...rest } = one;
  const { reason = '', numbers = [] } = said ?? {};
  return { ...rest, at: isoTime(atMs), reason, numbers: [...numbers] };
}

async function shownDiff(store: Store, digest: string): Promise<{ diff: string; masked: number }> {
  // Read, and checked against its digest, each time; only what is made of the same bytes is kept.
  const { content } = await readArtifact(store, digest);
  return maskedOnce(digest, () => {
    const { text, hidden } = maskDiff(Buffer.from(content).toString());
    return { diff: text, masked: hidden.length };
  });
}

/** What masking made of bytes, by their digest: it names either a content or a diff. */
const masked = new Recent<object>(64);

const maskedOnce = <Made extends object>(digest: string, make: () => Made): Made =>
  masked.get(digest, make) as Made;

/** Every text of it, lists included. */
function maskedContent(content: ProposalContent): ProposalContent {
  const shownPart = (part: unknown): unknown => {
    if (typeof part === 'string') return mask(part).text;
    return Array.isArray(part) ? part.map(shownPart) : part;
  };
  const parts = Object.entries(content).map(([name, part]) => [name, shownPart(part)]);
  return Object.fromEntries(parts) as ProposalContent;
}
