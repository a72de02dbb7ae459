import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { policyContext } from './policy-context.ts';
import { POLICY_TESTS, testPolicies } from './policy-tests.ts';
import { type Files, SETTINGS, touched } from './validate.test-support.ts';

const SHIPPED = policyContext({ forbiddenPaths: SETTINGS.forbiddenPaths });

const failing = async (before: Files, after: Files): Promise<string[]> => {
  const part = testPolicies(await touched(before, after), SHIPPED);
  return part.tests.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
};

const reasons = async (before: Files, after: Files): Promise<string> =>
  testPolicies(await touched(before, after), SHIPPED).reasons.join('\n');

const AGENT = `name: searcher
tools:
  search:
    timeout_ms: 1000
    description: Finds pages
    enabled: true
permissions: [read]
disallowed_tools: [shell]
limits:
  allowed_domains: [a.example.org]
`;
const FILE = 'agents/searcher.yaml';
const edit = (...pairs: readonly (readonly [string, string])[]) => ({
  [FILE]: pairs.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, () => to);
  }, AGENT),
});

test('VAL-1 a changed number, text or description passes every test', async () => {
  const changes = [
    edit(['1000', '3000']),
    edit(['timeout_ms: 1000', 'timeout_ms: 1000\n    retries: 3']),
    edit(['timeout_ms: 1000', 'timeout_ms: 3s']),
    edit(['Finds pages', 'Finds pages, newest first']),
    edit(['name: searcher', 'name: finder']),
    edit(['enabled: true', 'enabled: false']),
    edit(['[read]', '[]']),
    edit(['[shell]', '[shell, browser]']),
    edit(['permissions: [read]', '# what it may do\npermissions:\n  - read']),
    edit(['  search:', '  shell: false\n  search:']),
    { 'prompts/a.md': 'Answer briefly. See docs/usage.md and tools/run.py, e.g. os.path.\n' },
  ];
  for (const after of changes) {
    const part = testPolicies(await touched({ [FILE]: AGENT }, after), SHIPPED);
    expect([after, part.outcome, part.reasons]).toEqual([
      after,
      'passed',
      ['All 8 policy tests passed.'],
    ]);
  }
});

test('an agent may go, but its restrictions not', async () => {
  const [path, text] = ['agents/a.yaml', 'tools: [a]\nallow: [b]\n'];
  expect(await failing({ [path]: text }, { [path]: null })).toEqual([]);
  expect(await failing({ [path]: `${text}deny: [c]\n` }, { [path]: null })).toEqual(['privilege']);
});

describe('VAL-1 forbidden paths', () => {
  test.each([
    'docker-compose.yml',
    'deploy/docker-compose.prod.yaml',
    '.env',
    '.env.local',
    'app/.ENV',
    'SYSTEM_CONTRACT.md',
    'docs/system_contract.MD',
    'tools-gateway/main.py',
    'jarvis/Tools-Gateway/Main.py',
    'tools-gateway/actions.yaml',
    'rag-ingestion/ingest.py',
    'agents/provision.py',
    'agents/generate_api_key.py',
    // The same kinds by the names of other projects.
    'compose.override.yaml',
    'system-contract.txt',
    'services/mcp-gateway/server.ts',
    'gateway/routes.yaml',
    'config/tool_allowlist.json',
    'docs_ingestion/load.py',
    'scripts/ingest-docs.ts',
    'infra/provisioning/users.tf',
    'scripts/provision-agent.sh',
    'keygen.go',
    'certs/agent.pem',
    'hone.yaml',
    'HONE.YAML',
    'policies/a.cedar',
    '.hone/allowed-signers',
    '.github/workflows/a.yml',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    '.husky/pre-push',
    '.githooks/pre-push',
    '.gitattributes',
    'sub/.gitmodules',
    // Names that some file system opens as one of them.
    'hone.yaml.',
    'hone.yaml. .',
    'hone.yaml::$DATA',
    'policies./a',
    'HONE~1.YAM',
    '.env ',
    '\u04bbone.yaml',
    'h\u200cone.yaml',
    '\uff48one.yaml',
    '.\u0435nv',
    'p\u043elicies/a',
  ])('%s', async (path) => {
    expect(await failing({}, { [path]: 'x: 1\n' })).toContain('forbidden_paths');
  });

  test.each(['hone.yaml', 'sub/HONE.yaml', 'policies/a.cedar', '.hone/allowed-signers'])(
    'VAL-1 %s is one although the configured list is empty',
    async (path) => {
      const { outcome } = testPolicies(await touched({}, { [path]: 'x: 1\n' }), policyContext({}));
      expect(outcome).toBe('failed');
    },
  );

  test.each([
    'agents/search.yaml',
    'honest.yaml',
    'docs/environment.md',
    'policy.md',
    '.claude/agents/a.md',
    '.github/copilot-instructions.md',
    'agents/provision.md',
    'a~b.md',
  ])('%s is none', async (path) => {
    expect(await failing({}, { [path]: 'text\n' })).not.toContain('forbidden_paths');
  });

  test('removing one is touching it', async () => {
    expect(await failing({ '.env': 'A=1\n' }, { '.env': null })).toContain('forbidden_paths');
  });
});

