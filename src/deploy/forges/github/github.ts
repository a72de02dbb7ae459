/**
 * The branch is one of a repository on GitHub. Git does the moving, as for a remote: where pushing is allowed, Hone
 * fast-forwards the branch to the commit it built. Where a rule of the repository forbids that, a pull request is merged
 * through the interface, and what came of it is compared by whoever asked. A change that waits for a decision is put
 * before people as a draft pull request.
 */
import type { CommitId, GitRemote, RefName, TargetRepository } from '../../../git/index.ts';
import { keepPatchBranch, keepRef } from '../../backup.ts';
import { isRevert, proposalOf } from '../../commit-message.ts';
import { DeployError } from '../../errors.ts';
import { branchName, plainLine } from '../../plain-text.ts';
import type { Forge, ForgeKind, ForgePorts, ForgeReviews, GitHubSettings } from '../../types.ts';
import { openedRemote, refusedWords, remoteForge } from '../remote/remote.ts';
import { openAccess } from './access.ts';
import { apiAddress, checkGitAddress, repositoryName } from './address.ts';
import { type ApiPorts, GitHubError } from './api.ts';
import { publish, published } from './publish.ts';
import { GitHubRepository, type MergeMethod, type RepositoryFacts } from './pulls.ts';
import { requiredChecks } from './required-checks.ts';
import { CHECK_NAME, judgeReviews } from './review-decision.ts';

export const github: ForgeKind = {
  name: 'github',
  about: 'the branch is one of a repository on GitHub, and people see changes as pull requests',
  isReviewed: true,
  words: (branch) =>
    `It goes to the branch ${branchName(branch)} on GitHub. Hone pushes it where that is allowed, and else merges its pull request and compares what came of it.`,
  open: (ports: ForgePorts): Forge => {
    const opened = openGitHub(ports);
    return {
      repository: ports.repository,
      address: async () => (await opened.git()).there.address(),
      resolve: async (ref) => (await opened.git()).base.resolve(ref),
      seen: (ref) => opened.unchecked.seen(ref),
      hindrance: (branch) => hindrance(opened, branch),
      move: (move) => moveOn(opened, move),
      takeBack: async (move) => (await opened.git()).base.takeBack(move),
      keep: async (ref, move) => (await opened.git()).base.keep(ref, move),
      afterRollback: async () => undefined,
      landed: (change) => landed(opened, change),
      reviews: reviewsOf(opened),
    };
  },
};

interface OpenGitHub {
  readonly repository: TargetRepository;
  readonly hub: GitHubRepository;
  readonly settings: GitHubSettings;
  /** Before anything is sent: it throws unless git and the interface mean the same repository. The token goes along. */
  git(): Promise<CheckedGit>;
  /** Asks nobody. */
  readonly unchecked: GitRemote;
}

interface CheckedGit {
  readonly there: GitRemote;
  /** By git alone. */
  readonly base: Forge;
}

function openGitHub(ports: ForgePorts): OpenGitHub {
  const { github: settings, world, remote } = ports;
  if (settings === undefined || world === undefined || remote === undefined)
    throw new DeployError('no_access', 'The forge github is not set up here.', {
      hint: 'It works under "hone up" and "hone cycle", with deploy.github in hone.yaml.',
    });
  const named = repositoryName(settings.repository);
  const api: ApiPorts = { ...world, address: apiAddress(settings.api) };
  const access = openAccess(settings, named, { world, api });
  const unchecked = openedRemote(ports);
  let checked: CheckedGit | undefined;
  return {
    repository: ports.repository,
    hub: new GitHubRepository(named, access, api),
    settings,
    unchecked,
    async git() {
      if (checked !== undefined) return checked;
      // The address itself from here on: the target's configuration may be written at any moment.
      const address = await unchecked.address();
      checkGitAddress(address, { api: api.address, repository: named });
      const credentials = hasOwnWay(remote) ? {} : { password: () => access.token() };
      const there = openedRemote({
        ...ports,
        remote: { ...remote, ...credentials, remote: address },
      });
      checked = { there, base: remoteForge(ports, there) };
      return checked;
    },
  };
}

/** A deploy key or a credential helper of the configuration goes first. */
const hasOwnWay = ({ sshKey, credentialHelper }: NonNullable<ForgePorts['remote']>) =>
  sshKey !== '' || credentialHelper !== '';

async function hindrance(opened: OpenGitHub, branch: RefName): Promise<string | undefined> {
  const blocked = (why: string) =>
    `The branch ${branchName(branch)} cannot be moved on GitHub: ${why}`;
  try {
    await opened.git();
    const { archived } = await opened.hub.facts();
    if (archived) return blocked('the repository is archived; unarchive it there.');
  } catch (error) {
    if (!(error instanceof DeployError)) throw error;
    return blocked([error.message, error.hint].filter((one) => one !== undefined).join(' '));
  }
  return (await opened.git()).base.hindrance(branch);
}

type Move = Parameters<Forge['move']>[0];
type Moved = Awaited<ReturnType<Forge['move']>>;

async function moveOn(opened: OpenGitHub, move: Move): Promise<Moved> {
  const { branch, from, to } = move;
  const { repository } = opened;
  const { there } = await opened.git();
  if (!(await repository.isAncestor(from, to)))
    return { moved: false, why: `${to.slice(0, 12)} does not build on ${from.slice(0, 12)}.` };
  const held = await heldByChecks(opened, move);
  if (held !== undefined) return { moved: false, why: held };
  const answer = await there.push({ ref: branch, from, to });
  if (answer.pushed) return { moved: true };
  if (answer.why === 'moved')
    return { moved: false, why: `Somebody else moved ${branchName(branch)} on GitHub.` };
  return mergePull(opened, move, answer.words);
}

