/** A scenario with a third of its traffic: as busy, with the same steps and the same end, in less time. */
import type { Scenario } from './scenario.ts';

const THINNED = 3;

export function thinned(scenario: Scenario): Scenario {
  const { traffic, world } = scenario;
  const agents = traffic.agents.map((one) => ({
    ...one,
    tasks_per_hour: one.tasks_per_hour / THINNED,
  }));
  const tools = Object.entries(world.tools).map(([name, tool]) => [
    name,
    { ...tool, capacity: Math.ceil(tool.capacity / THINNED) },
  ]);
  return {
    ...scenario,
    traffic: { ...traffic, agents },
    world: { ...world, tools: Object.fromEntries(tools) },
  };
}