describe('hidden characters', () => {
  test.each([
    'a\u200bb',
    'x\u202ey\u202c',
    'pa\u0443pal',
    '\u{e0069}x',
    'a\u001b[8mb',
    '\u2800\u2800\u2800a',
  ])('%j', async (text) => {
    const after = { 'docs/a.md': `one\n${text}\n` };
    expect(await failing({ 'docs/a.md': 'one\n' }, after)).toEqual(['hidden_characters']);
    const told = await reasons({ 'docs/a.md': 'one\n' }, after);
    expect(told).toContain('"docs/a.md", line 2: ');
    expect(told).not.toContain(text);
  });

  test('in a name', async () => {
    expect(await failing({}, { 'docs/no\u200bte.md': 'x\n' })).toEqual(['hidden_characters']);
  });

  test('what was there before, or is honest, is not the change’s', async () => {
    const old = { 'docs/a.md': 'a\u200bb\none\n' };
    expect(await failing(old, { 'docs/a.md': 'a\u200bb\ntwo\n' })).toEqual([]);
    expect(await failing(old, { 'docs/a.md': 'one\n' })).toEqual([]);
    expect(await failing({}, { 'docs/a.md': 'Грёзы о погоде 👩‍💻\n' })).toEqual([]);
  });
});

describe('VAL-1 a forbidden name that is declared as an agent’s file', () => {
  const outcome = async (path: string, agentFiles: readonly string[], text = 'wait: 2\n') =>
    testPolicies(await touched({ [path]: 'wait: 1\n' }, { [path]: text }), {
      ...SHIPPED,
      agentFiles,
    }).outcome;

  test.each([
    ['gateway/desk.yaml', 'gateway/*.yaml'],
    ['toll-gateway/agent.yaml', 'toll-gateway/**'],
    ['agents/gateway.yaml', 'agents/gateway.yaml'],
    ['mail/ingestion/agent.yaml', 'mail/ingestion/*'],
    ['insurer/policies/home.yaml', 'insurer/policies/*.yaml'],
  ])('%s by %s: a person decides', async (path, glob) => {
    expect(await outcome(path, [])).toBe('failed');
    expect(await outcome(path, [glob])).toBe('inconclusive');
    for (const wide of ['**', '**/*.yaml', '*/**', 'mail/**', 'insurer/**'])
      expect([wide, await outcome(path, [wide])]).toEqual([wide, 'failed']);
  });

  test.each([
    ['hone.yaml', 'hone.yaml'],
    ['.hone/keys', '.hone/**'],
    ['policies/a.cedar', 'policies/**'],
    ['.github/workflows/agent.yml', '.github/workflows/agent.yml'],
    ['gateway/allowlist.yaml', 'gateway/*.yaml'],
    ['gateway/.env', 'gateway/**'],
    ['Gateway/desk.yaml', 'gateway/*.yaml'],
  ])('%s by %s: forbidden all the same', async (path, glob) => {
    expect(await outcome(path, [glob, '**'])).toBe('failed');
  });

  test('what the team forbids itself stays forbidden', async () => {
    const context = policyContext({ forbiddenPaths: ['fleet/**'], agentFiles: ['fleet/a.yaml'] });
    const files = await touched({}, { 'fleet/a.yaml': 'wait: 2\n' });
    expect(testPolicies(files, context).outcome).toBe('failed');
  });

  test('in the settings of a client a tuned number is asked about, anything else is refused', async () => {
    const server = (wait: number, more = '') => ({
      '.mcp.json': `{"mcpServers":{"docs":{"command":"d","timeout":${wait}${more}}}}`,
    });
    const change = async (after: Files) =>
      testPolicies(await touched(server(5), after), SHIPPED).outcome;
    expect(await change(server(9))).toBe('inconclusive');
    expect(await change(server(9, ',"note":"x"'))).toBe('failed');
  });

  test('a file that composes services is one by what is in it', async () => {
    const compose = 'services:\n  db:\n    image: postgres\n';
    expect(await outcome('compose-prod.yaml', ['**'], compose)).toBe('failed');
    expect(await outcome('compose-music.yaml', ['**'])).toBe('passed');
  });
});

