/**
 * What goes wrong, or only looks so, and needs no change of the target: it ends by itself, is somebody else's, or is
 * for a person to cure.
 */
import type { Expectation, TriedPlace } from '../expect-schema.ts';
import type { Dice } from './dice.ts';
import { peakOf, rounded, type WorldSpec } from './fleet-spec.ts';
import type { Target } from './layout.ts';
import { freshName } from './names.ts';
import { asWritten, callOnly, onset, ownAgent, setValues } from './planting.ts';
import { type Edit, withValues } from './values.ts';
import { wording } from './wordings.ts';

export interface Episode {
  readonly kind: string;
  /** When it begins, where it has a beginning. */
  readonly onsetHour?: number;
  /** Whose tasks fail by it in a measure that can be seen; else it is drawn again. */
  readonly agent?: string;
  /** What a person has to hear. */
  readonly told?: Extract<Expectation, { outcome: 'told' }>;
  /** What may be changed meanwhile, if nothing of it is left at the end: who acts sooner does what people do later. */
  readonly tried?: (target: Target) => TriedPlace;
  readonly commits?: readonly {
    readonly hour: number;
    readonly minute: number;
    readonly edit: Edit;
  }[];
}

type Happen = (spec: WorldSpec, dice: Dice, tools: readonly string[]) => Episode;

const hourIn = (dice: Dice) => dice.whole(26, 90);
/** Minutes to hours; no table of durations is behind it. */
const minutes = (dice: Dice) => Math.round(dice.magnitude(12, 420));

const nothing: Happen = () => ({ kind: 'nothing happens' });

const outage: Happen = (spec, dice, tools) => {
  const onsetHour = hourIn(dice);
  const change = {
    from_hour: onsetHour,
    lasts_minutes: minutes(dice),
    latency_factor: dice.pick([1, 1, 2]),
    errors: [
      {
        ...wording(dice, dice.pick(['down', 'down', 'lost'] as const)),
        rate: dice.between(0.3, 0.98),
        ...(dice.chance(0.5) && { after_ms: dice.whole(2, 400) }),
      },
    ],
  };
  spec.world.tools[dice.pick(tools)]!.changes.push(change);
  return { kind: 'a tool is down for a while', onsetHour };
};

const providerOutage: Happen = (spec, dice, tools) => {
  const { provider } = spec.world.tools[dice.pick(tools)]!;
  const onsetHour = hourIn(dice);
  const change = {
    from_hour: onsetHour,
    lasts_minutes: minutes(dice),
    latency_factor: 1,
    errors: [{ ...wording(dice, 'down'), rate: dice.between(0.3, 0.9) }],
  };
  for (const tool of tools)
    if (spec.world.tools[tool]!.provider === provider) spec.world.tools[tool]!.changes.push(change);
  return { kind: 'a provider is down for a while', onsetHour };
};

const slowTool: Happen = (spec, dice, tools) => {
  const onsetHour = hourIn(dice);
  spec.world.tools[dice.pick(tools)]!.changes.push({
    from_hour: onsetHour,
    lasts_minutes: minutes(dice),
    latency_factor: dice.between(3, 8),
    errors: [],
  });
  return { kind: 'a tool is slow for a while', onsetHour };
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
  world.limit = { ms, ...wording(dice, 'own_limit') };
  // The same number stands where nobody reads it, or is somebody's limit at another tool.
  if (dice.chance(0.4)) spec.echoed.push(ms);
  const other = dice.pick(spec.agents);
  const elsewhere = Object.keys(other.tools).find((one) => one !== tool);
  if (elsewhere !== undefined && (other.tools[elsewhere]!.timeout as number) < ms)
    setValues(other, elsewhere, { timeout: ms });
  return { kind: 'a tool has a limit of its own', told: { outcome: 'told', tool, onset_hour: 0 } };
};

const credentialExpires: Happen = (spec, dice, tools) => {
  const tool = dice.pick(tools);
  const hour = hourIn(dice);
  spec.world.credentials!.push({
    tools: [tool],
    expires_hour: hour,
    ...wording(dice, 'refused_access'),
  });
  return {
    kind: 'a credential expires',
    onsetHour: hour,
    told: { outcome: 'told', tool, onset_hour: hour },
  };
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
  const timeout = agent.tools[tool]!.timeout as number;
  const hour = hourIn(dice);
  return {
    kind: 'a person breaks a setting and mends it',
    onsetHour: hour,
    tried: (target) => asWritten(target.placeOf(agent.name, tool, 'timeout')),
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
    ...wording(dice, 'missing'),
    rate: dice.between(0.02, 0.06),
    sticky: true,
    after_ms: dice.whole(5, 300),
  });
  return { kind: 'some of the input is wrong' };
};

