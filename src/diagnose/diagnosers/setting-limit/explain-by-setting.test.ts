import { describe, expect, test } from 'vitest';
import type { FailureGroup, FailureKind } from '../../../facts/index.ts';
import {
  examples,
  group,
  latencies,
  overTheDay,
  RESEARCHER,
  settingsOf,
} from '../../failures.test-support.ts';
import { mergeAlike } from '../../identity.ts';
import { wordsOfFile } from '../../references.ts';
import { explainBySettings } from './explain-by-setting.ts';

const CODES: Readonly<Record<FailureKind, string>> = {
  timeout: 'TIMEOUT',
  rate_limit: 'RATE_LIMIT',
  size_limit: 'E2BIG',
  retries_exhausted: 'RETRIES_EXHAUSTED',
  other: 'E1',
};
const NO_LATENCY = { failedLatency: null, succeededLatency: null };

const says = (message: string) => ({ examples: examples(message, overTheDay(10)) });

/** The paths that are blamed, each with its file where it is not the only one. */
function blamed(files: Record<string, string>, changes: Partial<FailureGroup> = {}): string[] {
  const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
  const [failure] = mergeAlike([group(changes)]);
  return explainBySettings(failure!, settings).map(
    ({ setting }) => `${setting.file}#${setting.path.join('.')}`,
  );
}

const inAgent = (text: string, changes: Partial<FailureGroup> = {}) =>
  blamed({ 'agents/researcher.yaml': text }, changes);

test.each([
  ['conf/upkeep.toml', 'extends = "conf/upkeep.toml"', 1],
  ['conf/upkeep.toml', 'extends = "upkeep"', 1],
  ['conf/upkeep.toml', '', 0],
  // Among the files of agents a name alone may be that of another agent.
  ['agents/upkeep.toml', 'extends = "agents/upkeep.toml"', 1],
  ['agents/upkeep.toml', 'asks = "upkeep"', 0],
])(
  'a limit in a file that names nobody is the agent’s whose file mentions it: %s, %s',
  (shared, says, found) => {
    const files = {
      [shared]: '[upkeep]\nbudget = "0.8s"\n',
      'agents/researcher.toml': `name = "researcher"\n${says}\n`,
    };
    const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
    const words = new Map(Object.entries(files).map(([file, text]) => [file, wordsOfFile(text)]));
    const [failure] = mergeAlike([group()]);
    const compared = { all: [], moved: new Set<string>(), words };
    const blamed = explainBySettings(failure!, settings, compared);
    expect(blamed.map(({ setting }) => setting.file)).toEqual(found === 1 ? [shared] : []);
  },
);

test.each([
  ['in a file that names nobody', { 'conf/upkeep.toml': '[upkeep]\nhold = "0.8s"\n' }, 1],
  ['in code', { 'conf/upkeep.py': 'UPKEEP_HOLD = 0.8\n' }, 1],
  ['below a name that nobody has', { 'conf/upkeep.toml': '[ledger]\nhold = "0.8s"\n' }, 0],
  [
    'where this one has its own',
    { 'conf/upkeep.toml': '[upkeep]\nhold = "0.8s"\n' },
    0,
    'web_search',
  ],
  ['under another key', { 'conf/upkeep.toml': '[upkeep]\nkeep = "0.8s"\n' }, 0],
  ['where it fits a timer only roughly', { 'conf/upkeep.toml': '[upkeep]\nhold = "0.6s"\n' }, 0],
])(
  'a number beside nobody’s name is known by the key that others have at their tools: %s',
  (_, shared, found, own = 'fetch') => {
    const files = {
      ...shared,
      'conf/writer.toml': '[search]\nhold = "3s"\n[read]\nhold = "2s"\n',
      'conf/researcher.toml': `[${own}]\nhold = "4s"\n`,
    };
    const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
    const others = ['search', 'read'].map((tool) => group({ agent: 'writer', tool, failures: 1 }));
    const all = mergeAlike([group(), ...others, group({ tool: 'fetch', failures: 1 })]);
    const failure = all.find(({ tool }) => tool === 'web_search')!;
    const blamed = explainBySettings(failure, settings, { all, moved: new Set() });
    expect(blamed.map(({ setting }) => setting.file)).toEqual(
      found === 1 ? Object.keys(shared) : [],
    );
  },
);

