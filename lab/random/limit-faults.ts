/** Limits of time and size that are too small: since ever, since a commit, or because what they meet has grown. */
import type { Dice } from './dice.ts';
import { addAgent, drawTool, rounded, type WorldSpec } from './fleet-spec.ts';
import { freshName, toolName } from './names.ts';
import {
  type Agent,
  asWritten,
  oneSetting,
  onset,
  ownAgent,
  type Plant,
  setting,
  setValues,
} from './planting.ts';
import { allOf, type TimeStyle, withAgent, withValues } from './values.ts';
import { wording } from './wordings.ts';

/** Sometimes the number of the limit also stands where nobody reads it. */
function echo(spec: WorldSpec, dice: Dice, ms: number): void {
  if (dice.chance(0.35)) spec.echoed.push(ms);
}

export const timeoutTooLow: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const world = spec.world.tools[tool]!;
  const good = agent.tools[tool]!.timeout as number;
  const { median_ms, sigma } = world.latency;
  const low = rounded(median_ms * Math.exp(sigma * dice.between(0.7, 1.4)));
  const isCommit = dice.chance(0.4);
  setValues(agent, tool, { retries: 0, ...(isCommit ? {} : { timeout: low }) });
  echo(spec, dice, low);
  return {
    kind: isCommit ? 'a commit made a time limit too short' : 'a time limit is too short',
    agents: [agent.name],
    tool,
    onsetHour: isCommit ? onset(dice) : 0,
    ...(isCommit && { broken: withValues(agent.name, tool, { timeout: low }) }),
    cure: withValues(agent.name, tool, { timeout: good }),
    expected: oneSetting(agent.name, tool, 'timeout', 'up'),
  };
};

/** Most calls end long before the limit; one kind needs many times as long. */
export const farKind: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const world = spec.world.tools[tool]!;
  const median_ms = Math.round(dice.magnitude(80, 4000));
  const limit = rounded(median_ms * dice.between(3, 12));
  const kind = {
    share: dice.between(0.07, 0.25),
    median_ms: Math.min(400_000, Math.round(limit * dice.magnitude(1.7, 9))),
    sigma: dice.between(0.1, 0.4),
  };
  const ofTask =
    agent.tasks.length > 1 && dice.chance(0.5) ? { tasks: [agent.tasks[0]!.name] } : {};
  Object.assign(world, {
    latency: { median_ms, sigma: dice.between(0.2, 0.4) },
    kinds: [{ ...kind, ...ofTask }],
  });
  setValues(agent, tool, { timeout: limit, retries: dice.pick([0, 0, 1]) });
  echo(spec, dice, limit);
  const good = rounded(kind.median_ms * Math.exp(3 * kind.sigma));
  return {
    kind: 'calls of another kind need many times as long as a limit allows',
    agents: [agent.name],
    tool,
    onsetHour: 0,
    cure: withValues(agent.name, tool, { timeout: good }),
    expected: oneSetting(agent.name, tool, 'timeout', 'up'),
  };
};

/** The tool becomes slower for good, at once or over days. */
export const slowerForGood: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const world = spec.world.tools[tool]!;
  const hour = onset(dice);
  const { median_ms, sigma } = world.latency;
  Object.assign(world, { latency: { median_ms, sigma: Math.min(sigma, 0.5) }, kinds: [] });
  const limit = rounded(median_ms * Math.exp(2.6 * Math.min(sigma, 0.5)));
  world.changes.push({
    ...{ from_hour: hour, latency_factor: dice.between(2, 3.5), errors: [] },
    ...(dice.chance(0.5) && { ramp_hours: dice.whole(6, 24) }),
  });
  setValues(agent, tool, { timeout: limit, retries: 0 });
  echo(spec, dice, limit);
  return {
    kind: 'a tool became slower for good',
    agents: [agent.name],
    tool,
    onsetHour: hour,
    cure: withValues(agent.name, tool, { timeout: limit * 8 }),
    expected: oneSetting(agent.name, tool, 'timeout', 'up'),
  };
};

