/** An approved change beside its target and the remote that it may go to, and how its story ended. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { artifactWrite, makeArtifact } from '../../src/artifact/index.ts';
import { idMaker, systemClock, systemRandom } from '../../src/base/index.ts';
import { readDeployment } from '../../src/deploy/index.ts';
import { SYSTEM } from '../../src/facts/index.ts';
import { openRepository } from '../../src/git/index.ts';
import { latest, Proposals, readDossier } from '../../src/proposal/index.ts';
import type { Store } from '../../src/store/index.ts';
import { APP_ID, GitHubStandIn, INSTALLATION_ID } from '../../test/github/stand-in.ts';
import { decision, draft, GATE, makeContent, validations } from '../../test/proposals.ts';
import {
  type ForgeName,
  goesTo,
  type Hub,
  hookLogOf,
  placeOf,
  type Story,
  targetOf,
} from './deploy-places.ts';

const FILE = 'agents/search.yaml';

function git(folder: string, ...args: readonly string[]): string {
  const environment = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null' };
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, env: environment });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString('utf8').trim();
}

/** Nobody pushes to its branch: pull requests are merged into it, each commit anew. */
async function openHub(
  folder: string,
): Promise<{ readonly standIn: GitHubStandIn; readonly hub: Hub }> {
  const standIn = await GitHubStandIn.open(folder);
  standIn.facts.allow_merge_commit = false;
  const { bare, gitUrl, repository, api, keyFile } = standIn;
  const app = { appId: APP_ID, installationId: INSTALLATION_ID, keyFile, token: '' };
  return {
    standIn,
    hub: { bare, gitUrl, settings: { repository, api, ...app, people: [], agents: [] } },
  };
}

export interface Begun {
  readonly story: Story;
  readonly standIn: GitHubStandIn | undefined;
}

/** Approved; on GitHub it waits for the decision, so that it is published first. */
export async function beginStory(store: Store, folder: string, forge: ForgeName): Promise<Begun> {
  mkdirSync(folder);
  for (const name of ['target.git', 'remote.git'])
    git(folder, 'init', '-q', '--bare', '-b', 'main', name);
  const target = targetOf({ folder });
  const { standIn, hub } = forge === 'github' ? await openHub(folder) : {};
  git(target, 'remote', 'add', 'origin', hub?.gitUrl ?? join(folder, 'remote.git'));
  await using repository = await openRepository({ root: target, durable: false });
  const commit = async (text: string, parents: readonly string[]) => {
    const change = { path: FILE, content: Buffer.from(`name: search\nwait: ${text}\n`) };
    const tree = await repository.writeFiles(parents[0], [change]);
    const author = { name: 'operator', email: 'operator@example.org', atMs: 0 };
    return repository.commit({ tree, parents, message: 'change\n', author });
  };
  const base = await commit('10', []);
  await repository.moveRef('refs/heads/main', base, undefined);
  git(target, 'push', '-q', hub?.bare ?? 'origin', 'main');
  standIn?.protect('main');
  const diff = makeArtifact(await repository.diff(base, await commit('30', [base])), 'text/x-diff');
  await store.commit({ writes: [artifactWrite(diff, await store.nowMs())] });
  const content = makeContent({ baseCommit: base, diffDigest: diff.digest, files: [FILE] });
  const place = { folder, forge, ...(hub === undefined ? {} : { hub }) };
  return { story: { ...place, base, proposal: await approved(store, content, place) }, standIn };
}

async function approved(
  store: Store,
  content: ReturnType<typeof makeContent>,
  place: Pick<Story, 'folder' | 'forge' | 'hub'>,
): Promise<string> {
  const proposals = new Proposals(store, idMaker(systemClock, systemRandom));
  const { id, digest } = await proposals.create(content);
  const target = goesTo(place);
  const gate = { ...GATE, target };
  const advance = async (to: 'vetted' | 'validating' | 'validated' | 'pending' | 'approved') => {
    const answer = await proposals.advance(id, { to, actor: SYSTEM, reason: '', gate });
    if (!answer.done) throw new Error(JSON.stringify(answer));
  };
  await proposals.attest(id, draft('vetting', 'passed', digest));
  await advance('vetted');
  await advance('validating');
  for (const one of validations('passed', digest)) await proposals.attest(id, one);
  await advance('validated');
  await advance('pending');
  if (place.hub !== undefined) return id;
  await proposals.attest(id, decision(await readDossier(store, id), { target }));
  await advance('approved');
  return id;
}

/** What is wrong with how it ended: it was deployed once and taken back once, and the agents were told of both. */
export async function wrongIn(store: Store, { story, standIn }: Begun): Promise<string[]> {
  const { base, proposal: id, forge } = story;
  const place = placeOf(story);
  const { proposal, attestations } = await readDossier(store, id);
  const deployment = await readDeployment(store, id);
  const subjects = git(place, 'log', '--format=%s', `${base}..main`).split('\n');
  const [back, change] = git(place, 'log', '--format=%H', `${base}..main`).split('\n');
  const log = existsSync(hookLogOf(story)) ? readFileSync(hookLogOf(story), 'utf8') : '';
  const arrival = latest(attestations, 'arrival', proposal.digest)?.verdict;
  const own = git(targetOf(story), 'rev-parse', 'main');
  const pulls = standIn?.pulls.length ?? 0;
  const checks: readonly (readonly [boolean, string])[] = [
    [proposal.state === 'reverted', `the proposal is ${proposal.state}`],
    [deployment?.state === 'reverted', `the deployment is ${deployment?.state}`],
    [
      /^revert\(hone\).*\nchore\(hone\)[^\n]*$/.test(subjects.join('\n')),
      `commits: ${subjects.join('; ')}`,
    ],
    [git(place, 'diff', base, 'main') === '', 'the branch does not have the old files again'],
    [log.includes(`deployed ${change}\n`), 'no hook ran for the deployment'],
    [log.includes(`reverted ${back}\n`), 'no hook ran for the rollback'],
    [arrival === 'done', `its arrival is ${arrival}`],
    [forge === 'local' || own === base, 'the branch of the clone moved'],
    [pulls === (standIn === undefined ? 0 : 2), `there are ${pulls} pull requests`],
    [
      standIn?.pulls.every(({ merged }) => merged !== undefined) ?? true,
      'a pull request was not merged',
    ],
    [(standIn?.violations ?? []).length === 0, `GitHub would refuse: ${standIn?.violations[0]}`],
  ];
  return checks.filter(([isFine]) => !isFine).map(([, what]) => what);
}

/** More than one branch for one change, or more than one pull request for a branch. */
export function duplicates({ story, standIn }: Begun): number {
  const branches = git(placeOf(story), 'for-each-ref', '--format=%(refname)', 'refs/heads/hone/');
  const isOwn = (name: string) => !name.startsWith('refs/heads/hone/revert-');
  const heads = standIn?.pulls.map(({ head }) => head) ?? [];
  return branches.split('\n').filter(isOwn).length - 1 + (heads.length - new Set(heads).size);
}
