/** The target, as the configuration in effect names it. */
import { readArtifact } from '../../artifact/index.ts';
import { openForge } from '../../deploy/index.ts';
import type { Target } from '../../facts/index.ts';
import type { CommitId } from '../../git/index.ts';
import type { Store } from '../../store/index.ts';
import type { LoopPorts } from '../types.ts';

type TargetPorts = Pick<LoopPorts, 'config' | 'repository'>;

/** Where the configuration in effect sends a change. */
export function targetOf({
  repositoryId,
  config,
}: Pick<LoopPorts, 'repositoryId' | 'config'>): Target {
  const { branch, forge } = config.deploy;
  return { repository: repositoryId, branch, forge };
}

export const branchOf = ({ config }: TargetPorts) => `refs/heads/${config.deploy.branch}`;

/** Every forge is opened here, with the ports that forges need. */
export const forgeNamed = ({ repository }: TargetPorts, name: string) =>
  openForge(name, { repository });

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
