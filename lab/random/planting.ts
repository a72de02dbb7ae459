/** What all faults are planted with: where they happen, when they begin, and which change of the files cures them. */
import type { FixExpected } from '../expect-schema.ts';
import type { Dice } from './dice.ts';
import { addAgent, drawTool, type WorldSpec } from './fleet-spec.ts';
import type { Target } from './layout.ts';
import { freshName, type SettingKind, toolName } from './names.ts';
import type { Edit, ToolValues } from './values.ts';

export type Agent = WorldSpec['agents'][number];

export interface Fault {
  readonly kind: string;
  /** Whose tasks fail. */
  readonly agents: readonly string[];
  /** Where it shows. */
  readonly tool: string;
  readonly onsetHour: number;
  /** What a person commits at the onset; without it the fault is as old as the world. */
  readonly broken?: Edit;
  /** Values with which it is well. */
  readonly cure: Edit;
  expected(target: Target): Pick<FixExpected, 'settings' | 'texts' | 'places' | 'one_suffices'>;
}

export type Plant = (spec: WorldSpec, dice: Dice) => Fault;

/** Where something goes wrong has traffic of its own, enough to be seen in days. */
export function ownAgent(
  spec: WorldSpec,
  dice: Dice,
  callsPerHour = dice.magnitude(10, 120),
): { agent: Agent; tool: string } {
  const tool = toolName(dice, spec.taken);
  spec.world.tools[tool] = drawTool(dice, freshName(dice, spec.taken));
  const known = Object.keys(spec.world.tools).filter((one) => one !== tool);
  const others = dice.chance(0.5) ? [dice.pick(known)] : [];
  const agent = addAgent(spec, dice, { tools: [tool, ...others], callsPerHour });
  return { agent, tool };
}

/** Others at the same tool, each with limits of its own: well, or ill by what somebody else does. */
export function addNeighbours(spec: WorldSpec, dice: Dice, { tool }: Fault): string[] {
  return Array.from({ length: dice.pick([0, 0, 0, 1, 1, 2]) }, () => {
    const agent = addAgent(spec, dice, { tools: [tool], callsPerHour: dice.magnitude(8, 50) });
    return agent.name;
  });
}

export function setValues(agent: Agent, tool: string, values: ToolValues): void {
  Object.assign(agent.tools[tool]!, values);
}

export const onset = (dice: Dice) => dice.whole(20, 44);

/** Only one task, which is one call: what load does to it can be reckoned. */
export function callOnly(agent: Agent, tool: string, perHour: number): void {
  agent.perHour = perHour;
  agent.tasks = [{ name: agent.tasks[0]!.name, calls: [tool], weight: 1 }];
}

export function asWritten({ file, path, match }: ReturnType<Target['placeOf']>) {
  return { file, ...(path && { path: [...path] }), ...(match !== undefined && { match }) };
}

export function setting(
  target: Target,
  ...[agent, tool, kind, direction]: [string, string, SettingKind, 'up' | 'down']
) {
  return { ...asWritten(target.placeOf(agent, tool, kind)), direction };
}

/** The usual: one setting of one agent, in one direction. */
export function oneSetting(
  agent: string,
  tool: string,
  kind: SettingKind,
  direction: 'up' | 'down',
): Fault['expected'] {
  return (target) => ({
    settings: [setting(target, agent, tool, kind, direction)],
    one_suffices: false,
  });
}