test('a number of a mentioned file is farther than the same number in a file of the agent’s own', () => {
  const blamed = (shared: string) => {
    const files = {
      'src/wire.ts': `export const ${shared} = 0.8;\n`,
      'src/researcher.ts': "import { ask } from './wire.ts';\nconst HOLD = 0.8;\n",
    };
    const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
    const words = new Map(Object.entries(files).map(([file, text]) => [file, wordsOfFile(text)]));
    const [failure] = mergeAlike([group()]);
    const compared = { all: [], moved: new Set<string>(), words };
    return explainBySettings(failure!, settings, compared).map(({ setting }) => setting.file);
  };
  expect(blamed('VAT')).toEqual(['src/researcher.ts']);
  // One whose key speaks of waiting is a rival.
  expect(blamed('TIMEOUT')).toContain('src/wire.ts');
});

test('a number whose key says nothing is not blamed where calls are cut off before such a timer fires', () => {
  const cutOffFrom = (minMs: number) =>
    inAgent('web_search:\n  second_goes: 2\n', {
      failedLatency: { ...latencies([2050, 240]), minMs },
    });
  expect(cutOffFrom(2000)).toEqual(['agents/researcher.yaml#web_search.second_goes']);
  expect(cutOffFrom(1995)).toHaveLength(1);
  expect(cutOffFrom(1910)).toEqual([]);
});

test('a limit below the tool’s name is its own, whatever else the file says of the tool', () => {
  const both = 'allowances:\n  web_search: 0.8s\nfurther_tries:\n  web_search: 2\n';
  expect(blamed({ 'house/all.yaml': both })).toEqual(['house/all.yaml#allowances.web_search']);
});

test('a number in whose key another name stands where that of the tool stands is another tool’s', () => {
  const file = (key: string, tool = 'web_search', own = 'WEB_SEARCH') =>
    blamed({ 'src/researcher.py': `RESEARCHER_${own}_HOLD_S = 30\n${key} = 0.8\n` }, { tool });
  expect(file('RESEARCHER_MAPS_FETCH_HOLD_S')).toEqual([]);
  expect(file('RESEARCHER_MAPS_FETCH_HOLD_S', 'mcp__maps__render', 'MCP__MAPS__RENDER')).toEqual(
    [],
  );
  // The agent's for all tools, and something else.
  expect(file('RESEARCHER_HOLD_S')).toHaveLength(1);
  expect(file('RESEARCHER_MAPS_WAIT_S')).toHaveLength(1);
});

test.each([
  ['is that tool’s', 'freight', ['freight', 'web_search'], 0],
  ['may be for all where no tool is called so', 'total', ['freight', 'web_search'], 1],
  ['may be something else where this tool has none', 'freight', ['freight'], 1],
])(
  'a value that has the name of another tool beside this one’s %s',
  (_, key, [first, second], found) => {
    const own = second === undefined ? '' : `${second} = "75s"\n`;
    const text = `name = "researcher"\n[patience]\n${own}${key} = "0.8s"\n`;
    const settings = settingsOf('conf/researcher.toml', text);
    const all = mergeAlike([group(), group({ tool: first!, failures: 1 })]);
    const failure = all.find(({ tool }) => tool === 'web_search')!;
    const blamed = explainBySettings(failure, settings, { all, moved: new Set() });
    expect(blamed.map(({ setting }) => setting.path.at(-1))).toEqual(found === 1 ? [key] : []);
  },
);

test('of equal numbers in one file the one is blamed whose key speaks of waiting', () => {
  const both = 'web_search:\n  page: 800\n  patience: 800\n';
  expect(inAgent(both)).toEqual(['agents/researcher.yaml#web_search.patience']);
  expect(inAgent('web_search:\n  page: 800\n  hold: 800\n')).toHaveLength(2);
  // Or whose value is written as a time.
  expect(inAgent('web_search:\n  page: 800\n  grace: 800ms\n')).toEqual([
    'agents/researcher.yaml#web_search.grace',
  ]);
});

