/** What only a real repository can be: a worktree, bare, shallow, dirty, somebody else's. */
import { spawnSync } from 'node:child_process';
import {
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../base/index.ts';
import { type OpenRepository, openRepository } from './index.ts';
import {
  commitFiles,
  git,
  initRepository,
  operator,
  realRepository,
  rememberedRepository,
  type TestRepository,
  temporaryFolder,
} from './test-repositories.ts';

const open = (root: string): Promise<OpenRepository> => openRepository({ root, durable: false });

/** Names, kinds, bytes and times of everything in a folder, but not of what `skip` matches. */
async function snapshot(root: string, skip: RegExp): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    if (skip.test(name)) continue;
    const { mode, mtimeMs } = await lstat(path);
    const bytes = entry.isFile()
      ? sha256Hex(await readFile(path))
      : entry.isSymbolicLink()
        ? await readlink(path)
        : '';
    seen.set(name, `${mode} ${entry.isDirectory() ? '' : mtimeMs} ${bytes}`);
  }
  return seen;
}

/** A proposal's whole life. */
async function useIt(repository: OpenRepository, branch: string): Promise<string> {
  const base = await repository.resolve(branch);
  const next = await commitFiles(repository, base, { 'from-hone': 'x\n' });
  expect(await repository.moveRef('refs/heads/hone/proposal-1', next, undefined)).toBe(true);
  expect(await repository.moveRef('refs/hone/backup/1', base ?? next, undefined)).toBe(true);
  expect(await repository.moveRef('refs/heads/hone/proposal-1', null, next)).toBe(true);
  expect(await repository.moveRef('refs/heads/hone/kept', next, undefined)).toBe(true);
  await repository.revert(next, next);
  return next;
}

async function withHistory(root: string): Promise<void> {
  initRepository(root);
  for (const text of ['one\n', 'two\n', 'three\n']) {
    await writeFile(join(root, 'file'), text);
    git(root, ['add', '.']);
    git(root, ['commit', '-q', '-m', text]);
  }
}

describe('the user’s own state', () => {
  const OURS = /^\.git\/(objects|refs\/(heads\/)?hone|logs\/refs\/(heads\/)?hone)(\/|$)/;

  test('a dirty working tree, its index and its HEAD stay as they are, byte for byte', async () => {
    await using folder = await temporaryFolder();
    const root = folder.path;
    await withHistory(root);
    await writeFile(join(root, 'file'), 'unsaved\n');
    await writeFile(join(root, 'staged'), 'staged\n');
    git(root, ['add', 'staged']);
    await writeFile(join(root, 'staged'), 'staged, then changed\n');
    await writeFile(join(root, 'untracked'), 'u\n');
    await writeFile(join(root, '.git', 'MERGE_MSG'), 'half-way through something\n');
    const before = await snapshot(root, OURS);
    const status = git(root, ['--no-optional-locks', 'status', '--porcelain=v2', '--branch']);
    await using repository = await open(root);
    await useIt(repository, 'refs/heads/main');
    expect(await snapshot(root, OURS)).toEqual(before);
    expect(git(root, ['--no-optional-locks', 'status', '--porcelain=v2', '--branch'])).toBe(status);
    git(root, ['fsck', '--strict', '--no-dangling']);
  });

  test('nothing stays behind in the folder for temporary files', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'temp'));
    await mkdir(join(folder.path, 'root'));
    await withHistory(join(folder.path, 'root'));
    {
      await using repository = await openRepository({
        root: join(folder.path, 'root'),
        durable: true,
        tempFolder: join(folder.path, 'temp'),
      });
      await useIt(repository, 'refs/heads/main');
      const [bench] = await readdir(join(folder.path, 'temp'));
      expect((await readdir(join(folder.path, 'temp', bench!))).sort()).toEqual([
        'git',
        'no-hooks',
      ]);
    }
    expect(await readdir(join(folder.path, 'temp'))).toEqual([]);
    const gone = await openRepository({ root: join(folder.path, 'root') });
    const reading = gone.resolve('refs/heads/main').catch((error) => error.code);
    await gone[Symbol.asyncDispose]();
    await expect(gone.resolve('refs/heads/main')).rejects.toMatchObject({ code: 'closed' });
    expect(await reading).toBe('closed');
  });
});

