/**
 * A random world: a scenario of version 2 whose fleet, files, traffic, faults, outages and decoys are drawn from a seed.
 * Half of the worlds need no change, a few have two faults, one in six, or as many as are asked for, has a failure whose
 * obvious cure hurts. What is claimed of a world is measured before it is given out: a fault that does not show, a cure
 * that does not cure, a trap that does not hurt and one whose partner is ill without it are drawn again.
 */

import type { Expectation } from '../expect-schema.ts';
import { type Scenario, scenarioSchema } from '../scenario-schema.ts';
import { harmlessEdit } from './decoys.ts';
import { Dice } from './dice.ts';
import { BESIDE_A_FAULT, EPISODES, type Episode } from './episodes.ts';
import { FAULTS } from './faults.ts';
import { callsPerHour, drawFleet, valuesOf, type WorldSpec } from './fleet-spec.ts';
import { drawTarget, type Target } from './layout.ts';
import { editBetween } from './line-edit.ts';
import { commitText } from './names.ts';
import { addNeighbours, asWritten, type Fault } from './planting.ts';
import { plantTrap, type Trap } from './trap.ts';
import { isHarmful } from './trap-truth.ts';
import { type DayOfTasks, failedShare, tasksOfDay, WELL } from './truth.ts';
import { allOf, type Edit, type Values } from './values.ts';

/**
 * Which worlds the seeds mean. 1: settings of single agents, fixed words, a trap in every second world. 2: mixtures,
 * shared values, limits of the target, lost units, sizes, decoys, grammars. A seed of one version is another world in
 * the next; figures of different versions do not compare.
 */
const VERSION = 2;

const DAYS = 6;
const START = '2026-03-02T00:00:00Z';
/** Draws of one seed before it is given up: every kind of world comes out within a few. */
const DRAWS_MAX = 60;
const TRAP_DRAWS_MAX = 12;
/** What happens to a tool that is hardly ever called, nobody can see in days. */
const SEEN_PER_HOUR = 4;
/** Whatever is claimed to fail fails at least so often. */
const SHOWS = 0.05;
const TRAPS = 1 / 6;
/** Of the traps in worlds where a share of them is asked for: the others mean what they always meant. */
const LATE_TRAPS = 1 / 3;
/** The day that is measured ends before the world does. */
const LATE_HOUR = 90;

interface Drawn {
  readonly spec: WorldSpec;
  readonly faults: readonly (Fault & { readonly neighbours: readonly string[] })[];
  readonly episodes: readonly Episode[];
  readonly trap: Trap | undefined;
  readonly layout: Dice;
  readonly commits: Dice;
}

