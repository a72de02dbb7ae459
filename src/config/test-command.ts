/**
 * The command that runs a repository's tests, from the files at its root. Only fixed commands of
 * known tools: a command out of the repository would be somebody else's text in our configuration.
 */

export interface RootFiles {
  has(name: string): boolean;
  read(name: string): string | undefined;
  readonly packageManagers: ReadonlySet<string>;
  readonly testRunners: ReadonlySet<string>;
}

interface Rule {
  readonly applies: (root: RootFiles) => boolean;
  readonly command: (root: RootFiles) => string;
}

const always = (command: string) => () => command;
const hasAny =
  (...names: readonly string[]) =>
  (root: RootFiles) =>
    names.some((name) => root.has(name));

/** The first that applies. */
const RULES: readonly Rule[] = [
  { applies: hasTestScript, command: (root) => NODE_TESTS[nodeManager(root)] },
  { applies: hasAny('deno.json', 'deno.jsonc'), command: always('deno test') },
  { applies: usesPytest, command: pytestCommand },
  { applies: hasAny('tox.ini'), command: always('tox') },
  { applies: hasAny('Cargo.toml'), command: always('cargo test') },
  { applies: hasAny('go.mod'), command: always('go test ./...') },
  { applies: hasAny('gradlew'), command: always('./gradlew test') },
  { applies: hasAny('build.gradle', 'build.gradle.kts'), command: always('gradle test') },
  { applies: hasAny('mvnw'), command: always('./mvnw test') },
  { applies: hasAny('pom.xml'), command: always('mvn test') },
  { applies: hasAny('.rspec'), command: always('bundle exec rspec') },
  { applies: hasAny('phpunit.xml', 'phpunit.xml.dist'), command: always('vendor/bin/phpunit') },
  { applies: hasAny('mix.exs'), command: always('mix test') },
  { applies: hasAny('Package.swift'), command: always('swift test') },
  { applies: hasMakeTarget, command: always('make test') },
];

const NODE_TESTS = { npm: 'npm test', pnpm: 'pnpm test', yarn: 'yarn test', bun: 'bun run test' };

export function testCommandOf(root: RootFiles): string {
  return RULES.find(({ applies }) => applies(root))?.command(root) ?? '';
}

function hasTestScript(root: RootFiles): boolean {
  if (!root.has('package.json')) return false;
  try {
    const script = JSON.parse(root.read('package.json') ?? '')?.scripts?.test;
    // What `npm init` writes fails on purpose.
    return typeof script === 'string' && !script.includes('no test specified');
  } catch {
    return false;
  }
}

function nodeManager(root: RootFiles): keyof typeof NODE_TESTS {
  const others = ['pnpm', 'yarn', 'bun'] as const;
  return others.find((name) => root.packageManagers.has(name)) ?? 'npm';
}

function usesPytest(root: RootFiles): boolean {
  if (
    root.testRunners.has('pytest') &&
    hasAny('pyproject.toml', 'setup.py', 'requirements.txt')(root)
  )
    return true;
  return root.has('pytest.ini') || /^\[tool\.pytest/m.test(root.read('pyproject.toml') ?? '');
}

function pytestCommand(root: RootFiles): string {
  if (root.has('uv.lock')) return 'uv run pytest';
  return root.has('poetry.lock') ? 'poetry run pytest' : 'pytest';
}

function hasMakeTarget(root: RootFiles): boolean {
  return root.has('Makefile') && /^test\s*:/m.test(root.read('Makefile') ?? '');
}
