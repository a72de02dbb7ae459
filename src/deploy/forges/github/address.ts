/**
 * Which repository is meant. The git address comes from the target's own configuration, which agents may write, and
 * Hone's token is its password: both must be the repository that the accepted configuration names, on the same host.
 */
import { isLoopback } from '../../../base/index.ts';
import { DeployError } from '../../errors.ts';
import { plainLine } from '../../plain-text.ts';
import type { RepositoryName } from './pulls.ts';

export function repositoryName(text: string): RepositoryName {
  const [owner = '', name = '', ...rest] = text.split('/');
  if (owner !== '' && name !== '' && rest.length === 0) return { owner, name };
  throw new DeployError('no_access', 'deploy.github.repository names no repository.', {
    hint: 'Write it as owner/name.',
  });
}

/** `api.github.com` is the interface of `github.com`; an own server has it below `/api/v3`. */
export function apiAddress(text: string): string {
  const url = new URL(text);
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(bare(url.hostname)));
  if (isSafe && url.username === '' && url.password === '' && url.search === '' && url.hash === '')
    return text.replace(/\/+$/, '');
  throw new DeployError('no_access', 'deploy.github.api is not an address that is used.', {
    hint: 'Use https://api.github.com, or https://HOST/api/v3 of an own server.',
  });
}

/** Throws unless the git address is this very repository on the host of the interface. */
export function checkGitAddress(
  git: string,
  { api, repository }: { readonly api: string; readonly repository: RepositoryName },
): void {
  const host = new URL(api).host.replace(/^api\./, '');
  const found = readGit(git);
  const path = `${repository.owner}/${repository.name}`.toLowerCase();
  if (found !== undefined && found.host === host && found.path === path) return;
  throw new DeployError(
    'other_repository',
    `The remote ${plainLine(git)} is not ${plainLine(path)} on ${host}; nothing is sent there.`,
    { hint: 'Correct deploy.remote or deploy.github.repository.' },
  );
}

function readGit(git: string): { readonly host: string; readonly path: string } | undefined {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(git);
  if (!git.includes('://') && scp !== null) return { host: scp[1]!, path: plainPath(scp[2]!) };
  if (!URL.canParse(git)) return undefined;
  const url = new URL(git);
  // ssh on another port is another service than the interface's; its host is what counts.
  const host = url.protocol === 'ssh:' ? url.hostname : url.host;
  return { host, path: plainPath(url.pathname) };
}

const plainPath = (path: string) =>
  path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .toLowerCase();

const bare = (host: string) => host.replace(/^\[|\]$/g, '');
