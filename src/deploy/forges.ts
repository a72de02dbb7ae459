/** The forges that Hone knows. Adding one: `docs/guides/add-a-forge.md`. */
import { DeployError } from './errors.ts';
import { local } from './forges/local/local.ts';
import type { Forge, ForgeKind, ForgePorts } from './types.ts';

export const FORGES: readonly ForgeKind[] = [local];

/** By the name in `deploy.forge`, or the one that a deployment was prepared for. */
export function forgeKind(name: string): ForgeKind {
  const kind = FORGES.find((one) => one.name === name);
  if (kind !== undefined) return kind;
  const known = FORGES.map((one) => one.name).join(', ');
  throw new DeployError('unknown_forge', `There is no forge ${name}; this build has ${known}.`, {
    hint: 'Correct deploy.forge, or run the build of Hone that made this deployment.',
  });
}

export function openForge(name: string, ports: ForgePorts): Forge {
  return forgeKind(name).open(ports);
}
