/** Places on a real disk: home, patterns, folders in depth, links, too many files. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import type { FilesWanted } from '../types.ts';
import { Place } from './list-place.ts';
import { nodeSourceFiles } from './node-files.ts';

describe('OBS-3 the place that a source names', () => {
  let folder: string;
  let root: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'hone-place-')));
    root = join(folder, 'repository');
    mkdirSync(root);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function make(...paths: string[]): void {
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), 'x\n');
    }
  }

  async function list(path: string, wanted: FilesWanted = { extensions: ['jsonl'] }) {
    await using files = nodeSourceFiles(root, { home: join(folder, 'home') });
    const { exists, files: found, notes } = await files.list(path, wanted);
    const paths = found.map((file) => file.path.slice(folder.length + 1));
    return { exists, paths, notes };
  }

  test('~ is the user’s own folder', async () => {
    make('home/.claude/projects/a/1.jsonl', 'home/one.jsonl', 'repository/~/two.jsonl');
    expect((await list('~/.claude/projects')).paths).toEqual(['home/.claude/projects/a/1.jsonl']);
    expect((await list('~/one.jsonl')).paths).toEqual(['home/one.jsonl']);
    expect((await list('~')).paths).toEqual(['home/one.jsonl']);
    await using files = nodeSourceFiles(root);
    expect((await files.list('~', { extensions: ['jsonl'] })).files).toHaveLength(1);
  });

  test('a folder is read in depth, without hidden folders and other people’s code', async () => {
    make(
      'repository/logs/b.jsonl',
      'repository/logs/2026/01/a.jsonl',
      'repository/logs/2026/01/a.jsonl.1',
      'repository/logs/2026/notes.txt',
      'repository/logs/.cache/a.jsonl',
      'repository/logs/.git/a.jsonl',
      'repository/logs/node_modules/a.jsonl',
      'repository/.logs/node_modules/x/a.jsonl',
    );
    expect((await list('logs')).paths).toEqual([
      'repository/logs/b.jsonl',
      'repository/logs/2026/01/a.jsonl.1',
      'repository/logs/2026/01/a.jsonl',
    ]);
    expect((await list('.logs/node_modules')).paths).toEqual([
      'repository/.logs/node_modules/x/a.jsonl',
    ]);
  });

  test('what a kind accepts is asked by the path below the place', async () => {
    make('home/s/2026/rollout-1.jsonl', 'home/s/2026/other.jsonl', 'home/s/rollout-2.jsonl');
    const asked: string[] = [];
    const accepts = (below: string) => {
      asked.push(below);
      return /(^|\/)rollout-/.test(below);
    };
    const { paths } = await list('~/s', { extensions: ['jsonl'], accepts });
    expect(paths).toEqual(['home/s/rollout-2.jsonl', 'home/s/2026/rollout-1.jsonl']);
    expect(asked.sort()).toEqual(['2026/other.jsonl', '2026/rollout-1.jsonl', 'rollout-2.jsonl']);
    // A file that is named itself may have any name, and two sources of one folder differ.
    await using files = nodeSourceFiles(folder);
    expect((await files.list('home/s', { extensions: ['jsonl'], accepts })).files).toHaveLength(2);
    expect((await files.list('home/s', { extensions: ['jsonl'] })).files).toHaveLength(3);
  });

  test.each([
    ['logs/**/*.jsonl', ['logs/a.jsonl', 'logs/x/b.jsonl', 'logs/x/y/c.jsonl.1']],
    ['logs/*.jsonl', ['logs/a.jsonl']],
    ['logs/*/*.jsonl', ['logs/x/b.jsonl']],
    ['logs/{a,x/b}.jsonl', ['logs/a.jsonl', 'logs/x/b.jsonl']],
    ['logs/[a-b].jsonl', ['logs/a.jsonl']],
    ['logs/?.jsonl', ['logs/a.jsonl']],
    ['logs/**/*.txt', ['logs/x/n.txt']],
    ['logs/x*', ['logs/x/b.jsonl', 'logs/x/y/c.jsonl.1']],
    ['l*/x', ['logs/x/b.jsonl', 'logs/x/y/c.jsonl.1']],
    ['logs/**', ['logs/a.jsonl', 'logs/x/b.jsonl', 'logs/x/y/c.jsonl.1']],
    ['nothing/*.jsonl', []],
    ['logs/*.csv', []],
  ])('the pattern %s', async (pattern, expected) => {
    for (const path of ['a.jsonl', 'x/b.jsonl', 'x/y/c.jsonl.1', 'x/n.txt', '.h/d.jsonl'])
      make(`repository/logs/${path}`);
    const { paths, exists } = await list(pattern);
    expect(paths).toEqual(expected.map((path) => `repository/${path}`));
    expect(exists).toBe(expected.length > 0);
    expect((await list(join(root, pattern))).paths).toEqual(paths);
  });

  test('a name that looks like a pattern is that name if it is there', async () => {
    make('repository/logs[1]/a.jsonl', 'repository/logs1/b.jsonl');
    expect((await list('logs[1]')).paths).toEqual(['repository/logs[1]/a.jsonl']);
    rmSync(join(root, 'logs[1]'), { recursive: true });
    expect((await list('logs[1]')).paths).toEqual(['repository/logs1/b.jsonl']);
  });

  test('links are never followed in it, and a loop of links ends', async () => {
    make('repository/logs/a.jsonl', 'private/secret.jsonl');
    symlinkSync(join(root, 'logs'), join(root, 'logs', 'loop'));
    symlinkSync(join(folder, 'private'), join(root, 'logs', 'out'));
    symlinkSync(join(folder, 'private/secret.jsonl'), join(root, 'logs', 'b.jsonl'));
    symlinkSync(join(root, 'two'), join(root, 'one'));
    symlinkSync(join(root, 'one'), join(root, 'two'));
    for (const path of ['logs', 'logs/**/*.jsonl'])
      expect(await list(path)).toEqual({
        exists: true,
        paths: ['repository/logs/a.jsonl'],
        notes: ['Links left out: 1. Only files of the folder itself are read.'],
      });
    expect(await list('one')).toMatchObject({ exists: false, paths: [] });
    expect(await list('one/*.jsonl')).toMatchObject({ exists: false, paths: [] });
  });

  test('a pattern below a link that leads out of the repository finds nothing', async () => {
    make('private/secret.jsonl');
    symlinkSync(join(folder, 'private'), join(root, 'logs'));
    const { paths, notes } = await list('logs/*.jsonl');
    expect(paths).toEqual([]);
    expect(notes[0]).toContain('It is a link that leads elsewhere');
  });

  test('a folder that may not be read is counted', async () => {
    make('repository/logs/a.jsonl', 'repository/logs/x/b.jsonl');
    for (const above of [folder, root]) chmodSync(above, 0o755);
    chmodSync(join(root, 'logs/x'), 0);
    expect(await asNobody(() => list('logs'))).toEqual({
      exists: true,
      paths: ['repository/logs/a.jsonl'],
      notes: ['Folders that may not be read: 1. They are left out.'],
    });
    chmodSync(join(root, 'logs/x'), 0o755);
  });

  test('folders nested without end are read to a depth, and that is said', async () => {
    make(`repository/${'d/'.repeat(10)}a.jsonl`, `repository/${'d/'.repeat(40)}b.jsonl`);
    expect(await list('d')).toEqual({
      exists: true,
      paths: [`repository/${'d/'.repeat(10)}a.jsonl`],
      notes: ['Folders nested more than 16 deep are left out.'],
    });
  });

  test('of too many files those written last are read, and that is said', async () => {
    mkdirSync(join(root, 'logs'));
    for (let at = 0; at < 30; at++) {
      const path = join(root, 'logs', `${at}.jsonl`);
      writeFileSync(path, '');
      utimesSync(path, at % 3 === 0 ? 1000 : 2000, at % 3 === 0 ? 1000 : 2000);
    }
    for (const path of ['logs', 'logs/*.jsonl']) {
      const place = new Place(join(root, path), root, { extensions: ['jsonl'] }, 20);
      const first = await place.list();
      expect(first.notes[0]).toMatch(/^Only the 20 files written last are read, of 30 that /);
      expect(first.files.map(({ name }) => Number.parseInt(name, 10) % 3)).not.toContain(0);
      expect(first.files).toHaveLength(20);
    }
    const place = new Place(join(root, 'logs'), root, { extensions: ['jsonl'] }, 20);
    await place.list();
    writeFileSync(join(root, 'logs', 'new.jsonl'), '');
    rmSync(join(root, 'logs', '1.jsonl'));
    const names = (await place.list()).files.map(({ name }) => name);
    expect(names).toContain('new.jsonl');
    expect(names).not.toContain('1.jsonl');
  });
});
