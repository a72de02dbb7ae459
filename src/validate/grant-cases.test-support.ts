/**
 * Changes that grant a permission, and tunings that grant none (VAL-1, constitution rule 8). Written before
 * the rule, from what a value is and its place. One half of each list is marked held out: a
 * failure there is fixed in the rule, never by an entry for that case. New cases go to the seen half.
 */

export type GrantCase = { file: string; before: string; after: string; heldOut: boolean };

type Row = [file: string, before: string, after: string];

const cases = (heldOut: boolean, rows: Row[]): GrantCase[] =>
  rows.map(([file, before, after]) => ({ file, before, after, heldOut }));

const settings = '.claude/settings.json';
const workflow = 'automation/release.yml';
const agent = 'agents/a.md';

/** A tool as models and MCP servers are told of it. */
const schema = (...names: readonly string[]) =>
  JSON.stringify({
    tools: [
      {
        name: 's',
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
          required: names,
        },
      },
    ],
  });

export const grants: GrantCase[] = [
  ...cases(false, [
    ['a.yaml', 'tools:\n  - read\n', 'tools:\n  - read\n  - shell\n'],
    ['a.yaml', 'allowed_tools: [read]\n', 'allowed_tools: [read, write]\n'],
    ['a.yaml', 'permissions:\n  network: false\n', 'permissions:\n  network: true\n'],
    [
      'a.yaml',
      'tools:\n  weather_tool:\n    timeout_ms: 1\n',
      'tools:\n  weather_tool:\n    timeout_ms: 1\n  shell:\n    timeout_ms: 1\n',
    ],
    [
      'a.yaml',
      'tools:\n  fetch:\n    url: https://a.example\n',
      'tools:\n  fetch:\n    url: https://b.example\n',
    ],
    ['a.yaml', 'tools:\n  run:\n    command: ls\n', 'tools:\n  run:\n    command: rm\n'],
    ['a.yaml', 'allowed_domains: [a.example]\n', 'allowed_domains: ["*"]\n'],
    ['a.yaml', 'file_mode: 0644\n', 'file_mode: 0777\n'],
    ['a.yaml', 'uid: 1000\n', 'uid: 0\n'],
    ['a.yaml', 'require_approval: true\n', 'require_approval: false\n'],
    ['a.yaml', 'sandbox: true\n', 'sandbox: false\n'],
    [
      settings,
      '{"permissions":{"allow":["Read"]}}',
      '{"permissions":{"allow":["Read","Bash(*)"]}}',
    ],
    [settings, '{"permissions":{"deny":["Bash"]}}', '{"permissions":{"deny":[]}}'],
    ['codex.json', '{"sandbox_mode":"read-only"}', '{"sandbox_mode":"danger-full-access"}'],
    [workflow, 'permissions:\n  contents: read\n', 'permissions:\n  contents: write\n'],
    [agent, '---\ntools: Read\n---\nHi\n', '---\ntools: Read, Bash\n---\nHi\n'],
    ['mcp.json', '{"mcpServers":{}}', '{"mcpServers":{"x":{"command":"npx"}}}'],
    // How a tool is called: one argument more, one of another meaning, a guard that goes.
    ['a.yaml', 'tools: {s: {inputs: [q]}}\n', 'tools: {s: {inputs: [q, region]}}\n'],
    ['a.yaml', 'tools: {s: {inputs: [q]}}\n', 'tools: {s: {inputs: [text, region]}}\n'],
    ['a.yaml', 'tools: {s: {inputs: [q]}}\n', 'tools: {s: {inputs: [sudo]}}\n'],
    ['a.yaml', 'tools: {s: {inputs: [q]}}\n', 'tools: {s: {inputs: [command]}}\n'],
    ['a.yaml', 'tools: {s: {inputs: [q, approval]}}\n', 'tools: {s: {inputs: [q, note]}}\n'],
    ['a.yaml', 'tools: {s: {inputs: [q]}}\n', 'tools: {s: {inputs: ["/etc/*"]}}\n'],
    // Under a key that says nothing: a tool of the file, a permission, a wildcard, a path, a shell, an address.
    ['a.yaml', 'tools: {s: {k7: [q]}, pay: {}}\n', 'tools: {s: {k7: [q, pay]}, pay: {}}\n'],
    ['a.yaml', 'tools: {s: {tables: [news]}}\n', 'tools: {s: {tables: [news, write]}}\n'],
    ['a.yaml', 'tools: {s: {tables: [news]}}\n', 'tools: {s: {tables: ["*"]}}\n'],
    ['a.yaml', 'tools: {s: {tables: [news]}}\n', 'tools: {s: {tables: ["hr.*"]}}\n'],
    ['a.yaml', 'tools: {s: {tables: [news]}}\n', 'tools: {s: {tables: [/srv/hr]}}\n'],
    ['a.yaml', 'tools: {s: {k7: [q]}}\n', 'tools: {s: {k7: [q, bash]}}\n'],
    ['a.yaml', 'tools: {s: {k7: [q]}}\n', 'tools: {s: {k7: ["rm -rf x"]}}\n'],
    ['a.yaml', 'tools: {s: {k7: [q]}}\n', 'tools: {s: {k7: [evil.example.com]}}\n'],
    ['a.yaml', 'tools: {s: {k7: [q]}}\n', 'tools: {s: {k7: [q]}, t: {k7: [q]}}\n'],
    ['a.yaml', 'tools: {s: {args: [q, lang]}}\n', 'tools: {s: {args: [q, exec]}}\n'],
    ['a.yaml', 'tools: {inputs: [q]}\n', 'tools: {inputs: [shell]}\n'],
    ['a.yaml', 'allow: {s: {inputs: [q]}}\n', 'allow: {s: {inputs: [r]}}\n'],
    ['a.yaml', 'tools: {find: {id: find_v2}}\n', 'tools: {find: {id: shell}}\n'],
    ['a.yaml', 'tools: {shell: {id: find}}\n', 'tools: {shell: {id: shell}}\n'],
    ['a.yaml', 'tools: {file: {k7: file_off}}\n', 'tools: {file: {k7: file}}\n'],
    [
      'a.yaml',
      'tools: {web_find: {scope: web_find_x}}\n',
      'tools: {web_find: {scope: web_find}}\n',
    ],
    ['a.yaml', 'tools: {web_find: {k7: web_find}}\n', 'tools: {web_find: {k7: web_find_v2}}\n'],
    ['a.yaml', 'tools: {s: {index: public}}\n', 'tools: {s: {index: internal}}\n'],
    ['a.json', schema('q', 'lang'), schema('q', 'lang', 'recursive')],
    ['a.json', schema('q', 'lang'), schema('q', 'locale', 'region')],
    ['a.json', schema('q', 'lang'), schema('q', 'bypass')],
    [
      'a.json',
      schema('q').replace('"string"', '"string","enum":["read"]'),
      schema('q').replace('"string"', '"string","enum":["read","drop"]'),
    ],
    [
      'a.json',
      schema('q').replace('"string"', '"string","default":"docs"'),
      schema('q').replace('"string"', '"string","default":"/"'),
    ],
    ['run.env', 'VERIFY_CALLS=true\n', 'VERIFY_CALLS=false\n'],
    ['run.ini', '[tools.shell]\nnet=0\n', '[tools.shell]\nnet=1\n'],
    ['a.properties', 'tools.shell.enabled=off\n', 'tools.shell.enabled=on\n'],
    ['run.env', 'ALLOWED_TOOLS=read\n', 'ALLOWED_TOOLS=read,shell\n'],
    // Out of 0: a switch, a rank, a right.
    ['a.yaml', 'tools: {s: {net: 0}}\n', 'tools: {s: {net: 1}}\n'],
    ['a.yaml', 'tools: {s: {trust_level: 0}}\n', 'tools: {s: {trust_level: 3}}\n'],
    ['a.yaml', 'tools: {s: {privileges: 0}}\n', 'tools: {s: {privileges: 2}}\n'],
    ['a.yaml', 'tools: {s: {enabled: 0}}\n', 'tools: {s: {enabled: 2}}\n'],
    ['a.yaml', 'permissions: {net: 0}\n', 'permissions: {net: 2}\n'],
  ]),
  ...cases(true, [
    [agent, '---\nallowed-tools: Read\n---\nHi\n', '---\nallowed-tools: Read, Write\n---\nHi\n'],
    [agent, '---\nname: a\ntools: Read\n---\nHi\n', '---\nname: a\n---\nHi\n'],
    [
      agent,
      '---\npermissionMode: default\n---\nHi\n',
      '---\npermissionMode: bypassPermissions\n---\nHi\n',
    ],
    ['codex.json', '{"approval_policy":"on-request"}', '{"approval_policy":"never"}'],
    [workflow, 'permissions: read-all\n', 'permissions: write-all\n'],
    [
      'mcp.json',
      '{"mcpServers":{"x":{"args":["a"]}}}',
      '{"mcpServers":{"x":{"args":["a","--allow-write"]}}}',
    ],
    ['mcp.json', '{"mcpServers":{"x":{"env":{}}}}', '{"mcpServers":{"x":{"env":{"ROOT":"/"}}}}'],
    ['a.yaml', 'agent:\n  scopes:\n    - repo:read\n', 'agent:\n  scopes:\n    - repo:write\n'],
    ['a.yaml', 'role: viewer\n', 'role: admin\n'],
    ['a.yaml', 'server:\n  port: 8080\n', 'server:\n  port: 22\n'],
    ['a.yaml', 'allowlist:\n  a.example: 1\n', 'allowlist:\n  a.example: 1\n  b.example: 1\n'],
    ['a.yaml', 'allow_network: 0\n', 'allow_network: 1\n'],
    ['a.yaml', 'tools:\n  shell:\n    enabled: false\n', 'tools:\n  shell:\n    enabled: true\n'],
    ['a.yaml', 'denied_commands: [rm, curl]\n', 'denied_commands: [rm]\n'],
    ['a.yaml', 'tools: [read]\n', 'tools: "*"\n'],
    [
      'a.json',
      '{"agents":{"a":{"functions":["sum"]}}}',
      '{"agents":{"a":{"functions":["sum","exec"]}}}',
    ],
    ['a.yaml', 'base: &b [read]\ntools: *b\n', 'base: &b [read, exec]\ntools: *b\n'],
    ['a.yaml', 'umask: 077\n', 'umask: 000\n'],
    ['a.yaml', 'tools:\n  read:\n    paths: [docs]\n', 'tools:\n  read:\n    paths: [docs, /]\n'],
    ['a.yaml', 'dangerously_skip_permissions: false\n', 'dangerously_skip_permissions: true\n'],
    ['a.yaml', 'tools:\n  shell: off_by_default\n', 'tools: {shell: [\n'],
  ]),
];

