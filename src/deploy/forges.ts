/** The forges that Hone knows. Adding one: `docs/guides/add-a-forge.md`. */
import { type Dossier, latestDecision } from '../proposal/index.ts';
import { DeployError } from './errors.ts';
import { github } from './forges/github/github.ts';
import { local } from './forges/local/local.ts';
import { remote } from './forges/remote/remote.ts';
import type { Deployment, DeployPorts, Forge, ForgeKind, ForgePorts } from './types.ts';

export const FORGES: readonly ForgeKind[] = [local, remote, github];

/** By the name in `deploy.forge`, or the one that a deployment was prepared for. */
export function forgeKind(name: string): ForgeKind {
  const kind = FORGES.find((one) => one.name === name);
  if (kind !== undefined) return kind;
  const known = FORGES.map((one) => one.name).join(', ');
  throw new DeployError('unknown_forge', `There is no forge ${name}; this build has ${known}.`, {
    hint: 'Correct deploy.forge, or run the build of Hone that made this deployment.',
  });
}

/** A deployment stays with the repository that was decided on, whatever the configuration says later. */
export function deployedBy(
  { proposal, attestations }: Dossier,
  { forge, repository }: Pick<Deployment, 'forge' | 'repository'>,
  ports: Pick<DeployPorts, 'openForge'>,
): Forge {
  const decided = latestDecision(attestations, proposal.digest)?.target.repository;
  return ports.openForge(forge, repository ?? decided);
}

export function openForge(name: string, ports: ForgePorts): Forge {
  return forgeKind(name).open(ports);
}
