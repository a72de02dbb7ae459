/** The part of a random world that is there before anything goes wrong: agents, tools, providers, traffic. */
import type { Scenario } from '../scenario-schema.ts';
import type { World } from '../world-schema.ts';
import type { Dice } from './dice.ts';
import { freshName, modelName, ruleText, toolName } from './names.ts';
import type { AgentSpec, LimitSpec, SharedSpec, ToolValues, Values } from './values.ts';
import { maybeCoded, wording } from './wordings.ts';

/** May be changed by faults while a world is drawn. */
export interface WorldSpec {
  agents: (AgentSpec & {
    perHour: number;
    tasks: { name: string; calls: string[]; weight: number }[];
  })[];
  world: World;
  traffic: Pick<Scenario['traffic'], 'hours' | 'weekend' | 'changes'>;
  telemetry: Scenario['telemetry'];
  readonly taken: Set<string>;
  models: readonly string[];
  /** Limits and shared values that stand in files of their own. */
  readonly limits: LimitSpec[];
  readonly shared: SharedSpec[];
  readonly users: number;
  /** Numbers that also stand where nobody reads them. */
  readonly echoed: number[];
  times?: Values['times'];
  /** Rules of prompts without which a task fails. */
  readonly rules: {
    agent: string;
    task: string;
    rule: string;
    rate: number;
    code: string;
    messages: string[];
  }[];
}

type Tool = World['tools'][string];

/** Calls of a whole world, on average. More would only cost more. */
const CALLS_PER_HOUR = { min: 15, max: 220 };

const MODELS = 6;

export function drawFleet(dice: Dice): WorldSpec {
  const taken = new Set<string>();
  const providers = Array.from({ length: dice.whole(1, 3) }, () => freshName(dice, taken));
  const tools: Record<string, Tool> = {};
  const toolCount = dice.whole(2, 7);
  for (let index = 0; index < toolCount; index++)
    tools[toolName(dice, taken)] = drawTool(dice.of(`tool ${index}`), dice.pick(providers));
  const models = Array.from({ length: MODELS }, () => modelName(dice, taken));
  const spec: WorldSpec = {
    agents: [],
    world: { tools, pools: {}, quotas: {}, models: modelsOf(dice, models), credentials: [] },
    traffic: drawTraffic(dice.of('traffic')),
    telemetry: drawTelemetry(dice.of('telemetry')),
    taken,
    models,
    limits: [],
    shared: [],
    users: dice.whole(3, 9000),
    echoed: [],
    rules: [],
  };
  const agentCount = dice.whole(2, 5);
  const perHour = dice.magnitude(CALLS_PER_HOUR.min, CALLS_PER_HOUR.max);
  const names = Object.keys(tools);
  for (let index = 0; index < agentCount; index++) {
    const own = dice.shuffled(names).slice(0, dice.whole(1, Math.min(3, names.length)));
    addAgent(spec, dice.of(`agent ${index}`), { tools: own, callsPerHour: perHour / agentCount });
  }
  return spec;
}

/** What its files say. */
export function valuesOf({ agents, limits, shared, times, users, echoed }: WorldSpec): Values {
  return { agents, limits, shared, times, users, echoed };
}

/** An agent that calls these tools; its limits are comfortable. */
export function addAgent(
  spec: WorldSpec,
  dice: Dice,
  { tools, callsPerHour }: { tools: readonly string[]; callsPerHour: number },
): WorldSpec['agents'][number] {
  const tasks = Array.from({ length: dice.whole(1, 2) }, () => ({
    name: freshName(dice, spec.taken),
    calls: dice.shuffled(tools).slice(0, dice.whole(1, tools.length)),
    weight: dice.whole(1, 3),
  }));
  tasks[0]!.calls = [...tools];
  const weights = tasks.reduce((sum, { weight }) => sum + weight, 0);
  const calls = tasks.reduce((sum, one) => sum + one.calls.length * one.weight, 0) / weights;
  const agent = {
    name: freshName(dice, spec.taken),
    model: dice.pick(spec.models),
    rules: [...new Set(Array.from({ length: dice.whole(2, 5) }, () => ruleText(dice)))],
    tools: Object.fromEntries(
      tools.map((tool) => [tool, comfortable(dice, spec.world.tools[tool]!)]),
    ),
    perHour: Math.max(2, callsPerHour / calls),
    tasks,
  };
  spec.agents.push(agent);
  return agent;
}

