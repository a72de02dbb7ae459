/** What version 2 of scenarios adds to the world, each part seen to work on events. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { applyCommit, filesWithoutHone } from './commits.ts';
import { Fleet } from './fleet.ts';
import { harmDone } from './harm.ts';
import { Recording } from './recording.ts';
import { fleetReplay } from './replay.ts';
import { firstFiles, readScenario, type Scenario } from './scenario.ts';
import { toldEvents } from './telemetry.ts';
import { type Call, callsOf, editedFiles, eventsOf, failedShare } from './test-scenarios.ts';

const BASE = `
version: 2
name: small
title: A small world
story: One agent and one tool.
days: 3
start: 2026-03-02T00:00:00Z
files:
  conf/limits.toml: |
    [search]
    wait = "2s"
    tries = 3
  src/limits.ts: |
    export const PARALLEL = 2;
  prompts/a.md: |
    Answer in JSON.
traffic:
  hours: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
  agents:
    - agent: a
      tasks_per_hour: 300
      settings:
        tools:
          search:
            timeout: { file: conf/limits.toml, path: [search, wait] }
            retries: { file: conf/limits.toml, path: [search, tries], counts: tries }
      tasks: [{ name: ask, calls: [search] }]
world:
  tools:
    search: { latency: { median_ms: 500, sigma: 0.3 } }
expect: { outcome: untouched }
`;

/** As YAML reads it: of no type yet. */
type Unread = ReturnType<typeof parse>;

/** The world with some of it changed; what is changed is written as in a file. */
function world(change: (scenario: Unread) => void = () => {}): Scenario {
  const value = parse(BASE);
  change(value);
  const reading = readScenario(JSON.stringify(value), 'small.yaml');
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading.scenario;
}

const callsIn = (scenario: Scenario, more: object = {}): Call[] =>
  callsOf(eventsOf({ scenario, seed: 1, hours: 6, ...more }));
const tool = (value: Unread) => value.world.tools.search;

describe('settings in any file', () => {
  test('a time with a unit in TOML is the limit, and tries count the first one', () => {
    const scenario = world((value) => {
      tool(value).latency.median_ms = 1e5;
      tool(value).timed_out = { messages: ['context canceled'] };
      value.telemetry = { attempts: true };
    });
    const calls = callsIn(scenario);
    expect(calls.every(({ latency_ms }) => latency_ms! >= 2000 && latency_ms! <= 2040)).toBe(true);
    expect(new Set(calls.map(({ attempt }) => attempt))).toEqual(new Set([1, 2, 3]));
    expect(calls[0]).toMatchObject({ success: false, error_message: 'context canceled' });
    expect(calls[0]).not.toHaveProperty('error_code');
  });

  test('a place that cannot be read any more makes the agent fail, with the reason', () => {
    const files = editedFiles(world(), { file: 'conf/limits.toml', from: 'wait', to: 'weight' });
    expect(callsIn(world(), { files })[0]).toMatchObject({
      error_code: 'bad_settings',
      error_message: 'conf/limits.toml: search.wait cannot be read',
    });
  });

  test('the first place that exists counts', () => {
    const scenario = world((value) => {
      const { timeout } = value.traffic.agents[0].settings.tools.search;
      value.files['own.json'] = '{}';
      tool(value).latency.median_ms = 1e5;
      value.traffic.agents[0].settings.tools.search.timeout = [
        { file: 'own.json', path: ['wait'], unit: 's' },
        timeout,
      ];
    });
    expect(callsIn(scenario)[0]!.latency_ms).toBeLessThan(2100);
    const files = new Map(firstFiles(scenario)).set('own.json', '{"wait": 5}');
    expect(callsIn(scenario, { files })[0]!.latency_ms).toBeGreaterThanOrEqual(5000);
  });
});

