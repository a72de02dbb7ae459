/**
 * What a scenario file may say. Every key has a description: it is also what an editor shows through
 * `scenario.schema.json`. Keys are those of the file, so they are written the file's way.
 */

import { z } from 'zod';
import { getIn, readAgentFile, readPlainYaml } from './agent-file.ts';
import { unknownPlaceholder } from './messages.ts';

const word = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'a word of a-z, 0-9 and _');
const line = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\n]*$/, 'one line');
const share = z.number().min(0).max(1);
const factor = z.number().positive().max(1000);
const path = z
  .string()
  .max(200)
  .regex(/^(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/, 'a relative path such as agents/researcher.yaml');
const hourOfScenario = z.int().min(0).describe('Whole hours after the start.');

const latencySchema = z
  .strictObject({
    median_ms: z.number().positive().max(600_000),
    sigma: z.number().min(0).max(3).describe('Spread of the log-normal distribution.'),
  })
  .describe('How long calls take: log-normal.');

const errorSchema = z
  .strictObject({
    code: word,
    rate: share.describe('Share of calls that meet it.'),
    messages: z
      .array(
        line.refine((text) => unknownPlaceholder(text) === undefined, {
          error: 'an unknown placeholder; lab/README.md lists those there are',
        }),
      )
      .min(1)
      .max(20)
      .describe('One is drawn each time; placeholders such as {id} are filled in.'),
  })
  .describe('One kind of failure.');
const errors = z.array(errorSchema).max(20).default([]);

const toolChangeSchema = z.strictObject({
  from_hour: hourOfScenario,
  lasts_minutes: z.int().min(1).optional().describe('Until the end where it is left out.'),
  latency_factor: factor.default(1),
  errors: errors.describe('In addition to the usual ones.'),
});

const toolSchema = z.strictObject({
  latency: latencySchema,
  slow: latencySchema
    .extend({ share: share.describe('Share of calls that are slow ones.') })
    .optional()
    .describe('A second kind of call that takes longer.'),
  capacity: z.int().min(1).max(10_000).describe('Calls at the same time, over the whole fleet.'),
  when_busy: z
    .strictObject({
      above: share.describe('Share of the slots that is taken.'),
      slower: factor.describe('How many times as long a call then takes.'),
    })
    .optional()
    .describe('A tool that gets slower when most of its slots are taken.'),
  errors,
  changes: z.array(toolChangeSchema).max(50).default([]),
});

const taskSchema = z.strictObject({
  name: word,
  weight: z.number().positive().max(1000).default(1),
  calls: z
    .array(word)
    .min(1)
    .max(20)
    .describe('Tools, called one after the other; each is needed.'),
});

const peopleSchema = z
  .strictObject({
    correct_failures: share.default(0.2),
    correct_answers: share.default(0.01),
    escalate_failures: share.default(0.03),
    rate: share.default(0.05),
    unhappy: share.default(0.06).describe('Share of thumbs down among ratings of good answers.'),
  })
  .describe('What users do after a task.');

const agentSchema = z.strictObject({
  agent: word,
  file: path.describe('The target file that this agent reads its settings from.'),
  tasks_per_hour: z.number().positive().max(2000).describe('On average over a working day.'),
  tasks: z.array(taskSchema).min(1).max(20),
  noise: errors.describe('Failures of the agent itself, before the call reaches the tool.'),
  people: peopleSchema.prefault({}),
});

const trafficSchema = z.strictObject({
  hours: z
    .array(z.number().min(0.01).max(1000))
    .length(24)
    .describe('Weight of each hour of the day, UTC. Only their proportions count.'),
  weekend: z.number().min(0.01).max(10).default(1).describe('Factor on Saturday and Sunday.'),
  changes: z
    .array(
      z.strictObject({
        from_hour: hourOfScenario,
        lasts_hours: z.int().min(1).optional().describe('Until the end where it is left out.'),
        factor,
      }),
    )
    .max(50)
    .default([]),
  agents: z.array(agentSchema).min(1).max(20),
});

const expectSchema = z.discriminatedUnion('outcome', [
  z
    .strictObject({
      outcome: z.literal('fixed'),
      file: path,
      path: z.array(z.string()).min(1).max(10).describe('Keys that lead to the number.'),
      direction: z.enum(['up', 'down']),
      agent: word,
      tool: word,
      error_rate_below: share.describe('Of this agent’s calls of this tool.'),
      within_hours: z.int().min(1).describe('After the start, waiting for people included.'),
    })
    .describe('The number moved and the failures went away.'),
  z.strictObject({ outcome: z.literal('untouched') }).describe('No file of the target changes.'),
  z
    .strictObject({ outcome: z.literal('taken_back') })
    .describe('A change may be deployed; at the end the files are the first ones again.'),
]);

const shapeSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,59}$/, 'a name such as timeout-too-low'),
  title: line,
  story: z.string().min(1).max(1000).describe('Two or three plain sentences.'),
  days: z.int().min(1).max(60).describe('Virtual days.'),
  start: z.iso.datetime().regex(/:00:00Z$/, 'a whole hour, UTC, such as 2026-03-02T00:00:00Z'),
  files: z.record(path, z.string().max(65_536)).describe('The target repository.'),
  traffic: trafficSchema,
  world: z.strictObject({ tools: z.record(word, toolSchema) }),
  expect: expectSchema,
});

