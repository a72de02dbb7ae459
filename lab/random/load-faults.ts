/** Tries, rates and places: too few, too many, or too few of them for a load that has grown. */
import { addAgent, drawTool, peakOf, rounded } from './fleet-spec.ts';
import { freshName, toolName } from './names.ts';
import {
  asWritten,
  callOnly,
  oneSetting,
  onset,
  ownAgent,
  type Plant,
  setting,
  setValues,
} from './planting.ts';
import { withLimit, withValues } from './values.ts';
import { wording } from './wordings.ts';

/** Independent failures, and a single try. */
export const retriesMissing: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  spec.world.tools[tool]!.errors.push({
    ...wording(dice, dice.pick(['lost', 'lost', 'down'] as const)),
    rate: dice.between(0.07, 0.2),
    ...(dice.chance(0.7) && { after_ms: dice.whole(5, 200) }),
  });
  setValues(agent, tool, { retries: 0 });
  return {
    kind: 'no retries against single lost connections',
    agents: [agent.name],
    tool,
    onsetHour: 0,
    cure: withValues(agent.name, tool, { retries: 2 }),
    expected: oneSetting(agent.name, tool, 'retries', 'up'),
  };
};

/** Work that is given up goes on at the tool: tries upon tries keep its queue full. */
export const retryStorm: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const world = spec.world.tools[tool]!;
  const pool = freshName(dice, spec.taken);
  const median_ms = dice.whole(20_000, 45_000);
  Object.assign(world, { latency: { median_ms, sigma: 0.4 }, kinds: [], pool });
  callOnly(agent, tool, dice.between(90, 160));
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
    agents: [agent.name],
    tool,
    onsetHour: 0,
    cure: withValues(agent.name, tool, { retries: 1 }),
    expected: oneSetting(agent.name, tool, 'retries', 'down'),
  };
};

export const rateTooHigh: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  agent.perHour = Math.max(agent.perHour, 90);
  const quota = freshName(dice, spec.taken);
  const allowed = Math.max(2, Math.ceil((agent.perHour * 1.6 * agent.tasks.length) / 60));
  spec.world.quotas![quota] = {
    tools: [tool],
    per_minute: allowed,
    burst: Math.max(1, Math.round(allowed / 4)),
    refused: wording(dice, 'too_often'),
  };
  setValues(agent, tool, { retries: 0, rate: allowed * dice.whole(20, 60) });
  return {
    kind: 'an agent asks faster than a quota allows',
    agents: [agent.name],
    tool,
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

export const tooManyAtOnce: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const world = spec.world.tools[tool]!;
  const median_ms = dice.whole(15_000, 40_000);
  Object.assign(world, { latency: { median_ms, sigma: 0.3 }, kinds: [] });
  agent.perHour = dice.between(100, 180);
  const load = (agent.perHour * median_ms) / 3_600_000;
  world.capacity = Math.max(2, Math.ceil(load * 1.5));
  world.refused = wording(dice, 'too_many');
  setValues(agent, tool, {
    timeout: rounded(median_ms * 4),
    retries: 0,
    concurrency: world.capacity * dice.whole(3, 8),
  });
  return {
    kind: 'an agent makes more calls at once than a tool takes',
    agents: [agent.name],
    tool,
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

/** A quota that the target sets itself, in a file of its own, was enough until there was more to do. */
export const quotaInFile: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  callOnly(agent, tool, dice.between(90, 260));
  const name = freshName(dice, spec.taken);
  const hour = onset(dice);
  const allowed = Math.ceil((peakOf(spec, agent.perHour) / 60) * 1.4) + 3;
  spec.limits.push({ name, kind: 'rate', value: allowed });
  spec.world.quotas![name] = {
    tools: [tool],
    per_minute: allowed,
    refused: wording(dice, dice.pick(['too_often', 'too_often', 'too_many'] as const)),
  };
  setValues(agent, tool, { retries: 0 });
  const agents = [agent.name];
  spec.traffic.changes.push({ from_hour: hour, factor: dice.between(2.5, 5), agents });
  return {
    kind: 'a quota in a file was reached by growth',
    agents,
    tool,
    onsetHour: hour,
    cure: withLimit(name, allowed * 8),
    expected: (target) => ({
      settings: [{ ...asWritten(target.limitPlace(name)), direction: 'up' as const }],
      one_suffices: false,
    }),
  };
};

/** So many places as a file says, for one agent or two; more work came. */
export const placesInFile: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const median_ms = dice.whole(8000, 30_000);
  const name = freshName(dice, spec.taken);
  Object.assign(spec.world.tools[tool]!, {
    latency: { median_ms, sigma: 0.3 },
    kinds: [],
    pool: name,
  });
  callOnly(agent, tool, dice.between(80, 160));
  const load = (peakOf(spec, agent.perHour) * median_ms * 1.05) / 3_600_000;
  const places = Math.ceil(load + 2.5 * Math.sqrt(load)) + 1;
  spec.limits.push({ name, kind: 'concurrency', value: places });
  spec.world.pools![name] = {
    ...{ capacity: places, when_full: 'refuse', keeps_working: false },
    refused: wording(dice, 'too_many'),
  };
  setValues(agent, tool, { timeout: rounded(median_ms * 4), retries: 0 });
  const hour = onset(dice);
  const agents = [agent.name];
  spec.traffic.changes.push({ from_hour: hour, factor: dice.between(2.5, 5), agents });
  return {
    kind: 'places in a file were taken up by growth',
    agents,
    tool,
    onsetHour: hour,
    cure: withLimit(name, places * 8),
    expected: (target) => ({
      settings: [{ ...asWritten(target.limitPlace(name)), direction: 'up' as const }],
      one_suffices: false,
    }),
  };
};

/** Calls that hang are waited for so long that they take the places of all others. */
export const heldTooLong: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const pool = freshName(dice, spec.taken);
  const limit = dice.whole(4, 10) * 60_000;
  const median_ms = dice.whole(400, 4000);
  const hang = dice.between(0.02, 0.05);
  Object.assign(spec.world.tools[tool]!, {
    latency: { median_ms, sigma: 0.4 },
    kinds: [{ share: hang, median_ms: 600_000, sigma: 0.3 }],
    pool,
  });
  callOnly(agent, tool, dice.between(100, 200));
  const peak = peakOf(spec, agent.perHour);
  const held = (peak * hang * limit) / 3_600_000;
  const short = (peak * median_ms * 1.1) / 3_600_000;
  spec.world.pools![pool] = {
    ...{ capacity: Math.max(1, Math.ceil(short + 0.5 * held)), keeps_working: false },
    when_full: dice.pick(['refuse', 'refuse', 'wait'] as const),
    refused: wording(dice, 'too_many'),
  };
  setValues(agent, tool, { timeout: limit, retries: 0 });
  spec.times = dice.pick(['text', 'words', 'iso', 's', 'ms', undefined]);
  const agents = [agent.name];
  if (dice.chance(0.5)) {
    const { provider } = spec.world.tools[tool]!;
    const beside = toolName(dice, spec.taken);
    spec.world.tools[beside] = { ...drawTool(dice, provider!), kinds: [], pool };
    agents.push(addAgent(spec, dice, { tools: [beside], callsPerHour: dice.between(20, 60) }).name);
  }
  return {
    kind: 'calls that hang hold the places of others too long',
    agents,
    tool,
    onsetHour: 0,
    cure: withValues(agent.name, tool, { timeout: rounded(median_ms * Math.exp(0.4 * 3.2)) }),
    expected: oneSetting(agent.name, tool, 'timeout', 'down'),
  };
};
