/**
 * Faults that a change of the target cures. Each is planted into a world that was well, and says which change of its
 * values cures it, so that the truth can be measured: the same world with the fault, and with the cure.
 */
import type { FixExpected } from '../expect-schema.ts';
import type { Dice } from './dice.ts';
import { addAgent, drawTool, peakOf, rounded, type WorldSpec } from './fleet-spec.ts';
import type { AgentSpec, Target, ToolValues } from './layout.ts';
import { freshName, MODELS, toolName } from './names.ts';

type Agent = WorldSpec['agents'][number];
export type Edit = (agents: readonly AgentSpec[]) => AgentSpec[];

export interface Fault {
  readonly kind: string;
  /** Whose tasks fail. */
  readonly agent: string;
  readonly onsetHour: number;
  /** What a person commits at the onset; without it the fault is as old as the world. */
  readonly broken?: Edit;
  /** Values with which it is well. */
  readonly cure: Edit;
  expected(target: Target): Pick<FixExpected, 'settings' | 'texts' | 'places' | 'one_suffices'>;
}

type Plant = (spec: WorldSpec, dice: Dice) => Fault;

/** Where something goes wrong has traffic of its own, enough to be seen in days. */
function ownAgent(spec: WorldSpec, dice: Dice): { agent: Agent; tool: string } {
  const tool = toolName(dice, spec.taken);
  spec.world.tools[tool] = drawTool(dice, freshName(dice, spec.taken));
  const others = dice.chance(0.5)
    ? [dice.pick(Object.keys(spec.world.tools).filter((one) => one !== tool))]
    : [];
  const callsPerHour = dice.magnitude(25, 120);
  const agent = addAgent(spec, dice, { tools: [tool, ...others], callsPerHour });
  return { agent, tool };
}

export function withValues(agent: string, tool: string, values: ToolValues): Edit {
  return (agents) =>
    agents.map((one) =>
      one.name === agent
        ? { ...one, tools: { ...one.tools, [tool]: { ...one.tools[tool], ...values } } }
        : one,
    );
}

function setValues(agent: Agent, tool: string, values: ToolValues): void {
  Object.assign(agent.tools[tool]!, values);
}

const onset = (dice: Dice) => dice.whole(20, 44);

const timeoutTooLow: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const world = spec.world.tools[tool]!;
  const good = agent.tools[tool]!['timeout'] as number;
  const { median_ms, sigma } = world.latency;
  const low = rounded(median_ms * Math.exp(sigma * dice.between(0.7, 1.4)));
  const isCommit = dice.chance(0.4);
  const hour = isCommit ? onset(dice) : 0;
  setValues(agent, tool, { retries: 0, ...(isCommit ? {} : { timeout: low }) });
  return {
    kind: isCommit ? 'a commit made a time limit too short' : 'a time limit is too short',
    agent: agent.name,
    onsetHour: hour,
    ...(isCommit && { broken: withValues(agent.name, tool, { timeout: low }) }),
    cure: withValues(agent.name, tool, { timeout: good }),
    expected: (target) => ({
      settings: [setting(target, agent.name, tool, 'timeout', 'up')],
      one_suffices: false,
    }),
  };
};

const retriesMissing: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const rate = dice.between(0.07, 0.18);
  const lost = {
    code: 'connection_reset',
    rate,
    messages: ['read ECONNRESET {ip}:{port}', 'socket hang up'],
    after_ms: dice.whole(5, 200),
  };
  spec.world.tools[tool]!.errors.push(lost);
  setValues(agent, tool, { retries: 0 });
  return {
    kind: 'no retries against single lost connections',
    agent: agent.name,
    onsetHour: 0,
    cure: withValues(agent.name, tool, { retries: 2 }),
    expected: (target) => ({
      settings: [setting(target, agent.name, tool, 'retries', 'up')],
      one_suffices: false,
    }),
  };
};

