/**
 * Changes that must, and must not, invalidate the evidence of a validation (VAL-6). Written from the
 * requirement's text before the rule was: "edits to tests, gates, policies or evaluators invalidate the
 * evidence they would give". One half of each list is marked held out: a failure there is fixed in the
 * rule, never by an entry for that case. The rule's author had read both halves. New cases go to the seen half.
 *
 * Decided where the text leaves room:
 * - Prose in a folder of agents, prompts, skills or docs is what an agent or a person reads. A prompt called
 *   `tests.md` and an agent called `test-writer` judge nothing, so they stay open to change.
 * - A rubric or a judge's prompt is prose that does judge: its folder or its own name says so.
 * - The fields of a package manifest that only describe (description, keywords) decide nothing that runs.
 */

export type EvidenceCase = {
  path: string;
  /** The old and the new text, where the decision rests on them; otherwise any edit of the file. */
  before?: string;
  after?: string;
  /** Where the file stood before, if the change moved it. */
  movedFrom?: string;
  /** Commands of the accepted configuration that give the evidence. */
  commands?: string[][];
  heldOut: boolean;
};

const cases = (
  heldOut: boolean,
  rows: (string | Omit<EvidenceCase, 'heldOut'>)[],
): EvidenceCase[] =>
  rows.map((row) => (typeof row === 'string' ? { path: row, heldOut } : { ...row, heldOut }));

const manifest = (fields: Record<string, unknown>): string =>
  `${JSON.stringify({ name: 'agent', version: '1.0.0', ...fields }, null, 2)}\n`;

export const invalidating: EvidenceCase[] = [
  ...cases(false, [
    'tests/agent.test.ts',
    'test/unit/parse.py',
    'src/parse.test.ts',
    'src/parse_test.go',
    'src/__tests__/parse.ts',
    'spec/models/user_spec.rb',
    'Makefile',
    'tox.ini',
    'pyproject.toml',
    'conftest.py',
    'vitest.config.ts',
    'playwright.config.mts',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    'graders/tone.py',
    'evals/rubric.md',
    'golden/answers.json',
    'src/__snapshots__/render.test.ts.snap',
    'tests/fixtures/session.jsonl',
    'policies/limits.yaml',
    '.gitattributes',
    '.husky/pre-commit',
    'package-lock.json',
    'packages/a/pyproject.toml',
    'TESTS/Agent.TEST.ts',
    'makefile',
    {
      path: 'package.json',
      before: manifest({ scripts: { test: 'vitest run' } }),
      after: manifest({ scripts: { test: 'true' } }),
    },
    {
      path: 'packages/a/package.json',
      before: manifest({ scripts: {} }),
      after: manifest({ scripts: { pretest: 'rm -rf tests' } }),
    },
    {
      path: 'package.json',
      before: manifest({}),
      after: manifest({ jest: { testMatch: [] } }),
    },
    {
      path: 'ops/replay.mjs',
      commands: [['node', 'ops/replay.mjs', '--sessions', 'recorded/sessions.jsonl']],
    },
    {
      path: 'recorded/sessions.jsonl',
      commands: [['node', 'ops/replay.mjs', '--sessions', 'recorded/sessions.jsonl']],
    },
    { path: 'agents/old.md', movedFrom: 'tests/old.md' },
  ]),
  ...cases(true, [
    'noxfile.py',
    'setup.cfg',
    'pytest.ini',
    'jest.config.js',
    '.mocharc.yml',
    'cypress.config.js',
    'cypress/e2e/login.cy.ts',
    'src/test_parse.py',
    'e2e/flow.spec.tsx',
    '.circleci/config.yml',
    'Jenkinsfile',
    'azure-pipelines.yml',
    '.buildkite/pipeline.yml',
    'rubrics/helpfulness.yaml',
    'evaluators/exactness.ts',
    'evals/datasets/questions.csv',
    'promptfooconfig.yaml',
    'tests/cassettes/weather.yaml',
    'src/render.approved.txt',
    'testdata/input.json',
    '.gitmodules',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    'eslint.config.mjs',
    '.eslintrc.json',
    'ruff.toml',
    'mypy.ini',
    'biome.json',
    'tsconfig.json',
    'services/api/Makefile',
    'GNUmakefile',
    'justfile',
    'Taskfile.yml',
    'yarn.lock',
    'requirements-dev.txt',
    'poetry.lock',
    '.npmrc',
    'benchmarks/latency.py',
    'ｔests/agent.yaml',
    'CONFTEST.PY',
    {
      path: 'package.json',
      before: manifest({ main: 'src/index.js' }),
      after: manifest({ main: 'src/fake.js' }),
    },
    {
      path: 'package.json',
      before: manifest({}),
      after: manifest({ overrides: { vitest: 'npm:always-green@1' } }),
    },
    {
      path: 'apps/web/package.json',
      before: manifest({}),
      after: manifest({ exports: { '.': './fake.js' } }),
    },
    { path: 'package.json', before: manifest({}), after: '{ "scripts": ' },
    { path: 'check/run.sh', commands: [['bash', '-c', 'cd check && ./run.sh --all']] },
    { path: 'quality/score.py', commands: [['python', '-m', 'quality.score']] },
    {
      path: 'quality/inputs/one.json',
      commands: [['python', 'score.py', '--inputs=quality/inputs']],
    },
    { path: 'Ops/Replay.mjs', commands: [['node', './ops/replay.mjs']] },
    { path: 'agents/judge-results.yaml', movedFrom: 'evals/expected.yaml' },
  ]),
];

