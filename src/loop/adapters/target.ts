/** The target, as the configuration in effect names it. */
import { readArtifact } from '../../artifact/index.ts';
import { DeployError, openForge } from '../../deploy/index.ts';
import type { Target } from '../../facts/index.ts';
import { type CommitId, GitError } from '../../git/index.ts';
import type { Store } from '../../store/index.ts';
import type { LoopPorts } from '../types.ts';

type TargetPorts = Pick<LoopPorts, 'config' | 'repository' | 'forgeWorld'>;

/**
 * Where the configuration in effect sends a change. A remote is part of it by its address: a decision does not count
 * for another one of the same name. Where that cannot be said, its name stands for it, and nothing matches it later.
 */
export async function targetOf(
  ports: TargetPorts & Pick<LoopPorts, 'repositoryId'>,
): Promise<Target> {
  const { branch, forge, remote } = ports.config.deploy;
  return { repository: (await addressOf(ports, remote)) ?? ports.repositoryId, branch, forge };
}

/** A forge that cannot even be opened as it is configured must not stop the watch and the way back of earlier changes. */
async function addressOf(ports: TargetPorts, name: string): Promise<string | undefined> {
  const { forge } = ports.config.deploy;
  // Who only looks has no access to a forge's interface, and git knows the address without it.
  const asked = ports.forgeWorld === undefined && forge !== 'local' ? 'remote' : forge;
  try {
    return await forgeNamed(ports, asked).address?.();
  } catch (error) {
    if (error instanceof DeployError) return name;
    if (error instanceof GitError && error.code !== 'closed') return name;
    throw error;
  }
}

export const branchOf = ({ config }: TargetPorts) => `refs/heads/${config.deploy.branch}`;

/** Every forge is opened here, with the ports that forges need. `place`: the repository that was decided on. */
export function forgeNamed(
  { repository, config, forgeWorld }: TargetPorts,
  name: string,
  place?: string,
) {
  const { remote, sshKey, sshKnownHosts, credentialHelper, github } = config.deploy;
  const access = { sshKey, sshKnownHosts, credentialHelper };
  return openForge(name, {
    repository,
    remote: { remote: place ?? remote, ...access },
    ...(name === 'github' ? { github: { ...github, agents: config.identity.agents } } : {}),
    ...(forgeWorld === undefined ? {} : { world: forgeWorld }),
  });
}

export const forgeOf = (ports: TargetPorts) => forgeNamed(ports, ports.config.deploy.forge);

/** The target branch's head. */
export async function headOf(ports: TargetPorts): Promise<CommitId> {
  const head = await forgeOf(ports).resolve(branchOf(ports));
  if (head !== undefined) return head;
  throw new Error(
    `The target repository has no commit on a branch ${ports.config.deploy.branch}: make one, or name another branch in deploy.branch of hone.yaml.`,
  );
}

/** The author of Hone's commits in the target repository. */
export function authorOf({ config }: TargetPorts): { name: string; email: string } {
  return { name: config.propose.authorName, email: config.propose.authorEmail };
}

export async function textOf(store: Store, digest: string): Promise<string> {
  return Buffer.from((await readArtifact(store, digest)).content).toString();
}
