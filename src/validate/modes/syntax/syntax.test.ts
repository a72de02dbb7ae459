import { describe, expect, test } from 'vitest';
import { modeContract } from '../../mode-contract.test-support.ts';
import type { TargetRunner } from '../../target-runner/index.ts';
import { type Files, modeCase, scriptedRunner } from '../../validate.test-support.ts';
import { syntax } from './syntax.ts';

const FILE = 'agents/search.yaml';
const before = { [FILE]: 'timeout_ms: 1000\n' };

modeContract(syntax, {
  good: () => modeCase(before, { [FILE]: 'timeout_ms: 3000\n' }),
  bad: () => modeCase(before, { [FILE]: 'timeout_ms: [3000\n' }),
  unclear: () => modeCase(before, { 'agents/search.lua': 'return 3000\n' }),
});

describe('links of a prompt', () => {
  const judged = async (text: string, was = '# Search\n\n[old](gone.md)\n') => {
    const files = { 'agents/a.md': was, 'docs/rules.md': '# Rules\n', 'docs/a b.md': 'x\n' };
    const { change, ports } = await modeCase(files, { ...files, 'agents/a.md': text });
    const verdict = await syntax.judge(change, ports, new AbortController().signal);
    if ('pending' in verdict) throw new Error('it waits');
    return { verdict: verdict.verdict, reasons: verdict.reasons.join(' ') };
  };

  test.each([
    ['a file that is there', '[r](../docs/rules.md#top "the rules")\n'],
    ['a name with a blank', '[r](../docs/a%20b.md) and [s](<../docs/a b.md>)\n'],
    [
      'a folder, the page itself, other hosts',
      '[f](../docs/) [g](#x) [h](https://a.example/x.md)\n',
    ],
    ['one that was broken before', 'It stays: [old](gone.md)\n'],
    ['an example', '```\n[r](nowhere.md)\n```\n`[r](nowhere.md)` is how.\n'],
  ])('VAL-2 %s passes', async (_, text) => {
    expect((await judged(text)).verdict).toBe('passed');
  });

  test.each([
    ['a file that is not there', 'See [r](../docs/rule.md).\n', '"../docs/rule.md"'],
    ['one that leads out of the target', '![r](../../etc/x.png)\n', '"../../etc/x.png"'],
    ['a reference', '[r][1] and [a](#b)\n\n[1]: missing.md\n', '"missing.md"'],
  ])('VAL-2 %s fails', async (_, text, named) => {
    const { verdict, reasons } = await judged(text);
    expect(verdict).toBe('failed');
    expect(reasons).toContain(`links to ${named}, which is not there`);
  });
});

async function judgedFiles(before: Files, after: Files, runner?: TargetRunner) {
  const { change, ports } = await modeCase(before, after, () => ({ runner }));
  const verdict = await syntax.judge(change, ports, new AbortController().signal);
  if ('pending' in verdict) throw new Error('it waits');
  return { verdict: verdict.verdict, reasons: verdict.reasons.join(' ') };
}

