/**
 * The files that judge changes (rule 10). Here, because vetting and validation must mean the same.
 *
 * Two rules find them. Names that a tool looks for are patterns, by what they do. Names that people
 * choose are read as words: `unit-tests/`, `golden-files/` and `answers.golden.json` say by their last word
 * what they hold, `test-writer/` and `latest/` are something else. A test holds an example for every entry
 * that no other entry matches, so none can be removed unseen.
 *
 * A word is a guess. Where the operator declared a file as an agent's (`target.agentFiles`), a guess is a reason to ask
 * a person and nothing more: `toll-gate.yaml` may be what a toll company's agent is called (ADR 098).
 */
import { globsFor, isSpelledOut, literalForm } from './declared-files.ts';
import { matchingPath, matchingPaths, openedComponents } from './path-patterns.ts';

/** Hone's own files. */
export const HONE_PATHS: readonly string[] = ['hone.yaml', '.hone/**', 'policies/**'];

/** What runs by itself when somebody commits or pushes. `.git*` has `.gitlab-ci.yml` and `.gitattributes`. */
export const CI_PATHS: readonly string[] = [
  '.github/workflows/**',
  '.github/actions/**',
  '.gitlab/ci/**',
  '.circleci/**',
  '.buildkite/**',
  '.drone.y*ml',
  '.travis.yml',
  '.woodpecker/**',
  '.woodpecker.y*ml',
  'azure-pipelines.y*ml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
  '.pre-commit-config.yaml',
  '.husky/**',
  '.githooks/**',
  'lefthook.y*ml',
  '.git*',
  '.gitlab-ci/**',
  '.gitea/workflows/**',
  '.forgejo/workflows/**',
  '.semaphore/**',
  '.teamcity/**',
  '.cirrus.y*ml',
  'appveyor.y*ml',
  '.appveyor.y*ml',
  'buildspec.y*ml',
  'cloudbuild.y*ml',
  'wercker.yml',
  'Jenkinsfile.*',
  '.git-hooks/**',
  '.simple-git-hooks.*',
  '.overcommit.y*ml',
  '.hg/**',
  '.github/settings.y*ml',
  '.github/rulesets/**',
  '.mergify.y*ml',
  '.github/mergify.y*ml',
  '.mergify/**',
  '.kodiak.toml',
  'bors.toml',
  'Dangerfile',
  'dangerfile.*s',
];

/** Decide what a command such as `npm test`, `make check` or `tox` runs. */
const RUNNER_PATHS: readonly string[] = [
  'package.json',
  'package.json5',
  'package.yaml',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'tox.ini',
  'noxfile.py',
  'Makefile',
  'GNUmakefile',
  '*.mk',
  'justfile',
  '.justfile',
  'Taskfile.y*ml',
  'Rakefile',
  'build.gradle*',
  'pom.xml',
  'Cargo.toml',
  'CMakeLists.txt',
  'deno.json*',
  'bunfig.toml',
  'turbo.json',
  'nx.json',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  'tox.toml',
  'lerna.json',
  'rush.json',
  'gradlew*',
  'gradle/wrapper/**',
  'gradle.properties',
  'settings.gradle*',
  'buildSrc/**',
  'mvnw*',
  '.mvn/**',
  'build.sbt',
  'build.xml',
  'BUILD',
  'BUILD.bazel',
  'WORKSPACE',
  'MODULE.bazel',
  'mix.exs',
  'composer.json',
  'magefile.go',
  'Earthfile',
];

/** Decide which code the test runners and linters themselves are, or are run inside the interpreter first. */
const TOOLCHAIN_PATHS: readonly string[] = [
  '*.lock',
  '*.lockb',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'go.mod',
  'go.sum',
  'requirements*.txt',
  'constraints*.txt',
  'Pipfile',
  'Gemfile',
  'node_modules/**',
  'site-packages/**',
  'sitecustomize.py',
  'usercustomize.py',
  '*.pth',
  '.python-version',
  '.node-version',
  '.ruby-version',
  '.tool-versions',
  'Dockerfile*',
  '.devcontainer/**',
  '.yarn/**',
  '.pnp.*',
  'go.work*',
  'uv.toml',
  'poetry.toml',
  'pdm.toml',
  'hatch.toml',
  'pip.conf',
  '*-requirements.txt',
  'requirements/*.txt',
  'requirements*.in',
  'conda-lock.y*ml',
  'mise.toml',
  '.mise.toml',
  'flake.nix',
  'shell.nix',
  'pytest.py',
  '_pytest/**',
];

