/** A target whose repository is on the stand-in for GitHub, for tests. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ANN,
  APP_ID,
  BEN,
  BOT_TOKEN,
  GitHubStandIn,
  INSTALLATION_ID,
} from '../../../../test/github/stand-in.ts';
import { type Clock, systemClock } from '../../../base/index.ts';
import { openRepository } from '../../../git/index.ts';
import { git, initRepository, temporaryFolder } from '../../../git/test-repositories.ts';
import type { ForgeUnderTest } from '../../forge-contract.test-support.ts';
import type { ForgeWorld, GitHubSettings } from '../../types.ts';
import { NO_ACCESS } from '../remote/remotes.test-support.ts';
import { github } from './github.ts';

const PEOPLE = [
  { userId: ANN.id, person: 'ann@example.org' },
  { userId: BEN.id, person: 'ben@example.org' },
];

export interface OnGitHub extends ForgeUnderTest {
  readonly hub: GitHubStandIn;
  readonly target: string;
  readonly settings: GitHubSettings;
  readonly world: ForgeWorld;
}

export interface OnGitHubOptions {
  readonly as?: 'app' | 'bot';
  readonly clock?: Clock;
  readonly fetch?: ForgeWorld['fetch'];
}

export async function onGitHub(options: OnGitHubOptions = {}): Promise<OnGitHub> {
  const { as = 'app', clock = systemClock, fetch = globalThis.fetch } = options;
  const { path: folder, [Symbol.asyncDispose]: remove } = await temporaryFolder();
  const hub = await GitHubStandIn.open(folder);
  const target = join(folder, 'clone');
  await mkdir(target);
  initRepository(target);
  git(target, ['remote', 'add', 'origin', hub.gitUrl]);
  const repository = await openRepository({ root: target, durable: false });
  const settings: GitHubSettings = {
    ...{ repository: hub.repository, api: hub.api, people: PEOPLE, agents: [] },
    ...(as === 'app'
      ? { appId: APP_ID, installationId: INSTALLATION_ID, keyFile: hub.keyFile, token: '' }
      : { appId: 0, installationId: 0, keyFile: '', token: 'env:BOT' }),
  };
  const world: ForgeWorld = {
    fetch,
    clock,
    secret: (name) => (name === 'BOT' ? BOT_TOKEN : undefined),
    readFile: (path) => readFile(path, 'utf8'),
    tokens: new Map(),
  };
  return {
    kind: github,
    hub,
    target,
    settings,
    world,
    forge: github.open({
      repository,
      remote: { remote: 'origin', ...NO_ACCESS },
      github: settings,
      world,
    }),
    seenByOthers: async (ref) =>
      git(hub.bare, ['for-each-ref', '--format=%(objectname)', ref]) || undefined,
    movedByOthers: async (branch, to) =>
      void git(target, ['push', '-q', hub.bare, `+${to}:${branch}`]),
    async [Symbol.asyncDispose]() {
      await repository[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
      await remove();
    },
  };
}