describe('privileges', () => {
  test.each([
    ['a new tool', edit(['  search:', '  shell:\n    timeout_ms: 5\n  search:'])],
    ['a new empty tool', edit(['  search:', '  shell: {}\n  search:'])],
    ['another permission', edit(['[read]', '[read, write]'])],
    ['another permission instead', edit(['[read]', '[write]'])],
    ['all permissions', edit(['[read]', "'*'"])],
    ['no list of permissions', edit(['permissions: [read]\n', ''])],
    ['a null list', edit(['[read]', 'null'])],
    ['one restriction less', edit(['[shell]', '[]'])],
    ['no restrictions', edit(['disallowed_tools: [shell]\n', ''])],
    ['a switch', edit(['name: searcher', 'name: searcher\nsudo: true'])],
    ['a switch as a number', edit(['name: searcher', 'name: searcher\nis_admin: 1'])],
    ['a number that was a word', edit(['enabled: true', 'enabled: 1'])],
    ['a user id', edit(['timeout_ms: 1000', 'timeout_ms: 1000\n    uid: 0'])],
    ['another kind of tool', edit(['description:', 'type: shell\n    description:'])],
    ['scopes below a tool', edit(['description:', 'scopes: [all]\n    description:'])],
    ['a question less', edit(['enabled: true', 'enabled: true\n    ask_first: false'])],
    ['inside a sandbox', edit(['name: searcher', 'name: searcher\nsandbox: {tools: [shell]}'])],
    ['in another case', edit(['name: searcher', 'name: searcher\nRoles: [owner]'])],
    ['approval switched off', edit(['name: searcher', 'name: searcher\nautoApprove: true'])],
    ['an emptied file', { [FILE]: '\n' }],
  ])('%s', async (_, after) => {
    expect(await failing({ [FILE]: AGENT }, after)).toContain('privilege');
  });

  test('a sandbox or an approval less', async () => {
    for (const [before, after] of [
      ['sandbox: strict', 'sandbox: loose'],
      ['read_only: true', 'read_only: false'],
      ['approvals: 2', 'approvals: 1'],
      ['sandbox: {network: none}', 'x: 1'],
    ])
      expect(await failing({ 'a.yaml': `${before}\n` }, { 'a.yaml': `${after}\n` })).toEqual([
        'privilege',
      ]);
    expect(
      await failing({ 'a.yaml': 'sandbox: false\n' }, { 'a.yaml': 'sandbox: true\n' }),
    ).toEqual([]);
  });

  test('an entry more below a tool, also a number', async () => {
    const tool = (ports: string) => ({ 'a.yaml': `tools:\n  search:\n    ports: ${ports}\n` });
    expect(await failing(tool('[80]'), tool('[80, 443]'))).toEqual(['privilege']);
    expect(await failing(tool('[80, 443]'), tool('[443]'))).toEqual([]);
  });

  test('a list that opens to everything: in an agent’s file, elsewhere, and of what is left out', async () => {
    const outcome = async (key: string, agentFiles: readonly string[]) =>
      testPolicies(
        await touched({ 'a.yaml': `${key}: [docs/**]\n` }, { 'a.yaml': `${key}: ["**"]\n` }),
        policyContext({ agentFiles }),
      ).outcome;
    expect(await outcome('writes', ['*.yaml'])).toBe('failed');
    expect(await outcome('include', [])).toBe('inconclusive');
    expect(await outcome('ignore', ['*.yaml'])).toBe('passed');
  });

  test('a tool as models are told of it, and a step that only has parameters', async () => {
    const list = (...entries: readonly object[]) => ({ 'a.json': JSON.stringify(entries) });
    const tool = (name: string, type: object = { type: 'object' }) => ({ name, parameters: type });
    expect(await failing(list(tool('a')), list(tool('a'), tool('b')))).toEqual(['privilege']);
    expect(await failing(list(tool('a', {})), list(tool('a', {}), tool('b', {})))).toEqual([]);
  });

  test('says file, line and key', async () => {
    expect(await reasons({ [FILE]: AGENT }, edit(['[read]', '[read, write]']))).toBe(
      'privilege: "agents/searcher.yaml", line 7: "permissions.- write" (new) changes what an agent may do.',
    );
  });

  test('an anchor or a merge key smuggles nothing', async () => {
    const old = 'base: &b {tools: [search]}\nagent:\n  <<: *b\n';
    const smuggles = [
      'base: &b {tools: [search, shell]}\nagent:\n  <<: *b\n',
      'base: &b {tools: [search]}\nx: &x {tools: [shell]}\nagent:\n  <<: *x\n',
      'base: &b {tools: [search]}\nx: &x {a: {permissions: [all]}}\nagent:\n  <<: [*b, *x]\n',
      'base: &b {tools: &t [search]}\nagent:\n  <<: *b\n  roles: *t\n',
    ];
    for (const after of smuggles)
      expect([after, await failing({ 'a.yaml': old }, { 'a.yaml': after })]).toEqual([
        after,
        ['privilege'],
      ]);
  });

  test('JSON escapes, a second document and Markdown’s front matter are read', async () => {
    const json = (tools: string) => `{"\\u0074ools": ${tools}}\n`;
    expect(await failing({ 'a.json': json('["a"]') }, { 'a.json': json('["a", "b"]') })).toEqual([
      'privilege',
    ]);
    expect(await failing({ 'a.yaml': 'a: 1\n' }, { 'a.yaml': 'a: 1\n---\ntools: [b]\n' })).toEqual([
      'privilege',
    ]);
    const agent = (tools: string) => ({
      '.claude/agents/a.md': `---\nname: a\n${tools}---\nYou are a.\n`,
    });
    const read = agent('tools: Read, Grep\n');
    expect(await failing(read, agent('tools: Read, Grep, Bash\n'))).toEqual(['privilege']);
    expect(await failing(read, agent(''))).toEqual(['privilege']);
    expect(await failing(read, { '.claude/agents/a.md': 'You are a.\n' })).toEqual(['privilege']);
    expect(await failing(read, agent('tools: Read\n'))).toEqual([]);
  });

  test('what cannot be compared fails', async () => {
    expect(await failing({ 'a.yaml': 'a: 1\n' }, { 'a.yaml': 'a: [1\n' })).toContain('privilege');
    expect(await failing({ 'a.yaml': 'tools: [\n' }, { 'a.yaml': 'tools: [a]\n' })).toContain(
      'privilege',
    );
  });

  test('a list of tools in another order is the same list', async () => {
    const list = (...names: string[]) =>
      `tools:\n${names.map((name) => `  - name: ${name}\n    ms: 5\n`).join('')}`;
    expect(await failing({ 'a.yaml': list('a', 'b') }, { 'a.yaml': list('b', 'a') })).toEqual([]);
    expect(await failing({ 'a.yaml': list('a', 'b') }, { 'a.yaml': list('b', 'a', 'a') })).toEqual([
      'privilege',
    ]);
  });
});