/** Tests whose runner finds them by a word in front, where the word behind is what they test. */
const TEST_PATHS: readonly string[] = ['test_*.py', 'test_*.rb', 'test-*.*js', 'test-*.ts'];

/** Settings of test runners, linters and type checkers, whose verdict is evidence. */
const CHECKER_PATHS: readonly string[] = [
  // vitest, jest, playwright, cypress, eslint and what they load: settings that are programs.
  '*.config.*js',
  '*.config.*ts',
  'jest.config.json',
  '*.conf.*js',
  '*.conf.*ts',
  // .eslintrc.json, .mocharc.yml, .npmrc, .coveragerc.
  '.*rc',
  '.*rc.*',
  '.*ignore',
  'conftest.py',
  '*.feature',
  '*.rego',
  'CODEOWNERS',
  'codecov.y*ml',
  '.codecov.y*ml',
  'sonar-project.properties',
  'pytest.ini',
  '.pytest.ini',
  'phpunit.xml*',
  'promptfooconfig.*',
  'tsconfig*.json',
  'jsconfig*.json',
  'biome.json*',
  'ruff.toml',
  '.ruff.toml',
  'mypy.ini',
  '.mypy.ini',
  '.flake8',
  '.golangci.*',
  '.rubocop.y*ml',
  '.yamllint*',
  '.markdownlint*',
  'pytest.toml',
  '.pytest.toml',
  'nose2.cfg',
  'behave.ini',
  '.rspec',
  'mocha.opts',
  'nightwatch.json',
  'vitest.workspace.*',
  'vitest.setup.*',
  'jest.setup.*',
  'jest-setup.*',
  'setup-jest.*',
  'pylintrc',
  'pyrightconfig.json',
  'tslint.json',
  '.semgrep.y*ml',
  '.semgrep/**',
  '.snyk',
  '.bandit',
  ...TEST_PATHS,
];

export const JUDGING_PATHS: readonly string[] = [
  ...HONE_PATHS,
  ...CI_PATHS,
  ...RUNNER_PATHS,
  ...TOOLCHAIN_PATHS,
  ...CHECKER_PATHS,
];

/** People choose such names too: spelled out as agents' files, they are asked about. Policies in Cedar are Hone's own. */
const CHOSEN_PATHS: ReadonlySet<string> = new Set([
  ...['policies/**', '*.config.*js', '*.config.*ts', '*.conf.*js', '*.conf.*ts', '.*rc', '.*rc.*'],
]);
const POLICY_FILE = ['*.cedar'];

/** `vitest.config.ts` is what a tool looks for; `fleet.config.ts` is what people call the settings of their own program. */
const CONFIG_PATHS: ReadonlySet<string> = new Set([
  ...['*.config.*js', '*.config.*ts', '*.conf.*js', '*.conf.*ts'],
]);
/** Tools whose settings are programs of such a name: what tests, checks, builds or changes code. One that is not here is asked about. */
const CONFIGURED_TOOLS: ReadonlySet<string> = new Set(
  'astro ava babel backstop biome c8 changelog chromatic codecept commitlint cucumber cypress dangerfile detox drizzle esbuild eslint gatsby graphql gulp happo istanbul jasmine jest karma knip lerna lighthouserc lint lintstaged metro mocha monocart next nightwatch nuxt nx nyc oxlint percy playwright postcss prettier promptfoo protractor react release remix renovate rolldown rollup rspack sanity semantic storybook stryker stylelint svelte swc tailwind tap taro test testcafe tests tsdown tsup turbo uno vite vitest vue wdio web webpack windi xo'.split(
    ' ',
  ),
);

