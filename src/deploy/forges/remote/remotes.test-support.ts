/** A target with a remote, for tests: the user's clone, and the bare repository that everybody pushes to. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitLimits, openRepository, type RemoteOptions } from '../../../git/index.ts';
import { git, initRepository, temporaryFolder } from '../../../git/test-repositories.ts';
import type { ForgeUnderTest } from '../../forge-contract.test-support.ts';
import { remote } from './remote.ts';

export interface WithRemote extends ForgeUnderTest {
  /** The user's clone. */
  readonly target: string;
  /** What everybody pushes to. */
  readonly bare: string;
}

/** What each way to the same bare repository differs in. */
export interface Reached {
  readonly address: string;
  readonly access?: Partial<RemoteOptions>;
  readonly end?: () => PromiseLike<void>;
}

export const NO_ACCESS = { sshKey: '', sshKnownHosts: '', credentialHelper: '' };

export async function withRemote(
  reach: (place: { folder: string; bare: string }) => Promise<Reached>,
  { format = 'sha1', limits = {} }: { format?: string; limits?: Partial<GitLimits> } = {},
): Promise<WithRemote> {
  const { path: folder, [Symbol.asyncDispose]: remove } = await temporaryFolder();
  const [target, bare] = [join(folder, 'clone'), join(folder, 'shop.git')];
  for (const one of [target, bare]) await mkdir(one);
  initRepository(bare, '--bare', `--object-format=${format}`);
  git(bare, ['config', 'http.receivepack', 'true']);
  initRepository(target, `--object-format=${format}`);
  const { address, access = {}, end } = await reach({ folder, bare });
  git(target, ['remote', 'add', 'origin', address]);
  const repository = await openRepository({ root: target, durable: false, limits });
  const options = { remote: 'origin', ...NO_ACCESS, ...access };
  return {
    kind: remote,
    forge: remote.open({ repository, remote: options }),
    target,
    bare,
    seenByOthers: async (ref) =>
      git(bare, ['for-each-ref', '--format=%(objectname)', ref]) || undefined,
    // Without the forge: the objects are copied, the ref is set.
    movedByOthers: async (branch, to) => void git(target, ['push', '-q', bare, `+${to}:${branch}`]),
    async [Symbol.asyncDispose]() {
      await repository[Symbol.asyncDispose]();
      await end?.();
      await remove();
    },
  };
}

export const byFile = (options: Parameters<typeof withRemote>[1] = {}) =>
  withRemote(async ({ bare }) => ({ address: bare }), options);
