import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  HOLDER_WORDS,
  JUDGING_PATHS,
  JUDGING_WORDS,
  judgingReason,
  SUBJECT_FOLDERS,
  type WordKind,
} from './judging-files.ts';

/** For each pattern a path that nothing else finds. A pattern without one here fails the test. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'hone.yaml': 'hone.yaml',
  '.hone/**': '.hone/state',
  'policies/**': 'policies/limits.yaml',
  '.github/workflows/**': '.github/workflows/ci.yml',
  '.github/actions/**': '.github/actions/build/action.yml',
  '.gitlab/ci/**': '.gitlab/ci/jobs.yml',
  '.circleci/**': '.circleci/config.yml',
  '.buildkite/**': '.buildkite/pipeline.yml',
  '.drone.y*ml': '.drone.yml',
  '.travis.yml': '.travis.yml',
  '.woodpecker/**': '.woodpecker/a.yml',
  '.woodpecker.y*ml': '.woodpecker.yaml',
  'azure-pipelines.y*ml': 'azure-pipelines.yml',
  'bitbucket-pipelines.yml': 'bitbucket-pipelines.yml',
  Jenkinsfile: 'Jenkinsfile',
  '.pre-commit-config.yaml': '.pre-commit-config.yaml',
  '.husky/**': '.husky/pre-push',
  '.githooks/**': '.githooks/pre-push',
  'lefthook.y*ml': 'lefthook.yml',
  '.git*': '.gitattributes',
  'package.json': 'packages/a/package.json',
  'package.json5': 'package.json5',
  'package.yaml': 'package.yaml',
  'pyproject.toml': 'pyproject.toml',
  'setup.cfg': 'setup.cfg',
  'setup.py': 'setup.py',
  'tox.ini': 'tox.ini',
  'noxfile.py': 'noxfile.py',
  Makefile: 'Makefile',
  GNUmakefile: 'GNUmakefile',
  '*.mk': 'build/rules.mk',
  justfile: 'justfile',
  '.justfile': '.justfile',
  'Taskfile.y*ml': 'Taskfile.yml',
  Rakefile: 'Rakefile',
  'build.gradle*': 'build.gradle.kts',
  'pom.xml': 'pom.xml',
  'Cargo.toml': 'Cargo.toml',
  'CMakeLists.txt': 'CMakeLists.txt',
  'deno.json*': 'deno.jsonc',
  'bunfig.toml': 'bunfig.toml',
  'turbo.json': 'turbo.json',
  'nx.json': 'nx.json',
  'pnpm-workspace.yaml': 'pnpm-workspace.yaml',
  '.pnpmfile.cjs': '.pnpmfile.cjs',
  '*.lock': 'yarn.lock',
  '*.lockb': 'bun.lockb',
  'package-lock.json': 'package-lock.json',
  'npm-shrinkwrap.json': 'npm-shrinkwrap.json',
  'pnpm-lock.yaml': 'pnpm-lock.yaml',
  'go.mod': 'go.mod',
  'go.sum': 'go.sum',
  'requirements*.txt': 'requirements-dev.txt',
  'constraints*.txt': 'constraints.txt',
  Pipfile: 'Pipfile',
  Gemfile: 'Gemfile',
  'node_modules/**': 'node_modules/vitest/index.js',
  'site-packages/**': 'lib/site-packages/a.py',
  'sitecustomize.py': 'sitecustomize.py',
  'usercustomize.py': 'usercustomize.py',
  '*.pth': 'hook.pth',
  '.python-version': '.python-version',
  '.node-version': '.node-version',
  '.ruby-version': '.ruby-version',
  '.tool-versions': '.tool-versions',
  'Dockerfile*': 'Dockerfile',
  '.devcontainer/**': '.devcontainer/devcontainer.json',
  '*.config.*js': 'eslint.config.mjs',
  '*.config.*ts': 'vitest.config.mts',
  'jest.config.json': 'jest.config.json',
  '*.conf.*js': 'karma.conf.js',
  '*.conf.*ts': 'wdio.conf.ts',
  '.*rc': '.npmrc',
  '.*rc.*': '.mocharc.yml',
  '.*ignore': '.eslintignore',
  'conftest.py': 'conftest.py',
  '*.feature': 'features/login.feature',
  '*.rego': 'opa/limits.rego',
  CODEOWNERS: 'docs/CODEOWNERS',
  'codecov.y*ml': 'codecov.yml',
  '.codecov.y*ml': '.codecov.yml',
  'sonar-project.properties': 'sonar-project.properties',
  'pytest.ini': 'pytest.ini',
  '.pytest.ini': '.pytest.ini',
  'phpunit.xml*': 'phpunit.xml.dist',
  'promptfooconfig.*': 'promptfooconfig.yaml',
  'tsconfig*.json': 'tsconfig.build.json',
  'jsconfig*.json': 'jsconfig.json',
  'biome.json*': 'biome.jsonc',
  'ruff.toml': 'ruff.toml',
  '.ruff.toml': '.ruff.toml',
  'mypy.ini': 'mypy.ini',
  '.mypy.ini': '.mypy.ini',
  '.flake8': '.flake8',
  '.golangci.*': '.golangci.yml',
  '.rubocop.y*ml': '.rubocop.yml',
  '.yamllint*': '.yamllint.yaml',
  '.markdownlint*': '.markdownlint.json',
  'test_*.py': 'src/test_parse.py',
  'test_*.rb': 'src/test_parse.rb',
  'test-*.*js': 'src/test-parse.mjs',
  'test-*.ts': 'src/test-parse.ts',
  '.gitlab-ci/**': '.gitlab-ci/jobs.yml',
  '.gitea/workflows/**': '.gitea/workflows/ci.yml',
  '.forgejo/workflows/**': '.forgejo/workflows/ci.yml',
  '.semaphore/**': '.semaphore/semaphore.yml',
  '.teamcity/**': '.teamcity/settings.kts',
  '.cirrus.y*ml': '.cirrus.yml',
  'appveyor.y*ml': 'appveyor.yml',
  '.appveyor.y*ml': '.appveyor.yml',
  'buildspec.y*ml': 'buildspec.yml',
  'cloudbuild.y*ml': 'cloudbuild.yaml',
  'wercker.yml': 'wercker.yml',
  'Jenkinsfile.*': 'Jenkinsfile.release',
  '.git-hooks/**': '.git-hooks/pre-push',
  '.simple-git-hooks.*': '.simple-git-hooks.json',
  '.overcommit.y*ml': '.overcommit.yml',
  '.hg/**': '.hg/hgrc',
  '.github/settings.y*ml': '.github/settings.yml',
  '.github/rulesets/**': '.github/rulesets/main.json',
  '.mergify.y*ml': '.mergify.yml',
  '.github/mergify.y*ml': '.github/mergify.yml',
  '.mergify/**': '.mergify/config.yml',
  '.kodiak.toml': '.kodiak.toml',
  'bors.toml': 'bors.toml',
  Dangerfile: 'Dangerfile',
  'dangerfile.*s': 'dangerfile.ts',
  'tox.toml': 'tox.toml',
  'lerna.json': 'lerna.json',
  'rush.json': 'rush.json',
  'gradlew*': 'gradlew.bat',
  'gradle/wrapper/**': 'gradle/wrapper/gradle-wrapper.properties',
  'gradle.properties': 'gradle.properties',
  'settings.gradle*': 'settings.gradle.kts',
  'buildSrc/**': 'buildSrc/src/rules.kt',
  'mvnw*': 'mvnw',
  '.mvn/**': '.mvn/jvm.config',
  'build.sbt': 'build.sbt',
  'build.xml': 'build.xml',
  BUILD: 'src/BUILD',
  'BUILD.bazel': 'src/BUILD.bazel',
  WORKSPACE: 'WORKSPACE',
  'MODULE.bazel': 'MODULE.bazel',
  'mix.exs': 'mix.exs',
  'composer.json': 'composer.json',
  'magefile.go': 'magefile.go',
  Earthfile: 'Earthfile',
  '.yarn/**': '.yarn/releases/yarn-4.cjs',
  '.pnp.*': '.pnp.cjs',
  'go.work*': 'go.work.sum',
  'uv.toml': 'uv.toml',
  'poetry.toml': 'poetry.toml',
  'pdm.toml': 'pdm.toml',
  'hatch.toml': 'hatch.toml',
  'pip.conf': 'pip.conf',
  '*-requirements.txt': 'dev-requirements.txt',
  'requirements/*.txt': 'requirements/dev.txt',
  'requirements*.in': 'requirements-dev.in',
  'conda-lock.y*ml': 'conda-lock.yml',
  'mise.toml': 'mise.toml',
  '.mise.toml': '.mise.toml',
  'flake.nix': 'flake.nix',
  'shell.nix': 'shell.nix',
  'pytest.py': 'pytest.py',
  '_pytest/**': '_pytest/main.py',
  'pytest.toml': 'pytest.toml',
  '.pytest.toml': '.pytest.toml',
  'nose2.cfg': 'nose2.cfg',
  'behave.ini': 'behave.ini',
  '.rspec': '.rspec',
  'mocha.opts': 'mocha.opts',
  'nightwatch.json': 'nightwatch.json',
  'vitest.workspace.*': 'vitest.workspace.json',
  'vitest.setup.*': 'vitest.setup.ts',
  'jest.setup.*': 'jest.setup.js',
  'jest-setup.*': 'jest-setup.ts',
  'setup-jest.*': 'setup-jest.js',
  pylintrc: 'pylintrc',
  'pyrightconfig.json': 'pyrightconfig.json',
  'tslint.json': 'tslint.json',
  '.semgrep.y*ml': '.semgrep.yml',
  '.semgrep/**': '.semgrep/rules.yml',
  '.snyk': '.snyk',
  '.bandit': '.bandit',
};

/** Written out once more, so that a word cannot leave the list unseen. */
const WORD_EXAMPLES: Readonly<Record<WordKind, readonly string[]>> = {
  test: [
    ...['test', 'tests', 'unittest', 'unittests', 'spec', 'specs', 'e2e', 'cypress', 'cy'],
    ...['eval', 'evals', 'evaluation', 'evaluations', 'bench', 'benchmark', 'benchmarks'],
    ...['replay', 'replays', 'acceptance', 'checks', 'gate', 'gates'],
  ],
  record: [
    ...['golden', 'goldens', 'snap', 'snapshots', 'fixture', 'fixtures', 'cassette', 'cassettes'],
    ...['mocks', 'expected', 'expectations', 'approved', 'baseline', 'baselines'],
    ...['recorded', 'recordings', 'gold', 'truth'],
  ],
  judge: [
    ...['evaluator', 'evaluators', 'grader', 'graders', 'rubric', 'rubrics'],
    ...['judge', 'judges', 'scorer', 'scorers'],
  ],
};
const HOLDER_EXAMPLES: readonly string[] = [
  ...['answers', 'case', 'cases', 'config', 'configs', 'data', 'dataset', 'datasets', 'files'],
  ...['input', 'inputs', 'output', 'outputs', 'prompt', 'prompts', 'results', 'runner', 'runners'],
  ...['session', 'sessions', 'set', 'sets', 'suite', 'suites', 'support'],
];
const SUBJECT_EXAMPLES: readonly string[] = [
  ...['agents', 'prompts', 'skills', 'tools', 'commands', 'docs'],
];

