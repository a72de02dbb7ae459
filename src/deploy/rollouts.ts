/** The rollouts that Hone knows. Adding one: `docs/guides/add-a-rollout.md`. */
import { DeployError } from './errors.ts';
import { none } from './rollouts/none/none.ts';
import type { Rollout } from './types.ts';

export const ROLLOUTS: readonly Rollout[] = [none];

export function rolloutOf(name: string): Rollout {
  const rollout = ROLLOUTS.find((one) => one.name === name);
  if (rollout !== undefined) return rollout;
  const known = ROLLOUTS.map((one) => one.name).join(', ');
  throw new DeployError(
    'unknown_rollout',
    `There is no rollout ${name}; this build has ${known}.`,
    {
      hint: 'Correct deploy.rollout.',
    },
  );
}
