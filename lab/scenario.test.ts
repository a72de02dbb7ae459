import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PLACEHOLDER_NAMES } from './messages.ts';
import { readScenario, scenarioJsonSchema } from './scenario.ts';

const here = new URL('./', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, here), 'utf8');
const good = textOf('scenarios/timeout-too-low.yaml');

function problemsOf(text: string): readonly string[] {
  const reading = readScenario(text, 'it.yaml');
  return reading.ok ? [] : reading.problems;
}

const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

describe('scenario files', () => {
  test.each(globSync('scenarios/**/*.yaml', { cwd: here }))('%s can be read', (file) => {
    const reading = readScenario(textOf(file), file);
    expect(reading).toMatchObject({ ok: true });
    if (reading.ok) expect(file).toContain(`/${reading.scenario.name}.yaml`);
  });

  test('the JSON schema is that of the code', () => {
    const renew = 'run: node lab/write-schema.ts && biome check --write lab/scenario.schema.json';
    expect(JSON.parse(textOf('scenario.schema.json')), renew).toEqual(scenarioJsonSchema());
  });

  test('the README names every placeholder', () => {
    const readme = textOf('README.md');
    expect(PLACEHOLDER_NAMES.filter((name) => !readme.includes(`{${name}}`))).toEqual([]);
  });
});

describe('a bad scenario file', () => {
  test('gets all its problems at once, each with its line', () => {
    const bad = good
      .replace('days: 3', 'days: soon')
      .replace('weekend: 0.6', 'weekend: 0.6\n  holidays: 1')
      .replace('sigma: 0.36', 'sigma: -1');
    expect(problemsOf(bad)).toEqual([
      expect.stringContaining(`it.yaml:${lineOf(bad, 'days: soon')}: days: `),
      expect.stringContaining(`it.yaml:${lineOf(bad, 'holidays')}: traffic: `),
      expect.stringMatching(
        new RegExp(`it.yaml:${lineOf(bad, 'sigma: -1')}: world.tools.web_search.latency.sigma: `),
      ),
    ]);
  });

  test.each([
    ['a tool that is not in the world', 'calls: [web_search, fetch_page]', 'calls: [read_mind]'],
    [
      'an agent file that is not there',
      'file: agents/researcher.yaml\n      tasks',
      'file: agents/nobody.yaml\n      tasks',
    ],
    ['an agent file that is broken', 'timeout_ms: 800', 'timeout_ms: 0'],
    ['two agents of one name', '- agent: librarian', '- agent: researcher'],
    ['a placeholder that nobody fills', 'read ECONNRESET {ip}', 'read ECONNRESET {address}'],
    ['a start within an hour', 'T00:00:00Z', 'T00:30:00Z'],
    ['a file outside the target', 'README.md: |', '../README.md: |'],
    ['an expected number that is none', '[tools, web_search, timeout_ms]', '[tools, web_search]'],
    ['an expectation after the end', 'within_hours: 48', 'within_hours: 480'],
    ['an expectation of a call nobody makes', 'tool: web_search', 'tool: save_note'],
    ['a change after the end', 'weekend: 0.6', 'changes: [{ from_hour: 72, factor: 2 }]'],
    ['an unknown outcome', 'outcome: fixed', 'outcome: miracle'],
    ['a key twice', 'days: 3', 'days: 3\ndays: 4'],
    ['aliases without end', 'days: 3', 'days: &a [*a, *a]'],
    ['something else than a map', good, '- 1'],
    ['nothing', good, ''],
  ])('is refused for %s', (_, part, instead) => {
    expect(good).toContain(part);
    const problems = problemsOf(good.replace(part, instead));
    expect(problems).not.toEqual([]);
    for (const problem of problems) expect(problem).toMatch(/^it\.yaml:\d+: /);
  });
});