describe('the schema that a file names', () => {
  const SCHEMA = 'schemas/agent.json';
  const rules = (more: object = {}) =>
    JSON.stringify({
      properties: {
        timeout_ms: { type: 'integer', maximum: 5000 },
        tools: { items: { type: 'string' } },
      },
      ...more,
    });
  const agent = (value: object, $schema = '../schemas/agent.json') =>
    JSON.stringify({ $schema, ...value });
  const FIRST = { 'agents/a.json': agent({ timeout_ms: 800 }), [SCHEMA]: rules() };
  const to = (text: string, before: Files = FIRST) =>
    judgedFiles(before, { ...before, 'agents/a.json': text });

  test('VAL-2 a change that fits passes, one that newly breaks it fails by its place', async () => {
    expect(await to(agent({ timeout_ms: 3000 }))).toMatchObject({
      verdict: 'passed',
      reasons: expect.stringContaining('fits the schema "schemas/agent.json".'),
    });
    expect(await to(agent({ timeout_ms: 9000 }))).toEqual({
      verdict: 'failed',
      reasons:
        '"agents/a.json" does not fit the schema "schemas/agent.json": "#/timeout_ms" breaks "maximum".',
    });
    expect((await to(agent({ timeout_ms: 800, tools: ['a', 1] }))).verdict).toBe('failed');
  });

  test('VAL-2 what was broken before is not this change’s, wherever it moves in a list', async () => {
    const was = { ...FIRST, 'agents/a.json': agent({ timeout_ms: 1, tools: [7] }) };
    expect(await to(agent({ timeout_ms: 2, tools: ['x', 7] }), was)).toMatchObject({
      verdict: 'passed',
      reasons: expect.stringContaining('no worse than before'),
    });
    expect((await to(agent({ timeout_ms: 'x', tools: [7] }), was)).verdict).toBe('failed');
  });

  test('VAL-2 VAL-6 a schema that the change loosens or brings does not judge it', async () => {
    const loosened = { ...FIRST, 'agents/a.json': agent({ timeout_ms: 9000 }), [SCHEMA]: '{}' };
    expect((await judgedFiles(FIRST, loosened)).verdict).toBe('failed');
    const { [SCHEMA]: _, ...without } = FIRST;
    const brought = await judgedFiles(without, { ...FIRST, 'agents/a.json': agent({}) });
    expect(brought).toMatchObject({
      verdict: 'inconclusive',
      reasons: expect.stringContaining('was not there before this change'),
    });
  });

  test.each([
    ['an address', agent({}, 'https://json.schemastore.org/package.json'), 'cannot be had here'],
    ['a place outside', agent({}, '../../etc/schema.json'), 'cannot be had here'],
    ['a file that is not there', agent({}, './gone.json'), 'was not there before'],
    ['a file that is no schema', agent({}, './list.json'), 'is no schema'],
    ['one that refers elsewhere', agent({}, './refers.json'), 'refers to what is not in it'],
    [
      'one that takes for ever',
      agent({ name: `${'a'.repeat(40)}!` }, './slow.json'),
      'takes too long',
    ],
  ])('VAL-2 %s is said, not guessed', async (_, text, why) => {
    const slow = JSON.stringify({ properties: { name: { pattern: '^(a+)+$' } } });
    const { verdict, reasons } = await to(text, {
      ...FIRST,
      'agents/list.json': '[1]',
      'agents/refers.json': '{"$ref":"other.json#/x"}',
      'agents/slow.json': slow,
    });
    expect(verdict).toBe('inconclusive');
    expect(reasons).toContain(why);
  });

  test('VAL-2 an address that the repository maps to a file of its own, as editors do', async () => {
    const settings = `{ // for editors
      "json.schemas": [{ "fileMatch": ["agents/*.json"], "url": "./schemas/agent.json" }, 7],
    }`;
    const before = { ...FIRST, '.vscode/settings.json': settings };
    const far = (timeout_ms: number) => agent({ timeout_ms }, 'https://agents.example/schema');
    expect((await to(far(900), before)).verdict).toBe('passed');
    expect((await to(far(9000), before)).verdict).toBe('failed');
  });

  test('VAL-2 of YAML by the line that editors read', async () => {
    const line = '# yaml-language-server: $schema=../schemas/agent.json\n';
    const before = { ...FIRST, 'agents/b.yaml': `${line}timeout_ms: 800\n` };
    const change = (text: string) => judgedFiles(before, { ...before, 'agents/b.yaml': text });
    expect((await change(`${line}timeout_ms: 900\n`)).verdict).toBe('passed');
    expect((await change(`${line}timeout_ms: soon\n`)).verdict).toBe('failed');
  });
});