describe('allowlists and endpoints', () => {
  test.each([
    ['one more', edit(['[a.example.org]', '[a.example.org, b]'])],
    ['everything', edit(['[a.example.org]', '["*"]'])],
    ['a new list', edit(['name: searcher', 'name: searcher\nallow: [b]'])],
    ['no list', edit(['  allowed_domains: [a.example.org]', '  n: 1'])],
  ])('allowlist growth: %s', async (_, after) => {
    expect(await failing({ [FILE]: AGENT }, after)).toContain('allowlist_growth');
  });

  test('a shorter list is fine', async () => {
    expect(await failing({ 'a.yaml': 'allow: [a, b]\n' }, { 'a.yaml': 'allow: [b]\n' })).toEqual(
      [],
    );
  });

  test.each([
    'url: search',
    'baseUrl: /x',
    'endpoint: "{{host}}"',
    'command: run',
    'args: [-x]',
    'host: 2130706433',
  ])('new endpoint: %s', async (line) => {
    const after = edit(['name: searcher', `name: searcher\n${line}`]);
    expect(await failing({ [FILE]: AGENT }, after)).toEqual(['tool_endpoints']);
  });

  test('a changed endpoint fails, one that is gone does not', async () => {
    expect(await failing({ 'a.yaml': 'url: a\n' }, { 'a.yaml': 'url: b\n' })).toEqual([
      'tool_endpoints',
    ]);
    expect(await failing({ 'a.yaml': 'url: a\nb: 1\n' }, { 'a.yaml': 'b: 1\n' })).toEqual([]);
  });
});