describe('what makes calls fail', () => {
  test('a rule that a prompt lacks', () => {
    const scenario = world((value) => {
      value.traffic.agents[0].noise = [
        {
          code: 'bad_json',
          rate: 0.3,
          messages: ['no JSON'],
          when: [{ file: 'prompts/a.md', lacks: 'in JSON' }],
        },
      ];
    });
    expect(failedShare(callsIn(scenario), 'bad_json')).toBe(0);
    const files = editedFiles(scenario, { file: 'prompts/a.md', from: ' in JSON', to: '' });
    expect(failedShare(callsIn(scenario, { files }), 'bad_json')).toBeGreaterThan(0.2);
  });

  test('an argument that the tool no longer takes', () => {
    const scenario = world((value) => {
      value.files['a.json'] = '{"args": ["q", "lang"]}';
      value.traffic.agents[0].settings.tools.search.arguments = { file: 'a.json', path: ['args'] };
      tool(value).requires = [
        { arguments: ['q', 'lang'], messages: ['x'] },
        { from_hour: 3, arguments: ['q', 'locale'], messages: ['"{argument}" is required'] },
      ];
    });
    const calls = callsIn(scenario);
    const isLate = ({ timestamp }: Call) => timestamp >= '2026-03-02T03';
    expect(failedShare(calls.filter((call) => !isLate(call)))).toBe(0);
    expect(calls.findLast(isLate)).toMatchObject({
      success: false,
      error_message: '"locale" is required',
    });
  });

  test('a credential that expired, a tool that is not there, one that is not allowed', () => {
    const expired = world((value) => {
      value.world.credentials = [
        { tools: ['search'], expires_hour: 2, renewed_hour: 4, messages: ['401'] },
      ];
    });
    const hours = callsIn(expired)
      .filter(({ success }) => !success)
      .map(({ timestamp }) => timestamp.slice(11, 13));
    expect(new Set(hours)).toEqual(new Set(['02', '03']));
    const misnamed = world((value) => {
      value.files['a.json'] = '{"f": "serch"}';
      value.traffic.agents[0].settings.tools.search.calls = { file: 'a.json', path: ['f'] };
    });
    expect(callsIn(misnamed)[0]).toMatchObject({ tool: 'serch', error_code: 'unknown_tool' });
    const kept = world((value) => {
      value.files['a.json'] = '{"tools": ["read"]}';
      value.traffic.agents[0].settings.allowed = { file: 'a.json', path: ['tools'] };
    });
    expect(callsIn(kept)[0]).toMatchObject({ error_code: 'not_allowed' });
  });

  test('an answer that is cut, with its tokens', () => {
    const scenario = world((value) => {
      tool(value).output_tokens = { median: 100, sigma: 0.5 };
      value.traffic.agents[0].settings.tools.search.max_output = 120;
      value.telemetry = { tokens: true };
    });
    const cut = callsIn(scenario).filter(({ error_code }) => error_code === 'truncated');
    expect(cut.length).toBeGreaterThan(50);
    expect(cut.every(({ output_tokens }) => output_tokens === 120)).toBe(true);
  });

  test('the tool’s own limit, whatever the agent’s', () => {
    const scenario = world((value) => {
      tool(value).limit = { ms: 600, code: '504', messages: ['gateway timeout'] };
    });
    const failed = callsIn(scenario).filter(({ success }) => !success);
    expect(failed.length).toBeGreaterThan(100);
    expect(
      failed.every(({ latency_ms, error_code }) => latency_ms! <= 602 && error_code === '504'),
    ).toBe(true);
  });

  test('a task that fails at its end, a loop that ends at the last step, a model that is worse', () => {
    const scenario = world((value) => {
      const [agent] = value.traffic.agents;
      agent.tasks[0].errors = [{ code: 'rejected', rate: 0.5, messages: ['sent back'] }];
      agent.tasks[0].loop = {
        tool: 'search',
        share: 0.2,
        code: 'loop',
        messages: ['again and again'],
      };
      agent.settings.max_steps = 12;
    });
    const events = eventsOf({ scenario, seed: 1, hours: 6 });
    const failures = events.flatMap((event) =>
      event.event_type === 'task_failure' ? [event] : [],
    );
    const categories = new Set(failures.map(({ error_category }) => error_category));
    expect(categories).toEqual(new Set(['rejected', 'loop']));
    const looped = failures.find(({ error_category }) => error_category === 'loop')!;
    expect(callsOf(events, ({ session_id }) => session_id === looped.session_id)).toHaveLength(12);
    const swapped = world((value) => {
      value.traffic.agents[0].settings.model = 'b';
      value.world.models = { b: { errors: [{ code: 'bad_json', rate: 0.4, messages: ['x'] }] } };
      value.telemetry = { models: true };
    });
    expect(failedShare(callsIn(swapped), 'bad_json')).toBeGreaterThan(0.3);
    expect(callsIn(swapped)[0]).toMatchObject({ model: 'b' });
  });
});

