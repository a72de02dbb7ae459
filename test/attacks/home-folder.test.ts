/** The state folder attacked from outside of Hone: links that lead it elsewhere, modes that let others in. */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findHome } from '../../src/home/index.ts';
import { type Installation, makeInstallation } from '../cli.ts';

let installation: Installation;
beforeEach(() => {
  installation = makeInstallation({ inProcess: true });
});
afterEach(() => installation[Symbol.dispose]());

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('ID-1 a link does not bring the keys into the repository', () => {
  const find = (environment: Record<string, string>) => () =>
    findHome({ cwd: installation.repository, environment });

  test.each([
    ['the state home', ''],
    ['a folder below it', 'hone'],
  ])('%s, whole and dangling', (_, below) => {
    const { repository, stateHome } = installation;
    const inside = join(realpathSync(repository), 'inside');
    const link = join(stateHome, below);
    mkdirSync(join(link, '..'), { recursive: true });
    symlinkSync(inside, link);
    expect(find({ XDG_STATE_HOME: stateHome })).toThrow(inside);
    mkdirSync(inside);
    expect(find({ XDG_STATE_HOME: stateHome })).toThrow(inside);
  });

  test('the state folder itself, a chain of links, and git’s own directory', async () => {
    const { repository, stateHome } = installation;
    const { stateDir } = find({ XDG_STATE_HOME: stateHome })();
    mkdirSync(join(stateDir, '..'), { recursive: true });
    symlinkSync(join(repository, '.git', 'hooks'), join(stateHome, 'second'));
    symlinkSync('../second', stateDir);
    expect((await installation.hone('init')).exit).toBe(2);
    expect(readdirSync(join(repository, '.git'))).not.toContain('hooks');
    // Held: a link that stays outside is its owner's choice; links in a circle end.
    rmSync(stateDir);
    symlinkSync('../third', stateDir);
    expect(find({ XDG_STATE_HOME: stateHome })().stateDir).toBe(stateDir);
    symlinkSync('third', join(stateHome, 'third'));
    expect(find({ XDG_STATE_HOME: stateHome })().stateDir).toBe(stateDir);
  });

  test('a linked working tree does not bring them into the main one', () => {
    const { repository, stateHome } = installation;
    const tree = join(stateHome, '..', 'tree');
    const own = join(repository, '.git', 'worktrees', 'tree');
    mkdirSync(own, { recursive: true });
    mkdirSync(tree);
    writeFileSync(join(own, 'commondir'), '../..\n');
    writeFileSync(join(tree, '.git'), `gitdir: ${own}\n`);
    const environment = { XDG_STATE_HOME: join(repository, 'state') };
    expect(() => findHome({ cwd: tree, environment })).toThrow('The state folder would be');
  });
});

test('a pipe in the place of what a linked working tree points to is named, not waited for', () => {
  const { repository, stateHome, environment } = installation;
  const tree = join(stateHome, '..', 'tree');
  const own = join(repository, '.git', 'worktrees', 'tree');
  for (const made of [own, tree]) mkdirSync(made, { recursive: true });
  writeFileSync(join(tree, '.git'), `gitdir: ${own}\n`);
  const pipe = join(own, 'commondir');
  expect(spawnSync('/bin/sh', ['-c', `mkfifo '${pipe}'`]).status).toBe(0);
  // In a process of its own: waiting would block this one for good.
  const source = new URL('../../src/main.ts', import.meta.url).pathname;
  const asked = spawnSync(process.execPath, [source, 'status'], {
    cwd: tree,
    env: environment,
    timeout: 15_000,
    encoding: 'utf8',
  });
  expect(asked.stderr).toContain('is not a file');
  expect(asked.signal).toBeNull();
});

describe('ID-1 what is in the state folder is its owner’s alone', () => {
  test('whatever the umask is', async () => {
    const before = process.umask(0);
    try {
      const stateDir = await installation.stateDir();
      await installation.hone('telemetry');
      await installation.hone('cycle');
      expect(modeOf(stateDir)).toBe('700');
      const files = readdirSync(stateDir);
      expect(files).toEqual(expect.arrayContaining(['control.db', 'ledger.key', 'accepted.json']));
      for (const name of files) expect([name, modeOf(join(stateDir, name))]).toEqual([name, '600']);
    } finally {
      process.umask(before);
    }
  });

  test('also where others could read it before: mended, and said once', async () => {
    const stateDir = await installation.stateDir();
    const control = join(stateDir, 'control.db');
    chmodSync(control, 0o644);
    chmodSync(stateDir, 0o755);
    const { err, exit } = await installation.hone('status');
    expect(exit).toBe(0);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(`could read ${control}; this was fixed`);
    expect([modeOf(stateDir), modeOf(control)]).toEqual(['700', '600']);
    expect((await installation.hone('status')).err).toBe('');
  });
});

describe('KILL-1 the stop file', () => {
  test.each([
    ['a link to nothing', (at: string) => symlinkSync('/nowhere', at)],
    ['a link to itself', (at: string) => symlinkSync('STOP', at)],
    ['a folder', (at: string) => mkdirSync(at)],
    ['an empty file', (at: string) => writeFileSync(at, '')],
  ])('stops as %s', async (_, make) => {
    const stop = join(await installation.stateDir(), 'STOP');
    make(stop);
    const { exit, err } = await installation.hone('cycle');
    expect(exit).toBe(1);
    expect(err).toContain('Everything automatic is stopped');
  });
});