/** By these, and by names such as `__mocks__`, test runners find what they run and what belongs to it. */
const RUNNER_WORDS: ReadonlySet<string> = new Set(
  'test tests unittest unittests spec specs e2e cypress cy snap'.split(' '),
);

export type WordKind = 'test' | 'record' | 'judge';

/**
 * test: what runs. record: what an outcome is compared with. judge: what gives marks; often prose, so that
 * a file of prose counts too.
 */
export const JUDGING_WORDS: Readonly<Record<WordKind, readonly string[]>> = {
  test: 'test tests unittest unittests spec specs e2e cypress cy eval evals evaluation evaluations bench benchmark benchmarks replay replays acceptance checks gate gates'.split(
    ' ',
  ),
  record:
    'golden goldens snap snapshots fixture fixtures cassette cassettes mocks expected expectations approved baseline baselines recorded recordings gold truth'.split(
      ' ',
    ),
  judge: 'evaluator evaluators grader graders rubric rubrics judge judges scorer scorers'.split(
    ' ',
  ),
};

/** Words behind a judging word that leave it what it is: `test-data`, `goldenfiles`, `judge_prompt`. */
export const HOLDER_WORDS: readonly string[] =
  'answers case cases config configs data dataset datasets files input inputs output outputs prompt prompts results runner runners session sessions set sets suite suites support'.split(
    ' ',
  );

/** There a file of data or prose is named after what it is about: an agent called `replay` judges nothing. */
export const SUBJECT_FOLDERS: readonly string[] = [
  'agents',
  'prompts',
  'skills',
  'tools',
  'commands',
  'docs',
];

const PROSE = /^(?:md|mdx|markdown|rst|adoc)$/;
const DATA = /^(?:txt|ya?ml|jsonl?|ndjson|toml|ini|[ct]sv|xml)$/;

export interface JudgingFile {
  /** The pattern or the word. */
  readonly by: string;
  /** Not sure: an agent's file by declaration, and nothing but its name speaks against that. */
  readonly isSure: boolean;
  /** The declaration has the very name. */
  readonly isSpelledOut: boolean;
}

/**
 * What makes a file one that judges changes: the pattern or the word; undefined when nothing does. The
 * path is attacker-controlled and read as the laxest file system would open it.
 */
export function judgingReason(path: string, patterns = JUDGING_PATHS): string | undefined {
  return matchingPath(path, patterns) ?? wordReasons(path)[0]?.word;
}

/** The same, where some files are declared as agents' files. */
export function judgingFile(path: string, agentFiles: readonly string[]): JudgingFile | undefined {
  const sure = (by: string) => ({ by, isSure: true, isSpelledOut: false });
  const globs = globsFor(path, agentFiles);
  const patterns = matchingPaths(path, JUDGING_PATHS);
  const isOwnConfig = globs.length > 0 && !isToolsConfig(path);
  const fixed = patterns.find(
    (pattern) =>
      !CHOSEN_PATHS.has(pattern) ||
      !(isSpelledOut(pattern, globs) || (isOwnConfig && CONFIG_PATHS.has(pattern))),
  );
  if (fixed !== undefined) return sure(fixed);
  if (patterns.length > 0 && matchingPath(path, POLICY_FILE) !== undefined)
    return sure(patterns[0]!);
  const words = wordReasons(path);
  const runners = words.find((one) => isRunners(path, one, globs));
  const found = runners ?? words[0];
  if (found === undefined)
    return patterns.length === 0
      ? undefined
      : {
          by: patterns[0]!,
          isSure: false,
          isSpelledOut: patterns.every((pattern) => isSpelledOut(pattern, globs)),
        };
  if (globs.length === 0 || runners !== undefined) return sure(found.word);
  return { by: found.word, isSure: false, isSpelledOut: spellsWord(found.word, globs) };
}

function isToolsConfig(path: string): boolean {
  const words = openedComponents(path)
    .at(-1)!
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => CONFIGURED_TOOLS.has(word));
}

