/**
 * What a language needs so that its tests run in the sandbox: how dependencies are built from the lock file, and from where. Only fixed
 * commands of known tools, as for the tests themselves; the first whose lock file is at the root. A language that needs nothing
 * built, such as shell, has none.
 */
import type { RootFiles } from './test-command.ts';
import type { LanguageProfile } from './types.ts';

interface Rule extends LanguageProfile {
  readonly lock: string;
}

const NPM_HOSTS = ['registry.npmjs.org'];
const PYPI_HOSTS = ['pypi.org', 'files.pythonhosted.org'];

const RULES: readonly Rule[] = [
  { lock: 'package-lock.json', prepare: ['npm', 'ci'], hosts: NPM_HOSTS },
  {
    lock: 'pnpm-lock.yaml',
    prepare: ['pnpm', 'install', '--frozen-lockfile'],
    hosts: NPM_HOSTS,
  },
  {
    lock: 'yarn.lock',
    prepare: ['yarn', 'install', '--frozen-lockfile'],
    hosts: ['registry.yarnpkg.com', ...NPM_HOSTS],
  },
  { lock: 'uv.lock', prepare: ['uv', 'sync', '--frozen'], hosts: PYPI_HOSTS },
  {
    lock: 'requirements.txt',
    prepare: ['sh', '-c', 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt'],
    hosts: PYPI_HOSTS,
    test: ['.venv/bin/pytest'],
  },
  {
    lock: 'go.sum',
    prepare: ['go', 'mod', 'vendor'],
    hosts: ['proxy.golang.org', 'sum.golang.org'],
  },
];

export function languageProfileOf(root: RootFiles): LanguageProfile | undefined {
  const found = RULES.find(({ lock }) => root.has(lock));
  if (found === undefined) return undefined;
  const { lock: _, ...profile } = found;
  return profile;
}