describe('kinds of repositories', () => {
  test('an unborn branch', async () => {
    await using folder = await temporaryFolder();
    initRepository(folder.path);
    await using repository = await open(folder.path);
    expect(await repository.resolve('refs/heads/main')).toBeUndefined();
    const next = await useIt(repository, 'refs/heads/main');
    expect((await repository.commitInfo(next)).parents).toEqual([]);
    expect(git(folder.path, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main');
  });

  test('a detached HEAD', async () => {
    await using folder = await temporaryFolder();
    await withHistory(folder.path);
    git(folder.path, ['checkout', '-q', '--detach', 'HEAD~1']);
    const head = await readFile(join(folder.path, '.git', 'HEAD'), 'utf8');
    await using repository = await open(folder.path);
    await useIt(repository, 'refs/heads/main');
    expect(await readFile(join(folder.path, '.git', 'HEAD'), 'utf8')).toBe(head);
    expect(await repository.checkedOutAt('refs/heads/main')).toBeUndefined();
  });

  test('a linked worktree moves the refs that all worktrees share', async () => {
    await using folder = await temporaryFolder();
    await withHistory(folder.path);
    const linked = join(folder.path, 'linked');
    git(folder.path, ['worktree', 'add', '-q', '-b', 'side', linked]);
    await using repository = await open(linked);
    const next = await useIt(repository, 'refs/heads/side');
    expect(git(folder.path, ['rev-parse', 'refs/heads/hone/kept'])).toBe(next);
    expect(await repository.checkedOutAt('refs/heads/side')).toBe(await realpath(linked));
    expect(await repository.checkedOutAt('refs/heads/main')).toBe(await realpath(folder.path));
    await rm(linked, { recursive: true });
    expect(await repository.checkedOutAt('refs/heads/side')).toBeUndefined();
  });

  test('a bare repository', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'work'));
    await withHistory(join(folder.path, 'work'));
    git(folder.path, ['clone', '-q', '--bare', 'work', 'bare']);
    await using repository = await open(join(folder.path, 'bare'));
    const next = await useIt(repository, 'refs/heads/main');
    expect(Buffer.from((await repository.readFile(next, 'file'))!).toString()).toBe('three\n');
    expect(await repository.checkedOutAt('refs/heads/main')).toBeUndefined();
    git(join(folder.path, 'bare'), ['worktree', 'add', '-q', '../a b', 'main']);
    const linked = await realpath(join(folder.path, 'a b'));
    expect(await repository.checkedOutAt('refs/heads/main')).toBe(linked);
  });

  test('SHA-256: a whole story, with the ids of the one in memory', async () => {
    await using real = await realRepository({ format: 'sha256' });
    await using twin = await rememberedRepository({ format: 'sha256' });
    const story = async ({ repository }: TestRepository) => {
      const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`);
      const first = await commitFiles(repository, undefined, { f: lines.join(''), 'a/b': 'x' });
      const second = await commitFiles(repository, first, {
        f: lines.with(3, 'x\n').join(''),
        'a/b': null,
      });
      const third = await commitFiles(repository, second, {
        f: lines.with(3, 'x\n').with(15, 'y\n').join(''),
      });
      const patch = await repository.diff(first, second);
      const branch = 'refs/heads/hone/proposal-1';
      return [
        first,
        second,
        third,
        patch,
        await repository.applyPatch(first, patch),
        await repository.revert(second, third),
        await repository.merge(second, third),
        await repository.isAncestor(first, third),
        await repository.moveRef(branch, second, undefined),
        await repository.moveRef(branch, third, second),
        await repository.moveRef(branch, first, second),
        await repository.resolve(branch),
        await repository.moveRef(branch, null, third),
        await repository.listFiles(third, ''),
      ];
    };
    const told = await story(real);
    expect(told[0]).toHaveLength(64);
    expect(told).toEqual(await story(twin));
    const short = real.repository.commitInfo('a'.repeat(40));
    await expect(short).rejects.toMatchObject({ code: 'unknown_commit' });
  });

  test('a clone that borrows its objects', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'work'));
    await withHistory(join(folder.path, 'work'));
    git(folder.path, ['clone', '-q', '--shared', 'work', 'shared']);
    await using repository = await open(join(folder.path, 'shared'));
    await useIt(repository, 'refs/heads/main');
  });

  test('packed refs and packed objects', async () => {
    await using folder = await temporaryFolder();
    await withHistory(folder.path);
    git(folder.path, ['branch', 'hone/packed']);
    git(folder.path, ['gc', '-q']);
    git(folder.path, ['pack-refs', '--all']);
    await using repository = await open(folder.path);
    const main = await repository.resolve('refs/heads/main');
    const next = await useIt(repository, 'refs/heads/main');
    expect(await repository.moveRef('refs/heads/hone/packed', next, undefined)).toBe(false);
    expect(await repository.moveRef('refs/heads/hone/packed', next, main)).toBe(true);
    git(folder.path, ['pack-refs', '--all']);
    expect(await repository.moveRef('refs/heads/hone/packed', null, next)).toBe(true);
    expect(await repository.resolve('refs/heads/hone/packed')).toBeUndefined();
  });

  test('a shallow clone works where its history reaches, and says so where it does not', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'work'));
    await withHistory(join(folder.path, 'work'));
    git(folder.path, [
      'clone',
      '-q',
      '--depth',
      '1',
      `file://${join(folder.path, 'work')}`,
      'shallow',
    ]);
    await using repository = await open(join(folder.path, 'shallow'));
    const next = await useIt(repository, 'refs/heads/main');
    const head = (await repository.resolve('refs/heads/main'))!;
    expect(await repository.isAncestor(head, next)).toBe(true);
    const side = await commitFiles(repository, head, { side: 'x\n' });
    expect((await repository.merge(next, side)).ok).toBe(true);
    const stranger = await commitFiles(repository, undefined, { file: 'x\n' });
    const missing = { code: 'history_missing' };
    await expect(repository.isAncestor(next, side)).rejects.toMatchObject(missing);
    await expect(repository.isAncestor(stranger, head)).rejects.toMatchObject(missing);
    await expect(repository.merge(stranger, head)).rejects.toMatchObject(missing);
    await expect(repository.revert(head, next)).rejects.toMatchObject(missing);
  });

  test('what is not the root of a repository is refused', async () => {
    await using folder = await temporaryFolder();
    const refused = { code: 'not_a_repository' };
    await expect(open(join(folder.path, 'none'))).rejects.toMatchObject(refused);
    await expect(open(folder.path)).rejects.toMatchObject(refused);
    initRepository(folder.path);
    await mkdir(join(folder.path, 'below'));
    await expect(open(join(folder.path, 'below'))).rejects.toMatchObject(refused);
    await writeFile(join(folder.path, 'file'), '');
    await expect(open(join(folder.path, 'file'))).rejects.toMatchObject(refused);
    await writeFile(
      join(folder.path, '.git', 'config'),
      '[core]\nrepositoryformatversion = 1\n[extensions]\nunheard = of\n',
    );
    await expect(open(folder.path)).rejects.toMatchObject(refused);
  });
});

