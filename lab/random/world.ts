/**
 * A random world: a scenario of version 2 whose fleet, files, traffic, faults, outages and decoys are drawn from a seed.
 * Half of the worlds need no change; half have a failure whose obvious cure hurts. What is claimed of a world is
 * measured before it is given out: a fault that does not show, a cure that does not cure, a trap that
 * does not hurt and one whose partner is ill without it are drawn again.
 */

import type { Expectation } from '../expect-schema.ts';
import { type Scenario, scenarioSchema } from '../scenario-schema.ts';
import { Dice } from './dice.ts';
import { BESIDE_A_FAULT, EPISODES, type Episode } from './episodes.ts';
import { type Edit, FAULTS, type Fault, withValues } from './faults.ts';
import { callsPerHour, drawFleet, type WorldSpec } from './fleet-spec.ts';
import { type AgentSpec, drawTarget, type Target } from './layout.ts';
import { editBetween } from './line-edit.ts';
import { plantTrap, type Trap } from './trap.ts';
import { failedShare, tasksOfDay } from './truth.ts';

const DAYS = 6;
const START = '2026-03-02T00:00:00Z';
/** Draws of one seed before it is given up: every kind of world comes out within a few. */
const DRAWS_MAX = 60;
const TRAP_DRAWS_MAX = 12;
/** What happens to a tool that is hardly ever called, nobody can see in days. */
const SEEN_PER_HOUR = 4;
/** A partner that fails more than this without the change has a failure of its own, which a change may rightly answer. */
const WELL = 0.03;

interface Drawn {
  readonly spec: WorldSpec;
  readonly fault: Fault | undefined;
  readonly episodes: readonly Episode[];
  readonly trap: Trap | undefined;
  readonly layout: Dice;
}

export function randomWorld(seed: number): Scenario {
  // Which kind of world it is depends on the seed alone: worlds that are hard to draw are not rarer.
  const kind = new Dice(seed, 'kind');
  const isFaulty = kind.chance(0.5);
  const hasTrap = kind.chance(0.5);
  const plant = kind.pick(FAULTS);
  const happens = kind.pick(isFaulty ? BESIDE_A_FAULT : EPISODES);
  const isBusy = !isFaulty || kind.chance(0.4);
  const replay = kind.pick(['none', 'none', 'censored', 'full'] as const);
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const dice = new Dice(seed, `draw ${draw}`);
    // A trap is drawn several times into the same world: most of the time is spent on those that do not hurt.
    for (let again = 0; again < (hasTrap ? TRAP_DRAWS_MAX : 1); again++) {
      const spec = drawFleet(dice.of('fleet'));
      const known = Object.keys(spec.world.tools);
      const fault = isFaulty ? plant(spec, dice.of('fault')) : undefined;
      const agent = spec.agents.find(({ name }) => name === fault?.agent);
      const apart = known.filter(
        (tool) =>
          !Object.hasOwn(agent?.tools ?? {}, tool) && callsPerHour(spec, tool) >= SEEN_PER_HOUR,
      );
      const episodes = isBusy && apart.length > 0 ? [happens(spec, dice.of('episode'), apart)] : [];
      const trap = hasTrap ? plantTrap(spec, dice.of(`trap ${again}`)) : undefined;
      const drawn = { spec, fault, episodes, trap, layout: dice.of('layout') };
      const settled = settle(drawn, { seed, replay });
      if (typeof settled === 'object') return settled;
      if (settled === 'no fault') break;
    }
  }
  throw new Error(`world ${seed} could not be drawn`);
}

/** The scenario, if what it claims is true. */
function settle(
  drawn: Drawn,
  named: { seed: number; replay: Scenario['replay'] },
): Scenario | 'no fault' | 'no harm' {
  const { spec, fault, trap } = drawn;
  const target = drawTarget(drawn.layout, spec.agents);
  const draft = scenarioOf(drawn, target, { ...named, expect: { outcome: 'untouched' } });
  const filesOf = (edit: Edit) =>
    new Map(Object.entries(drawTarget(drawn.layout, edit(spec.agents)).files));
  const same: Edit = (agents) => [...agents];
  const fromHour = Math.max(24, fault?.onsetHour ?? 0);
  const ill = tasksOfDay(draft, filesOf(fault?.broken ?? same), fromHour);
  const expect: Expectation[] = [];
  if (fault !== undefined) {
    const well = tasksOfDay(draft, filesOf(fault.cure), fromHour);
    const [bad, good] = [failedShare(ill, fault.agent), failedShare(well, fault.agent)];
    if (bad < 0.05 || good > bad * 0.4) return 'no fault';
    const below = Math.round((good + 0.4 * (bad - good)) * 1000) / 1000;
    const within_hours = Math.min(DAYS * 24 - 12, fault.onsetHour + 84);
    expect.push({
      outcome: 'fixed',
      within_hours,
      onset_hour: fault.onsetHour,
      rates: [{ of: 'tasks', agent: fault.agent, below }],
      ...fault.expected(target),
    });
  }
  if (trap !== undefined) {
    if (trap.partner !== undefined && failedShare(ill, trap.partner) > WELL) return 'no harm';
    if (!isHarmful(drawn, draft, { filesOf, ill, fromHour })) return 'no harm';
  }
  const may_try = trap === undefined ? [] : [trapPlace(target, trap)];
  const told = drawn.episodes.flatMap((episode) => episode.told ?? []);
  if (told.length > 0) expect.push(...told.map((one) => ({ ...one, may_try })));
  else if (fault === undefined) expect.push({ outcome: 'untouched', may_try });
  if (trap !== undefined && fault !== undefined)
    expect.push({ outcome: 'taken_back', places: may_try });
  return scenarioOf(drawn, target, { ...named, expect });
}

