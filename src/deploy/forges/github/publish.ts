/**
 * A change put before people: one draft pull request for a proposal, whose head is the commit that Hone built, and a check
 * run on that head which names the evidence. Looked for before anything is made, so a killed sender makes no second one.
 */
import { branchName } from '../../plain-text.ts';
import type { Published, PullDraft } from '../../types.ts';
import { GitHubError } from './api.ts';
import { pullBody, pullTitle } from './pull-text.ts';
import type { GitHubRepository, Pull } from './pulls.ts';
import { CHECK_NAME } from './review-decision.ts';

const LABELS = ['hone'];

export async function publish(draft: PullDraft, hub: GitHubRepository): Promise<Published> {
  const body = pullBody(draft, { withExamples: (await hub.facts()).private });
  const title = pullTitle(draft);
  const pull = (await openPullOf(draft, hub)) ?? (await made(draft, { title, body }, hub));
  if (pull.body !== body || pull.title !== title)
    await hub.changePull(pull.number, { title, body });
  return { ...shown(pull), isChecked: await checked(draft, hub) };
}

/** All of it, or nothing: what is missing is made by `publish`. */
export async function published(
  draft: PullDraft,
  hub: GitHubRepository,
): Promise<Published | undefined> {
  const pull = await openPullOf(draft, hub);
  if (pull === undefined || pull.head.sha !== draft.commit) return undefined;
  const isChecked = hub.access.appId !== undefined;
  if (isChecked && !(await hasCheck(draft, hub))) return undefined;
  return { ...shown(pull), isChecked };
}

const shown = ({ number, html_url: url }: Pull) => ({ pull: String(number), url });

async function openPullOf(
  { patchBranch, branch }: PullDraft,
  hub: GitHubRepository,
): Promise<Pull | undefined> {
  const all = await hub.pullsOf(branchName(patchBranch), branchName(branch));
  return all.find(({ state }) => state === 'open');
}

async function made(
  draft: PullDraft,
  { title, body }: { title: string; body: string },
  hub: GitHubRepository,
): Promise<Pull> {
  const [head, base] = [branchName(draft.patchBranch), branchName(draft.branch)];
  try {
    const pull = await hub.openPull({ title, body, head, base, draft: true });
    await labelled(pull, hub);
    return pull;
  } catch (error) {
    // Another sender was faster: there is one for this branch.
    const isThere = error instanceof GitHubError && error.status === 422;
    const found = isThere ? await openPullOf(draft, hub) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

/** An ornament: the pull request is there without it. */
async function labelled({ number }: Pull, hub: GitHubRepository): Promise<void> {
  await hub.label(number, LABELS).catch((error: unknown) => {
    if (!(error instanceof GitHubError)) throw error;
  });
}

/** Whether Hone's check run is on the head; only an app can make one. */
async function checked(draft: PullDraft, hub: GitHubRepository): Promise<boolean> {
  if (hub.access.appId === undefined) return false;
  if (await hasCheck(draft, hub)) return true;
  await hub.makeCheckRun({
    name: CHECK_NAME,
    head_sha: draft.commit,
    external_id: draft.evidenceDigest,
    status: 'completed',
    conclusion: draft.isProven ? 'success' : 'neutral',
    output: {
      title: draft.isProven ? 'Proven' : 'Inconclusive',
      summary: `Content ${draft.contentDigest}\n\nEvidence ${draft.evidenceDigest}`,
    },
  });
  return true;
}

async function hasCheck(draft: PullDraft, hub: GitHubRepository): Promise<boolean> {
  const all = await hub.checkRuns(draft.commit, CHECK_NAME);
  const ours = all.filter(({ app }) => app?.id === hub.access.appId);
  const newest = ours.toSorted((one, other) => one.id - other.id).at(-1);
  return newest?.external_id === draft.evidenceDigest;
}
