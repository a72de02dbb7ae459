import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { git } from '../git/test-repositories.ts';
import { makeTarget, type Target } from './target.test-support.ts';

const FILE = 'agents/a.yaml';
let target: Target;
beforeEach(async () => {
  target = await makeTarget({ [FILE]: 'tools: [search]\nwait_ms: 100\n' }, { checkedOut: true });
});
afterEach(() => target[Symbol.dispose]());

const write = (text: string, path = FILE) => writeFileSync(join(target.repository, path), text);
const stage = () => git(target.repository, ['add', '-A']);

test('VAL-7 what is staged is checked, with nothing set up', async () => {
  git(target.repository, ['read-tree', 'HEAD']);
  write('tools: [search]\nwait_ms: 300\n');
  stage();
  expect(await target.hone('policy', 'check', '--staged')).toMatchObject({ exit: 0 });
  write('tools: [search, shell]\nwait_ms: 300\nkey: AKIAQ3EGRJ7X2LPD5KZW\n');
  stage();
  const { exit, out } = await target.hone('policy', 'check', '--staged');
  expect(exit).toBe(1);
  expect(out).toMatch(/privilege: .*agents\/a\.yaml/);
  expect(out).toMatch(/secrets: /);
  expect(out).not.toContain('AKIAQ3EGRJ7X2LPD5KZW');
});

test('settings of the repository can neither empty what is compared nor hide a part of it', async () => {
  git(target.repository, ['read-tree', 'HEAD']);
  write('tools: [search, shell]\nwait_ms: 300\n');
  stage();
  git(target.repository, ['config', 'diff.orderFile', '/nowhere']);
  git(target.repository, ['config', 'diff.ignoreSubmodules', 'all']);
  expect(await target.hone('policy', 'check', '--staged')).toMatchObject({ exit: 1 });
  git(target.repository, ['config', 'diff.external', 'false']);
  git(target.repository, ['config', 'diff.algorithm', 'no-such']);
  expect((await target.hone('policy', 'check', '--staged')).exit).not.toBe(0);
});

test('VAL-7 a range of commits, as JSON and as SARIF', async () => {
  const before = git(target.repository, ['rev-parse', 'HEAD']);
  git(target.repository, ['read-tree', 'HEAD']);
  mkdirSync(join(target.repository, '.github', 'workflows'), { recursive: true });
  write('on: push\n', '.github/workflows/ci.yml');
  stage();
  const who = ['-c', 'user.name=o', '-c', 'user.email=o@example.org'];
  git(target.repository, [...who, 'commit', '-q', '-m', 'ci']);
  const range = ['policy', 'check', '--range', `${before}..refs/heads/main`];
  const json = await target.hone(...range, '--format', 'json');
  expect(json.exit).toBe(1);
  expect(contracts.policyCheckJson.parse(JSON.parse(json.out))).toMatchObject({
    files: 1,
    findings: [{ rule: 'forbidden_paths', path: '.github/workflows/ci.yml' }],
  });
  const { runs, version } = JSON.parse((await target.hone(...range, '--format', 'sarif')).out);
  expect(version).toBe('2.1.0');
  expect(runs[0].tool.driver.name).toBe('hone');
  expect(runs[0].results[0]).toMatchObject({
    ruleId: 'forbidden_paths',
    level: 'error',
    message: { text: expect.any(String) },
    locations: [{ physicalLocation: { artifactLocation: { uri: '.github/workflows/ci.yml' } } }],
  });
});

test('VAL-7 the base’s own hone.yaml says what is asked, and what a person decides does not refuse', async () => {
  const who = ['-c', 'user.name=o', '-c', 'user.email=o@example.org'];
  git(target.repository, ['read-tree', 'HEAD']);
  mkdirSync(join(target.repository, 'src'), { recursive: true });
  write('policy: { check: { testsFor: ["src/**"], changedLinesMax: 8 } }\n', 'hone.yaml');
  write('tools: {search: {sends: [q]}}\n');
  stage();
  git(target.repository, [...who, 'commit', '-q', '-m', 'rules']);
  write('tools: {search: {sends: [r]}}\n');
  stage();
  const asked = await target.hone('policy', 'check', '--staged');
  expect(asked).toMatchObject({ exit: 0, out: expect.stringContaining('a person decides') });
  expect(await target.hone('policy', 'check', '--staged', '--strict')).toMatchObject({ exit: 1 });
  const sarif = await target.hone('policy', 'check', '--staged', '--format', 'sarif');
  expect(JSON.parse(sarif.out).runs[0].results[0]).toMatchObject({ level: 'warning' });
  write('a\n'.repeat(9), 'src/a.ts');
  stage();
  const refused = await target.hone('policy', 'check', '--staged', '--format', 'json');
  expect(refused.exit).toBe(1);
  const { findings } = contracts.policyCheckJson.parse(JSON.parse(refused.out));
  expect(findings.map(({ level, rule }) => `${level} ${rule}`)).toEqual([
    ...['error diff_caps', 'error tests', 'warning privilege'],
  ]);
});

test('a patch that cannot be read is refused, never passed over', async () => {
  write('diff --git a/x b/x\nrename from x\nrename to hone.yaml\n', 'bad.patch');
  const bad = await target.hone('policy', 'check', '--diff', 'bad.patch');
  expect(bad).toMatchObject({ exit: 1, out: expect.stringContaining('the patch is refused') });
});

test.each([
  [['policy', 'check']],
  [['policy', 'check', '--staged', '--range', 'a..b']],
  [['policy', 'check', '--range', 'nowhere..main']],
  [['policy', 'check', '--range=--output=x..main']],
  [['policy', 'check', '--diff', 'nowhere.patch']],
])('%j is usage', async (args) => {
  expect(await target.hone(...args)).toMatchObject({ exit: 2 });
});