export type Scenario = z.infer<typeof shapeSchema>;
export type AgentTraffic = Scenario['traffic']['agents'][number];
export type ToolWorld = Scenario['world']['tools'][string];
export type ErrorKind = z.infer<typeof errorSchema>;

/** The shape, then that its parts fit together: an agent whose file is broken would explain nothing. */
export const scenarioSchema = shapeSchema.superRefine((scenario, context) => {
  const report = (at: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path: at, message });
  checkAgents(scenario, report);
  checkTimes(scenario, report);
  checkExpectation(scenario, report);
});

type Report = (path: (string | number)[], message: string) => void;

function checkAgents({ traffic, files, world }: Scenario, report: Report): void {
  const seen = new Set<string>();
  for (const [index, { agent, file, tasks }] of traffic.agents.entries()) {
    const at = ['traffic', 'agents', index];
    if (seen.has(agent)) report([...at, 'agent'], `there is another agent called ${agent}`);
    seen.add(agent);
    const settings = readAgentFile(textOf(files, file), { agent, path: file });
    if (!settings.ok) report([...at, 'file'], settings.why);
    for (const tool of new Set(tasks.flatMap(({ calls }) => calls))) {
      if (!Object.hasOwn(world.tools, tool))
        report([...at, 'tasks'], `no tool ${tool} in world.tools`);
      if (settings.ok && !settings.tools.has(tool))
        report([...at, 'file'], `${file} has no settings for ${tool}`);
    }
  }
}

function checkTimes({ days, traffic, world }: Scenario, report: Report): void {
  const check = (at: (string | number)[], { from_hour }: { from_hour: number }) => {
    if (from_hour >= days * 24) report(at, `the scenario ends after ${days * 24} hours`);
  };
  for (const [index, change] of traffic.changes.entries())
    check(['traffic', 'changes', index], change);
  for (const [tool, { changes }] of Object.entries(world.tools))
    for (const [index, change] of changes.entries())
      check(['world', 'tools', tool, 'changes', index], change);
}

function checkExpectation({ expect, files, traffic, days }: Scenario, report: Report): void {
  if (expect.outcome !== 'fixed') return;
  const agent = traffic.agents.find((one) => one.agent === expect.agent);
  if (agent === undefined)
    report(['expect', 'agent'], `no agent ${expect.agent} in traffic.agents`);
  else if (!agent.tasks.some(({ calls }) => calls.includes(expect.tool)))
    report(['expect', 'tool'], `${expect.agent} never calls ${expect.tool}`);
  if (expect.within_hours > days * 24)
    report(['expect', 'within_hours'], `the scenario ends after ${days * 24} hours`);
  const reading = readPlainYaml(textOf(files, expect.file) ?? '');
  if (!reading.ok || typeof getIn(reading.value, expect.path) !== 'number')
    report(['expect', 'path'], `leads to no number in ${expect.file}`);
}

function textOf(files: Scenario['files'], file: string): string | undefined {
  return Object.hasOwn(files, file) ? files[file] : undefined;
}