describe('a setting explains a failure', () => {
  test('by its number in the messages', () => {
    expect(inAgent(RESEARCHER, NO_LATENCY)).toEqual([
      'agents/researcher.yaml#tools.web_search.timeout_ms',
    ]);
  });

  test('by the latencies alone', () => {
    expect(inAgent(RESEARCHER, says('timed out'))).toHaveLength(1);
    const slow = { ...says('timed out'), succeededLatency: latencies([700, 900], [2000, 100]) };
    expect(inAgent(RESEARCHER, slow)).toEqual([]);
    const early = { ...says('timed out'), failedLatency: latencies([100, 300], [805, 112]) };
    expect(inAgent(RESEARCHER, early)).toEqual([]);
    expect(inAgent(RESEARCHER, { ...says('timed out'), ...NO_LATENCY })).toEqual([]);
  });

  test.each([
    ['timeout_ms: 800', 'timed out after 0.8 s'],
    ['timeout_seconds: 0.8', 'timed out after 800ms'],
    ['timeout: 0.8', 'timed out after 800 ms'],
    ['timeout: 30', 'timed out (30s)'],
    ['timeout: 30', 'timed out after 30000 milliseconds'],
    ['timeout_ms: 120000', 'no answer in 2 minutes, timed out'],
    ['timeoutMs: 1500', 'timed out after 1,500 ms'],
    ['deadline_ms: 800', 'request 17 timed out after 800 ms'],
    ['timeout: { ms: 800 }', 'timed out after 800 ms'],
    ['timeout_ms: 800', 'timeout 800'],
    ['timeout_ms: "800"', 'timed out after 800 ms'],
  ])('units are converted: %s, "%s"', (yaml, message) => {
    expect(inAgent(`web_search:\n  ${yaml}\n`, { ...NO_LATENCY, ...says(message) })).toHaveLength(
      1,
    );
  });

  test.each([
    ['timeout_ms: 800', 'timed out after 8000 ms'],
    ['timeout_ms: 800', 'call 800 timed out after 30 s'],
    ['timeout_ms: 800', 'timed out after 1.800 s'],
    ['timeout_ms: 800', 'host a800b timed out'],
    ['timeout_s: 800', 'timed out after 800 ms'],
    ['retry_wait_ms: 800', 'timed out after 800 ms'],
    ['cache_ttl_ms: 800', 'timed out after 800 ms'],
    ['port: 800', 'timed out after 800 ms'],
    ['timeout_ms: -800', 'timed out after 800 ms'],
  ])('and not by %s for "%s"', (yaml, message) => {
    expect(inAgent(`web_search:\n  ${yaml}\n`, { ...NO_LATENCY, ...says(message) })).toEqual([]);
  });

  /** Nothing but durations: 96 % of the failures end at 30 s, successes before. */
  const cutOff = {
    errorCode: 'aborted',
    template: 'context canceled',
    ...says('context canceled'),
    failedLatency: latencies([30_300, 400], [31_500, 12]),
    succeededLatency: latencies([4000, 1000], [12_000, 2000], [28_000, 908]),
  };

  test.each([
    ['tools: { web_search: { budget: { seconds: 30 } } }'],
    ['tools: { web_search: { max_seconds: 30 } }'],
    ['tools: { web_search: { time_limit: "30" } }'],
    ['tools: { web_search: { max_duration_ms: 30000 } }'],
    ['tools: { web_search: { patience: 30s } }'],
    ['tools: { web_search: { give_up: "30s" } }'],
    ['tools: [{ type: function, function: { name: web_search }, limit: 30 }]'],
    ['web_search: [3, 30, 7]'],
  ])('by durations alone, whatever its key is called: %s', (yaml) => {
    expect(inAgent(`${yaml}\n`, cutOff)).toHaveLength(1);
    // Successes that take longer, or failures that end sooner, say that it is not this number.
    const longer = latencies([4000, 1000], [40_000, 400]);
    expect(inAgent(`${yaml}\n`, { ...cutOff, succeededLatency: longer })).toEqual([]);
    const sooner = latencies([12_000, 60], [30_300, 400]);
    expect(inAgent(`${yaml}\n`, { ...cutOff, failedLatency: sooner })).toEqual([]);
  });

  test('a tool of an MCP server is found by its server and its own name', () => {
    const tool = 'mcp__index__web_search';
    const file = (text: string) => blamed({ 'mcp.json': text }, { ...cutOff, tool });
    const limit = '"callBudgetMs": 30000';
    expect(file(`{"mcpServers": {"index": {"timeout_ms": 30000}}}`)).toHaveLength(1);
    expect(file(`{"tools": {"web_search": {${limit}}}}`)).toHaveLength(1);
    expect(file(`{"mcpServers": {"files": {"timeout_ms": 30000}}}`)).toEqual([]);
  });

  test.each([
    ['limits.py', 'WEB_SEARCH_BUDGET = 30.0  # seconds\nOTHER = 3\n'],
    ['src/config.ts', 'export const WEB_SEARCH_TIMEOUT_MS = 30_000;\n'],
    ['agents.toml', '[tools.web_search]\nmax_wait = "30s"\n'],
  ])('in other formats, by a key that names the tool: %s', (file, text) => {
    expect(blamed({ [file]: text }, cutOff)).toHaveLength(1);
  });

  test('what is refused at once is not cut off', () => {
    const fast = { ...cutOff, failedLatency: latencies([30.3, 400]) };
    expect(inAgent('tools: { web_search: { limit: 30 } }', fast)).toEqual([]);
  });

  test('a limit at which agents with other limits are cut off as well is somebody else’s', () => {
    const files = {
      'agents/researcher.yaml': 'web_search: { timeout_s: 30 }',
      'agents/writer.yaml': 'web_search: { timeout_s: 90 }',
    };
    const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
    const explained = (theirs: Partial<FailureGroup>, moved = new Set<string>()) => {
      const all = mergeAlike([group(cutOff), group({ ...cutOff, agent: 'writer', ...theirs })]);
      return explainBySettings(all[0]!, settings, { all, moved });
    };
    expect(explained({})).toEqual([]);
    // What the other agent's limit was when it failed is not what its file says now.
    expect(explained({}, new Set(['agents/writer.yaml']))).toHaveLength(1);
    const [own] = explained({ failedLatency: latencies([91_000, 400]) });
    expect(own!.setting.value).toBe(30);
    expect(own!.reasons.at(-1)!.text).toContain('cut off at theirs: writer');
  });

  test('a number for all is known by those who have a longer one in its place', () => {
    const explained = (own: string, theirs: Partial<FailureGroup>) => {
      const files = {
        'hafen/vorgaben.toml': '[warten]\nregister = "30s"\n',
        'hafen/writer.toml': `[warten]\n${own}\n`,
      };
      const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
      const wrote = { ...cutOff, agent: 'writer', failures: 3, ...theirs };
      const all = mergeAlike([group(cutOff), group(wrote)]);
      return explainBySettings(all[0]!, settings, { all, moved: new Set() });
    };
    const late = { succeededLatency: latencies([20_000, 900], [45_000, 40]) };
    const [found, ...others] = explained('register = "90s"', late);
    expect(others).toEqual([]);
    expect(found!.setting.file).toBe('hafen/vorgaben.toml');
    expect(found!.reasons.at(-1)!.text).toContain('get what is cut off here: writer');
    // No longer one, another key, and none who gets anything by it.
    expect(explained('register = "31s"', late)).toEqual([]);
    expect(explained('wetter = "90s"', late)).toEqual([]);
    expect(explained('register = "90s"', {})).toEqual([]);
  });

  test('a number in fewer than half of the messages is chance', () => {
    const some = [
      ...examples('timed out after 800 ms', [1, 2]),
      ...examples('timed out', [3, 4, 5]),
    ];
    expect(inAgent(RESEARCHER, { ...NO_LATENCY, examples: some })).toEqual([]);
  });

  test.each([
    ['retries_exhausted', 'retries: 3', 'gave up after 3 attempts'],
    ['retries_exhausted', 'max_retries: 3', 'gave up after 4 attempts'],
    ['rate_limit', 'requests_rpm: 60', 'limit of 60 requests'],
    ['size_limit', 'max_tokens: 4096', 'maximum is 4096 tokens'],
  ] as const)('%s: %s', (kind, yaml, message) => {
    const failure = { ...NO_LATENCY, errorCode: CODES[kind], ...says(message) };
    expect(inAgent(`web_search:\n  ${yaml}\n  other: 5\n`, failure)).toHaveLength(1);
    const timeout = { ...NO_LATENCY, examples: failure.examples };
    expect(inAgent(`web_search:\n  ${yaml}\n`, timeout)).toEqual([]);
  });
});