/** One value in one file, which several agents run into, or one agent at several tools. */
export const sharedLimit: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice, dice.magnitude(15, 80));
  const name = freshName(dice, spec.taken);
  const hasPartners = dice.chance(0.65);
  const partners: Agent[] = hasPartners
    ? Array.from({ length: dice.whole(1, 3) }, () =>
        addAgent(spec, dice, { tools: [tool], callsPerHour: dice.magnitude(10, 60) }),
      )
    : [];
  const second = toolName(dice, spec.taken);
  if (!hasPartners) {
    spec.world.tools[second] = drawTool(dice, freshName(dice, spec.taken));
    Object.assign(agent.tools, { [second]: { ...agent.tools[tool]! } });
    agent.tasks[0]!.calls.push(second);
  }
  const world = spec.world.tools[tool]!;
  const { median_ms, sigma } = world.latency;
  const good = Math.max(...[agent, ...partners].map((one) => one.tools[tool]!.timeout as number));
  const low = rounded(median_ms * Math.exp(sigma * dice.between(0.7, 1.4)));
  // The second tool of one agent is as slow as the first.
  if (!hasPartners) spec.world.tools[second]!.latency = { ...world.latency };
  const tools = hasPartners ? [tool] : [tool, second];
  const all = [agent, ...partners];
  for (const one of all)
    for (const each of tools) setValues(one, each, { timeout: low, retries: 0 });
  spec.shared.push({ name, kind: 'timeout', agents: all.map((one) => one.name), tools });
  echo(spec, dice, low);
  const edits = all.flatMap((one) =>
    tools.map((each) => withValues(one.name, each, { timeout: good })),
  );
  return {
    kind: 'a time limit that several share is too short',
    agents: all.map((one) => one.name),
    tool,
    onsetHour: 0,
    cure: allOf(edits),
    expected: oneSetting(agent.name, tool, 'timeout', 'up'),
  };
};

/** "45s" becomes 45, or 45 moves under a key that counts milliseconds. */
export const lostUnit: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const world = spec.world.tools[tool]!;
  const good = Math.ceil((agent.tools[tool]!.timeout as number) / 1000) * 1000;
  // What is left of a limit must still let some calls through, or the tool is simply dead.
  const isDead = dice.chance(0.5);
  const bare = good / 1000;
  if (!isDead) {
    const median_ms = Math.max(1, bare / dice.between(1.2, 2));
    Object.assign(world, { latency: { median_ms, sigma: 0.5 }, kinds: [] });
  }
  spec.times = dice.pick<TimeStyle>(['text', 'words', 's', 's', 'iso']);
  setValues(agent, tool, { timeout: good, retries: 0 });
  return {
    kind: 'a commit lost the unit of a time limit',
    agents: [agent.name],
    tool,
    onsetHour: onset(dice),
    broken: allOf([
      withValues(agent.name, tool, { timeout: bare }),
      withAgent(agent.name, () => ({ unitless: [tool] })),
    ]),
    cure: withValues(agent.name, tool, { timeout: good }),
    expected: (target) => {
      const [was, is] = [
        asWritten(target.placeOf(agent.name, tool, 'timeout')),
        asWritten(target.unitlessPlace(agent.name, tool)),
      ];
      // Under another key nothing moved up where the old line is back.
      const isMoved = JSON.stringify(was) !== JSON.stringify(is);
      return {
        settings: [{ ...is, direction: 'up' as const }, ...(isMoved ? [was] : [])],
        places: [was],
        one_suffices: true,
      };
    },
  };
};

export const answersCut: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  spec.telemetry.tokens = true;
  const median = dice.whole(200, 2000);
  Object.assign(spec.world.tools[tool]!, {
    input_tokens: { median: median * 3, sigma: 0.4 },
    output_tokens: { median, sigma: 0.5 },
    too_long: wording(dice, 'cut'),
  });
  setValues(agent, tool, {
    retries: 0,
    max_output: Math.round((median * Math.exp(0.5 * dice.between(0.6, 1.3))) / 10) * 10,
  });
  return {
    kind: 'answers are cut at a limit of tokens',
    agents: [agent.name],
    tool,
    onsetHour: 0,
    cure: withValues(agent.name, tool, { max_output: median * 8 }),
    expected: oneSetting(agent.name, tool, 'max_output', 'up'),
  };
};

export const sizesGrow: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  spec.telemetry.tokens = true;
  const median = dice.whole(200, 4000);
  const isInput = dice.chance(0.6);
  const hour = onset(dice);
  const world = spec.world.tools[tool]!;
  Object.assign(world, {
    input_tokens: { median, sigma: 0.4 },
    output_tokens: { median: Math.round(median / 2), sigma: 0.4 },
    too_large: wording(dice, 'too_large'),
    too_long: wording(dice, 'cut'),
  });
  world.changes.push({
    ...{ from_hour: hour, latency_factor: 1, errors: [], size_factor: dice.between(1.6, 3) },
    ramp_hours: dice.whole(2, 24),
  });
  const limit = Math.round(((isInput ? median : median / 2) * Math.exp(0.4 * 2.7)) / 100) * 100;
  const kind = isInput ? ('max_input' as const) : ('max_output' as const);
  setValues(agent, tool, { retries: 0, [kind]: Math.max(100, limit) });
  return {
    kind: 'sizes grow beyond a limit',
    agents: [agent.name],
    tool,
    onsetHour: hour,
    cure: withValues(agent.name, tool, { [kind]: Math.max(100, limit) * 8 }),
    expected: (target) => ({
      settings: [setting(target, agent.name, tool, kind, 'up')],
      one_suffices: false,
    }),
  };
};
