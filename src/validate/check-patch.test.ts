import { describe, expect, test } from 'vitest';
import { checkPatch, type PatchRules } from './check-patch.ts';
import { isAllowed } from './licences.ts';
import { type Files, makeTarget, SETTINGS } from './validate.test-support.ts';

const RULES: PatchRules = {
  forbiddenPaths: SETTINGS.forbiddenPaths,
  agentFiles: [],
  caps: { filesMax: 3, changedLinesMax: 20 },
  testsFor: ['src/**'],
  licences: ['MIT', 'Apache-2.0', 'ISC'],
};

async function found(before: Files, after: Files, more: Partial<PatchRules> = {}) {
  const target = await makeTarget({ 'README.md': 'x\n', ...before }, after);
  const { findings } = await checkPatch(target, target.repository, { ...RULES, ...more });
  return findings.map(({ level, rule }) => `${level} ${rule}`);
}

const lines = (count: number) => 'x\n'.repeat(count);

describe('VAL-7 diff caps', () => {
  test('as many files and lines as allowed, and one more', async () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`docs/${at}.md`, 'x\n']));
    expect(await found({}, files(3))).toEqual([]);
    expect(await found({}, files(4))).toEqual(['error diff_caps']);
    expect(await found({}, { 'docs/a.md': lines(20) })).toEqual([]);
    expect(await found({}, { 'docs/a.md': lines(21) })).toEqual(['error diff_caps']);
  });

  test('what tools write does not count', async () => {
    expect(await found({}, { 'yarn.lock': lines(500), 'go.sum': lines(500) })).toEqual([]);
  });

  test('a lock file gives no agent a tool, however long it is', async () => {
    const packages = Object.fromEntries(
      Array.from({ length: 9000 }, (_, at) => [`node_modules/p${at}/tools`, { license: 'MIT' }]),
    );
    const text = JSON.stringify({ packages });
    expect(text.length).toBeGreaterThan(256 * 1024);
    expect(await found({}, { 'package-lock.json': text })).toEqual([]);
  });
});

describe('VAL-7 tests for source', () => {
  const source = { 'src/a.ts': 'export const a = 1;\n' };

  test('source that changes asks for a test that changes', async () => {
    expect(await found({}, source)).toEqual(['error tests']);
    expect(await found({}, source, { testsFor: [] })).toEqual([]);
    expect(await found({}, { 'docs/a.md': 'x\n' })).toEqual([]);
    for (const path of ['src/a.test.ts', 'tests/a.ts', 'src/test_a.py', 'pkg/a_test.go'])
      expect([path, await found({}, { ...source, [path]: 'x = 1\n' })]).toEqual([path, []]);
  });

  test('a test that loses lines, gets a blank one, or is none is no test', async () => {
    const old = { 'src/a.test.ts': 'let a = 1;\nlet b = 2;\n', 'tests/notes.md': 'x\n' };
    for (const after of ['let a = 1;\n', null, 'let a = 1;\nlet b = 2;\n\n'])
      expect(await found(old, { ...source, 'src/a.test.ts': after })).toEqual(['error tests']);
    expect(await found(old, { ...source, 'tests/notes.md': 'y\n' })).toEqual(['error tests']);
  });

  test('source that only goes asks for none', async () => {
    expect(await found(source, { 'src/a.ts': null })).toEqual([]);
  });
});