export const harmless: EvidenceCase[] = [
  ...cases(false, [
    'agents/researcher.yaml',
    'agents/researcher.md',
    'prompts/system.md',
    'prompts/tests.md',
    'tools/weather_tool.yaml',
    'config/agents.yaml',
    'docs/testing.md',
    'docs/how-we-evaluate.md',
    'latest/agent.yaml',
    'contest/agent.yaml',
    'protest.md',
    'agents/test-writer.md',
    'agents/specialist.yaml',
    'agents/medieval-history.md',
    'agents/retrieval.yaml',
    '.claude/agents/reviewer.md',
    'src/attestation.ts',
    'settings/timeouts.json',
    'README.md',
    'agents/golden-retriever.yaml',
    {
      path: 'package.json',
      before: manifest({ description: 'An agent' }),
      after: manifest({ description: 'An agent that answers' }),
    },
    { path: 'config/tools.yaml', commands: [['npm', 'test']] },
    { path: 'agents/replay.yaml', commands: [['node', 'ops/replay.mjs']] },
    { path: 'agents/new.yaml', movedFrom: 'agents/old.yaml' },
  ]),
  ...cases(true, [
    'greatest/hits.yaml',
    'fastest.json',
    'agents/inspector.yaml',
    'agents/policyholder-support.md',
    'prompts/evaluate-claims.md',
    'prompts/makefile-expert.md',
    'skills/pytest-expert/SKILL.md',
    'skills/ci-helper/SKILL.md',
    'docs/adr/007-golden-files.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'src/index.ts',
    'src/evaluate-expression.ts',
    'src/medieval/castle.py',
    'src/contestants.py',
    'src/snapshotting.ts',
    'agents/package-tracker.yaml',
    'data/cities.json',
    'locales/de.json',
    'mcp/servers.yaml',
    'agents/marketing/testimonials.yaml',
    'agents/lint-free-towels.md',
    'models/routing.yaml',
    'prompts/rubric-cube-solver.md',
    'tools/hook-finder.yaml',
    'agents/intestinal-health.yaml',
    {
      path: 'packages/a/package.json',
      before: manifest({ keywords: ['agent'] }),
      after: manifest({ keywords: ['agent', 'weather'] }),
    },
    {
      path: 'package.json',
      before: manifest({ scripts: { test: 'vitest' }, author: 'a' }),
      after: manifest({ author: 'b', scripts: { test: 'vitest' } }),
    },
    { path: 'ops-notes.md', commands: [['node', 'ops/replay.mjs']] },
    { path: 'agents/node.yaml', commands: [['node', 'ops/replay.mjs', '--strict']] },
    { path: 'prompts/b.md', movedFrom: 'prompts/a.md' },
  ]),
];