/** Names that may be permissions or not: a person is asked. */
export const unclear: GrantCase[] = cases(false, [
  ['a.yaml', 'tools: {s: {tables: [news]}}\n', 'tools: {s: {tables: [salaries]}}\n'],
  ['a.yaml', 'tools: {s: {fields: [title]}}\n', 'tools: {s: {fields: [salary]}}\n'],
  ['a.yaml', 'tools: {s: {required: [note]}}\n', 'tools: {s: {required: [reason]}}\n'],
  ['a.yaml', 'tools: {s: {sends: [q, lang]}}\n', 'tools: {s: {sends: [q, locale]}}\n'],
  ['a.yaml', 'tools: {s: {tags: [news]}}\n', 'tools: {s: {tags: [news, sport]}}\n'],
  ['a.json', '{"tools":[{"name":"s","k7":["q"]}]}', '{"tools":[{"name":"s","k7":["new york"]}]}'],
]);

export const tunings: GrantCase[] = [
  ...cases(false, [
    [
      'a.yaml',
      'tools:\n  search:\n    within: PT6S\n    lasts: 1h30m\n',
      'tools:\n  search:\n    within: PT12S\n    lasts: 2h15m\n',
    ],
    [
      'a.yaml',
      'tools:\n  weather_tool:\n    timeout_ms: 2000\n',
      'tools:\n  weather_tool:\n    timeout_ms: 4000\n',
    ],
    [
      'a.yaml',
      'mcp:\n  search:\n    timeout_ms: 2000\n',
      'mcp:\n  search:\n    timeout_ms: 3000\n',
    ],
    [
      'a.yaml',
      'actions:\n  retry:\n    max_attempts: 2\n',
      'actions:\n  retry:\n    max_attempts: 3\n',
    ],
    [
      'a.yaml',
      'commands:\n  build:\n    timeout_s: 20\n',
      'commands:\n  build:\n    timeout_s: 40\n',
    ],
    [
      'a.yaml',
      'functions:\n  sum:\n    max_tokens: 200\n',
      'functions:\n  sum:\n    max_tokens: 400\n',
    ],
    ['a.yaml', 'access_log_reader:\n  batch_size: 10\n', 'access_log_reader:\n  batch_size: 20\n'],
    ['a.yaml', 'max_tool_calls: 5\n', 'max_tool_calls: 10\n'],
    ['a.yaml', 'temperature: 0.2\n', 'temperature: 0.1\n'],
    ['a.json', '{"tools":{"grep":{"timeoutMs":100}}}', '{"tools":{"grep":{"timeoutMs":200}}}'],
    ['a.json', '{"tool_timeout_ms":100}', '{"tool_timeout_ms":200}'],
    [
      'a.yaml',
      'tools:\n  - name: grep\n    timeout_ms: 10\n',
      'tools:\n  - name: grep\n    timeout_ms: 20\n',
    ],
    [
      agent,
      '---\nname: a\ntools: Read\ntimeout_ms: 5\n---\nHi\n',
      '---\nname: a\ntools: Read\ntimeout_ms: 9\n---\nHi\n',
    ],
    [agent, '---\ntools: Read\n---\nBe kind.\n', '---\ntools: Read\n---\nBe kind and brief.\n'],
    ['a.yaml', '# tools\nretries: 1\n', '# tools and access\nretries: 1\n'],
    ['a.yaml', 'permissions_cache:\n  ttl_s: 60\n', 'permissions_cache:\n  ttl_s: 90\n'],
    ['a.yaml', 'tools: {s: {inputs: [q, lang]}}\n', 'tools: {s: {inputs: [q, locale]}}\n'],
    ['a.yaml', 'tools: {s: {params: [lang]}}\n', 'tools: {s: {params: [locale]}}\n'],
    ['a.toml', '[tools.s]\nparams = ["a", "b"]\n', '[tools.s]\nparams = ["a", "c"]\n'],
    ['a.yaml', 'tools: {find: {id: find_v2}}\n', 'tools: {find: {id: find}}\n'],
    ['a.yaml', 'tools: {web_find: {k7: web_find_v2}}\n', 'tools: {web_find: {k7: web_find}}\n'],
    [
      'a.yaml',
      'tools: [{name: find, function: find_it}]\n',
      'tools: [{name: find, function: find}]\n',
    ],
    ['a.json', schema('q', 'lang'), schema('q', 'locale')],
    ['a.json', schema('q', 'lang'), schema('q', 'lang').replace('"string"', '"integer"')],
    ['run.env', 'SEARCH_WAIT=1800 # ms\n', 'SEARCH_WAIT=4000 # ms\n'],
    ['run.ini', '[tools.search]\nwait=5s\nagain=0\n', '[tools.search]\nwait=9s\nagain=1\n'],
    // A list that the change leaves alone never matters, and an argument that the file knows is none.
    ['a.yaml', 'tools: {s: {k7: [a, b], n: 2}}\n', 'tools: {s: {k7: [b, a], n: 3}}\n'],
    [
      'a.yaml',
      'tools: {s: {sends: [q, lang], params: [q, locale]}}\n',
      'tools: {s: {sends: [q, locale], params: [q, locale]}}\n',
    ],
    ['a.yaml', 'tools: {s: {k2: 0}}\n', 'tools: {s: {k2: 2}}\n'],
    ['a.yaml', 'tools: {s: {k2: 0}}\n', 'tools: {s: {k2: 0.5}}\n'],
    ['a.yaml', 'tools: {s: {k2: 0}, t: {k2: 4}}\n', 'tools: {s: {k2: 1}, t: {k2: 4}}\n'],
    ['a.yaml', 'tools: {s: {again: 0}}\n', 'tools: {s: {again: 1}}\n'],
  ]),
  ...cases(true, [
    [
      'a.json',
      '{"mcpServers":{"x":{"command":"npx","timeout":10}}}',
      '{"mcpServers":{"x":{"command":"npx","timeout":30}}}',
    ],
    [
      'a.yaml',
      'tools:\n  defaults:\n    backoff_ms: 100\n',
      'tools:\n  defaults:\n    backoff_ms: 300\n',
    ],
    ['a.yaml', 'tool_defaults:\n  retries: 1\n', 'tool_defaults:\n  retries: 3\n'],
    [
      'a.yaml',
      'agent:\n  tools: [read, write]\n  temperature: 1\n',
      'agent:\n  tools: [read, write]\n  temperature: 0\n',
    ],
    ['a.yaml', 'transactions:\n  limit: 10\n', 'transactions:\n  limit: 20\n'],
    ['a.yaml', 'tools: [read, write]\n', 'tools: [read]\n'],
    ['a.yaml', 'allowed_tools:\n  - read\n  - write\n', 'allowed_tools:\n  - write\n  - read\n'],
    ['a.yaml', 'denied_commands: [rm]\n', 'denied_commands: [rm, curl]\n'],
    ['a.yaml', 'require_approval: false\n', 'require_approval: true\n'],
    [workflow, 'permissions:\n  contents: write\n', 'permissions:\n  contents: read\n'],
    [
      'a.yaml',
      'tools:\n  import_tool:\n    chunk_size_bytes: 10\n',
      'tools:\n  import_tool:\n    chunk_size_bytes: 20\n',
    ],
    [
      'a.yaml',
      'tools:\n  report_tool:\n    threshold: 0.5\n',
      'tools:\n  report_tool:\n    threshold: 0.7\n',
    ],
    ['a.yaml', 'network:\n  connect_timeout_ms: 100\n', 'network:\n  connect_timeout_ms: 500\n'],
    ['a.yaml', 'accessibility:\n  contrast: 3\n', 'accessibility:\n  contrast: 4\n'],
    [
      'a.yaml',
      'x: &t\n  timeout_ms: 5\ntools:\n  a: *t\n  b: *t\n',
      'x: &t\n  timeout_ms: 9\ntools:\n  a: *t\n  b: *t\n',
    ],
    [
      'a.yaml',
      'functions:\n  summarise:\n    window: 12\n',
      'functions:\n  summarise:\n    window: 24\n',
    ],
    ['a.yaml', 'tools:\n  shell:\n    timeout: 30s\n', 'tools:\n  shell:\n    timeout: 60s\n'],
    ['a.json', '{"sandbox":{"memory_mb":256}}', '{"sandbox":{"memory_mb":512}}'],
    [
      agent,
      '---\nname: a\nmodel: m\n---\nUse the tools you have.\n',
      '---\nname: a\nmodel: m\n---\nUse the tools you have with access to docs.\n',
    ],
  ]),
];