describe('what sessions share', () => {
  test('a quota in a file refuses what is over it', () => {
    const scenario = world((value) => {
      value.files['q.yaml'] = 'rpm: 3';
      value.world.quotas = {
        q: { tools: ['search'], per_minute: { file: 'q.yaml', path: ['rpm'] } },
      };
    });
    expect(failedShare(callsIn(scenario), 'rate_limited')).toBeGreaterThan(0.3);
    const files = new Map(firstFiles(scenario)).set('q.yaml', 'rpm: 60');
    expect(failedShare(callsIn(scenario, { files }), 'rate_limited')).toBe(0);
  });

  test('a queue makes calls wait, and a full pool refuses them', () => {
    const pooled = (when_full: string) =>
      world((value) => {
        tool(value).latency = { median_ms: 15_000, sigma: 0.1 };
        tool(value).pool = 'p';
        value.files['conf/limits.toml'] = '[search]\nwait = "60s"\ntries = 1\n';
        value.world.pools = {
          p: { capacity: { file: 'src/limits.ts', match: 'PARALLEL = (\\d+)' }, when_full },
        };
      });
    expect(failedShare(callsIn(pooled('refuse')), 'overloaded')).toBeGreaterThan(0.2);
    const waiting = callsIn(pooled('wait')).filter(({ latency_ms }) => latency_ms! > 25_000);
    expect(waiting.length).toBeGreaterThan(50);
    const files = editedFiles(pooled('wait'), { file: 'src/limits.ts', from: '2', to: '20' });
    expect(callsIn(pooled('wait'), { files }).some(({ latency_ms }) => latency_ms! > 25_000)).toBe(
      false,
    );
  });

  test('an agent that keeps to a limit of its own is late, not refused', () => {
    const scenario = world((value) => {
      tool(value).latency = { median_ms: 15_000, sigma: 0.1 };
      tool(value).capacity = 2;
      value.files['conf/limits.toml'] = '[search]\nwait = "60s"\ntries = 1\n';
    });
    expect(failedShare(callsIn(scenario), 'overloaded')).toBeGreaterThan(0.2);
    const careful = structuredClone(scenario);
    careful.traffic.agents[0]!.settings!.tools['search']!.concurrency = 2;
    expect(failedShare(callsIn(careful), 'overloaded')).toBe(0);
  });
});

describe('people and time', () => {
  test('commits change the files for everybody from their hour on, where their text is found', () => {
    const scenario = world((value) => {
      value.commits = [
        { at_hour: 2, message: 'x', edits: [{ file: 'prompts/a.md', from: 'JSON', to: 'XML' }] },
        { at_hour: 3, message: 'y', files: { 'src/limits.ts': null } },
      ];
    });
    const at = (hour: number) =>
      filesWithoutHone(scenario, Date.parse(scenario.start) + hour * 3_600_000);
    expect(at(1).get('prompts/a.md')).toContain('JSON');
    expect(at(2).get('prompts/a.md')).toContain('XML');
    expect([...at(3).keys()]).not.toContain('src/limits.ts');
    const other = new Map([['prompts/a.md', 'nothing']]);
    expect(applyCommit(other, scenario.commits![0]!)).toEqual(other);
  });

  test('weekdays have their own traffic, and failed tasks are asked for again', () => {
    const scenario = world((value) => {
      value.traffic.weekdays = [1, 1, 0.1, 1, 1, 1, 1];
      tool(value).errors = [{ code: 'x', rate: 1, messages: ['no'] }];
      value.traffic.agents[0].people = { ask_again: 0.5 };
    });
    const events = eventsOf({ scenario, seed: 1, hours: 48 });
    const on = (day: string) =>
      callsOf(events, ({ timestamp }) => timestamp.startsWith(day)).length;
    expect(on('2026-03-03') / on('2026-03-02')).toBeLessThan(0.2);
    expect(events.some(({ session_id }) => session_id.endsWith('~2'))).toBe(true);
  });

  test('telemetry has gaps and duplicates', () => {
    const scenario = world((value) => {
      value.telemetry = { gaps: [{ from_hour: 1, lasts_minutes: 60 }], duplicates: 0.1 };
    });
    const events = eventsOf({ scenario, seed: 1, hours: 3 });
    const told = toldEvents(scenario, events);
    expect(told.some(({ timestamp }) => timestamp.slice(11, 13) === '01')).toBe(false);
    expect(told.length - new Set(told).size).toBeGreaterThan(20);
  });
});