describe('VAL-6: every entry of the lists is held by an example', () => {
  test('no pattern lacks an example, and no example is left over', () => {
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(JUDGING_PATHS.toSorted());
  });

  test.each(JUDGING_PATHS)('%s: without it its example is free', (pattern) => {
    const example = EXAMPLES[pattern]!;
    expect(judgingReason(example)).toBe(pattern);
    const others = JUDGING_PATHS.filter((one) => one !== pattern);
    expect(judgingReason(example, others)).toBeUndefined();
  });

  test('no word lacks an example, and no example is left over', () => {
    const words = Object.values(JUDGING_WORDS).flat();
    expect(words.toSorted()).toEqual(Object.values(WORD_EXAMPLES).flat().toSorted());
    expect(HOLDER_WORDS.toSorted()).toEqual(HOLDER_EXAMPLES.toSorted());
    expect(SUBJECT_FOLDERS.toSorted()).toEqual(SUBJECT_EXAMPLES.toSorted());
  });

  test.each(Object.values(WORD_EXAMPLES).flat())('%s: a folder of that name judges', (word) => {
    expect(judgingReason(`a/${word}/b.bin`)).toBe(word);
    expect(judgingReason(`a/my-${word}/b.bin`)).toBe(word);
    expect(judgingReason(`a/${word}-writer/b.bin`)).toBeUndefined();
  });

  test.each(HOLDER_EXAMPLES)('the holder word %s leaves a judging word what it is', (word) => {
    expect(judgingReason(`golden-${word}/b.bin`)).toBe('golden');
    expect(judgingReason(`golden${word}/b.bin`)).toBe('golden');
    expect(judgingReason(`${word}/b.bin`)).toBeUndefined();
  });

  test.each(SUBJECT_EXAMPLES)('in %s data is named after what it is about', (folder) => {
    expect(judgingReason(`${folder}/replay.yaml`)).toBeUndefined();
    expect(judgingReason('other/replay.yaml')).toBe('replay');
    expect(judgingReason(`${folder}/replay.mjs`)).toBe('replay');
    expect(judgingReason(`${folder}/rubric.md`)).toBe('rubric');
  });
});

