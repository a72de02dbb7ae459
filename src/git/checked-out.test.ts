/** By git's files alone the answer is git's own, in each state that a working tree can be in. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkedOutByFiles } from './checked-out.ts';
import { openRepository } from './open-repository.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hone-checked-out-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(folder: string, ...args: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_EDITOR: 'true',
  };
  execFileSync('git', ['-C', join(root, folder), ...who, ...args], { env, stdio: 'ignore' });
}

function make(): void {
  git('', 'init', '-q', '-b', 'main', 'made');
  for (const message of ['one', 'two']) git('made', 'commit', '-q', '--allow-empty', '-m', message);
  git('made', 'branch', 'side');
}

async function both(folder: string, gitFolder: string, branch: string) {
  await using repository = await openRepository({ root: join(root, folder), durable: false });
  const ref = `refs/heads/${branch}`;
  return {
    byGit: await repository.checkedOutAt(ref),
    byFiles: await checkedOutByFiles(join(root, gitFolder), ref),
  };
}

describe('a branch that is checked out', () => {
  const STATES: readonly (readonly [
    string,
    (() => void) | undefined,
    string | undefined,
    string | undefined,
  ])[] = [
    ['as it was made', undefined, 'made', undefined],
    ['on another branch', () => git('made', 'checkout', '-q', 'side'), undefined, 'made'],
    ['detached', () => git('made', 'checkout', '-q', '--detach'), undefined, undefined],
    [
      'in a linked working tree',
      () => git('made', 'worktree', 'add', '-q', '../tree', 'side'),
      'made',
      'tree',
    ],
    [
      'in a linked one that is gone',
      () => {
        git('made', 'worktree', 'add', '-q', '../tree', 'side');
        rmSync(join(root, 'tree'), { recursive: true });
      },
      'made',
      undefined,
    ],
    ['bisected', () => git('made', 'bisect', 'start', 'HEAD', 'HEAD~1'), 'made', undefined],
    [
      'under settings that say bare',
      () => git('made', 'config', 'core.bare', 'true'),
      undefined,
      undefined,
    ],
  ];

  test.each(STATES)('%s', async (_, change, main, side) => {
    make();
    change?.();
    for (const [branch, expected] of [
      ['main', main],
      ['side', side],
    ] as const) {
      const { byGit, byFiles } = await both('made', 'made/.git', branch);
      expect(byFiles).toEqual({
        folder: expected === undefined ? undefined : join(root, expected),
      });
      expect(byGit).toBe(expected === undefined ? undefined : join(root, expected));
    }
  });

  test('in a bare repository: only in its linked working trees', async () => {
    make();
    git('', 'clone', '-q', '--bare', 'made', 'bare.git');
    expect(await both('bare.git', 'bare.git', 'main')).toEqual({
      byGit: undefined,
      byFiles: { folder: undefined },
    });
    git('bare.git', 'worktree', 'add', '-q', '../tree', 'main');
    const folder = join(root, 'tree');
    expect(await both('bare.git', 'bare.git', 'main')).toEqual({
      byGit: folder,
      byFiles: { folder },
    });
  });

  test('where refs are not files, the files do not tell', async () => {
    make();
    appendFileSync(join(root, 'made/.git/config'), '[extensions]\n\trefStorage = reftable\n');
    expect(await checkedOutByFiles(join(root, 'made/.git'), 'refs/heads/main')).toBe('unknown');
  });
});
