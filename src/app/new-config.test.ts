import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { composeSections, parseConfig } from '../config/index.ts';
import { findHome } from '../home/index.ts';
import { honeSections } from '../loop/index.ts';
import { newConfig } from './new-config.ts';

test('VAL-3 the tests that were found are suggested, and run only when a person says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hone-new-config-'));
  try {
    const environment = { PATH: process.env['PATH'], HOME: folder };
    execFileSync('git', ['init', '-q', 'target'], { cwd: folder, env: environment });
    const cwd = join(folder, 'target');
    const text = async () => (await newConfig(findHome({ cwd, environment }), environment)).text;
    const testsIn = (written: string) => {
      const read = parseConfig(written, 'hone.yaml', composeSections(honeSections));
      return read.ok ? read.config.validate.test : undefined;
    };
    expect(await text()).not.toContain('validate:');
    writeFileSync(join(cwd, 'package.json'), '{"scripts":{"test":"node --test"}}');
    const suggested = await text();
    expect(testsIn(suggested)).toEqual([]);
    expect(testsIn(suggested.replace(/^# (validate:| {2}test:)/gm, '$1'))).toEqual(['npm', 'test']);
    // The ready replay judges changes of the agents' files: there have to be some.
    expect(suggested).not.toContain('replay:');
    mkdirSync(join(cwd, 'agents'));
    writeFileSync(join(cwd, 'agents', 'a.yaml'), 'timeout_ms: 800\n');
    const both = (await text()).replace(/^# (validate:| {2}(?:test|replay):)/gm, '$1');
    const read = parseConfig(both, 'hone.yaml', composeSections(honeSections));
    expect(read).toMatchObject({
      ok: true,
      config: { validate: { test: ['npm', 'test'], replay: 'recorded' } },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  [
    'Node',
    { 'package.json': '{"scripts":{"test":"node --test"}}', 'package-lock.json': '{}' },
    { prepare: ['npm', 'ci'], hosts: ['registry.npmjs.org'], test: ['npm', 'test'] },
  ],
  [
    'Python',
    { 'requirements.txt': 'pytest\n', 'pytest.ini': '[pytest]\n' },
    {
      prepare: ['sh', '-c', 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt'],
      hosts: ['pypi.org', 'files.pythonhosted.org'],
      test: ['.venv/bin/pytest'],
    },
  ],
  [
    'Go',
    { 'go.mod': 'module x\n', 'go.sum': '' },
    {
      prepare: ['go', 'mod', 'vendor'],
      hosts: ['proxy.golang.org', 'sum.golang.org'],
      test: ['go', 'test', './...'],
    },
  ],
  [
    'shell',
    { Makefile: 'test:\n\t./test.sh\n' },
    { prepare: [], hosts: [], test: ['make', 'test'] },
  ],
])('VAL-4 %s: what its tests need in the sandbox is suggested', async (_, files, validate) => {
  const folder = mkdtempSync(join(tmpdir(), 'hone-new-config-'));
  try {
    const environment = { PATH: process.env['PATH'], HOME: folder };
    execFileSync('git', ['init', '-q', 'target'], { cwd: folder, env: environment });
    const cwd = join(folder, 'target');
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    const { text } = await newConfig(findHome({ cwd, environment }), environment);
    const chosen = text.replace(/^# (validate:| {2}\w+:)/gm, '$1');
    expect(parseConfig(chosen, 'hone.yaml', composeSections(honeSections))).toMatchObject({
      ok: true,
      config: { validate },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
