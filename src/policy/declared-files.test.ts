import { describe, expect, test } from 'vitest';
import { isSpelledOut, literalForm } from './declared-files.ts';
import { isNamedBy, judgingFile } from './judging-files.ts';

test.each([
  ['gateway/*.yaml', 'gateway/**', true],
  ['agents/gateway.yaml', 'gateway.*', true],
  ['fleet/toll-gateway/**', '*-gateway/**', true],
  ['**', 'gateway/**', false],
  ['agents/**', 'gateway/**', false],
  ['g*/**', 'gateway/**', false],
  ['{gateway,agents}/**', 'gateway/**', false],
  ['gateway/**', '*allowlist*', false],
])('%s spells out %s: %s', (glob, pattern, expected) => {
  expect(isSpelledOut(pattern, [glob])).toBe(expected);
});

test('a name with a wildcard stands for nothing in particular', () => {
  expect(literalForm('agents/*/tests/[ab].yaml')).toBe('agents/\0/tests/\0');
  expect(literalForm('@acme/c++/a.yaml')).toBe('@acme/c++/a.yaml');
});

describe('VAL-6: no declaration frees what tools and runners look for', () => {
  test.each([
    'hone.yaml',
    '.hone/allowed-signers',
    'policies/tools.cedar',
    '.github/workflows/ci.yml',
    '.husky/pre-push',
    'package.json',
    'conftest.py',
    'vitest.config.ts',
    'agents/tests/fixtures/answer.json',
    'agents/search.test.ts',
    'agents/search.test.yaml',
    'agents/__tests__/search.ts',
    'agents/__snapshots__/search.yaml',
    'agents/test_search.py',
    'e2e/flow.ts',
  ])('%s', (path) => {
    for (const globs of [['**'], ['agents/**', '**/*.*'], ['{,.}*/**', '**/{,.}*']])
      expect([globs, judgingFile(path, globs)?.isSure]).toEqual([globs, true]);
  });

  test('not by their exact name either, where a tool looks for that name', () => {
    for (const path of ['hone.yaml', '.github/workflows/ci.yml', 'package.json', 'src/a.test.ts'])
      expect([path, judgingFile(path, [path])?.isSure]).toEqual([path, true]);
    expect(judgingFile('policies/a.cedar', ['policies/a.cedar'])?.isSure).toBe(true);
  });
});

describe('a mere name is a guess where the file is declared', () => {
  test.each([
    ['fleet/toll-gate.yaml', 'fleet/*.yaml'],
    ['fleet/toll-gate.py', 'fleet/**'],
    ['credit/scorer/settings.yaml', 'credit/**'],
    ['court/judge.md', 'court/*.md'],
    ['games/replay/agent.yaml', 'games/**'],
    ['shop/baseline.yaml', 'shop/**'],
    ['fleet/toll/spec.yaml', 'fleet/**'],
    ['lab/tests/blood.yaml', 'lab/tests/*.yaml'],
    ['insurer/policies/home.yaml', 'insurer/policies/*.yaml'],
    ['bots/support.config.ts', 'bots/support.config.ts'],
    ['packages/crew/src/fleet.config.ts', 'packages/crew/**'],
  ])('%s by %s', (path, glob) => {
    expect(judgingFile(path, [])?.isSure).toBe(true);
    expect(judgingFile(path, [glob])).toMatchObject({ isSure: false });
  });

  test('settings of a tool are a tool’s, whatever folder is declared', () => {
    for (const name of ['vitest.config.ts', 'jest-e2e.config.js', 'web-test-runner.config.mjs'])
      expect(judgingFile(`packages/crew/${name}`, ['packages/crew/**'])?.isSure, name).toBe(true);
    const own = judgingFile('crew/fleet.config.ts', ['crew/**']);
    expect(own).toMatchObject({ isSure: false, isSpelledOut: false });
    expect(isNamedBy('crew/fleet.config.ts', own!.by, ['crew/fleet.config.ts'])).toBe(true);
  });

  test('only as it is written: a disguised name is not declared', () => {
    expect(judgingFile('fleet/Toll-Gate.yaml', ['fleet/toll-gate.yaml'])?.isSure).toBe(true);
    expect(judgingFile('fl\u0435et/toll-gate.yaml', ['fleet/*.yaml'])?.isSure).toBe(true);
  });

  test('what a gate names counts where the mention has the telling name', () => {
    const named = (...mentions: string[]) => isNamedBy('fleet/gate/run.sh', 'gate', mentions);
    expect(named('fleet/gate/run.sh')).toBe(true);
    expect(named('gate/**')).toBe(true);
    expect(named('fleet/**', '**', 'run.sh', 'other/gate/run.sh')).toBe(false);
  });
});