/** Long enough for all but one call in a thousand, as somebody rounds it. */
function comfortable(dice: Dice, { latency, kinds }: Tool): ToolValues {
  const tails = [latency, ...(kinds ?? [])].map(tailMs);
  return {
    timeout: rounded(Math.max(...tails) * dice.between(1.1, 2.5)),
    retries: dice.pick([1, 1, 2]),
  };
}

/** All but one call in a thousand end within it. */
function tailMs({ median_ms, sigma, family }: Tool['latency']): number {
  if (family === 'exponential') return (median_ms / 2) * (1 + Math.log(1000) / Math.LN2);
  return family === 'uniform' ? median_ms * (1 + sigma) : median_ms * Math.exp(3.1 * sigma);
}

/** As people write times: two digits, then zeros. */
export function rounded(ms: number): number {
  const step = 10 ** Math.max(1, Math.floor(Math.log10(ms)) - 1);
  return Math.max(step, Math.ceil(ms / step) * step);
}

/** How often all agents together call a tool. */
export function callsPerHour({ agents }: WorldSpec, tool: string): number {
  const ofAgent = ({ perHour, tasks }: WorldSpec['agents'][number]) => {
    const weights = tasks.reduce((sum, { weight }) => sum + weight, 0);
    const calls = tasks.map((one) => one.weight * one.calls.filter((call) => call === tool).length);
    return (perHour * calls.reduce((sum, count) => sum + count, 0)) / weights;
  };
  return agents.reduce((sum, agent) => sum + ofAgent(agent), 0);
}

/** In the busiest hour of the day. */
export function peakOf({ traffic: { hours } }: WorldSpec, perHour: number): number {
  return (perHour * Math.max(...hours)) / (hours.reduce((sum, one) => sum + one, 0) / 24);
}

export function drawTool(dice: Dice, provider: string): Tool {
  const median_ms = Math.round(dice.magnitude(80, 6000));
  const sigma = dice.between(0.25, 0.6);
  const kinds = Array.from({ length: dice.pick([0, 0, 1, 2]) }, () => ({
    share: dice.between(0.05, 0.2),
    median_ms: Math.round(median_ms * dice.between(1.5, 3)),
    sigma: dice.between(0.2, 0.4),
  }));
  const timed_out = dice.chance(0.8) ? maybeCoded(dice, wording(dice, 'gave_up')) : undefined;
  const family = dice.chance(0.25) ? dice.pick(['exponential', 'uniform'] as const) : undefined;
  return {
    latency: { median_ms, sigma: family === 'uniform' ? 0.6 : sigma, ...(family && { family }) },
    ...(kinds.length > 0 && { kinds }),
    capacity: 10_000,
    provider,
    ...(timed_out && { timed_out }),
    errors: Array.from({ length: dice.whole(1, 3) }, (_, at) => ({
      ...wording(dice, dice.pick(['lost', 'down', 'missing'] as const)),
      rate: dice.between(0.0005, 0.004) / (at + 1),
    })),
    changes: [],
  };
}

function modelsOf(dice: Dice, models: readonly string[]): World['models'] {
  return Object.fromEntries(
    models.map((model) => [
      model,
      {
        latency_factor: 1,
        output_factor: 1,
        usd_per_1k_tokens: dice.magnitude(0.0005, 0.02),
        errors: [],
      },
    ]),
  );
}

function drawTraffic(dice: Dice): WorldSpec['traffic'] {
  const swing = dice.between(0.2, 3);
  const peak = dice.whole(9, 18);
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const away = Math.min(Math.abs(hour - peak), 24 - Math.abs(hour - peak));
    return Math.round((1 + swing * Math.exp(-((away / 5) ** 2))) * 100) / 100;
  });
  return { hours, weekend: dice.pick([1, 0.8, 0.5]), changes: [] };
}

function drawTelemetry(dice: Dice): Scenario['telemetry'] {
  return {
    attempts: dice.chance(0.5),
    tokens: dice.chance(0.6),
    cost: dice.chance(0.3),
    models: dice.chance(0.5),
    providers: dice.chance(0.4),
    arguments: dice.chance(0.6),
    tasks: dice.chance(0.9),
    duplicates: dice.chance(0.1) ? 0.01 : 0,
    late_minutes: dice.chance(0.1) ? dice.whole(5, 40) : 0,
    gaps: [],
  };
}