/** Only forward: a commit that takes a change back waits for nobody. */
async function heldByChecks(opened: OpenGitHub, { branch, to }: Move): Promise<string | undefined> {
  const { repository, hub } = opened;
  const { message } = await repository.commitInfo(to);
  const id = proposalOf(message);
  if (id === undefined || isRevert(message)) return undefined;
  const { held, isAwaited } = await requiredChecks(hub, { branch, commit: to });
  // Most checks run on pull requests alone: without one they would never begin.
  const head = `refs/heads/hone/proposal-${id}`;
  if (isAwaited && (await (await opened.git()).base.resolve(head)) === to)
    await openedPull(opened, { head, branch, message });
  return held;
}

/** By a pull request: the published one of a change, or one of its own for a commit that takes a change back. */
async function mergePull(opened: OpenGitHub, move: Move, words: string): Promise<Moved> {
  const { repository, hub } = opened;
  const { there, base } = await opened.git();
  const { message } = await repository.commitInfo(move.to);
  const id = proposalOf(message);
  if (id === undefined) return { moved: false, why: refusedWords(move.branch, words) };
  const patchBranch = `refs/heads/hone/proposal-${id}`;
  const isPatch = (await base.resolve(patchBranch)) === move.to;
  if (!isPatch && !isRevert(message))
    return { moved: false, why: `Somebody else moved ${branchName(patchBranch)} on GitHub.` };
  const head = isPatch ? patchBranch : `refs/heads/hone/revert-${id}`;
  if (!isPatch && !(await keepRef(base, head, move.to)))
    return { moved: false, why: `Somebody else moved ${branchName(head)} on GitHub.` };
  let named = 'its pull request';
  try {
    const pull = await openedPull(opened, { head, branch: move.branch, message });
    named = `pull request #${pull.number} (${pull.html_url})`;
    if (pull.draft === true) await hub.markReady(pull.node_id);
    // GitHub compares the head and not the base: as near to it as can be.
    if ((await there.resolve(move.branch)) !== move.from)
      return { moved: false, why: `Somebody else moved ${branchName(move.branch)} on GitHub.` };
    await hub.merge(pull.number, move.to, methodOf(await hub.facts()));
    return { moved: true };
  } catch (error) {
    if (!(error instanceof GitHubError) || error.code !== 'forge_refused') throw error;
    const why = `GitHub neither lets Hone push to ${branchName(move.branch)} nor merge ${branchName(head)}: ${error.message} Somebody has to merge ${named}, or allow the app to.`;
    return { moved: false, why: plainLine(why, 600) };
  }
}

async function openedPull(
  { hub }: OpenGitHub,
  { head, branch, message }: { head: RefName; branch: RefName; message: string },
) {
  const names = [branchName(head), branchName(branch)] as const;
  const open = (await hub.pullsOf(...names)).find(({ state }) => state === 'open');
  if (open !== undefined) return open;
  const [title = '', ...lines] = message.split('\n');
  return hub.openPull({
    title: plainLine(title),
    body: lines.join('\n').trim(),
    head: names[0],
    base: names[1],
    draft: false,
  });
}

/** A merge commit keeps Hone's own; the others make a new one with the same bytes. */
function methodOf(facts: RepositoryFacts): MergeMethod {
  if (facts.allow_merge_commit !== false) return 'merge';
  return facts.allow_rebase_merge === true ? 'rebase' : 'squash';
}

async function landed(
  { git, repository, hub }: OpenGitHub,
  { branch, patchBranch, commit }: Parameters<NonNullable<Forge['landed']>>[0],
): Promise<CommitId | undefined> {
  const head = await (await git()).there.resolve(branch);
  if (head === undefined || head === commit) return undefined;
  const pulls = await hub.pullsOf(branchName(patchBranch), branchName(branch));
  for (const { merged_at: at, merge_commit_sha: merged } of pulls) {
    if (at === null || merged === null) continue;
    const isThere = await repository.isAncestor(merged, head).catch(() => false);
    if (isThere) return merged;
  }
  return undefined;
}

function reviewsOf(opened: OpenGitHub): ForgeReviews {
  const { hub, settings } = opened;
  return {
    async publish(draft) {
      const kept = await keepPatchBranch((await opened.git()).base, draft);
      if (kept.why !== undefined)
        throw new DeployError('forge_refused', `It was not published: ${plainLine(kept.why)}.`);
      return publish(draft, hub);
    },
    async published(draft) {
      await opened.git();
      return published(draft, hub);
    },
    async judge({ branch, patchBranch, commit, evidenceDigest }, { evenMerged = false } = {}) {
      await opened.git();
      const names = [branchName(patchBranch), branchName(branch)] as const;
      const all = await hub.pullsOf(...names);
      const found = all.find(({ merged_at: at }) => at !== null) ?? all[0];
      if (found === undefined) return undefined;
      const isMerged = found.merged_at !== null;
      const pull = isMerged && evenMerged ? { ...found, state: 'open', merged_at: null } : found;
      const { appId } = hub.access;
      const isOpen = pull.merged_at === null && pull.state === 'open';
      const [reviews, checks] =
        isOpen && appId !== undefined
          ? [await hub.reviews(pull.number), await hub.checkRuns(commit, CHECK_NAME)]
          : [[], []];
      const { people, agents } = settings;
      const rules = { base: names[1], branch: names[0], head: commit, evidenceDigest };
      return judgeReviews({ pull, reviews, checks }, { ...rules, appId, people, agents });
    },
    async close({ branch, patchBranch }) {
      await opened.git();
      const all = await hub.pullsOf(branchName(patchBranch), branchName(branch));
      for (const { number, state } of all)
        if (state === 'open') await hub.changePull(number, { state: 'closed' });
    },
  };
}
