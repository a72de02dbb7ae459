/** The GitHub action, run as GitHub would run its last step: a real shell, a real repository. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { git } from '../git/test-repositories.ts';
import { makeTarget } from './target.test-support.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FILE = 'agents/a.yaml';

test('VAL-7 the action refuses a pull request that adds a tool, and writes SARIF', async () => {
  using target = await makeTarget({ [FILE]: 'tools: [search]\n' }, { checkedOut: true });
  const { repository } = target;
  const base = git(repository, ['rev-parse', 'HEAD']);
  git(repository, ['read-tree', 'HEAD']);
  writeFileSync(join(repository, FILE), 'tools: [search, shell]\n');
  git(repository, ['add', '-A']);
  git(repository, ['-c', 'user.name=o', '-c', 'user.email=o@example.org', 'commit', '-qm', 'x']);
  const { runs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  const { run, env } = runs.steps.at(-1);
  expect(Object.keys(env)).toEqual(['RANGE', 'SARIF', 'STRICT']);
  const done = await promisify(execFile)('bash', ['-e', '-c', run], {
    cwd: repository,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: repository,
      GITHUB_ACTION_PATH: ROOT,
      RANGE: `${base}..HEAD`,
      SARIF: 'found.sarif',
      STRICT: 'false',
    },
  }).catch((error: { code: number; stdout: string }) => error);
  expect(done).toMatchObject({ code: 1, stdout: expect.stringContaining('privilege: ') });
  const sarif = JSON.parse(readFileSync(join(repository, 'found.sarif'), 'utf8'));
  expect(sarif.runs[0].results).toMatchObject([{ ruleId: 'privilege', level: 'error' }]);
});