test('a censored replay does not know how long a call would have taken that was cut off', async () => {
  const scenario = world((value) => {
    tool(value).latency.median_ms = 1800;
    value.files['conf/limits.toml'] = '[search]\nwait = "2s"\ntries = 1\n';
  });
  const recording = new Recording();
  const window = {
    fromMs: Date.parse(scenario.start),
    toMs: Date.parse(scenario.start) + 3_600_000,
  };
  const events = new Fleet({ scenario, seed: 1, recording }).run({
    ...window,
    files: firstFiles(scenario),
  });
  const sessions = [...new Set(callsOf(events).map(({ session_id }) => session_id))];
  const patient = editedFiles(scenario, { file: 'conf/limits.toml', from: '2s', to: '20s' });
  const failed = async (known: Recording | undefined) => {
    const readFiles = async (commit: string) =>
      commit === 'base' ? firstFiles(scenario) : patient;
    const replay = fleetReplay({ scenario, seed: 1, readFiles, recording: known });
    const { signal } = new AbortController();
    const count = async (commit: string) =>
      (await replay.run(commit, sessions, signal)).filter(({ ok }) => !ok).length;
    return [await count('base'), await count('patient')];
  };
  const [base, full] = await failed(undefined);
  expect(base).toBeGreaterThan(50);
  expect(full).toBe(0);
  expect(await failed(recording)).toEqual([base, base]);
});

test('what the README shows is a scenario', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const [settings, expected] = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) =>
    parse(text!),
  );
  const scenario = world((value) => {
    value.days = 6;
    Object.assign(value.files, {
      'conf/scout.json':
        '{"llm": {"model": "a"}, "tools": ["search", "read"], "search": {"params": ["q"]}}',
      'conf/defaults.toml': '[http]\nwait = "30s"\n',
      'src/bots/scout.ts': 'const MAX_TRIES = 3;',
      'conf/b.yaml': 'wait: 5',
    });
    value.agent_files = settings.agent_files;
    value.traffic.agents = settings.traffic.agents;
    value.world.tools.read = value.world.tools.billing = value.world.tools.search;
    value.traffic.agents[0].tasks.push({ name: 'pay', calls: ['billing'] });
    value.expect = expected.expect;
    // The file may leave it to the defaults; the place must be there to be judged.
    value.files['conf/scout.json'] = value.files['conf/scout.json'].replace(
      '"params"',
      '"budget": 9, "params"',
    );
  });
  expect(callsIn(scenario).length).toBeGreaterThan(300);
});

test('harm is what is worse than in the same world without Hone', () => {
  const scenario = world();
  const startMs = Date.parse(scenario.start);
  const run = { scenario, seed: 1 };
  const during = { sinceMs: startMs, endMs: startMs + 24 * 3_600_000 };
  const files = editedFiles(scenario, { file: 'conf/limits.toml', from: '2s', to: '400ms' });
  expect(harmDone(run, eventsOf({ ...run, hours: 24 }), during)).toBeNull();
  expect(harmDone(run, eventsOf({ ...run, files, hours: 24 }), during)).toMatchObject({
    agent: 'a',
  });
});