describe('whose setting it is', () => {
  test.each([
    ['agents/researcher.yaml', 'tools: { web_search: { timeout_ms: 800 } }'],
    ['agents/researcher.yaml', 'tools: [{ name: web-search, timeout_ms: 800 }]'],
    ['agents/researcher.yaml', 'timeout_ms: 800'],
    ['agents/researcher.yaml', 'tools: { timeout_ms: 800 }'],
    ['agents/researcher.yaml', 'tools: { defaults: { timeout_ms: 800 } }'],
    ['agents/researcher.yaml', 'timeouts_ms: { web_search: 800 }'],
    ['agents/researcher/limits.yaml', 'timeout_ms: 800'],
    ['agents/r1.yaml', 'name: Researcher\ntimeout_ms: 800'],
    ['agents.yaml', 'name: fleet\nagents: { researcher: { timeout_ms: 800 } }'],
    ['tools/web_search.yaml', 'timeout_ms: 800'],
    ['tools/bots/r1.yaml', 'name: researcher\ntimeout_ms: 800'],
    ['config.json', '{"webSearch": {"timeoutMs": 800}}'],
  ])('%s with %s is ours', (file, text) => {
    expect(blamed({ [file]: text }, NO_LATENCY)).toHaveLength(1);
  });

  test.each([
    ['agents/researcher.yaml', 'tools: { fetch: { timeout_ms: 800 } }'],
    ['agents/researcher.yaml', 'tools: [{ name: fetch, timeout_ms: 800 }]'],
    ['agents/researcher.yaml', 'timeouts_ms: { fetch: 800 }'],
    ['agents/writer.yaml', 'tools: { web_search: { timeout_ms: 800 } }'],
    ['tools/bots/w1.yaml', 'name: writer\ntimeout_ms: 800'],
    ['lab/x.yaml', 'name: writer\ntools: { web_search: { timeout_ms: 800 } }'],
    ['agents.yaml', 'agents: { writer: { web_search: { timeout_ms: 800 } } }'],
    ['agents/researcher/tools/fetch.yaml', 'timeout_ms: 800'],
    ['config.yaml', 'timeout_ms: 800'],
    ['config.yaml', '"": { timeout_ms: 800 }'],
  ])('%s with %s is not', (file, text) => {
    expect(blamed({ [file]: text }, NO_LATENCY)).toEqual([]);
  });

  test('the nearest owner is blamed before one for all', () => {
    const text = 'timeout_ms: 800\ntools: { web_search: { timeout_ms: 800 } }';
    const shared = { 'tools/web_search.yaml': 'timeout_ms: 800', 'agents/researcher.yaml': text };
    expect(blamed(shared, NO_LATENCY)).toEqual([
      'agents/researcher.yaml#tools.web_search.timeout_ms',
    ]);
  });

  test('a number in the messages counts more than a nearer owner', () => {
    const text = 'http: { timeout_ms: 1000 }\ntools: { web_search: { timeout_ms: 800 } }';
    const failedLatency = latencies([1010, 400], [1040, 12]);
    const failed = { ...says('timed out after 1000 ms'), failedLatency };
    expect(inAgent(text, failed)).toEqual(['agents/researcher.yaml#http.timeout_ms']);
  });

  test('a timer does not fire early: a number that fails sooner is somebody else’s, whoever names it', () => {
    const failedLatency = latencies([250, 200], [400, 212]);
    expect(inAgent(RESEARCHER, { failedLatency })).toEqual([]);
  });

  test('two that explain it equally well are both given', () => {
    const text = 'web_search: { timeout_ms: 800, connect_timeout_ms: 800 }';
    expect(inAgent(text)).toHaveLength(2);
  });

  test('an anchored value counts once, and is blamed where the anchor is', () => {
    const text =
      'limits: { fast_timeout_ms: &t 800 }\ntools:\n  web_search: { timeout_ms: *t }\n  fetch: { timeout_ms: *t }\n';
    expect(inAgent(text)).toEqual(['agents/researcher.yaml#limits.fast_timeout_ms']);
  });
});
