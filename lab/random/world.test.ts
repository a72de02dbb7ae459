import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { resolveSettings } from '../agent-settings.ts';
import { expectationsOf, mainOutcome } from '../expected.ts';
import { findPlace, type TargetFiles } from '../places.ts';
import { readScenario, type Scenario } from '../scenario.ts';
import { callsOf, eventsOf, failedShare } from '../test-scenarios.ts';
import { editBetween } from './line-edit.ts';
import { randomWorld } from './world.ts';

/** Seeds whose worlds are drawn fast: they have no trap. */
const SEEDS = [1, 3, 9, 13, 14, 19, 33, 38];
const worlds = SEEDS.map((seed) => randomWorld(seed));
const fixesOf = (scenario: Scenario) =>
  expectationsOf(scenario).flatMap((one) => (one.outcome === 'fixed' ? [one] : []));
/** The files after all that people commit. */
const committed = ({ files, commits = [] }: Scenario) =>
  commits
    .flatMap(({ edits = [] }) => edits)
    .reduce(
      (now, { file, from, to }) =>
        now.set(
          file,
          now.get(file)!.replace(from, () => to),
        ),
      new Map(Object.entries(files)),
    );

describe('random worlds', () => {
  test('the same seed gives the same world', () => {
    expect(randomWorld(33)).toEqual(worlds[6]);
    expect(randomWorld(33)).not.toEqual(worlds[7]);
  });

  test('a printed world reads back as it was', () => {
    for (const world of worlds.slice(0, 4)) {
      const reading = readScenario(stringify(world), 'x.yaml');
      expect(reading).toEqual({ ok: true, scenario: world });
    }
  });

  test('some need a change and some do not, some have no replay', () => {
    expect(new Set(worlds.map(mainOutcome))).toEqual(new Set(['fixed', 'untouched', 'told']));
    expect(new Set(worlds.map(({ replay }) => replay))).toEqual(
      new Set(['none', 'censored', 'full']),
    );
  });

  test('no world is so busy that playing it takes minutes', () => {
    for (const scenario of worlds) {
      const calls = callsOf(eventsOf({ scenario, seed: 1, fromHour: 58, hours: 4 }));
      expect(calls.length).toBeGreaterThan(20);
      expect(calls.length).toBeLessThan(4 * 1500);
      expect(failedShare(calls)).toBeLessThan(0.6);
    }
  });

  test('whatever somebody is to be told of is called often enough to be seen', () => {
    const [scenario] = worlds.filter((world) => mainOutcome(world) === 'told');
    const told = expectationsOf(scenario!).find(({ outcome }) => outcome === 'told');
    const tool = told?.outcome === 'told' ? told.tool : undefined;
    const calls = callsOf(
      eventsOf({ scenario: scenario!, seed: 1, hours: 24 }),
      (call) => call.tool === tool,
    );
    expect(calls.length).toBeGreaterThan(60);
  });

  test('what people break and mend may be put back sooner', () => {
    const world = randomWorld(200043);
    expect(world.title).toBe('a person breaks a setting and mends it');
    const [expected] = expectationsOf(world);
    expect(expected).toMatchObject({
      outcome: 'untouched',
      may_try: [{ path: expect.anything() }],
    });
    const place = expected!.outcome === 'untouched' ? expected!.may_try![0]! : undefined;
    const [broken] = world.commits!.filter(({ files, edits = [] }) =>
      [...Object.keys(files ?? {}), ...edits.map(({ file }) => file)].includes(place!.file),
    );
    expect(broken).toBeDefined();
  });

  test('one whose cure hurts names the place where it may be tried, and whoever shares its places is well without', () => {
    const world = randomWorld(2);
    expect(world.expect).toMatchObject([
      { outcome: 'told', may_try: [{ file: expect.any(String), hurts: 'up' }] },
    ]);
    const [trap, partner] = Object.keys(world.world.tools).filter(
      (tool) => world.world.tools[tool]!.pool !== undefined,
    );
    const calls = callsOf(eventsOf({ scenario: world, seed: 1, fromHour: 24, hours: 24 }));
    const share = (tool: string) => failedShare(calls.filter((call) => call.tool === tool));
    expect(share(trap!)).toBeGreaterThan(0.05);
    expect(share(partner!)).toBeLessThan(0.05);
  });

  test('more of them have a cure that hurts where it is asked for, and some hurt days later', () => {
    const trapAt = (scenario: Scenario) =>
      JSON.stringify(expectationsOf(scenario)).includes('hurts');
    expect(worlds.map(trapAt)).not.toContain(true);
    const world = randomWorld(5011, { harmful: 0.5 });
    expect(trapAt(world)).toBe(true);
    expect(world.title).toContain('a cure that hurts late');
    const [growth] = world.traffic.changes.filter(({ agents }) => agents?.length === 1);
    const grown = growth!.agents![0]!;
    expect(growth!.from_hour).toBeGreaterThan(72);
    const calls = (fromHour: number) =>
      callsOf(
        eventsOf({ scenario: world, seed: 1, fromHour, hours: 12 }),
        (one) => one.agent === grown,
      );
    const [before, since] = [growth!.from_hour - 24, growth!.from_hour].map(calls);
    expect(since!.length).toBeGreaterThan(1.5 * before!.length);
    // It is asked more, and no more of it fails as long as nobody waits longer.
    expect(failedShare(since!)).toBeLessThan(1.3 * failedShare(before!));
  });

  test('a value that several share stands once, and all of them fail by it', () => {
    const world = randomWorld(51);
    const [fix] = fixesOf(world);
    const { file } = fix!.settings![0]!;
    const readers = world.traffic.agents.filter(({ settings }) =>
      JSON.stringify(settings).includes(file),
    );
    expect(readers.length).toBeGreaterThan(1);
    expect(fix!.rates!.map(({ agent }) => agent)).toEqual(
      expect.arrayContaining(readers.map(({ agent }) => agent)),
    );
  });

  test('a limit that loses its unit by a commit is a thousandth of what it was', () => {
    const world = randomWorld(6);
    const [fix] = fixesOf(world);
    const agent = world.traffic.agents.find((one) => one.agent === fix!.rates![0]!.agent)!;
    const limits = (files: TargetFiles) => {
      const settings = resolveSettings(files, agent);
      return settings.ok ? [...settings.tools.values()].map(({ timeoutMs }) => timeoutMs) : [];
    };
    const [before, after] = [
      limits(new Map(Object.entries(world.files))),
      limits(committed(world)),
    ];
    expect(before.map((ms, at) => ms / after[at]!)).toContain(1000);
  });

  test('a limit that lost its unit to another key is right where it was, too', () => {
    const scenario = randomWorld(4046);
    const [fix] = fixesOf(scenario);
    const [moved, was, ...others] = fix!.settings!;
    expect(others).toEqual([]);
    expect(fix!.one_suffices).toBe(true);
    const [first, broken] = [new Map(Object.entries(scenario.files)), committed(scenario)];
    expect([findPlace(first, was!), findPlace(broken, moved!)]).not.toContain(undefined);
    expect([findPlace(first, moved!), findPlace(broken, was!)]).toEqual([undefined, undefined]);
  });

  test('a limit of the target is a place in its files', () => {
    const world = randomWorld(161);
    const places = Object.values(world.world.quotas!).map(({ per_minute }) => per_minute);
    const { file, path, match } = fixesOf(world)[0]!.settings![0]!;
    expect(places).toContainEqual(
      expect.objectContaining({ file, ...(path && { path }), ...(match && { match }) }),
    );
    expect(world.files[file]).toBeDefined();
  });

  test('people also commit what breaks nothing, near to what begins', () => {
    const commits = worlds.flatMap((world) => world.commits ?? []);
    const breaking = worlds.flatMap(fixesOf).filter(({ onset_hour }) => onset_hour > 0);
    expect(commits.length).toBeGreaterThan(breaking.length + 3);
  });
});

test('an edit names one place only', () => {
  const before = 'a: 1\nx: 5\nb: 1\nx: 5\n';
  const { from, to } = editBetween(before, 'a: 1\nx: 5\nb: 1\nx: 7\n');
  expect(before.replace(from, to)).toBe('a: 1\nx: 5\nb: 1\nx: 7\n');
  const removed = editBetween('a\nb\nc\n', 'a\nc\n');
  expect('a\nb\nc\n'.replace(removed.from, removed.to)).toBe('a\nc\n');
});
