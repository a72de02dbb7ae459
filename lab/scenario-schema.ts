/**
 * What a scenario file may say. Every key has a description: it is also what an editor shows through
 * `scenario.schema.json`. Keys are those of the file, so they are written the file's way.
 */
import { z } from 'zod';
import { resolveSettings } from './agent-settings.ts';
import { type Expectation, expectSchema } from './expect-schema.ts';
import { expectationsOf, wantedSettings } from './expected.ts';
import { amountIn, findPlace, shownPlace } from './places.ts';
import { hourOfScenario, line, path } from './schema-parts.ts';
import { telemetrySchema, trafficSchema } from './traffic-schema.ts';
import { worldSchema } from './world-schema.ts';

export type { ErrorKind } from './schema-parts.ts';
export type { AgentTraffic } from './traffic-schema.ts';
export type { ToolWorld } from './world-schema.ts';

const commitSchema = z
  .strictObject({
    at_hour: hourOfScenario,
    minute: z.int().min(0).max(59).default(0),
    author: line.default('Maintainer'),
    message: line,
    files: z
      .record(path, z.string().max(65_536).nullable())
      .optional()
      .describe('New content; null removes a file.'),
    edits: z
      .array(z.strictObject({ file: path, from: z.string().min(1), to: z.string() }))
      .max(20)
      .optional()
      .describe('The first occurrence of a text becomes another; nothing where it is not there.'),
  })
  .describe('What a person commits to the target’s branch.');

const shapeSchema = z.strictObject({
  version: z
    .literal([1, 2])
    .default(1)
    .describe('2: harm is a difference to the same world without Hone, and a replay is censored.'),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,59}$/, 'a name such as timeout-too-low'),
  title: line,
  story: z.string().min(1).max(1000).describe('Two or three plain sentences.'),
  days: z.int().min(1).max(60).describe('Virtual days.'),
  start: z.iso.datetime().regex(/:00:00Z$/, 'a whole hour, UTC, such as 2026-03-02T00:00:00Z'),
  files: z.record(path, z.string().max(65_536)).describe('The target repository.'),
  agent_files: z
    .array(line)
    .max(50)
    .optional()
    .describe('Globs that the operator adds to target.agentFiles; else those "hone init" finds.'),
  replay: z
    .enum(['full', 'censored', 'none'])
    .optional()
    .describe(
      'What a replay knows. full: how long a call would have taken that was cut off (usual in version 1). ' +
        'censored: only what was recorded (usual in version 2). none: there is no replay.',
    ),
  commits: z.array(commitSchema).max(50).optional(),
  traffic: trafficSchema,
  telemetry: telemetrySchema.prefault({}),
  world: worldSchema,
  expect: expectSchema,
});

export type Scenario = z.infer<typeof shapeSchema>;

/** The shape, then that its parts fit together: an agent whose file is broken would explain nothing. */
export const scenarioSchema = shapeSchema.superRefine((scenario, context) => {
  const report = (at: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path: at, message });
  checkAgents(scenario, report);
  checkWorld(scenario, report);
  checkTimes(scenario, report);
  for (const [index, expected] of expectationsOf(scenario).entries())
    checkExpectation(scenario, expected, (at, message) =>
      report(
        Array.isArray(scenario.expect) ? ['expect', index, ...at] : ['expect', ...at],
        message,
      ),
    );
});

type Report = (path: (string | number)[], message: string) => void;

function checkAgents(scenario: Scenario, report: Report): void {
  const { traffic, files, world } = scenario;
  const seen = new Set<string>();
  const first = new Map(Object.entries(files));
  for (const [index, agent] of traffic.agents.entries()) {
    const at = ['traffic', 'agents', index];
    if (seen.has(agent.agent))
      report([...at, 'agent'], `there is another agent called ${agent.agent}`);
    seen.add(agent.agent);
    if ((agent.file === undefined) === (agent.settings === undefined)) {
      report([...at, 'agent'], 'either file or settings');
      continue;
    }
    const settings = resolveSettings(first, agent);
    const where = agent.file === undefined ? 'settings' : 'file';
    if (!settings.ok) report([...at, where], settings.why);
    for (const tool of new Set(agent.tasks.flatMap(({ calls }) => calls))) {
      if (!Object.hasOwn(world.tools, tool))
        report([...at, 'tasks'], `no tool ${tool} in world.tools`);
      if (settings.ok && !settings.tools.has(tool))
        report([...at, where], `${agent.file ?? agent.agent} has no settings for ${tool}`);
    }
  }
}

