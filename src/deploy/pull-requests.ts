/**
 * A change that waits for a decision, put before people at its forge, and taken down when it is over: effects of the
 * outbox. What is sent is worked out when it is sent, from the proposal as it is then, so a late or repeated effect
 * never shows an old state. Findable: one branch and one pull request for a proposal.
 */
import { errorMessage, type Json } from '../base/index.ts';
import type { ProposalState } from '../facts/index.ts';
import { GitError } from '../git/index.ts';
import type { Destination, Effect, Sent } from '../outbox/index.ts';
import { type Dossier, evidenceDigest, latestByMode } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { refsOf } from './backup.ts';
import { PULL_REQUESTS } from './deployed-since.ts';
import { DeployError } from './errors.ts';
import { GitHubError } from './forges/github/api.ts';
import { makePatchCommit } from './patch-commit.ts';
import { plainLine } from './plain-text.ts';
import type { AskedReview, DeployPorts, ForgeReviews, Published, PullDraft } from './types.ts';

/** States in which it is over without having been merged. */
export const TAKEN_DOWN_IN: readonly ProposalState[] = ['rejected', 'superseded', 'aborted'];

export interface PullPorts {
  readonly deploy: DeployPorts;
  dossier(id: string): Promise<Dossier>;
  /** Recorded failures, sanitised; shown only where not everybody reads. */
  examples(dossier: Dossier): Promise<readonly string[]>;
  /** Who may decide there, and how. */
  howToDecide(dossier: Dossier): string;
}

export function pullRequests(ports: () => PullPorts): Destination {
  return {
    name: PULL_REQUESTS,
    kind: 'findable',
    send: (effect) => send(effect, ports()),
    find: (effect) => find(effect, ports()),
  };
}

/** What people are asked about: the exact commit, and the evidence they are shown. */
export async function askedReview(
  dossier: Dossier,
  ports: DeployPorts,
): Promise<AskedReview | undefined> {
  const { id, digest } = dossier.proposal;
  const made = await makePatchCommit(dossier, ports);
  if ('why' in made) return undefined;
  return {
    branch: ports.branch,
    patchBranch: refsOf(id).patchBranch,
    commit: made.commit,
    evidenceDigest: evidenceDigest(dossier.attestations, digest),
  };
}

/** For an approved change: the same, as it was decided. Undefined where the forge has no pull requests. */
export async function publishApproved(
  dossier: Dossier,
  ports: PullPorts,
): Promise<Published | undefined> {
  const { forge, openForge } = ports.deploy;
  const { reviews } = openForge(forge);
  const draft = reviews && (await draftOf(dossier, ports));
  return draft && reviews.publish(draft);
}

async function send(effect: Effect, ports: PullPorts): Promise<Sent> {
  try {
    const { reviews, dossier } = await opened(effect, ports);
    if (reviews === undefined || dossier === undefined) return { outcome: 'delivered' };
    const { state, id } = dossier.proposal;
    if (TAKEN_DOWN_IN.includes(state)) {
      const { patchBranch } = refsOf(id);
      await reviews.close({ branch: ports.deploy.branch, patchBranch });
      return { outcome: 'delivered' };
    }
    const draft = state === 'pending' ? await draftOf(dossier, ports) : undefined;
    if (draft === undefined) return { outcome: 'delivered' };
    const { pull, url } = await reviews.publish(draft);
    return { outcome: 'delivered', result: { pull, url } };
  } catch (error) {
    return failed(error);
  }
}

async function find(effect: Effect, ports: PullPorts) {
  const { reviews, dossier } = await opened(effect, ports);
  if (reviews === undefined || dossier?.proposal.state !== 'pending') return false;
  const draft = await draftOf(dossier, ports);
  const found = draft && (await reviews.published(draft));
  return found === undefined ? false : { result: { pull: found.pull, url: found.url } };
}

async function opened(
  { payload }: Effect,
  ports: PullPorts,
): Promise<{ reviews?: ForgeReviews | undefined; dossier?: Dossier }> {
  const id = (payload as Record<string, Json | undefined>)['proposal'];
  if (typeof id !== 'string') return {};
  const { forge, openForge } = ports.deploy;
  return { reviews: openForge(forge).reviews, dossier: await ports.dossier(id) };
}

async function draftOf(dossier: Dossier, ports: PullPorts): Promise<PullDraft | undefined> {
  const { proposal, content, attestations } = dossier;
  const asked = await askedReview(dossier, ports.deploy);
  if (asked === undefined) return undefined;
  const modes = [...latestByMode(attestations, proposal.digest)];
  return {
    ...asked,
    proposalId: proposal.id,
    contentDigest: proposal.digest,
    title: recordedText(content.title),
    rationale: recordedText(content.rationale),
    proof: modes.map(([mode, { verdict }]) => `${mode}: ${verdict}`),
    isProven: modes.every(([, { verdict }]) => verdict === 'passed'),
    examples: (await ports.examples(dossier)).map((one) => recordedText(one)),
    howToDecide: ports.howToDecide(dossier),
  };
}

/** What GitHub refuses for good is shown to a person; everything else is tried again. */
function failed(error: unknown): Sent {
  if (!(error instanceof DeployError) && !(error instanceof GitError)) throw error;
  const isFinal = error.code === 'forge_refused' || error.code === 'other_repository';
  const isRace = error instanceof GitHubError && [405, 409].includes(error.status ?? 0);
  const hint = error.hint === undefined ? '' : ` ${error.hint}`;
  return {
    outcome: 'failed',
    error: plainLine(`${errorMessage(error)}${hint}`, 500),
    permanent: isFinal && !isRace,
  };
}
