/** What is known about the way from the branch to the agents, said before the decision. */
import { formatDuration } from '../config/index.ts';
import { isChecked } from './deployed-check.ts';
import type { ArrivalSettings } from './types.ts';

export function arrivalWords(settings: ArrivalSettings): string {
  const { hooks, deployed, smoke } = settings;
  const run =
    hooks.length === 0
      ? ''
      : `Then ${hooks.length === 1 ? 'a hook runs' : `up to ${hooks.length} hooks run`}, after a rollback too. `;
  const start = isChecked(settings)
    ? `The watch starts once the agents say that they run it, or after ${formatDuration(deployed.timeout)}.`
    : `Hone does not know when running agents load it: it is watched from ${hooks.length === 0 ? 'the move' : 'then'} on.`;
  const tried =
    smoke.command.length === 0 ? '' : ' If the smoke test then fails, it is taken back.';
  return `${run}${start}${tried}`;
}
