import { expect, test } from 'vitest';
import { GitError, memoryRepository, type TargetRepository } from '../../git/index.ts';
import type { LoopPorts } from '../types.ts';
import { commitsOf, peoplesCommits } from './commits.ts';

const author = { name: 'operator', email: 'operator@example.org', atMs: 1_700_000_000_000 };
const config = { deploy: { branch: 'main', forge: 'local' } } as LoopPorts['config'];

async function put(
  repository: TargetRepository,
  base: string | undefined,
  path: string,
  trailer = '',
) {
  const tree = await repository.writeFiles(base, [{ path, content: Buffer.from(path) }]);
  const parents = base === undefined ? [] : [base];
  const id = await repository.commit({
    tree,
    parents,
    message: `add ${path}\n\nwhy\n${trailer}`,
    author,
  });
  await repository.moveRef('refs/heads/main', id, base);
  return id;
}

test('the branch’s commits come oldest first, behind the one that was named', async () => {
  const repository = memoryRepository();
  const read = commitsOf({ config, repository });
  expect(await read(null, 10)).toEqual({ commits: [], isJoined: true });
  const first = await put(repository, undefined, 'a');
  const second = await put(repository, first, 'b');
  const third = await put(repository, second, 'c');
  const all = await read(null, 10);
  expect(all.commits.map(({ id }) => id)).toEqual([first, second, third]);
  expect(all.commits[1]).toEqual({ id: second, title: 'add b', atMs: author.atMs, paths: ['b'] });
  expect(await read(first, 10)).toMatchObject({
    isJoined: true,
    commits: [{ id: second }, { id: third }],
  });
  expect(await read(third, 10)).toEqual({ commits: [], isJoined: true });
  expect(await read(first, 1)).toMatchObject({ isJoined: false, commits: [{ id: third }] });
  expect(await read('f'.repeat(40), 10)).toMatchObject({ isJoined: false });
});

test('what people committed is told apart from Hone’s own, and a fault of git or the forge delays no watch', async () => {
  const repository = memoryRepository();
  const first = await put(repository, undefined, 'a');
  const own = await put(repository, first, 'b', '\nHone-Proposal: p_1\n');
  const last = await put(repository, own, 'c');
  const ids = async (ports: Parameters<typeof peoplesCommits>[0]) =>
    (await peoplesCommits(ports, 0)).map(({ id }) => id);
  expect(await ids({ config, repository })).toEqual([first, last]);
  const unknown = { deploy: { ...config.deploy, forge: 'nowhere' } } as unknown as typeof config;
  expect(await ids({ config: unknown, repository })).toEqual([]);
  repository.commitInfo = () => Promise.reject(new GitError('history_missing', 'gone'));
  expect(await ids({ config, repository })).toEqual([]);
});