/** What fails once fails at every try: many of them change nothing. */
const stickyFailures: Happen = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice, dice.magnitude(15, 90));
  spec.world.tools[tool]!.errors.push({
    ...wording(dice, dice.pick(['missing', 'down', 'lost', 'bad_form'] as const)),
    rate: dice.between(0.07, 0.2),
    sticky: true,
    after_ms: dice.whole(5, 300),
  });
  setValues(agent, tool, { retries: dice.whole(0, 6) });
  return { kind: 'what fails once fails at every try', agent: agent.name };
};

/** They never end: no limit is long enough, and nobody else needs their places. */
const hungCalls: Happen = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice, dice.magnitude(15, 90));
  const median_ms = Math.round(dice.magnitude(80, 4000));
  Object.assign(spec.world.tools[tool]!, {
    latency: { median_ms, sigma: dice.between(0.2, 0.4) },
    kinds: [{ share: dice.between(0.06, 0.15), median_ms: 600_000, sigma: 0.05 }],
  });
  const isCoarse = dice.chance(0.5);
  const limit = isCoarse ? dice.whole(1, 5) * 60_000 : rounded(median_ms * dice.between(3, 12));
  setValues(agent, tool, { timeout: limit, retries: 0 });
  if (isCoarse) spec.times = dice.pick(['text', 'words', 'iso', undefined]);
  if (dice.chance(0.35)) spec.echoed.push(limit);
  return { kind: 'some calls of a tool never end', agent: agent.name };
};

/** It is in no file of the target: only its owner can raise it. */
const providerQuota: Happen = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  callOnly(agent, tool, dice.between(90, 260));
  const allowed = Math.ceil((peakOf(spec, agent.perHour) / 60) * 1.4) + 3;
  const refused = wording(dice, dice.pick(['too_often', 'too_often', 'too_many'] as const));
  spec.world.quotas![freshName(dice, spec.taken)] = { tools: [tool], per_minute: allowed, refused };
  setValues(agent, tool, { retries: dice.pick([0, 0, 1]) });
  const onsetHour = onset(dice);
  const agents = [agent.name];
  spec.traffic.changes.push({ from_hour: onsetHour, factor: dice.between(2.5, 5), agents });
  return {
    kind: 'growth reaches a quota that stands in no file',
    onsetHour,
    agent: agent.name,
    told: { outcome: 'told', tool, onset_hour: onsetHour },
  };
};

/** Worse from an hour on until the end, by itself. */
const brokenForGood: Happen = (spec, dice, tools) => {
  const tool = dice.pick(tools);
  const onsetHour = onset(dice);
  spec.world.tools[tool]!.changes.push({
    from_hour: onsetHour,
    latency_factor: dice.pick([1, 1, 1.5]),
    errors: [
      { ...wording(dice, 'down'), rate: dice.between(0.15, 0.6), sticky: true, after_ms: 50 },
    ],
  });
  return {
    kind: 'a tool fails for good',
    onsetHour,
    told: { outcome: 'told', tool, onset_hour: onsetHour },
  };
};

const gap: Happen = (spec, dice) => {
  spec.telemetry.gaps.push({
    from_hour: hourIn(dice),
    lasts_minutes: Math.round(dice.magnitude(30, 600)),
  });
  return { kind: 'telemetry is lost for a while' };
};

export const EPISODES: readonly Happen[] = [
  ...[nothing, outage, outage, providerOutage, slowTool, brokenForGood],
  ...[foreignLimit, foreignLimit, credentialExpires, growth, brokenAndMended, wrongInput],
  ...[stickyFailures, stickyFailures, hungCalls, hungCalls, providerQuota, gap],
];

/** Those that can stand beside a fault without hiding it. */
export const BESIDE_A_FAULT: readonly Happen[] = [
  ...[outage, outage, providerOutage, slowTool, growth, wrongInput],
  ...[stickyFailures, hungCalls, providerQuota, brokenForGood],
];
