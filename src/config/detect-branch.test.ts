/** On real repositories, made by git itself. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deploySection } from '../deploy/config-section.ts';
import { type BranchFacts, chooseBranch, detectBranch } from './detect-branch.ts';
import { detectProject } from './detect-project.ts';
import { composeSections } from './fields.ts';
import { nodeTree } from './node-files.ts';
import { parseConfig } from './parse-config.ts';
import { renderConfig } from './render-config.ts';

const NOTHING: BranchFacts = {
  remoteDefault: undefined,
  configured: undefined,
  current: undefined,
  branches: [],
};

describe('which branch', () => {
  test.each<[string | undefined, string, Partial<BranchFacts>]>([
    [undefined, 'nothing is known', {}],
    ['trunk', 'what the remote says, before everything else', ALL({ remoteDefault: 'trunk' })],
    ['develop', 'what new repositories begin with', ALL({ configured: 'develop' })],
    ['feature', 'not so where there is no such branch', ALL({ configured: 'master' })],
    ['feature', 'what is checked out', ALL({})],
    ['new', 'also before its first commit', { current: 'new' }],
    ['main', 'detached: the customary one', { branches: ['a', 'main', 'b'] }],
    ['only', 'detached: the only one', { branches: ['only', 'hone/proposals'] }],
    [undefined, 'detached among several', { branches: ['a', 'b'] }],
    ['main', 'no branch of Hone’s', { current: 'hone/proposal-1', branches: ['main'] }],
    ['main', 'no name that hone.yaml refuses', { current: '-x', branches: ['main'] }],
    ['main', 'none with odd signs', { remoteDefault: 'a\u001b[2J', current: 'main' }],
    [undefined, 'none that is too long', { current: 'x'.repeat(201) }],
    [undefined, 'none that looks like a secret', { current: `ghp_${'a1B2'.repeat(9)}` }],
  ])('%s: %s', (expected, _, facts) => {
    expect(chooseBranch({ ...NOTHING, ...facts })).toBe(expected);
  });
});

function ALL(more: Partial<BranchFacts>): Partial<BranchFacts> {
  return { current: 'feature', branches: ['develop', 'feature', 'main', 'trunk'], ...more };
}

describe('asked of git', () => {
  let root: string;
  let settings: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hone-branch-'));
    settings = join(root, 'settings');
    writeFileSync(settings, '[user]\n\tname = Operator\n\temail = operator@example.org\n');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const environment = () => ({
    PATH: process.env['PATH'],
    HOME: root,
    GIT_CONFIG_GLOBAL: settings,
    GIT_CONFIG_NOSYSTEM: '1',
  });
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-C', join(root, folder), ...args], {
      env: environment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const detected = (folder: string) => detectBranch(join(root, folder), environment());
  const make = (branch: string) => {
    execFileSync('git', ['init', '-q', '-b', branch, join(root, 'made')], { env: environment() });
    git('made', 'commit', '-q', '--allow-empty', '-m', 'first');
  };

  test('no repository, and no git, tell nothing', () => {
    expect(detectBranch(root, environment())).toBeUndefined();
    make('production');
    expect(detectBranch(join(root, 'made'), { PATH: '/nowhere' })).toBeUndefined();
  });

  test('the branch that is checked out, also from a linked working tree, never a detached HEAD', () => {
    make('production');
    expect(detected('made')).toBe('production');
    git('made', 'checkout', '-q', '--detach');
    expect(detected('made')).toBe('production');
    git('made', 'branch', 'other');
    expect(detected('made')).toBeUndefined();
    git('made', 'worktree', 'add', '-q', join(root, 'linked'), 'other');
    expect(detected('linked')).toBe('other');
  });

  test('a clone says what its remote calls the default, whatever is checked out', () => {
    make('release/2026');
    execFileSync('git', ['clone', '-q', join(root, 'made'), join(root, 'clone')], {
      env: environment(),
    });
    git('clone', 'checkout', '-q', '-b', 'feature');
    expect(detected('clone')).toBe('release/2026');
  });

  test('the person’s setting for new repositories, where there is such a branch', () => {
    make('work');
    git('made', 'branch', 'trunk');
    git('made', 'config', 'init.defaultBranch', 'trunk');
    expect(detected('made')).toBe('trunk');
    git('made', 'config', 'init.defaultBranch', 'absent');
    expect(detected('made')).toBe('work');
  });

  test('it is written into hone.yaml, and the file means it', async () => {
    make('release/2026');
    const branch = detected('made')!;
    const found = await detectProject(nodeTree(join(root, 'made')));
    const text = renderConfig([deploySection], found, { deploy: { branch } });
    const parsed = parseConfig(text, 'hone.yaml', composeSections([deploySection]));
    expect(parsed).toMatchObject({ ok: true, config: { deploy: { branch: 'release/2026' } } });
  });
});
