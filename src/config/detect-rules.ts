/**
 * What `hone init` knows: which file names mean which language, tool or agent. Data only; a new
 * tool is a new line here.
 */

export const LANGUAGE_OF_EXTENSION: Readonly<Record<string, string>> = {
  c: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cs: 'csharp',
  cts: 'typescript',
  ex: 'elixir',
  exs: 'elixir',
  go: 'go',
  java: 'java',
  js: 'javascript',
  jsx: 'javascript',
  cjs: 'javascript',
  mjs: 'javascript',
  kt: 'kotlin',
  mts: 'typescript',
  php: 'php',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  scala: 'scala',
  sh: 'shell',
  swift: 'swift',
  ts: 'typescript',
  tsx: 'typescript',
};

/** Looked for in every folder: monorepos keep manifests in their packages. */
export const PACKAGE_MANAGER_OF_FILE: Readonly<Record<string, string>> = {
  'Cargo.toml': 'cargo',
  Gemfile: 'bundler',
  'Package.swift': 'swift',
  Pipfile: 'pipenv',
  'build.gradle': 'gradle',
  'build.gradle.kts': 'gradle',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'composer.json': 'composer',
  'deno.json': 'deno',
  'deno.jsonc': 'deno',
  'go.mod': 'go',
  'mix.exs': 'mix',
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'poetry.lock': 'poetry',
  'pom.xml': 'maven',
  'requirements.txt': 'pip',
  'uv.lock': 'uv',
  'yarn.lock': 'yarn',
};

export const TEST_RUNNER_OF_FILE: readonly (readonly [RegExp, string])[] = [
  [/^vitest\.config\.[cm]?[jt]s$/, 'vitest'],
  [/^jest\.config\.([cm]?[jt]s|json)$/, 'jest'],
  [/^\.mocharc\.(c?js|json|ya?ml)$/, 'mocha'],
  [/^playwright\.config\.[cm]?[jt]s$/, 'playwright'],
  [/^cypress\.config\.[cm]?[jt]s$/, 'cypress'],
  [/^(pytest\.ini|conftest\.py)$/, 'pytest'],
  [/^tox\.ini$/, 'tox'],
  [/^noxfile\.py$/, 'nox'],
  [/^\.rspec$/, 'rspec'],
  [/^phpunit\.xml(\.dist)?$/, 'phpunit'],
  [/_test\.go$/, 'go-test'],
  [/^Cargo\.toml$/, 'cargo-test'],
];

/** Dependencies in a package.json that are test runners. */
export const TEST_RUNNER_OF_DEPENDENCY: Readonly<Record<string, string>> = {
  '@playwright/test': 'playwright',
  ava: 'ava',
  cypress: 'cypress',
  jest: 'jest',
  mocha: 'mocha',
  vitest: 'vitest',
};

/** Paths from the root. A trailing slash means a folder. */
export const CI_OF_PATH: Readonly<Record<string, string>> = {
  '.buildkite/': 'buildkite',
  '.circleci/': 'circleci',
  '.drone.yml': 'drone',
  '.github/workflows/': 'github-actions',
  '.gitlab-ci.yml': 'gitlab-ci',
  '.teamcity/': 'teamcity',
  '.travis.yml': 'travis',
  '.woodpecker.yml': 'woodpecker',
  '.woodpecker/': 'woodpecker',
  Jenkinsfile: 'jenkins',
  'appveyor.yml': 'appveyor',
  'azure-pipelines.yml': 'azure-pipelines',
  'bitbucket-pipelines.yml': 'bitbucket-pipelines',
};

/** Files that steer an agent, in the root or in any folder. */
export const AGENT_FILES: ReadonlySet<string> = new Set([
  '.aider.conf.yml',
  '.clinerules',
  '.cursorrules',
  '.goosehints',
  '.windsurfrules',
  'AGENTS.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'GEMINI.md',
]);

/** Folders that belong to an agent. Not walked: some keep whole copies of the repository. */
export const AGENT_FOLDERS: ReadonlySet<string> = new Set([
  '.agents',
  '.claude',
  '.clinerules',
  '.codex',
  '.continue',
  '.cursor',
  '.gemini',
  '.roo',
  '.windsurf',
]);

/** Paths from the root. A trailing slash means a folder. */
export const AGENT_PATHS: readonly string[] = [
  '.github/agents/',
  '.github/chatmodes/',
  '.github/copilot-instructions.md',
  '.github/instructions/',
  '.github/prompts/',
];

/** Folders of agents' texts, when a file of this kind is in them. */
export const AGENT_TEXT_FOLDERS: readonly (readonly [string, RegExp])[] = [
  ['agents', /^(?!readme|changelog|contributing|license).*\.md$/i],
  ['prompts', /\.(md|txt|ya?ml|json|toml|prompt|j2|jinja2?|hbs|mustache)$/],
  ['skills', /^SKILL\.md$/],
];

/** Folders whose name says what their settings are about. */
export const SETTINGS_FOLDERS: ReadonlyMap<string, 'agents' | 'tools'> = new Map([
  ['agent', 'agents'],
  ['agents', 'agents'],
  ['assistants', 'agents'],
  ['subagents', 'agents'],
  ['tools', 'tools'],
]);

/** Settings in these judge, explain or describe agents; no agent runs from them. */
export const NOT_RUN_FOLDERS: ReadonlySet<string> = new Set([
  '__tests__',
  'benchmarks',
  'docs',
  'eval',
  'evals',
  'evaluations',
  'example',
  'examples',
  'fixtures',
  'schemas',
  'spec',
  'test',
  'tests',
]);

export const MCP_PATHS: readonly string[] = [
  '.codex/config.toml',
  '.cursor/mcp.json',
  '.gemini/settings.json',
  '.mcp.json',
  '.roo/mcp.json',
  '.vscode/mcp.json',
  'mcp.json',
];

/** Somebody else's files, or made by a tool: never walked. */
export const IGNORED_FOLDERS: ReadonlySet<string> = new Set([
  '.cache',
  '.direnv',
  '.git',
  '.gradle',
  '.hg',
  '.hone',
  '.idea',
  '.mypy_cache',
  '.next',
  '.nox',
  '.nuxt',
  '.pnpm-store',
  '.pytest_cache',
  '.ruff_cache',
  '.svn',
  '.terraform',
  '.tox',
  '.turbo',
  '.venv',
  '.yarn',
  'Pods',
  '__pycache__',
  'bower_components',
  'build',
  'coverage',
  'dist',
  'node_modules',
  'out',
  'target',
  'third_party',
  'vendor',
  'venv',
]);