describe('external hosts', () => {
  test.each([
    'see https://evil.example.net/x',
    'see http://203.0.113.7',
    'ftp://a.b',
    'ws://[2001:db8::1]:80',
    'http://2130706433/',
    'mail x@evil.io',
    'evil.com',
    'EVIL.COM',
    'http://169.254.169.254/latest',
    'https://user:pw@evil.dev',
    'https:/evil.ai',
    '//cdn.evil.com/x.js',
    'https\uff1a//evil\uff0ecom',
    'ev\u00adil.com',
    'https://evil\u3002test/x',
    'https://evil\uff61test/x',
  ])('%s', async (line) => {
    expect(await failing({ 'docs/a.md': 'x\n' }, { 'docs/a.md': `x\n${line}\n` })).toContain(
      'external_hosts',
    );
  });

  test('hidden by escapes', async () => {
    const after = { 'a.json': '{"note": "https:\\u002f\\u002fevil\\u002ecom"}\n' };
    expect(await failing({ 'a.json': '{}\n' }, after)).toEqual(['external_hosts']);
    const folded = { 'a.yaml': 'note: "https:\\\n  //evil.zip/"\n' };
    expect(await failing({ 'a.yaml': 'a: 1\n' }, folded)).toEqual(['external_hosts']);
  });

  test.each([
    'http://localhost:80/',
    'http://127.0.0.1',
    'http://10.1.2.3/',
    'http://search:8080/',
    'tools.search.timeout',
    'main.py',
    'v1.2.3',
    'a.b.c: 1',
    'file:///etc/x',
    '\u691c\u7d22\u3059\u308b\u3002next',
  ])('%s is none', async (line) => {
    expect(await failing({ 'docs/a.md': 'x\n' }, { 'docs/a.md': `x\n${line}\n` })).toEqual([]);
  });

  test('one that the file had before is not new', async () => {
    const old = { 'docs/a.md': 'see https://a.example.org/x\n' };
    expect(await failing(old, { 'docs/a.md': 'read https://A.example.org/y first\n' })).toEqual([]);
  });
});

test('100 000 lines are tested in time', async () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => `${i % 10}`).join('\n');
  expect(await failing({ 'docs/a.md': 'x\n' }, { 'docs/a.md': `x\n${lines}\n` })).toEqual([]);
});

test('the verdict never gets better by adding something forbidden', async () => {
  const harmless = fc.constantFrom<Files>(
    edit(['1000', '3000']),
    { 'docs/a.md': 'text\n' },
    edit(['[read]', '[]']),
    { '.env': 'A=1\n' },
    edit(['[read]', '[all]']),
  );
  const forbidden = fc.constantFrom<Files>(
    { 'hone.yaml': 'x: 1\n' },
    { 'docs/b.md': 'a\u202eb\n' },
    { 'docs/b.md': 'https://evil.net\n' },
    { 'agents/b.yaml': 'tools: [shell]\n' },
    { 'agents/b.yaml': 'allow: [x]\n' },
    { 'agents/b.json': '{"url": "x"}\n' },
  );
  await fc.assert(
    fc.asyncProperty(harmless, forbidden, async (some, more) => {
      const before = { [FILE]: AGENT };
      const [less, worse] = [
        await failing(before, some),
        await failing(before, { ...some, ...more }),
      ];
      expect(worse).toEqual(expect.arrayContaining(less));
      expect(worse.length).toBeGreaterThan(0);
    }),
    { numRuns: 40 },
  );
});

test('every test has a name, a rule and a sentence', () => {
  expect(new Set(POLICY_TESTS.map(({ name }) => name)).size).toBe(POLICY_TESTS.length);
  for (const { rule, forbids } of POLICY_TESTS)
    expect([rule > 0, forbids !== '']).toEqual([true, true]);
});
