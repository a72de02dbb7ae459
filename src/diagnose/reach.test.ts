import { describe, expect, test } from 'vitest';
import { settingsOf } from './failures.test-support.ts';
import { reachOf } from './reach.ts';

const NAMES = { agent: 'researcher', tool: 'slow_tool' };

/** The reach of the value at a line of a text. */
function reach(text: string, options: { line: number; file?: string; tool?: string }) {
  const { line, file = 'agents/researcher.yaml', tool = 'slow_tool' } = options;
  const settings = settingsOf(file, text);
  const setting = settings.find((one) => one.line === line && typeof one.value === 'number');
  return reachOf(setting!, settings, { ...NAMES, tool });
}

const one = (name: string, within: string | null = 'researcher') => ({
  kind: 'one',
  names: [name],
  within,
});
const all = (names: string[], within: string | null = 'researcher') => ({
  kind: 'all',
  names,
  within,
});

describe('one', () => {
  test('below the name of a tool, in whatever shape', () => {
    for (const text of [
      'tools: { slow_tool: { timeout_ms: 8 } }',
      'tools: [{ name: slow_tool, timeout_ms: 8 }]',
      'slow_tool: { timeout_ms: 8 }',
      'timeouts: { slowTool: 8 }',
    ])
      expect([text, reach(text, { line: 1 })]).toEqual([text, one('slow_tool')]);
  });

  test('in the tool’s own file, for all agents', () => {
    const file = 'tools/slow_tool.yaml';
    expect(reach('timeout_ms: 8', { line: 1, file })).toEqual(one('slow_tool', null));
  });

  test('an agent’s own value, when its task fails', () => {
    expect(reach('task_timeout_ms: 8', { line: 1, tool: '' })).toEqual(one('researcher'));
  });

  test('a template that one tool refers to', () => {
    const text = 'x-slow: &s { timeout_ms: 8 }\ntools: { slow_tool: *s }';
    expect(reach(text, { line: 1 })).toEqual(one('slow_tool'));
  });
});

describe('all', () => {
  test('at the root, below defaults, and below tools itself', () => {
    for (const text of [
      'timeout_ms: 8',
      'limits: { timeout_ms: 8 }',
      'defaults: { timeout_ms: 8 }',
      'tools: { timeout_ms: 8 }',
      'tools: { defaults: { timeout_ms: 8 } }',
    ])
      expect([text, reach(text, { line: 1 })]).toEqual([text, all([])]);
  });

  test('names the tools that inherit it, not those with a value of their own', () => {
    const text =
      'timeout_ms: 8\ntools:\n  fast_tool: { timeout_ms: 3 }\n  slow_tool: { retries: 2 }\n  other: { retries: 1 }';
    expect(reach(text, { line: 1 })).toEqual(all(['slow_tool', 'other']));
  });

  test('of the whole fleet, where no agent is named', () => {
    const file = 'config/settings.yaml';
    for (const text of ['timeout_ms: 8', 'agents: { defaults: { timeout_ms: 8 } }'])
      expect([text, reach(text, { line: 1, file })]).toEqual([text, all([], null)]);
  });
});

describe('several', () => {
  const several = (names: string[], within: string | null = 'researcher') => ({
    kind: 'several',
    names,
    within,
  });

  test('an alias, a merge key, and a list of merged maps', () => {
    for (const text of [
      'tools:\n  slow_tool: { timeout_ms: &t 8 }\n  fetch: { timeout_ms: *t }',
      'tools:\n  slow_tool: &t { timeout_ms: 8 }\n  fetch: { <<: *t }',
      'x-d: &o { a: 1 }\nx-t: &t { timeout_ms: 8 }\ntools:\n  slow_tool: { <<: [*o, *t] }\n  fetch: *t',
    ])
      expect([text, reach(text, { line: 2 })]).toEqual([text, several(['slow_tool', 'fetch'])]);
  });

  test('not one whose own key stands before the merged one', () => {
    const text =
      'x-t: &t { timeout_ms: 8 }\ntools:\n  slow_tool: { <<: *t }\n  fetch: { <<: *t, timeout_ms: 3 }';
    expect(reach(text, { line: 1 })).toEqual(one('slow_tool'));
  });

  test('a constant of a program is at work where its name is used', () => {
    const file = 'agents/researcher.ts';
    const uses = (tools: string) => `const PATIENCE = 8;\nexport const tools = { ${tools} };\n`;
    const of = (text: string) => reach(text, { line: 1, file });
    expect(of(uses('slow_tool: { patience: PATIENCE }'))).toEqual(one('slow_tool'));
    expect(of(uses('slow_tool: { patience: PATIENCE }, fetch: { patience: PATIENCE }'))).toEqual(
      several(['slow_tool', 'fetch']),
    );
    // Nothing of the file uses it: whoever does is not seen.
    expect(of(uses('slow_tool: { patience: 9 }'))).toMatchObject({ kind: 'all' });
  });

  test('one tool of two agents, and two agents', () => {
    const file = 'config/agents.yaml';
    const tools =
      'agents:\n  researcher: { tools: { slow_tool: &t { timeout_ms: 8 } } }\n  writer: { tools: { slow_tool: *t } }';
    expect(reach(tools, { line: 2, file })).toEqual(
      several(['slow_tool of researcher', 'slow_tool of writer'], null),
    );
    const agents = 'agents:\n  researcher: &r { timeout_ms: 8 }\n  writer: *r';
    expect(reach(agents, { line: 2, file })).toEqual(
      several(['every tool of researcher', 'every tool of writer'], null),
    );
  });
});

test('unknown, where the file does not tell', () => {
  const file = 'config/settings.yaml';
  const text = 'tools: { slow_tool: { timeout_ms: &t 8 } }\nprofiles: { fast: { timeout_ms: *t } }';
  expect(reach(text, { line: 1, file })).toEqual({ kind: 'unknown', names: [], within: null });
  const nameless = 'tools: [{ timeout_ms: 8 }, { name: slow_tool, retries: 1 }]';
  expect(reach(nameless, { line: 1 }).kind).toBe('unknown');
});