describe('people', () => {
  test.skipIf(process.getuid?.() !== 0)('a repository of another user', async () => {
    await using folder = await temporaryFolder();
    await withHistory(folder.path);
    for (const entry of ['', '.git', '.git/config', 'file'])
      await chown(join(folder.path, entry), 65534, 65534);
    await using repository = await open(folder.path);
    await useIt(repository, 'refs/heads/main');
  });

  test.skipIf(process.getuid?.() !== 0)(
    'as a user without root, without a home and without a name',
    async () => {
      await using folder = await temporaryFolder();
      const root = join(folder.path, 'target');
      await chown(folder.path, 65534, 65534);
      const code = `
      import { openRepository } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
      const repository = await openRepository({ root: ${JSON.stringify(root)}, tempFolder: ${JSON.stringify(folder.path)} });
      const tree = await repository.writeFiles(undefined, [{ path: 'f', content: Buffer.from('x') }]);
      const author = ${JSON.stringify(operator)};
      const commit = await repository.commit({ tree, parents: [], message: 'm', author });
      console.log(process.getuid(), await repository.moveRef('refs/heads/main', commit, undefined));
      await repository[Symbol.asyncDispose]();`;
      const asNobody = {
        cwd: folder.path,
        uid: 65534,
        gid: 65534,
        env: { PATH: process.env['PATH'] },
      };
      spawnSync('git', ['init', '-q', '-b', 'main', root], asNobody);
      const child = spawnSync(process.execPath, ['--input-type=module', '-e', code], asNobody);
      expect(child.stdout.toString(), child.stderr.toString()).toBe('65534 true\n');
    },
  );

  test('a repository shared by a group stays writable for it', async () => {
    await using folder = await temporaryFolder();
    initRepository(folder.path, '--shared=group');
    await using repository = await open(folder.path);
    const next = await useIt(repository, 'refs/heads/main');
    const { mode } = await stat(join(folder.path, '.git', 'objects', next.slice(0, 2)));
    expect(mode & 0o020).toBe(0o020);
  });
});

describe('others at the same time', () => {
  test('of movers in several processes, one moves the ref', async () => {
    await using folder = await temporaryFolder();
    await withHistory(folder.path);
    await using one = await open(folder.path);
    await using two = await open(folder.path);
    const base = (await one.resolve('refs/heads/main'))!;
    const targets = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => commitFiles(one, base, { text })),
    );
    const moved = await Promise.all(
      targets.map((target, at) => [one, two][at % 2]!.moveRef('refs/heads/main', target, base)),
    );
    expect(moved.filter(Boolean)).toHaveLength(1);
    expect(git(folder.path, ['rev-parse', 'main'])).toBe(targets[moved.indexOf(true)]);
    expect(git(folder.path, ['log', '-g', '--format=%gn %gs', '-1', 'main'])).toBe('Hone hone');
  });

  test('a lock that somebody left is a fault and not a lost race', async () => {
    await using folder = await temporaryFolder();
    await withHistory(folder.path);
    await using repository = await openRepository({
      root: folder.path,
      limits: { lockTimeoutMs: 20 },
    });
    const base = await repository.resolve('refs/heads/main');
    const lock = join(folder.path, '.git', 'refs', 'heads', 'main.lock');
    await writeFile(lock, '');
    const move = () => repository.moveRef('refs/heads/main', base!, base);
    await expect(move()).rejects.toMatchObject({ code: 'ref_refused' });
    await rm(lock);
    expect(await move()).toBe(true);
  });
});
