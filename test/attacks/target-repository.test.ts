/**
 * The target repository's git directory as an attacker's: pipes where git reads files, which would hold up a
 * rollback until git's time is over, and branches that somebody works on without having them checked out.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRepository } from '../../src/git/index.ts';
import {
  commitFiles,
  git,
  initRepository,
  temporaryFolder,
} from '../../src/git/test-repositories.ts';

/** Far below git's own limit of a minute, far above what any of this takes. */
const QUICK = { timeoutMs: 8_000 };
const BRANCH = 'refs/heads/side';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
let first: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  root = join(folder.path, 'target');
  await mkdir(root);
  initRepository(root);
  for (const name of ['one', 'two', 'three']) {
    await writeFile(join(root, 'file'), `${name}\n`);
    git(root, ['add', '.']);
    git(root, ['commit', '-q', '-m', name]);
  }
  first = git(root, ['rev-parse', 'HEAD~2']);
  git(root, ['branch', 'side']);
});
afterEach(() => folder[Symbol.asyncDispose]());

function pipe(path: string): string {
  expect(spawnSync('/bin/sh', ['-c', `mkfifo '${path}'`]).status).toBe(0);
  return path;
}

/** What a rollback does: reads the branch, commits, moves it. */
async function move(): Promise<void> {
  await using repository = await openRepository({ root, limits: QUICK });
  const head = (await repository.resolve(BRANCH))!;
  const next = await commitFiles(repository, head, { file: 'other\n' });
  expect(await repository.moveRef(BRANCH, next, head)).toBe(true);
  expect(git(root, ['rev-parse', BRANCH])).toBe(next);
}

describe('DEP-3 a pipe in the git directory', () => {
  test.each([
    ['include.path', (at: string) => `[include]\n\tpath = ${at}\n`],
    ['includeIf', (at: string) => `[includeIf "gitdir:/**"]\n\tpath = ${at}\n`],
    ['a nested include', (at: string) => `[include]\n\tpath = ${at}.more\n`],
  ])('behind %s holds up no move, and the branch moves', async (_, config) => {
    const at = pipe(join(folder.path, 'pipe'));
    await writeFile(`${at}.more`, `[include]\n\tpath = ${at}\n`);
    const file = join(root, '.git', 'config');
    await writeFile(file, config(at), { flag: 'a' });
    await using repository = await openRepository({ root, limits: QUICK });
    const head = (await repository.resolve(BRANCH))!;
    const next = await commitFiles(repository, head, { file: 'other\n' });
    expect(await repository.checkedOutAt('refs/heads/main')).toBe(root);
    expect(await repository.checkedOutAt(BRANCH)).toBeUndefined();
    expect(await repository.moveRef(BRANCH, next, head)).toBe(true);
    expect(await repository.moveRef(BRANCH, head, head)).toBe(false);
    // As git sees it without the attack: moved, with its reflog.
    await rm(at);
    expect(git(root, ['rev-parse', BRANCH])).toBe(next);
    expect(git(root, ['reflog', 'show', '-1', 'side'])).toContain('hone');
  });

  test.each(['HEAD', 'config', 'packed-refs', 'objects/info/alternates', 'info/grafts', 'shallow'])(
    'in the place of %s is named at once',
    async (name) => {
      const at = join(root, '.git', name);
      await rm(at, { force: true });
      pipe(at);
      await expect(move()).rejects.toThrow(`${name} is not a regular file: git would hang on it.`);
    },
  );

  test('among the branches is named at once, also when it comes while the repository is open', async () => {
    await using repository = await openRepository({ root, limits: QUICK });
    pipe(join(root, '.git', 'refs', 'heads', 'waiting'));
    await expect(repository.resolve(BRANCH)).rejects.toThrow(
      'refs/heads/waiting is not a regular file',
    );
    await rm(join(root, '.git', 'refs', 'heads', 'waiting'));
    await writeFile(
      join(root, '.git', 'config'),
      `[include]\n\tpath = ${pipe(join(root, 'p'))}\n`,
      { flag: 'a' },
    );
    expect(await repository.resolve(BRANCH)).toBeDefined();
  });

  test('a configuration that includes a real file is served too', async () => {
    await writeFile(join(root, '.git', 'more'), '[user]\n\tname = other\n');
    git(root, ['config', 'include.path', 'more']);
    git(root, ['pack-refs', '--all']);
    await move();
  });
});

describe('DEP-3 a branch that somebody works on', () => {
  const worksAt = async (branch: string) => {
    await using repository = await openRepository({ root, limits: QUICK });
    return await repository.checkedOutAt(branch);
  };
  const failing = (args: readonly string[], cwd = root) =>
    spawnSync('git', args, {
      cwd,
      env: { ...process.env, GIT_EDITOR: 'false', GIT_SEQUENCE_EDITOR: 'true' },
    });

  test.each([
    ['merge', ['rebase', '--merge', '--exec', 'false', 'HEAD~1']],
    ['apply', ['rebase', '--apply', 'conflicting']],
  ])('under a rebase (%s) is not free', async (_, args) => {
    git(root, ['checkout', '-q', '-b', 'conflicting', first]);
    await writeFile(join(root, 'file'), 'against\n');
    git(root, ['commit', '-q', '-a', '-m', 'against']);
    git(root, ['checkout', '-q', 'side']);
    expect(await worksAt(BRANCH)).toBe(root);
    expect(failing(args).status).not.toBe(0);
    expect(git(root, ['rev-parse', '--abbrev-ref', 'HEAD'])).toBe('HEAD');
    expect(await worksAt(BRANCH)).toBe(root);
    git(root, ['rebase', '--abort']);
    git(root, ['checkout', '-q', 'main']);
    expect(await worksAt(BRANCH)).toBeUndefined();
  });

  test('under a bisection in a linked working tree is not free, until that is gone', async () => {
    const other = join(folder.path, 'other');
    git(root, ['worktree', 'add', '-q', other, 'side']);
    git(other, ['bisect', 'start', 'HEAD', first]);
    expect(git(other, ['rev-parse', '--abbrev-ref', 'HEAD'])).toBe('HEAD');
    expect(await worksAt(BRANCH)).toBe(other);
    await rm(other, { recursive: true });
    expect(await worksAt(BRANCH)).toBeUndefined();
  });

  test('stacked on one that is rebased with it is not free', async () => {
    git(root, ['checkout', '-q', '-b', 'top', 'side']);
    git(root, ['branch', '-f', 'side', 'HEAD~1']);
    failing(['rebase', '--update-refs', '--exec', 'false', first]);
    expect(await worksAt(BRANCH)).toBe(root);
  });
});
