/** Whether a trap is one: waiting longer hurts, from when it is said to hurt on, and nobody is hurt without. */
import type { Trap } from './trap.ts';
import { type DayOfTasks, failedShare, WELL } from './truth.ts';
import { type Edit, withValues } from './values.ts';

interface Lived {
  /** A day's tasks with this change to the files as they are broken by then. */
  readonly tasksOf: (edit: Edit, fromHour: number) => DayOfTasks;
  /** That of the day from this hour on, as it is. */
  readonly fromHour: number;
  readonly ill: DayOfTasks;
}

const asIs: Edit = (values) => values;
/** Growth that fails more of the agent's own tasks, whatever its limit, would be what a change answers. */
const OWN_GROWTH = 1.25;
const DAY_HOURS = 24;

export function isHarmful(trap: Trap, { tasksOf, fromHour, ill }: Lived): boolean {
  const { agent, tool, timeoutMs, partner, lateHour } = trap;
  const longer = withValues(agent, tool, { timeout: timeoutMs * 2 });
  const atHour = Math.max(fromHour, lateHour ?? 0);
  const without = atHour === fromHour ? ill : tasksOf(asIs, atHour);
  if (partner !== undefined && failedShare(without, partner) > WELL) return false;
  if (!isHurt(tasksOf(longer, atHour), without)) return false;
  if (lateHour === undefined) return true;
  const earlier = lateHour - DAY_HOURS;
  const before = tasksOf(asIs, earlier);
  return (
    failedShare(without, agent) <= OWN_GROWTH * failedShare(before, agent) &&
    !isHurt(tasksOf(longer, earlier), before)
  );
}

/** Somebody is clearly worse off. */
function isHurt(after: DayOfTasks, without: DayOfTasks): boolean {
  return [...after.keys()].some(
    (one) => failedShare(after, one) > Math.max(0.15, 1.6 * failedShare(without, one)),
  );
}
