/**
 * What goes wrong, or only looks so, and needs no change of the target: it ends by itself, is somebody else's, or is
 * for a person to cure.
 */
import type { Expectation } from '../expect-schema.ts';
import type { Dice } from './dice.ts';
import type { Edit } from './faults.ts';
import { withValues } from './faults.ts';
import { rounded, type WorldSpec } from './fleet-spec.ts';

export interface Episode {
  readonly kind: string;
  /** What a person has to hear. */
  readonly told?: Extract<Expectation, { outcome: 'told' }>;
  readonly commits?: readonly {
    readonly hour: number;
    readonly minute: number;
    readonly edit: Edit;
  }[];
}

type Happen = (spec: WorldSpec, dice: Dice, tools: readonly string[]) => Episode;

const DOWN = [
  {
    code: 'unavailable',
    messages: [
      '503 Service Unavailable (host {ip}, request {id})',
      'no healthy upstream (trace {id})',
    ],
  },
  { code: 'internal', messages: ['500 Internal Server Error, trace {id}'] },
  { code: 'connection_refused', messages: ['connect ECONNREFUSED {ip}:{port}'] },
];

const hourIn = (dice: Dice) => dice.whole(26, 90);
/** Minutes to hours; no table of durations is behind it. */
const minutes = (dice: Dice) => Math.round(dice.magnitude(12, 420));

const nothing: Happen = () => ({ kind: 'nothing happens' });

const outage: Happen = (spec, dice, tools) => {
  const change = {
    from_hour: hourIn(dice),
    lasts_minutes: minutes(dice),
    latency_factor: dice.pick([1, 1, 2]),
    errors: [
      {
        ...dice.pick(DOWN),
        rate: dice.between(0.3, 0.98),
        ...(dice.chance(0.5) && { after_ms: dice.whole(2, 400) }),
      },
    ],
  };
  spec.world.tools[dice.pick(tools)]!.changes.push(change);
  return { kind: 'a tool is down for a while' };
};

const providerOutage: Happen = (spec, dice, tools) => {
  const { provider } = spec.world.tools[dice.pick(tools)]!;
  const change = {
    from_hour: hourIn(dice),
    lasts_minutes: minutes(dice),
    latency_factor: 1,
    errors: [{ ...dice.pick(DOWN), rate: dice.between(0.3, 0.9) }],
  };
  for (const tool of tools)
    if (spec.world.tools[tool]!.provider === provider) spec.world.tools[tool]!.changes.push(change);
  return { kind: 'a provider is down for a while' };
};

const slowTool: Happen = (spec, dice, tools) => {
  spec.world.tools[dice.pick(tools)]!.changes.push({
    from_hour: hourIn(dice),
    lasts_minutes: minutes(dice),
    latency_factor: dice.between(3, 8),
    errors: [],
  });
  return { kind: 'a tool is slow for a while' };
};

/** The tool's own limit; a file may hold the same number by chance, and an agent's own limit is longer. */
const foreignLimit: Happen = (spec, dice, tools) => {
  const tool = dice.pick(tools);
  const world = spec.world.tools[tool]!;
  // Of another family of latencies none might be over it.
  const { median_ms } = world.latency;
  const sigma = 0.45;
  world.latency = { median_ms, sigma };
  // Five to fifteen calls of a hundred, also of a tool that answers in milliseconds.
  const ms = rounded(median_ms * Math.exp(sigma * dice.between(1, 1.5)));
  world.limit = {
    ms,
    code: dice.pick(['gateway_timeout', 'timeout', '504']),
    messages: [
      '504 Gateway Timeout: upstream took longer than {limit_seconds} s',
      'query was ended by the server (request {id})',
    ],
  };
  return { kind: 'a tool has a limit of its own', told: { outcome: 'told', tool, onset_hour: 0 } };
};

const credentialExpires: Happen = (spec, dice, tools) => {
  const tool = dice.pick(tools);
  const hour = hourIn(dice);
  spec.world.credentials!.push({
    tools: [tool],
    expires_hour: hour,
    code: dice.pick(['unauthorized', '401', 'forbidden']),
    messages: ['401 Unauthorized: the key has expired (request {id})', '403: access was revoked'],
  });
  return { kind: 'a credential expires', told: { outcome: 'told', tool, onset_hour: hour } };
};

const growth: Happen = (spec, dice, tools) => {
  const isMeant = (agent: WorldSpec['agents'][number]) =>
    Object.keys(agent.tools).every((tool) => tools.includes(tool));
  const agents = spec.agents.filter(isMeant).map(({ name }) => name);
  if (agents.length === 0) return nothing(spec, dice, tools);
  const isAll = agents.length === spec.agents.length;
  const change = { from_hour: hourIn(dice), factor: dice.between(1.5, 3) };
  spec.traffic.changes.push({ ...change, ...(!isAll && { agents }) });
  return { kind: 'traffic grows' };
};

/** Somebody breaks it, and mends it before long. */
const brokenAndMended: Happen = (spec, dice, tools) => {
  const users = spec.agents.filter((agent) =>
    tools.some((tool) => Object.hasOwn(agent.tools, tool)),
  );
  const agent = dice.pick(users);
  const tool = dice.pick(Object.keys(agent.tools));
  const timeout = agent.tools[tool]!['timeout'] as number;
  const hour = hourIn(dice);
  return {
    kind: 'a person breaks a setting and mends it',
    commits: [
      {
        hour,
        minute: 0,
        edit: withValues(agent.name, tool, { timeout: Math.max(10, Math.round(timeout / 40)) }),
      },
      {
        hour: hour + dice.whole(1, 2),
        minute: dice.pick([0, 20, 40]),
        edit: withValues(agent.name, tool, { timeout }),
      },
    ],
  };
};

/** Input that no tool can answer: it fails at every try, always has, and always will. */
const wrongInput: Happen = (spec, dice, tools) => {
  const tool = dice.pick(tools);
  spec.world.tools[tool]!.errors.push({
    code: dice.pick(['not_found', 'no_such_record', '404']),
    rate: dice.between(0.02, 0.06),
    messages: ['there is no record {number} (request {id})', '404 for {id}'],
    sticky: true,
    after_ms: dice.whole(5, 300),
  });
  return { kind: 'some of the input is wrong' };
};

const gap: Happen = (spec, dice) => {
  spec.telemetry.gaps.push({
    from_hour: hourIn(dice),
    lasts_minutes: Math.round(dice.magnitude(30, 600)),
  });
  return { kind: 'telemetry is lost for a while' };
};

export const EPISODES: readonly Happen[] = [
  nothing,
  outage,
  outage,
  providerOutage,
  slowTool,
  foreignLimit,
  credentialExpires,
  growth,
  brokenAndMended,
  wrongInput,
  gap,
];

/** Those that can stand beside a fault without hiding it. */
export const BESIDE_A_FAULT: readonly Happen[] = [
  outage,
  providerOutage,
  slowTool,
  growth,
  wrongInput,
];
