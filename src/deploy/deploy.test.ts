/** The whole way, in memory, on PostgreSQL and with the real git. */
import { afterEach, describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { memoryRepository, openRepository, type TargetRepository } from '../git/index.ts';
import { git, initRepository, temporaryFolder } from '../git/test-repositories.ts';
import { FILE, fileOf, MAIN, makeWorld, NEW, OLD } from './deployments.test-support.ts';
import { PROJECTED_TABLES, projectEntry, readDeployment } from './index.ts';

const cleanups: (() => PromiseLike<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function realGit(): Promise<TargetRepository> {
  const folder = await temporaryFolder();
  cleanups.push(() => folder[Symbol.asyncDispose]());
  initRepository(folder.path, '--bare');
  const repository = await openRepository({ root: folder.path, durable: false });
  cleanups.push(() => repository[Symbol.asyncDispose]());
  return repository;
}

const inMemory = async () => memoryRepository();

describe.each([
  ['memory', 'memory', inMemory],
  ['postgres', 'memory', inMemory],
  ['memory', 'git', realGit],
] as const)('store in %s, repository in %s', (kind, _, makeRepository) => {
  const open = storePerTest(kind);

  test('DEP-1 an approved change is backed up, deployed, taken back; the rows fold from the ledger', async () => {
    const repository = await makeRepository();
    const world = await makeWorld(open(), repository);
    const { id, base, store } = world;
    const names = {
      branch: MAIN,
      patchBranch: `refs/heads/hone/proposal-${id}`,
      backupRef: `refs/hone/backup/${id}`,
    };

    await world.take((await world.next())!);
    expect(await world.state()).toBe('deploying');
    const commit = (await repository.resolve(names.patchBranch))!;
    expect(await repository.resolve(MAIN)).toBe(base);
    expect(await repository.resolve(names.backupRef)).toBe(base);
    expect(await fileOf(world, 'backup')).toEqual({
      branch: MAIN,
      head: base,
      tree: (await repository.commitInfo(base)).tree,
      ref: names.backupRef,
      commit,
      patchBranch: names.patchBranch,
      reversalTried: true,
    });
    const { parents, message } = await repository.commitInfo(commit);
    const { digest } = (await world.dossier()).proposal;
    expect(parents).toEqual([base]);
    expect(message).toBe(
      `chore(hone): Wait longer for the search tool\n\n> It times out.\n\nHone-Proposal: ${id}\nHone-Digest: ${digest}\n`,
    );

    await world.take((await world.next())!);
    expect(await world.state()).toBe('monitoring');
    expect(await repository.resolve(MAIN)).toBe(commit);
    expect(await world.at(FILE)).toBe(NEW);
    expect(await readDeployment(store, id)).toMatchObject({ state: 'moved', commit, ...names });

    await world.take((await world.next())!);
    expect(await readDeployment(store, id)).toMatchObject({
      state: 'reverting',
      revert: { onto: commit },
    });
    expect(await repository.resolve(MAIN)).toBe(commit);
    await world.take((await world.next())!);
    expect(await world.state()).toBe('reverted');
    expect(await world.at(FILE)).toBe(OLD);
    const head = (await repository.resolve(MAIN))!;
    expect((await repository.commitInfo(head)).message).toMatch(
      /^revert\(hone\): Wait longer for the search tool\n\nThis reverts commit [0-9a-f]+\.\n\n> the error rate rose\n/,
    );
    expect(await fileOf(world, 'rollback')).toMatchObject({ from: commit, to: head, late: false });

    const before = await store.all(`SELECT * FROM ${PROJECTED_TABLES[0]}`);
    expect(before).toMatchObject([{ state: 'reverted', revert_commit: head }]);
    await store.commit({
      writes: [{ delete: PROJECTED_TABLES[0], where: { proposal_id: id } }],
    });
    const writes = (await recorded(store)).flatMap(projectEntry);
    expect(writes).toHaveLength(4);
    await store.commit({ writes });
    expect(await store.all(`SELECT * FROM ${PROJECTED_TABLES[0]}`)).toEqual(before);
  });
});

describe('a working tree of the real git', () => {
  const open = storePerTest('memory');

  test('stops a deployment, not a rollback, and is never touched', async () => {
    const folder = await temporaryFolder();
    cleanups.push(() => folder[Symbol.asyncDispose]());
    initRepository(folder.path);
    const repository = await openRepository({ root: folder.path, durable: false });
    cleanups.push(() => repository[Symbol.asyncDispose]());
    const one = await makeWorld(open(), repository);
    git(folder.path, ['reset', '-q', '--hard']);
    expect((await one.next())?.did).toContain('is checked out at');
    git(folder.path, ['checkout', '-q', '-b', 'elsewhere']);
    await one.deploy();
    expect(git(folder.path, ['status', '--porcelain'])).toBe('');
    git(folder.path, ['checkout', '-q', 'main']);
    await one.take((await one.next())!);
    const step = (await one.next())!;
    expect(step.did).toContain('still has the old files');
    expect(step.to).toBe('reverted');
    expect(git(folder.path, ['show', `main:${FILE}`])).toBe(OLD.trim());
    expect(git(folder.path, ['diff', 'main', '--name-only'])).toBe(FILE);
  });
});
