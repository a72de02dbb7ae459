/** One process answers for objects; whatever happens to it, the repository answers as before. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock, nextTurn, systemClock } from '../base/index.ts';
import { GitProcesses } from './git-processes.ts';
import { baseEnvironment } from './hermetic.ts';
import { type OpenRepository, openRepository } from './index.ts';
import { DEFAULT_GIT_LIMITS, type GitLimits } from './limits.ts';
import { ObjectReader } from './object-reader.ts';
import { objectId } from './objects.ts';
import { packStream } from './pack-stream.ts';
import { commitFiles, git, initRepository, temporaryFolder } from './test-repositories.ts';

const MAIN = 'refs/heads/main';

interface Counted extends AsyncDisposable {
  readonly root: string;
  readonly repository: OpenRepository;
  /** The commands that were started since it was last asked, by name. */
  started(): Promise<string[]>;
}

/** A repository whose git notes each start, with its process id. */
async function counted(): Promise<Counted> {
  const folder = await temporaryFolder();
  const [bin, root, log] = ['bin', 'root', 'log'].map((name) => join(folder.path, name));
  await mkdir(bin!);
  await mkdir(root!);
  initRepository(root!);
  const real = git(root!, ['--exec-path']).trim();
  const script = `#!/bin/sh\necho "$$ $*" >> ${log}\nexec ${join(real, 'git')} "$@"\n`;
  await writeFile(join(bin!, 'git'), script);
  await chmod(join(bin!, 'git'), 0o755);
  const path = process.env['PATH'];
  process.env['PATH'] = `${bin}:${path}`;
  const repository = await openRepository({ root: root!, durable: false }).finally(() => {
    process.env['PATH'] = path;
  });
  let seen = 0;
  return {
    root: root!,
    repository,
    started: async () => {
      const lines = (await readFile(log!, 'utf8')).trimEnd().split('\n');
      const fresh = lines.slice(seen);
      seen = lines.length;
      return fresh;
    },
    [Symbol.asyncDispose]: async () => {
      await repository[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const commandsOf = (lines: readonly string[]) =>
  lines.map(
    (line) =>
      /\b(?:cat-file|for-each-ref|ls-tree|unpack-objects|commit-tree|update-ref)\b/.exec(line)?.[0],
  );

test('looks at the repository start one process; a change starts three', async () => {
  await using opened = await counted();
  const { repository } = opened;
  const first = await commitFiles(repository, undefined, { 'a/b.txt': 'one', 'c.txt': 'two' });
  expect(await repository.moveRef(MAIN, first, undefined)).toBe(true);
  await opened.started();
  const look = async () => {
    const head = (await repository.resolve(MAIN))!;
    expect(await repository.readFile(head, 'a/b.txt')).toEqual(Buffer.from('one'));
    expect(await repository.resolve('refs/heads/none')).toBeUndefined();
    expect(await repository.resolve('refs/heads/main/below')).toBeUndefined();
    expect(await repository.readFile(head, 'a/none')).toBeUndefined();
    expect(await repository.listFiles(head, '')).toHaveLength(2);
    expect(await repository.listFiles(head, 'a')).toEqual([
      { path: 'a/b.txt', kind: 'file', sizeBytes: 3 },
    ]);
    return head;
  };
  for (let times = 0; times < 5; times++) await look();
  expect(await opened.started()).toEqual([]);
  git(opened.root, ['pack-refs', '--all']);
  await look();
  expect(await opened.started()).toEqual([]);

  const head = await look();
  const next = await commitFiles(repository, head, { 'a/b.txt': 'changed' });
  expect(await repository.moveRef(MAIN, next, head)).toBe(true);
  const commands = commandsOf(await opened.started());
  expect(commands).toEqual(['unpack-objects', 'commit-tree', 'update-ref']);
});

test('a process that was killed is started again', async () => {
  await using opened = await counted();
  const { repository } = opened;
  const head = await commitFiles(repository, undefined, { f: 'x' });
  const lines = await opened.started();
  for (let times = 0; times < 3; times++) {
    const reader = (times === 0 ? lines : await opened.started()).findLast((line) =>
      line.includes('--batch-command'),
    )!;
    process.kill(Number(reader.split(' ')[0]), 'SIGKILL');
    expect(await repository.readFile(head, 'f')).toEqual(Buffer.from('x'));
    await repository.readFile(head, 'f');
  }
});

test('objects that come later are found: written by others, in a pack, through an alternate', async () => {
  await using opened = await counted();
  await using elsewhere = await temporaryFolder();
  const { repository, root } = opened;
  const base = await commitFiles(repository, undefined, { f: 'x' });
  await repository.moveRef(MAIN, base, undefined);
  expect(await repository.resolve(MAIN)).toBe(base);

  const theirs = (folder: string, text: string) => {
    const id = git(folder, ['hash-object', '-w', '--stdin'], text).trim();
    const tree = git(folder, ['mktree'], `100644 blob ${id}\tf\n`).trim();
    return git(folder, ['commit-tree', tree, '-m', text]).trim();
  };
  const loose = theirs(root, 'loose');
  expect(await repository.readFile(loose, 'f')).toEqual(Buffer.from('loose'));

  const packed = theirs(root, 'packed');
  git(root, ['update-ref', 'refs/heads/other', packed]);
  git(root, ['gc', '-q', '--prune=now']);
  expect(await repository.readFile(packed, 'f')).toEqual(Buffer.from('packed'));
  expect(await repository.resolve(MAIN)).toBe(base);
  expect(await repository.resolve('refs/heads/other')).toBe(packed);

  initRepository(elsewhere.path);
  const lent = theirs(elsewhere.path, 'lent');
  await expect(repository.readFile(lent, 'f')).rejects.toMatchObject({ code: 'unknown_commit' });
  const alternates = join(root, '.git', 'objects', 'info', 'alternates');
  await writeFile(alternates, `${join(elsewhere.path, '.git', 'objects')}\n`);
  expect(await repository.readFile(lent, 'f')).toEqual(Buffer.from('lent'));
});

test('a base whose trees hold old modes gets all of its trees written anew', async () => {
  await using opened = await counted();
  const { repository, root } = opened;
  const id = git(root, ['hash-object', '-w', '--stdin'], 'x').trim();
  const raw = (mode: string, name: string, of: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(of, 'hex')]);
  const write = (body: Buffer) =>
    git(root, ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], body).trim();
  const inner = write(raw('100664', 'f', id));
  const tree = write(raw('40000', 'sub', inner));
  const base = git(root, ['commit-tree', tree, '-m', 'old']).trim();
  const changed = await repository.writeFiles(base, [{ path: 'g', content: Buffer.from('y') }]);
  expect(git(root, ['ls-tree', '-r', '--name-only', changed])).toBe('g\nsub/f');
});

test('nothing keeps running after the repository was closed, and nothing answers', async () => {
  const opened = await counted();
  const head = await commitFiles(opened.repository, undefined, { f: 'x' });
  await opened.repository.readFile(head, 'f');
  const reader = (await opened.started()).findLast((line) => line.includes('--batch-command'))!;
  await opened[Symbol.asyncDispose]();
  expect(() => process.kill(Number(reader.split(' ')[0]), 0)).toThrow(/ESRCH/);
  await expect(opened.repository.readFile(head, 'f')).rejects.toMatchObject({ code: 'closed' });
});

test.each([
  ['closed', 'await repository[Symbol.asyncDispose]();'],
  ['left open', ''],
])('a process whose repository was %s ends by itself', async (_, end) => {
  await using folder = await temporaryFolder();
  initRepository(folder.path);
  const script = `
    import { openRepository } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    const repository = await openRepository({ root: ${JSON.stringify(folder.path)}, durable: false });
    const tree = await repository.writeFiles(undefined, [{ path: 'f', content: Buffer.from('x') }]);
    const author = { name: 'a', email: 'a@example.org', atMs: 0 };
    const commit = await repository.commit({ tree, parents: [], message: 'm', author });
    console.log((await repository.readFile(commit, 'f')).length);
    ${end}
    console.log('end');`;
  const args = ['--input-type=module', '--eval', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '1\nend\n', stderr: '' });
});

/** A reader that talks to a shell script in git's place. */
async function talkingTo(script: string, limits: Partial<GitLimits> = {}, clock = systemClock) {
  const folder = await temporaryFolder();
  const binary = join(folder.path, 'git');
  await writeFile(`${binary}.new`, `#!/bin/sh\n${script}\n`);
  await chmod(`${binary}.new`, 0o755);
  await rename(`${binary}.new`, binary);
  const all = { ...DEFAULT_GIT_LIMITS, ...limits };
  const processes = new GitProcesses({ binary, clock, limits: all });
  const place = { cwd: '/', env: baseEnvironment() };
  const reader = new ObjectReader({ processes, place, clock, limits: all });
  onTestFinished(async () => {
    await reader.close();
    await folder[Symbol.asyncDispose]();
  });
  return reader;
}

describe('a process that', () => {
  const id = 'a'.repeat(40);
  const contents = [{ want: 'contents', name: id }] as const;

  test.each([
    ['ends at once', 'exit 1'],
    ['says something else', 'echo what; cat > /dev/null'],
    ['goes on without a line', 'printf "%0500d" 1; cat > /dev/null'],
    ['ends in the middle', `printf "${id} blob 10\\nabc"`],
    ['finds nothing', `for n in 1 2 3 4 5; do echo "${id} missing"; done; cat > /dev/null`],
  ])('%s leaves the answer to another', async (_, script) => {
    const reader = await talkingTo(script);
    for (let times = 0; times < 5; times++) expect(await reader.ask(contents)).toBeUndefined();
  });

  test('has more to say than is read is ended', async () => {
    const reader = await talkingTo(`echo "${id} blob 1001"; cat > /dev/null`, {
      outputBytesMax: 1000,
    });
    await expect(reader.ask(contents)).rejects.toMatchObject({ code: 'too_large' });
  });

  test('does not answer is ended at the timeout', async () => {
    const clock = new ManualClock();
    const reader = await talkingTo('cat > /dev/null', { timeoutMs: 60_000 }, clock);
    const asked = reader.ask(contents);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    clock.advance(60_000);
    await expect(asked).rejects.toMatchObject({ code: 'timeout' });
  });

  test('is asked for names that are no ids is not asked at all', async () => {
    const reader = await talkingTo(`echo "${id} blob 0\n"; cat > /dev/null`);
    for (const name of [`${id}:path`, 'HEAD', `${id}\nmissing`, '', '-x'])
      expect(await reader.ask([{ want: 'info', name }])).toBeUndefined();
  });
});

test.each(['sha1', 'sha256'] as const)(
  'git reads a stream of objects as what went in (%s)',
  async (format) => {
    await using folder = await temporaryFolder();
    git(folder.path, ['init', '-q', `--object-format=${format}`, '.']);
    const sizes = fc.oneof(fc.nat(20), fc.constantFrom(15, 16, 2047, 2048, 300_000));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(sizes, fc.nat(255)), { maxLength: 5 }), async (given) => {
        const objects = given.map(([size, byte]) => ({
          type: 'blob' as const,
          body: Buffer.alloc(size, byte),
        }));
        git(folder.path, ['unpack-objects', '-q'], packStream(objects, format));
        for (const { type, body } of objects) {
          const id = objectId(format, type, body);
          expect(git(folder.path, ['cat-file', '-s', id]).trim()).toBe(`${body.length}`);
          expect(git(folder.path, ['hash-object', '-t', 'blob', '--stdin'], body)).toBe(id);
        }
      }),
      { numRuns: 15 },
    );
  },
);
