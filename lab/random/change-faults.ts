/** What a person or a tool's maker changed: a model, a rule of a prompt, the name of a tool or of an argument. */
import type { Dice } from './dice.ts';
import { freshName, ruleText } from './names.ts';
import { asWritten, onset, ownAgent, type Plant, setValues } from './planting.ts';
import { withAgent, withValues } from './values.ts';
import { wording } from './wordings.ts';

export const modelSwapped: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const old = agent.model;
  const unused = spec.models.filter((model) => !spec.agents.some((one) => one.model === model));
  const next = unused[0] ?? old;
  if (next !== old)
    spec.world.models![next]!.errors.push({
      ...wording(dice, dice.pick(['bad_form', 'bad_form', 'cut'] as const)),
      rate: dice.between(0.08, 0.3),
    });
  // Agents of faults that are planted later would be ill from the start if they drew it.
  spec.models = spec.models.filter((model) => model !== next);
  return {
    kind: 'a commit swapped the model',
    agents: [agent.name],
    tool,
    onsetHour: onset(dice),
    broken: withAgent(agent.name, () => ({ model: next })),
    cure: withAgent(agent.name, () => ({ model: old })),
    expected: (target) => ({
      settings: [{ ...asWritten(target.modelPlace(agent.name)), becomes: old }],
      one_suffices: false,
    }),
  };
};

/** A rule goes, or another one takes its place. */
export const ruleLost: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const rule = dice.pick(agent.rules);
  const isReplaced = dice.chance(0.4);
  const other = ruleText(dice);
  spec.telemetry.tasks = true;
  spec.rules.push({
    ...{ agent: agent.name, task: agent.tasks[0]!.name, rule, rate: dice.between(0.1, 0.35) },
    ...wording(dice, 'sent_back'),
  });
  const rules = agent.rules.flatMap((one) => (one !== rule ? [one] : isReplaced ? [other] : []));
  return {
    kind: isReplaced
      ? 'a commit replaced a rule of a prompt'
      : 'a commit removed a rule of a prompt',
    agents: [agent.name],
    tool,
    onsetHour: onset(dice),
    broken: withAgent(agent.name, () => ({ rules })),
    cure: withAgent(agent.name, () => ({ rules: agent.rules })),
    expected: (target) => ({
      texts: [{ file: target.promptOf(agent.name), contains: rule.replace(/\.$/, '') }],
      one_suffices: false,
    }),
  };
};

export const argumentRenamed: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  const kept = Array.from({ length: dice.whole(0, 3) }, () => freshName(dice, spec.taken));
  const old = freshName(dice, spec.taken);
  const next = dice.chance(0.4)
    ? `${old}_${dice.pick(['id', 'code', 'name', 'v2'])}`
    : freshName(dice, spec.taken);
  const hour = onset(dice);
  spec.telemetry.arguments = true;
  const messages = [
    `{tool}: "${next}" is required (call {id})`,
    `{tool}: unknown argument "${old}" (call {id})`,
    `{tool}: ${next}: field required`,
    '{tool}: 400 Bad Request (call {id})',
  ];
  const said = {
    code: wording(dice, 'bad_form').code,
    messages: dice.shuffled(messages).slice(0, dice.whole(1, 2)),
  };
  spec.world.tools[tool]!.requires = [
    { from_hour: 0, arguments: [...kept, old], ...said },
    { from_hour: hour, arguments: [...kept, next], ...said },
  ];
  setValues(agent, tool, { arguments: [...kept, old] });
  // The tool's schema is in the target already; nobody looked at the agent's list.
  Object.assign(agent, { schemas: { [tool]: [...kept, next] } });
  return {
    kind: 'a tool renamed an argument',
    agents: [agent.name],
    tool,
    onsetHour: hour,
    cure: withValues(agent.name, tool, { arguments: [...kept, next] }),
    expected: (target) => ({
      texts: [{ file: target.placeOf(agent.name, tool, 'arguments').file, contains: next }],
      one_suffices: false,
    }),
  };
};

/** A version behind it, a letter less, or another style. */
function misspelled(dice: Dice, tool: string): string {
  const at = dice.whole(1, tool.length - 1);
  return dice.pick([
    `${tool}_v2`,
    tool.slice(0, at) + tool.slice(at + 1),
    `${tool}s`,
    tool.replace(/[_.:/-]+/, '') === tool ? `${tool}2` : tool.replace(/[_.:/-]+/, ''),
  ]);
}

export const toolMisnamed: Plant = (spec, dice) => {
  const { agent, tool } = ownAgent(spec, dice);
  setValues(agent, tool, { calls: tool });
  return {
    kind: 'a commit misspelled a tool',
    agents: [agent.name],
    tool,
    onsetHour: onset(dice),
    broken: withValues(agent.name, tool, { calls: misspelled(dice, tool) }),
    cure: withValues(agent.name, tool, { calls: tool }),
    expected: (target) => ({
      settings: [{ ...asWritten(target.placeOf(agent.name, tool, 'calls')), becomes: tool }],
      one_suffices: false,
    }),
  };
};