test.each([
  ['src/UserServiceTests.cs', 'tests'],
  ['src/search.golden.json', 'golden'],
  ['judge_prompt.md', 'judge'],
  ['unit-tests-v2/a.bin', 'tests'],
  ['src/baseline.ts', undefined],
  ['data/ground_truth.jsonl', 'truth'],
  ['data/expected_output.txt', 'expected'],
  ['quality-gate.yaml', 'gate'],
  ['agents/airport-gate.yaml', undefined],
  ['agents/refund-policy.md', undefined],
  ['src/notes/tests.md', undefined],
  ['agents/interest.yaml', undefined],
  ['agents/build.yaml', undefined],
  ['agents/workspace/reader.yaml', undefined],
  ['prompts/requirements.md', undefined],
  ['agents/requirements/login.yaml', undefined],
  ['agents/setup.yaml', undefined],
  ['agents/environment.yml', undefined],
  ['vendor/acme.yaml', undefined],
  ['agents/hooks/welcome.md', undefined],
  ['src/mix.py', undefined],
])('%s: %s', (path, reason) => {
  expect(judgingReason(path)).toBe(reason);
});

test('the same file by another name judges all the same', () => {
  const disguise = fc.constantFrom(
    (path: string) => path.toUpperCase(),
    (path: string) => `deep/in/${path}`,
    (path: string) => `${path}.`,
    (path: string) => `${path} `,
    (path: string) => `${path}::$DATA`,
    (path: string) => path.replaceAll('e', '\u0435'),
    (path: string) => path.replace('o', '\u200bo'),
  );
  const judging = fc.constantFrom(
    ...Object.values(EXAMPLES),
    'policies/core',
    'tests/one',
    'unit-tests/one',
    'a/golden-files/one.json',
    'src/one.test.ts',
  );
  fc.assert(
    fc.property(judging, fc.array(disguise, { maxLength: 3 }), (path, disguises) => {
      const name = disguises.reduce<string>((so, one) => one(so), path);
      expect([name, judgingReason(name)]).toEqual([name, judgingReason(path)]);
    }),
    { numRuns: 500 },
  );
});
