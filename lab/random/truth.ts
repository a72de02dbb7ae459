/** What is true of a drawn world, found out by living it through on other files. */
import { HOUR_MS } from '../arrivals.ts';
import { Fleet } from '../fleet.ts';
import type { TargetFiles } from '../places.ts';
import { type TaskCount, tasksByAgent } from '../rates.ts';
import type { Scenario } from '../scenario-schema.ts';

/** A day has every hour. What queues up at its beginning is gone after a few. */
const HOURS = 24;

/** An agent that fails more than this has a failure of its own, which a change may rightly answer. */
export const WELL = 0.03;

export type DayOfTasks = Map<string, TaskCount>;

export function tasksOfDay(scenario: Scenario, files: TargetFiles, fromHour: number): DayOfTasks {
  const fromMs = Date.parse(scenario.start) + fromHour * HOUR_MS;
  const window = { fromMs, toMs: fromMs + HOURS * HOUR_MS };
  const events = new Fleet({ scenario, seed: 1 }).run({ ...window, files });
  return tasksByAgent(events, window);
}

export function failedShare(counts: DayOfTasks, agent: string): number {
  const { tasks, failed } = counts.get(agent) ?? { tasks: 0, failed: 0 };
  return tasks === 0 ? 0 : failed / tasks;
}