describe('VAL-7 licences', () => {
  const json = (value: object) => `${JSON.stringify(value, null, 1)}\n`;
  const lock = (licences: Readonly<Record<string, string | undefined>>) =>
    json({
      lockfileVersion: 3,
      packages: Object.fromEntries(
        Object.entries(licences).map(([name, license]) => [`node_modules/${name}`, { license }]),
      ),
    });

  test('the project’s own: a person decides, and one that is not allowed is refused', async () => {
    expect(await found({}, { LICENSE: 'MIT\n' })).toEqual(['warning licences']);
    expect(await found({ 'LICENCE.md': 'MIT\n' }, { 'LICENCE.md': null })).toEqual([
      'error licences',
    ]);
    const own = (license: string) => ({ 'package.json': json({ name: 'a', license }) });
    expect(await found(own('MIT'), own('ISC'))).toEqual(['warning licences']);
    expect(await found(own('MIT'), own('GPL-3.0-only'))).toEqual(['error licences']);
    expect(await found(own('MIT'), { 'package.json': json({ name: 'a' }) })).toEqual([
      'error licences',
    ]);
  });

  test('a new dependency: known by npm’s lock file, else a person decides', async () => {
    const manifest = (...names: string[]) => ({
      'package.json': json({
        dependencies: Object.fromEntries(names.map((one) => [one, '1.0.0'])),
      }),
    });
    const old = { ...manifest('a'), 'package-lock.json': lock({ a: 'MIT' }) };
    const to = (license: string | undefined) => ({
      ...manifest('a', 'b'),
      'package-lock.json': lock({ a: 'MIT', b: license }),
    });
    expect(await found(old, to('(MIT OR GPL-3.0-only)'))).toEqual([]);
    expect(await found(old, to('AGPL-3.0-only'))).toEqual(['error licences']);
    expect(await found(old, to(undefined))).toEqual(['warning licences']);
    expect(await found(old, manifest('a', 'b'))).toEqual(['warning licences']);
    expect(await found(old, { 'package-lock.json': lock({ a: 'SSPL-1.0' }) })).toEqual([
      'error licences',
    ]);
  });

  test.each([
    ['requirements.txt', 'httpx==1\n', 'httpx==2\n', 'httpx==1\nrich>=3\n'],
    ['go.mod', 'require a.org/b v1.0.0\n', 'require a.org/b v1.1.0\n', 'require a.org/c v1.0.0\n'],
    [
      'pyproject.toml',
      '[project]\ndependencies = ["httpx>=1"]\n',
      '[project]\ndependencies = ["httpx>=2"]\n',
      '[project]\ndependencies = ["httpx>=1", "rich"]\n',
    ],
    [
      'Cargo.toml',
      '[dependencies]\nserde = "1"\n',
      '[dependencies]\nserde = "2"\n',
      '[dependencies]\nserde = "1"\nrand = "1"\n',
    ],
  ])('%s: another version is no new dependency', async (path, old, other, more) => {
    expect(await found({ [path]: old }, { [path]: other })).toEqual([]);
    expect(await found({ [path]: old }, { [path]: more })).toEqual(['warning licences']);
  });

  test.each([
    ['MIT', true],
    ['mit', true],
    ['MIT OR GPL-3.0-only', true],
    ['MIT AND GPL-3.0-only', false],
    ['(MIT AND ISC) OR GPL-3.0-only', true],
    ['MIT AND (ISC OR GPL-3.0-only)', true],
    ['Apache-2.0 WITH LLVM-exception', true],
    ['GPL-2.0-only WITH Classpath-exception-2.0', false],
    ['UNLICENSED', false],
    ['SEE LICENSE IN LICENSE.txt', false],
    ['MIT ISC', false],
    ['(MIT', false],
    ['', false],
    ['OR MIT', false],
  ])('%s: %s', (expression, expected) => {
    expect(isAllowed(expression, RULES.licences)).toBe(expected);
  });
});

test('VAL-7 what refuses is told before what a person decides, and neither is dropped', async () => {
  const file = 'agents/a.yaml';
  const before = { [file]: 'tools: {s: {sends: [q]}}\n' };
  const after = {
    [file]: 'tools: {s: {sends: [r]}}\nkey: AKIAQ3EGRJ7X2LPD5KZW\n',
    LICENSE: 'MIT\n',
    '.env': 'A=1\n',
  };
  expect(await found(before, after)).toEqual([
    ...['error forbidden_paths', 'error secrets'].toSorted(),
    ...['warning licences', 'warning privilege'],
  ]);
});

test('what judges changes is people’s to change', async () => {
  const after = { 'fleet/toll-gate.yaml': 'wait: 2\n', 'tests/a.py': 'x = 1\n' };
  expect(await found({}, after, { agentFiles: ['fleet/*.yaml'] })).toEqual([]);
});
