import { memoryRepository, openRepository } from '../../../git/index.ts';
import { git, initRepository, temporaryFolder } from '../../../git/test-repositories.ts';
import { type ForgeUnderTest, forgeContract } from '../../forge-contract.test-support.ts';
import { local } from './local.ts';

async function onRealGit(...options: readonly string[]): Promise<ForgeUnderTest> {
  const { path, [Symbol.asyncDispose]: remove } = await temporaryFolder();
  initRepository(path, ...options);
  // A branch without a commit, so that `main` is not checked out from the start.
  git(path, ['symbolic-ref', 'HEAD', 'refs/heads/elsewhere']);
  const repository = await openRepository({ root: path, durable: false });
  return {
    kind: local,
    forge: local.open({ repository }),
    seenByOthers: async (ref) =>
      git(path, ['for-each-ref', '--format=%(objectname)', ref]) || undefined,
    movedByOthers: async (branch, to) => void git(path, ['update-ref', branch, to]),
    ...(options.includes('--bare')
      ? {}
      : {
          hinder: async (branch) => void git(path, ['checkout', '-q', branch.slice(11)]),
        }),
    async [Symbol.asyncDispose]() {
      await repository[Symbol.asyncDispose]();
      await remove();
    },
  };
}

async function inMemory(): Promise<ForgeUnderTest> {
  const workingTrees = new Map<string, string>();
  const repository = memoryRepository({ workingTrees });
  return {
    kind: local,
    forge: local.open({ repository }),
    seenByOthers: (ref) => repository.resolve(ref),
    movedByOthers: async (branch, to) => {
      await repository.moveRef(branch, to, await repository.resolve(branch));
    },
    hinder: async (branch) => void workingTrees.set(branch, '/home/operator/work'),
    async [Symbol.asyncDispose]() {},
  };
}

forgeContract('local, in a repository with a working tree', () => onRealGit());
forgeContract('local, in a bare repository', () => onRealGit('--bare'));
forgeContract('local, in memory', inMemory);