/** Work that is given up goes on at the tool: tries upon tries keep its queue full. */
const retryStorm: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const world = spec.world.tools[tool]!;
  const pool = freshName(dice, spec.taken);
  const median_ms = dice.whole(20_000, 45_000);
  Object.assign(world, {
    latency: { median_ms, sigma: 0.4 },
    kinds: [],
    pool,
    timed_out: undefined,
  });
  agent.perHour = dice.between(90, 160);
  agent.tasks = [{ name: agent.tasks[0]!.name, calls: [tool], weight: 1 }];
  const load = (peakOf(spec, agent.perHour) * median_ms * 1.08) / 3_600_000;
  // Room for two tries of every call, not for seven.
  const capacity = Math.ceil(load * 2.4) + 1;
  spec.world.pools![pool] = { capacity, when_full: 'wait', keeps_working: true };
  setValues(agent, tool, { timeout: rounded(median_ms * 2.2), retries: dice.whole(6, 9) });
  // What sets it off: an hour in which the tool is slow, every day.
  for (let day = 0; day < 6; day++)
    world.changes.push({
      from_hour: day * 24 + 9,
      lasts_minutes: 90,
      latency_factor: 2.2,
      errors: [],
    });
  return {
    kind: 'retries keep a tool on its knees',
    agent: agent.name,
    onsetHour: 0,
    cure: withValues(agent.name, tool, { retries: 1 }),
    expected: (target) => ({
      settings: [setting(target, agent.name, tool, 'retries', 'down')],
      one_suffices: false,
    }),
  };
};

const rateTooHigh: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  agent.perHour = Math.max(agent.perHour, 90);
  const quota = freshName(dice, spec.taken);
  const allowed = Math.max(2, Math.ceil((agent.perHour * 1.6 * agent.tasks.length) / 60));
  spec.world.quotas![quota] = {
    tools: [tool],
    per_minute: allowed,
    burst: Math.max(1, Math.round(allowed / 4)),
    refused: {
      code: dice.pick(['rate_limited', '429', 'quota']),
      messages: [
        '429 Too Many Requests (request {id})',
        'slow down: quota of this minute is used up',
      ],
    },
  };
  setValues(agent, tool, { retries: 0, rate: allowed * dice.whole(20, 60) });
  return {
    kind: 'an agent asks faster than a quota allows',
    agent: agent.name,
    onsetHour: 0,
    cure: withValues(agent.name, tool, { rate: Math.max(1, allowed - 1), retries: 0 }),
    expected: (target) => ({
      settings: [
        setting(target, agent.name, tool, 'rate', 'down'),
        setting(target, agent.name, tool, 'retries', 'up'),
      ],
      one_suffices: true,
    }),
  };
};

const tooManyAtOnce: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const world = spec.world.tools[tool]!;
  const median_ms = dice.whole(15_000, 40_000);
  Object.assign(world, { latency: { median_ms, sigma: 0.3 }, kinds: [], timed_out: undefined });
  agent.perHour = dice.between(100, 180);
  const load = (agent.perHour * median_ms) / 3_600_000;
  world.capacity = Math.max(2, Math.ceil(load * 1.5));
  world.refused = {
    code: dice.pick(['busy', 'overloaded', 'too_many_requests']),
    messages: ['too many requests at once (request {id})', 'all workers are busy'],
  };
  setValues(agent, tool, {
    timeout: rounded(median_ms * 4),
    retries: 0,
    concurrency: world.capacity * dice.whole(3, 8),
  });
  return {
    kind: 'an agent makes more calls at once than a tool takes',
    agent: agent.name,
    onsetHour: 0,
    cure: withValues(agent.name, tool, { concurrency: world.capacity }),
    expected: (target) => ({
      settings: [
        setting(target, agent.name, tool, 'concurrency', 'down'),
        setting(target, agent.name, tool, 'retries', 'up'),
      ],
      one_suffices: true,
    }),
  };
};

const answersCut: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  spec.telemetry.tokens = true;
  const median = dice.whole(200, 2000);
  Object.assign(spec.world.tools[tool]!, {
    input_tokens: { median: median * 3, sigma: 0.4 },
    output_tokens: { median, sigma: 0.5 },
    too_long: {
      code: dice.pick(['truncated', 'max_tokens', 'length']),
      messages: ['unexpected end of JSON (request {id})', 'the answer ended at {limit} tokens'],
    },
  });
  setValues(agent, tool, {
    retries: 0,
    max_output: Math.round((median * Math.exp(0.5 * dice.between(0.6, 1.3))) / 10) * 10,
  });
  return {
    kind: 'answers are cut at a limit of tokens',
    agent: agent.name,
    onsetHour: 0,
    cure: withValues(agent.name, tool, { max_output: median * 8 }),
    expected: (target) => ({
      settings: [setting(target, agent.name, tool, 'max_output', 'up')],
      one_suffices: false,
    }),
  };
};

