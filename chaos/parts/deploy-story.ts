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
import { decision, draft, GATE, makeContent, validations } from '../../test/proposals.ts';

export const FORGE_NAMES = ['local', 'remote'] as const;
export type ForgeName = (typeof FORGE_NAMES)[number];

export interface Story {
  readonly folder: string;
  readonly forge: ForgeName;
  readonly proposal: string;
  readonly base: string;
}

export const targetOf = ({ folder }: Pick<Story, 'folder'>) => join(folder, 'target.git');
export const hookLogOf = ({ folder }: Pick<Story, 'folder'>) => join(folder, 'hooks.log');
/** The repository that everybody looks at. */
export const placeOf = ({ folder, forge }: Pick<Story, 'folder' | 'forge'>) =>
  forge === 'local' ? targetOf({ folder }) : join(folder, 'remote.git');

const FILE = 'agents/search.yaml';

function git(folder: string, ...args: readonly string[]): string {
  const environment = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null' };
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, env: environment });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString('utf8').trim();
}

export async function beginStory(store: Store, folder: string, forge: ForgeName): Promise<Story> {
  mkdirSync(folder);
  for (const name of ['target.git', 'remote.git'])
    git(folder, 'init', '-q', '--bare', '-b', 'main', name);
  const target = targetOf({ folder });
  git(target, 'remote', 'add', 'origin', join(folder, 'remote.git'));
  await using repository = await openRepository({ root: target, durable: false });
  const commit = async (text: string, parents: readonly string[]) => {
    const change = { path: FILE, content: Buffer.from(`name: search\nwait: ${text}\n`) };
    const tree = await repository.writeFiles(parents[0], [change]);
    const author = { name: 'operator', email: 'operator@example.org', atMs: 0 };
    return repository.commit({ tree, parents, message: 'change\n', author });
  };
  const base = await commit('10', []);
  await repository.moveRef('refs/heads/main', base, undefined);
  git(target, 'push', '-q', 'origin', 'main');
  const diff = makeArtifact(await repository.diff(base, await commit('30', [base])), 'text/x-diff');
  await store.commit({ writes: [artifactWrite(diff, await store.nowMs())] });
  const content = makeContent({ baseCommit: base, diffDigest: diff.digest, files: [FILE] });
  return { folder, forge, base, proposal: await approved(store, content, { folder, forge }) };
}

async function approved(
  store: Store,
  content: ReturnType<typeof makeContent>,
  place: Pick<Story, 'folder' | 'forge'>,
): Promise<string> {
  const { forge } = place;
  const proposals = new Proposals(store, idMaker(systemClock, systemRandom));
  const { id, digest } = await proposals.create(content);
  const target = { repository: placeOf(place), branch: 'main', forge };
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
  await proposals.attest(id, decision(await readDossier(store, id), { target }));
  await advance('approved');
  return id;
}

/** What is wrong with how it ended: it was deployed once and taken back once, and the agents were told of both. */
export async function wrongIn(store: Store, story: Story): Promise<string[]> {
  const { base, proposal: id, forge } = story;
  const place = placeOf(story);
  const { proposal, attestations } = await readDossier(store, id);
  const deployment = await readDeployment(store, id);
  const subjects = git(place, 'log', '--format=%s', `${base}..main`).split('\n');
  const [back, change] = git(place, 'log', '--format=%H', `${base}..main`).split('\n');
  const log = existsSync(hookLogOf(story)) ? readFileSync(hookLogOf(story), 'utf8') : '';
  const arrival = latest(attestations, 'arrival', proposal.digest)?.verdict;
  const own = git(targetOf(story), 'rev-parse', 'main');
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
  ];
  return checks.filter(([isFine]) => !isFine).map(([, what]) => what);
}

/** More than one branch for one change: each would be a pull request of its own. */
export const duplicateBranches = (story: Story) =>
  git(placeOf(story), 'for-each-ref', '--format=x', 'refs/heads/hone/').split('\n').length - 1;