export function randomWorld(
  seed: number,
  { harmful }: { harmful?: number | undefined } = {},
): Scenario {
  // Which kind of world it is depends on the seed alone: worlds that are hard to draw are not rarer.
  const kind = new Dice(seed, 'kind');
  const isFaulty = kind.chance(0.5);
  const hasTrap = kind.chance(harmful ?? TRAPS);
  const isLate = harmful !== undefined && kind.of('late').chance(LATE_TRAPS);
  const plants = isFaulty
    ? [kind.pick(FAULTS), ...(kind.chance(0.25) ? [kind.pick(FAULTS)] : [])]
    : [];
  const happens = kind.pick(isFaulty ? BESIDE_A_FAULT : EPISODES);
  const isBusy = !isFaulty || kind.chance(0.5);
  const replay = kind.pick(['none', 'none', 'censored', 'full'] as const);
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const dice = new Dice(seed, `draw ${draw}`);
    // A trap is drawn several times into the same world: most of the time is spent on those that do not hurt.
    for (let again = 0; again < (hasTrap ? TRAP_DRAWS_MAX : 1); again++) {
      const spec = drawFleet(dice.of('fleet'));
      const known = Object.keys(spec.world.tools);
      const faults = plants.map((plant, at) => {
        const fault = plant(spec, dice.of(`fault ${at}`));
        return { ...fault, neighbours: addNeighbours(spec, dice.of(`beside ${at}`), fault) };
      });
      const ill = new Set(faults.flatMap(({ agents, neighbours }) => [...agents, ...neighbours]));
      const theirs = spec.agents
        .filter(({ name }) => ill.has(name))
        .flatMap(({ tools }) => Object.keys(tools));
      const apart = known.filter(
        (tool) => !theirs.includes(tool) && callsPerHour(spec, tool) >= SEEN_PER_HOUR,
      );
      const episodes = isBusy && apart.length > 0 ? [happens(spec, dice.of('episode'), apart)] : [];
      const trap = hasTrap ? plantTrap(spec, dice.of(`trap ${again}`), { isLate }) : undefined;
      const [layout, commits] = [dice.of('layout'), dice.of('commits')];
      const settled = settle({ spec, faults, episodes, trap, layout, commits }, { seed, replay });
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
  const { spec, faults, episodes, trap } = drawn;
  const first = valuesOf(spec);
  const target = drawTarget(drawn.layout, first);
  const draft = scenarioOf(drawn, target, { ...named, expect: { outcome: 'untouched' } });
  const filesOf = (edit: Edit) =>
    new Map(Object.entries(drawTarget(drawn.layout, edit(first), first).files));
  const onsets = [...faults, ...episodes].map(({ onsetHour }) => onsetHour ?? 0);
  const fromHour = Math.max(24, ...onsets.map((hour) => Math.min(hour, LATE_HOUR)));
  const broken = allOf(faults.flatMap((fault) => fault.broken ?? []));
  const ill = tasksOfDay(draft, filesOf(broken), fromHour);
  if (episodes.some(({ agent }) => agent !== undefined && failedShare(ill, agent) < SHOWS))
    return 'no fault';
  const expect: Expectation[] = [];
  if (faults.length > 0) {
    const well = tasksOfDay(draft, filesOf(allOf(faults.map(({ cure }) => cure))), fromHour);
    for (const fault of faults) {
      // Neighbours are well, or ill by the fault and well with it.
      const hit = fault.neighbours.filter((agent) => failedShare(ill, agent) > WELL);
      const rates = [...fault.agents, ...hit].map((agent) => rateOf(agent, ill, well));
      if (rates.includes(undefined)) return 'no fault';
      expect.push(fixExpected(fault, target, rates as NonNullable<(typeof rates)[number]>[]));
    }
  }
  const tasksOf = (edit: Edit, hour: number) =>
    tasksOfDay(draft, filesOf(allOf([broken, edit])), hour);
  if (trap !== undefined && !isHarmful(trap, { tasksOf, fromHour, ill })) return 'no harm';
  const harmful = trap === undefined ? [] : [trapPlace(target, trap)];
  const may_try = [...harmful, ...episodes.flatMap(({ tried }) => tried?.(target) ?? [])];
  const told = episodes.flatMap((episode) => episode.told ?? []);
  if (told.length > 0) expect.push(...told.map((one) => ({ ...one, may_try })));
  else if (faults.length === 0) expect.push({ outcome: 'untouched', may_try });
  if (trap !== undefined && faults.length > 0)
    expect.push({ outcome: 'taken_back', places: harmful });
  return scenarioOf(drawn, target, { ...named, expect });
}

/** What is expected of an agent's tasks, if the fault shows and its cure cures. */
function rateOf(agent: string, ill: DayOfTasks, well: DayOfTasks) {
  const [bad, good] = [failedShare(ill, agent), failedShare(well, agent)];
  if (bad < SHOWS || good > bad * 0.4) return undefined;
  const below = Math.round((good + 0.4 * (bad - good)) * 1000) / 1000;
  return { of: 'tasks' as const, agent, below };
}

function fixExpected(
  fault: Fault,
  target: Target,
  rates: NonNullable<ReturnType<typeof rateOf>>[],
): Expectation {
  return {
    outcome: 'fixed',
    within_hours: Math.min(DAYS * 24 - 12, fault.onsetHour + 84),
    onset_hour: fault.onsetHour,
    rates,
    ...fault.expected(target),
  };
}

function trapPlace(target: Target, { agent, tool }: Trap) {
  // Waiting less for calls that hang gives others their places back.
  return { ...asWritten(target.placeOf(agent, tool, 'timeout')), hurts: 'up' as const };
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
  const { spec, faults, episodes, trap } = drawn;
  const happened = [...faults, ...episodes].map(({ kind }) => kind);
  const hurts = trap?.lateHour === undefined ? 'a cure that hurts' : 'a cure that hurts late';
  const kinds = [...happened, trap && hurts];
  const story = kinds.filter((kind) => kind !== undefined).join('; ') || 'nothing happens';
  return scenarioSchema.parse({
    version: 2,
    name: `random-${seed}`,
    title: story.slice(0, 200),
    story: `Random world ${seed} of version ${VERSION}: ${story}.`,
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
    world: worldOf(spec, target),
    expect,
  });
}

/** Limits that the target sets itself stand in its files. */
function worldOf({ world, limits }: WorldSpec, target: Target): Scenario['world'] {
  const { quotas = {}, pools = {} } = world;
  const inFiles = limits.map(({ name, kind }) => {
    const place = { ...asWritten(target.limitPlace(name)), unit: 'ms', counts: 'retries' } as const;
    return { name, kind, place };
  });
  const of = (kind: string) => inFiles.filter((one) => one.kind === kind);
  return {
    ...world,
    quotas: {
      ...quotas,
      ...Object.fromEntries(
        of('rate').map(({ name, place }) => [name, { ...quotas[name]!, per_minute: place }]),
      ),
    },
    pools: {
      ...pools,
      ...Object.fromEntries(
        of('concurrency').map(({ name, place }) => [name, { ...pools[name]!, capacity: place }]),
      ),
    },
  };
}

function rulesOf({ rules }: WorldSpec, agent: string, task: string, target: Target) {
  const errors = rules
    .filter((rule) => rule.agent === agent && rule.task === task)
    .map(({ rule, rate, code, messages }) => ({
      code,
      rate,
      messages,
      when: [{ file: target.promptOf(agent), lacks: rule.replace(/\.$/, '') }],
    }));
  return errors.length === 0 ? {} : { errors };
}

interface Planned {
  readonly hour: number;
  readonly minute: number;
  readonly edit: Edit;
}

/** In the order of time, each on what the one before left. */
function commitsOf(drawn: Drawn, target: Target): Scenario['commits'] {
  const { spec, faults, episodes, layout, commits: dice } = drawn;
  const planned: Planned[] = [
    ...faults.flatMap(({ broken, onsetHour }) =>
      broken === undefined ? [] : [{ hour: onsetHour, minute: 0, edit: broken }],
    ),
    ...episodes.flatMap(({ commits }) => commits ?? []),
    ...harmless(drawn),
  ].sort((a, b) => a.hour - b.hour || a.minute - b.minute);
  const first = valuesOf(spec);
  let values: Values = first;
  let files = target.files;
  return planned.flatMap(({ hour, minute, edit }) => {
    values = edit(values);
    const next = drawTarget(layout, values, first).files;
    const edits = Object.keys(next)
      .filter((file) => next[file] !== files[file])
      .map((file) => ({ file, ...editBetween(files[file]!, next[file]!) }));
    files = next;
    if (edits.length === 0) return [];
    return [{ at_hour: hour, minute, author: 'Maintainer', message: commitText(dice), edits }];
  });
}

/** Commits that break nothing, most of them near something that begins. */
function harmless({ spec, faults, episodes, trap, commits }: Drawn): Planned[] {
  const dice = commits.of('harmless');
  const touchy = [
    ...faults.flatMap(({ agents, neighbours }) => [...agents, ...neighbours]),
    ...[trap?.agent, trap?.partner].flatMap((name) => name ?? []),
  ];
  const values = valuesOf(spec);
  const begins = [...faults, ...episodes].flatMap(({ onsetHour = 0 }) =>
    onsetHour === 0 ? [] : [onsetHour],
  );
  return Array.from({ length: dice.pick([0, 0, 1, 1, 2, 3]) }, () => {
    const near = begins.length > 0 && dice.chance(0.7) ? dice.pick(begins) : dice.whole(20, 80);
    const hour = Math.max(1, near - dice.whole(0, 3));
    const edit = harmlessEdit(dice, values, touchy);
    return { hour, minute: dice.pick([5, 20, 35, 50]), edit };
  });
}