/** What a gate names, by a name that says it judges: not a folder that happens to hold it. */
export function isNamedBy(path: string, by: string, mentions: readonly string[]): boolean {
  return matchingPaths(path, mentions).some((one) => judgingReason(literalForm(one)) === by);
}

/** What a test runner collects or keeps: no declaration makes a subject of it. */
function isRunners(path: string, { word, at }: WordReason, globs: readonly string[]): boolean {
  if (path.split('/').some((name) => /^__\w+__$/.test(name))) return true;
  if (!RUNNER_WORDS.has(word)) return false;
  if (!isText(path)) return true;
  // No runner collects `spec.yaml`, but `a.test.yaml`; in a folder of tests data is theirs, unless that folder is declared.
  return at === 'part' || (at === 'folder' && !spellsWord(word, globs));
}

function spellsWord(word: string, globs: readonly string[]): boolean {
  return globs.some((glob) => wordReasons(literalForm(glob)).some((one) => one.word === word));
}

/** What a test runner collects. */
export function isTestFile(path: string): boolean {
  if (matchingPath(path, TEST_PATHS) !== undefined) return true;
  return !isText(path) && wordReasons(path).some(({ word }) => RUNNER_WORDS.has(word));
}

/** Data and prose, which nothing runs. */
export function isText(path: string): boolean {
  const extension = openedComponents(path).at(-1)!.split('.').slice(1).at(-1) ?? '';
  return PROSE.test(extension) || DATA.test(extension);
}

interface WordReason {
  readonly word: string;
  /** In a folder's name, in a part behind a dot, or at the beginning of the file's name. */
  readonly at: 'folder' | 'part' | 'stem';
}

/** Of the same path twice: as it is, and with `UserServiceTests` taken apart into its words. Folders come first. */
function wordReasons(path: string): readonly WordReason[] {
  const apart = path.replace(/([a-z0-9])([A-Z])/g, '$1-$2');
  return [path, apart].flatMap((one) => wordsIn(openedComponents(one)));
}

function wordsIn(components: readonly string[]): readonly WordReason[] {
  const folders = components.slice(0, -1);
  const own = judgingFileWord(components.at(-1)!, folders.at(-1) ?? '');
  return [
    ...folders.flatMap((folder) => {
      const word = judgingWord(folder, ['test', 'record', 'judge']);
      return word === undefined ? [] : [{ word, at: 'folder' as const }];
    }),
    ...(own === undefined ? [] : [own]),
  ];
}

function judgingFileWord(file: string, folder: string): WordReason | undefined {
  const [stem = '', ...rest] = file.split('.');
  for (const part of rest) {
    const word = judgingWord(part, ['test', 'record', 'judge']);
    if (word !== undefined) return { word, at: 'part' };
  }
  const word = judgingWord(stem, stemKinds(rest.at(-1) ?? '', folder));
  return word === undefined ? undefined : { word, at: 'stem' };
}

/** Code called `baseline.ts` may be the product's own; tests are never prose. */
function stemKinds(extension: string, folder: string): readonly WordKind[] {
  if (PROSE.test(extension)) return ['judge'];
  if (!DATA.test(extension)) return ['test', 'judge'];
  return SUBJECT_FOLDERS.includes(folder) ? ['judge'] : ['test', 'record', 'judge'];
}

function judgingWord(name: string, kinds: readonly WordKind[]): string | undefined {
  const wanted = kinds.flatMap((kind) => JUDGING_WORDS[kind]);
  for (const word of wordsOf(name).toReversed()) {
    const found = wanted.find(
      (one) =>
        word === one || (word.startsWith(one) && HOLDER_WORDS.includes(word.slice(one.length))),
    );
    if (found !== undefined) return found;
    if (!HOLDER_WORDS.includes(word)) return undefined;
  }
  return undefined;
}

/** `unit-tests`, `unit_tests_2` and `__tests__` end with the same word; a number names no kind. */
function wordsOf(name: string): string[] {
  return name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !/^v?\d+$/.test(word));
}