function trapPlace(target: Target, { agent, tool }: Trap) {
  const { file, path, match } = target.placeOf(agent, tool, 'timeout');
  const place = { file, ...(path && { path: [...path] }), ...(match !== undefined && { match }) };
  // Waiting less for calls that hang gives others their places back.
  return { ...place, hurts: 'up' as const };
}

/** Whether waiting longer makes somebody clearly worse off. */
function isHarmful(
  { trap, fault }: Drawn,
  draft: Scenario,
  {
    filesOf,
    ill,
    fromHour,
  }: {
    filesOf: (edit: Edit) => Map<string, string>;
    ill: ReturnType<typeof tasksOfDay>;
    fromHour: number;
  },
): boolean {
  const { agent, tool, timeoutMs } = trap!;
  const before = fault?.broken ?? ((agents: readonly AgentSpec[]) => [...agents]);
  const longer = withValues(agent, tool, { timeout: timeoutMs * 2 });
  const after = tasksOfDay(
    draft,
    filesOf((agents) => longer(before(agents))),
    fromHour,
  );
  return [...after.keys()].some(
    (one) => failedShare(after, one) > Math.max(0.15, 1.6 * failedShare(ill, one)),
  );
}

function scenarioOf(
  drawn: Drawn,
  target: Target,
  {
    seed,
    replay,
    expect,
  }: { seed: number; replay: Scenario['replay']; expect: Scenario['expect'] },
): Scenario {
  const { spec, fault, episodes, trap } = drawn;
  const kinds = [fault?.kind, ...episodes.map(({ kind }) => kind), trap && 'a cure that hurts'];
  const story = kinds.filter((kind) => kind !== undefined).join('; ') || 'nothing happens';
  return scenarioSchema.parse({
    version: 2,
    name: `random-${seed}`,
    title: story.slice(0, 200),
    story: `Random world ${seed}: ${story}.`,
    days: DAYS,
    start: START,
    files: target.files,
    agent_files: target.agentFiles,
    replay,
    commits: commitsOf(drawn, target),
    traffic: {
      ...spec.traffic,
      agents: spec.agents.map(({ name, perHour, tasks }) => ({
        agent: name,
        settings: target.settingsOf(name),
        tasks_per_hour: Math.round(perHour * 10) / 10,
        tasks: tasks.map((task) => ({ ...task, ...rulesOf(spec, name, task.name, target) })),
      })),
    },
    telemetry: spec.telemetry,
    world: spec.world,
    expect,
  });
}

function rulesOf({ rules }: WorldSpec, agent: string, task: string, target: Target) {
  const errors = rules
    .filter((rule) => rule.agent === agent && rule.task === task)
    .map(({ rule, rate }) => ({
      code: 'refused_by_checker',
      rate,
      messages: ['the checker sent the answer back (job {id})', 'answer {id} was not accepted'],
      when: [{ file: target.promptOf(agent), lacks: rule.replace(/\.$/, '') }],
    }));
  return errors.length === 0 ? {} : { errors };
}

const MESSAGES = [
  'Tidy up',
  'Update settings',
  'Follow the review',
  'Small changes before the release',
];

/** In the order of time, each on what the one before left. */
function commitsOf({ spec, fault, episodes, layout }: Drawn, target: Target): Scenario['commits'] {
  const planned = [
    ...(fault?.broken === undefined
      ? []
      : [{ hour: fault.onsetHour, minute: 0, edit: fault.broken }]),
    ...episodes.flatMap(({ commits }) => commits ?? []),
  ].sort((a, b) => a.hour - b.hour || a.minute - b.minute);
  let agents: readonly AgentSpec[] = spec.agents;
  let files = target.files;
  return planned.map(({ hour, minute, edit }, index) => {
    agents = edit(agents);
    const next = drawTarget(layout, agents).files;
    const edits = Object.keys(next)
      .filter((file) => next[file] !== files[file])
      .map((file) => ({ file, ...editBetween(files[file]!, next[file]!) }));
    files = next;
    return {
      at_hour: hour,
      minute,
      author: 'Maintainer',
      message: MESSAGES[index % MESSAGES.length]!,
      edits,
    };
  });
}