test.each([
  ['yaml', 'n: 1\n', 'n: [1\n'],
  ['json', '{"n":1}', '{"n":1,}'],
  ['toml', 'n = 1\n', 'n = \n'],
  ['ts', 'const n: number = 1;\n', 'const n: number = ;\n'],
  ['tsx', 'const n = <b>1</b>;\n', 'const n = <b>1</c>;\n'],
  ['js', 'const n = 1;\n', 'const n = (1;\n'],
  ['py', 'def f():\n    return 1\n', 'def f(:\n    return 1\n'],
  ['sh', 'for i in 1 2; do echo $i; done\n', 'for i in 1 2; do echo $i\n'],
  ['md', '# A\n\n[b](a.md)\n', '# A\n\n[b](c.md)\n'],
])('VAL-2 .%s: what parses passes, what no longer does fails', async (ending, good, bad) => {
  const path = `agents/a.${ending}`;
  const before = { [path]: good };
  expect((await judgedFiles(before, { [path]: `${good}\n` })).verdict).toBe('passed');
  expect((await judgedFiles(before, { [path]: bad })).verdict).toBe('failed');
});

describe('shell scripts', () => {
  const before = { 'bin/run.sh': '#!/bin/sh\nif true; then\n  sleep 1\nfi\n' };
  const to = (text: string, runner?: TargetRunner) =>
    judgedFiles(before, { 'bin/run.sh': text }, runner);
  const shellcheck = (linesOf: (text: string) => readonly number[]): TargetRunner => ({
    ...scriptedRunner(() => ({})),
    // As `shellcheck --format=json1` writes it.
    runTool: async (_, text) => {
      const comments = linesOf(text).map((line) => ({
        ...{ file: '-', line, endLine: line, column: 1, endColumn: 2 },
        ...{ level: 'error', code: 2068, message: 'Double quote array expansions.', fix: null },
      }));
      return Buffer.from(JSON.stringify({ comments }));
    },
  });

  test('VAL-2 are parsed: one that no longer can be read fails', async () => {
    expect(await to('#!/bin/sh\nif true; then\n  sleep 2\nfi\n')).toMatchObject({
      verdict: 'passed',
      reasons: '"bin/run.sh" parses; shellcheck is not here.',
    });
    expect((await to('#!/bin/sh\nif true; then\n  sleep 2\n')).verdict).toBe('failed');
    const named = { 'bin/run': '#!/usr/bin/env bash\necho "$(date)"\n' };
    expect(
      (await judgedFiles(named, { 'bin/run': '#!/usr/bin/env bash\necho "$(date"\n' })).verdict,
    ).toBe('failed');
  });

  test('VAL-2 that were never read are inconclusive', async () => {
    expect((await judgedFiles({}, { 'bin/new.sh': 'case x in\n' })).verdict).toBe('inconclusive');
    const broken = { 'bin/run.sh': 'fi\nif x; then\n' };
    expect((await judgedFiles(broken, { 'bin/run.sh': 'fi\nif y; then\n' })).verdict).toBe(
      'inconclusive',
    );
    expect((await judgedFiles({}, { 'bin/new.zsh': 'echo hi\n' })).verdict).toBe('inconclusive');
  });

  test('VAL-2 where shellcheck is present, an error that is new fails', async () => {
    const perAt = shellcheck((text) => [...text.matchAll(/\$@/g)].map((_, at) => at + 1));
    expect(await to('echo hi\n', perAt)).toMatchObject({
      verdict: 'passed',
      reasons: expect.stringContaining('shellcheck finds no error'),
    });
    expect(await to('ls $@\n', perAt)).toEqual({
      verdict: 'failed',
      reasons: '"bin/run.sh", line 1: shellcheck finds SC2068.',
    });
    const had = { 'bin/run.sh': 'ls $@\n' };
    expect((await judgedFiles(had, { 'bin/run.sh': 'cd x; ls $@\n' }, perAt)).verdict).toBe(
      'passed',
    );
  });
});