const modelSwapped: Plant = (spec, dice) => {
  const { agent } = ownAgent(spec, dice);
  const old = agent.model;
  const next = dice.pick(
    MODELS.filter((model) => !spec.agents.some((one) => one.model === model) && model !== old),
  );
  if (next !== undefined)
    spec.world.models![next]!.errors.push({
      code: dice.pick(['invalid_arguments', 'bad_json', 'parse_error']),
      rate: dice.between(0.08, 0.3),
      messages: [
        '{tool}: unexpected token at position {number} (call {id})',
        '{tool}: not a JSON object',
      ],
    });
  const set =
    (model: string): Edit =>
    (agents) =>
      agents.map((one) => (one.name === agent.name ? { ...one, model } : one));
  return {
    kind: 'a commit swapped the model',
    agent: agent.name,
    onsetHour: onset(dice),
    broken: set(next ?? old),
    cure: set(old),
    expected: (target) => ({
      settings: [{ ...asWritten(target.modelPlace(agent.name)), becomes: old }],
      one_suffices: false,
    }),
  };
};

const ruleRemoved: Plant = (spec, dice) => {
  const { agent } = ownAgent(spec, dice);
  const rule = dice.pick(agent.rules);
  const task = agent.tasks[0]!;
  const rate = dice.between(0.1, 0.35);
  spec.telemetry.tasks = true;
  const set =
    (rules: readonly string[]): Edit =>
    (agents) =>
      agents.map((one) => (one.name === agent.name ? { ...one, rules } : one));
  spec.rules.push({ agent: agent.name, task: task.name, rule, rate });
  return {
    kind: 'a commit removed a rule of a prompt',
    agent: agent.name,
    onsetHour: onset(dice),
    broken: set(agent.rules.filter((one) => one !== rule)),
    cure: set(agent.rules),
    expected: (target) => ({
      texts: [{ file: target.promptOf(agent.name), contains: rule.replace(/\.$/, '') }],
      one_suffices: false,
    }),
  };
};

const argumentRenamed: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const [same, old, next] = [1, 2, 3].map(() => freshName(dice, spec.taken)) as [
    string,
    string,
    string,
  ];
  const hour = onset(dice);
  spec.telemetry.arguments = true;
  const wording = {
    code: 'invalid_arguments',
    messages: [
      `{tool}: "${next}" is required (call {id})`,
      `{tool}: unknown argument "${old}" (call {id})`,
    ],
  };
  spec.world.tools[tool]!.requires = [
    { from_hour: 0, arguments: [same, old], ...wording },
    { from_hour: hour, arguments: [same, next], ...wording },
  ];
  setValues(agent, tool, { arguments: [same, old] });
  // The tool's schema is in the target already; nobody looked at the agent's list.
  Object.assign(agent, { schemas: { [tool]: [same, next] } });
  return {
    kind: 'a tool renamed an argument',
    agent: agent.name,
    onsetHour: hour,
    cure: withValues(agent.name, tool, { arguments: [same, next] }),
    expected: (target) => ({
      texts: [{ file: target.placeOf(agent.name, tool, 'arguments').file, contains: next }],
      one_suffices: false,
    }),
  };
};

const toolMisnamed: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  setValues(agent, tool, { calls: tool });
  return {
    kind: 'a commit misspelled a tool',
    agent: agent.name,
    onsetHour: onset(dice),
    broken: withValues(agent.name, tool, { calls: `${tool}_v2` }),
    cure: withValues(agent.name, tool, { calls: tool }),
    expected: (target) => ({
      settings: [{ ...asWritten(target.placeOf(agent.name, tool, 'calls')), becomes: tool }],
      one_suffices: false,
    }),
  };
};

function asWritten({ file, path, match }: ReturnType<Target['placeOf']>) {
  return { file, ...(path && { path: [...path] }), ...(match !== undefined && { match }) };
}

function setting(
  target: Target,
  ...[agent, tool, kind, direction]: [
    string,
    string,
    Parameters<Target['placeOf']>[2],
    'up' | 'down',
  ]
) {
  return { ...asWritten(target.placeOf(agent, tool, kind)), direction };
}

/** Time limits are the commonest; they come more than once. */
export const FAULTS: readonly Plant[] = [
  timeoutTooLow,
  timeoutTooLow,
  timeoutTooLow,
  retriesMissing,
  retryStorm,
  rateTooHigh,
  tooManyAtOnce,
  answersCut,
  modelSwapped,
  ruleRemoved,
  argumentRenamed,
  toolMisnamed,
];