function checkWorld({ world, traffic }: Scenario, report: Report): void {
  const agents = new Set(traffic.agents.map(({ agent }) => agent));
  for (const [tool, { pool }] of Object.entries(world.tools))
    if (pool !== undefined && !Object.hasOwn(world.pools ?? {}, pool))
      report(['world', 'tools', tool, 'pool'], `no pool ${pool} in world.pools`);
  const shared = [
    ...Object.entries(world.quotas ?? {}).map(([name, one]) => ({ at: ['quotas', name], one })),
    ...(world.credentials ?? []).map((one, index) => ({ at: ['credentials', index], one })),
  ];
  for (const { at, one } of shared) {
    for (const tool of one.tools)
      if (!Object.hasOwn(world.tools, tool))
        report(['world', ...at], `no tool ${tool} in world.tools`);
    for (const agent of one.agents ?? [])
      if (!agents.has(agent)) report(['world', ...at], `no agent ${agent} in traffic.agents`);
  }
}

function checkTimes({ days, traffic, world, commits, telemetry }: Scenario, report: Report): void {
  const check = (at: (string | number)[], hour: number) => {
    if (hour >= days * 24) report(at, `the scenario ends after ${days * 24} hours`);
  };
  for (const [index, { from_hour }] of traffic.changes.entries())
    check(['traffic', 'changes', index], from_hour);
  for (const [tool, { changes }] of Object.entries(world.tools))
    for (const [index, { from_hour }] of changes.entries())
      check(['world', 'tools', tool, 'changes', index], from_hour);
  for (const [index, { at_hour }] of (commits ?? []).entries()) check(['commits', index], at_hour);
  for (const [index, { from_hour }] of telemetry.gaps.entries())
    check(['telemetry', 'gaps', index], from_hour);
}

function checkExpectation(scenario: Scenario, expected: Expectation, report: Report): void {
  const { files, traffic, days } = scenario;
  if (expected.outcome === 'untouched' || expected.outcome === 'taken_back') return;
  const agent = traffic.agents.find((one) => one.agent === expected.agent);
  if (expected.agent !== undefined && agent === undefined)
    report(['agent'], `no agent ${expected.agent} in traffic.agents`);
  else if (agent !== undefined && expected.tool !== undefined) {
    if (!agent.tasks.some(({ calls }) => calls.includes(expected.tool!)))
      report(['tool'], `${expected.agent} never calls ${expected.tool}`);
  }
  if ((expected.within_hours ?? 0) > days * 24)
    report(['within_hours'], `the scenario ends after ${days * 24} hours`);
  if (expected.outcome === 'told') return;
  const wanted = wantedSettings(expected);
  if (wanted.length + (expected.texts ?? []).length === 0)
    report([], 'fixed needs file, path and direction, or settings, or texts');
  const known = [Object.entries(files), ...committedFiles(scenario)].map((one) => new Map(one));
  for (const setting of wanted) {
    const found = known.flatMap((some) => findPlace(some, setting) ?? []);
    const isNumber = found.some(({ value }) => amountIn(value) !== undefined);
    const at = expected.path === undefined ? ['settings'] : ['path'];
    if (found.length === 0 || (setting.direction !== undefined && !isNumber))
      report(at, `leads to no number in ${shownPlace(setting)}`);
  }
}

/** What people write later: a setting may come to be only then. */
function committedFiles({ commits, files }: Scenario): [string, string][][] {
  let now = { ...files };
  return (commits ?? []).map((commit) => {
    now = Object.fromEntries(
      Object.entries({ ...now, ...commit.files }).flatMap(([file, text]) =>
        text === null ? [] : [[file, text]],
      ),
    );
    for (const { file, from, to } of commit.edits ?? [])
      if (now[file] !== undefined) now[file] = now[file].replace(from, () => to);
    return Object.entries(now);
  });
}
