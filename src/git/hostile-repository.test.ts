/**
 * The target repository as an attacker: its configuration, attributes, hooks and objects try to run
 * programs or to be something else than their names say. Every attack that can be is first shown to work
 * against plain git (the control), so that a test cannot pass because the attack was written wrongly.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { baseEnvironment, searchPath } from './hermetic.ts';
import { type CommitId, openRepository, type TargetRepository } from './index.ts';
import {
  commitFiles,
  git,
  initRepository,
  operator,
  temporaryFolder,
} from './test-repositories.ts';

interface Hostile extends AsyncDisposable {
  readonly root: string;
  readonly head: CommitId;
  /** A command that leaves a trace with its name when it is run. */
  evil(name: string): string;
  /** Which of them ran since the last look. */
  ran(): string[];
}

async function hostile(): Promise<Hostile> {
  const folder = await temporaryFolder();
  const root = join(folder.path, 'target');
  await mkdir(root);
  initRepository(root);
  await writeFile(join(root, 'file'), 'line\n');
  git(root, ['add', '.']);
  git(root, ['commit', '-q', '-m', 'first']);
  const traces = join(folder.path, 'traces');
  return {
    root,
    head: git(root, ['rev-parse', 'HEAD']),
    evil(name) {
      const script = join(folder.path, `evil-${name}`);
      writeFileSync(script, `#!/bin/sh\necho ${name} >> ${traces}\nexit 1\n`, { mode: 0o755 });
      return script;
    },
    ran() {
      if (!existsSync(traces)) return [];
      const names = new Set(readFileSync(traces, 'utf8').trim().split('\n'));
      rmSync(traces);
      return [...names].sort();
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Everything the port can do. */
async function everything(
  repository: TargetRepository,
  head: CommitId,
  scratch: string,
): Promise<void> {
  const next = await commitFiles(repository, head, { file: 'other\n', 'dir/new': 'x' });
  const side = await commitFiles(repository, head, { aside: 'y' });
  await repository.resolve('refs/heads/main');
  await repository.checkedOutAt('refs/heads/main');
  await repository.commitInfo(head);
  await repository.readFile(next, 'dir/new');
  await repository.listFiles(next, '');
  await repository.isAncestor(head, next);
  await repository.applyPatch(head, await repository.diff(head, next));
  await repository.revert(next, next);
  await repository.merge(next, side);
  const both = await commitFiles(repository, head, { file: 'line\nmore\n' });
  await repository.merge(next, both);
  for (const ref of ['refs/heads/hone/x', 'refs/tags/hone-x', 'refs/hone/backup']) {
    expect(await repository.moveRef(ref, next, undefined)).toBe(true);
    expect(await repository.moveRef(ref, side, next)).toBe(true);
    expect(await repository.moveRef(ref, null, side)).toBe(true);
  }
  await repository.checkOut(next, join(scratch, 'out'));
}

const ATTRIBUTES =
  '* filter=evil diff=evil merge=evil text eol=crlf ident working-tree-encoding=UTF-16\n';

/** Settings that make some git command run a program, and the file system monitor that most obey. */
function settingsOf({ evil }: Hostile): Record<string, string> {
  return {
    'core.fsmonitor': evil('fsmonitor'),
    'filter.evil.clean': evil('clean'),
    'filter.evil.smudge': evil('smudge'),
    'filter.evil.process': evil('process'),
    'filter.evil.required': 'true',
    'diff.external': evil('external'),
    'diff.evil.command': evil('diff-command'),
    'diff.evil.textconv': evil('textconv'),
    'merge.evil.driver': evil('merge-driver'),
    'merge.default': 'evil',
    'core.sshCommand': evil('ssh'),
    'core.gitProxy': evil('proxy'),
    'core.pager': evil('pager'),
    'core.editor': evil('editor'),
    'core.askPass': evil('askpass'),
    'credential.helper': `!${evil('credential')}`,
    'gpg.program': evil('gpg'),
    'gpg.ssh.program': evil('gpg-ssh'),
    'commit.gpgSign': 'true',
    'tag.gpgSign': 'true',
    'log.showSignature': 'true',
    'core.alternateRefsCommand': evil('alternate-refs'),
    'uploadpack.packObjectsHook': evil('pack-objects'),
    'gc.auto': '1',
    'gc.recentObjectsHook': evil('recent-objects'),
    'apply.ignoreWhitespace': 'change',
    'apply.whitespace': 'fix',
    'core.autocrlf': 'true',
    'core.safecrlf': 'true',
    'core.worktree': '/',
    'i18n.commitEncoding': 'UTF-16',
    'core.abbrev': '4',
    'diff.noprefix': 'true',
    ...Object.fromEntries(
      ['cat-file', 'ls-tree', 'diff-tree', 'merge-base', 'update-ref', 'rev-parse'].flatMap(
        (name) => [
          [`alias.${name}`, `!${evil(`alias-${name}`)}`],
          [`pager.${name}`, evil(`pager-${name}`)],
        ],
      ),
    ),
  };
}

async function plantAttributes(root: string): Promise<void> {
  await writeFile(join(root, '.gitattributes'), ATTRIBUTES);
  await mkdir(join(root, '.git', 'info'), { recursive: true });
  await writeFile(join(root, '.git', 'info', 'attributes'), ATTRIBUTES);
}

/** What plain git does with it; the programs it runs make it fail. */
function control(root: string, commands: readonly (readonly string[])[]): void {
  for (const command of commands) {
    try {
      git(root, command);
    } catch {}
  }
}

test('settings and attributes that name programs run none of them', async () => {
  await using target = await hostile();
  await using scratch = await temporaryFolder();
  for (const [key, value] of Object.entries(settingsOf(target))) {
    if (key !== 'core.worktree') git(target.root, ['config', key, value]);
  }
  await writeFile(join(target.root, 'file'), 'changed\n');
  control(target.root, [['diff'], ['commit', '-q', '--allow-empty', '-m', 'x']]);
  await plantAttributes(target.root);
  control(target.root, [
    ['add', 'file'],
    ['show', 'HEAD'],
    ['-c', 'diff.external=', 'diff'],
  ]);
  const worked = ['fsmonitor', 'external', 'process', 'gpg'];
  expect(target.ran()).toEqual(expect.arrayContaining(worked));
  git(target.root, ['config', 'core.worktree', '/']);
  await using repository = await openRepository({ root: target.root, durable: false });
  await everything(repository, target.head, scratch.path);
  expect(target.ran()).toEqual([]);
});

test('the bytes are the blobs, whatever attributes and settings ask for', async () => {
  await using target = await hostile();
  for (const [key, value] of Object.entries(settingsOf(target)))
    git(target.root, ['config', key, value]);
  await plantAttributes(target.root);
  await using repository = await openRepository({ root: target.root, durable: false });
  const text = 'a\n$Id$\nb\r\n';
  const next = await commitFiles(repository, target.head, {
    '.gitattributes': ATTRIBUTES,
    file: text,
  });
  expect(Buffer.from((await repository.readFile(next, 'file'))!).toString()).toBe(text);
  const spaced = 'diff --git a/file b/file\n--- a/file\n+++ b/file\n@@ -1 +1,2 @@\n line \n+x\n';
  expect((await repository.applyPatch(target.head, spaced)).ok).toBe(false);
  await using scratch = await temporaryFolder();
  await repository.checkOut(next, join(scratch.path, 'out'));
  expect(readFileSync(join(scratch.path, 'out', 'file'), 'utf8')).toBe(text);
});

const HOOKS = [
  'reference-transaction',
  'post-index-change',
  'pre-commit',
  'commit-msg',
  'prepare-commit-msg',
  'post-commit',
  'pre-merge-commit',
  'post-merge',
  'post-checkout',
  'post-rewrite',
  'pre-auto-gc',
  'applypatch-msg',
  'pre-applypatch',
  'post-applypatch',
  'fsmonitor-watchman',
  'update',
  'pre-receive',
  'post-receive',
];

test.each(['hooks', 'elsewhere'])(
  'hooks in %s are not run, the one of ref updates included',
  async (place) => {
    await using target = await hostile();
    await using scratch = await temporaryFolder();
    const folder = join(target.root, '.git', place);
    await mkdir(folder, { recursive: true });
    for (const hook of HOOKS) {
      await writeFile(join(folder, hook), `#!/bin/sh\n${target.evil(hook)}\nexit 0\n`);
      await chmod(join(folder, hook), 0o755);
    }
    if (place !== 'hooks') git(target.root, ['config', 'core.hooksPath', folder]);
    git(target.root, ['update-ref', 'refs/heads/control', target.head]);
    expect(target.ran()).toEqual(['reference-transaction']);
    await using repository = await openRepository({ root: target.root, durable: false });
    await everything(repository, target.head, scratch.path);
    expect(target.ran()).toEqual([]);
  },
);

test('settings that are included from elsewhere have no more power', async () => {
  await using target = await hostile();
  await using scratch = await temporaryFolder();
  const folder = join(target.root, 'planted');
  await mkdir(folder);
  await writeFile(join(folder, 'reference-transaction'), `#!/bin/sh\n${target.evil('included')}\n`);
  await chmod(join(folder, 'reference-transaction'), 0o755);
  const included = join(target.root, 'included.config');
  await writeFile(
    included,
    `[core]\nhooksPath = ${folder}\nfsmonitor = "${target.evil('included-monitor')}"\n`,
  );
  git(target.root, ['config', `includeIf.gitdir:${target.root}/.path`, included]);
  git(target.root, ['config', 'include.path', included]);
  git(target.root, ['config', 'extensions.worktreeConfig', 'true']);
  await writeFile(join(target.root, '.git', 'config.worktree'), readFileSync(included));
  control(target.root, [['update-ref', 'refs/heads/control', target.head]]);
  expect(target.ran()).toEqual(['included']);
  await using repository = await openRepository({ root: target.root, durable: false });
  await everything(repository, target.head, scratch.path);
  expect(target.ran()).toEqual([]);
});

test('a partial clone that would fetch what is missing fetches nothing', async () => {
  await using target = await hostile();
  const config: [string, string][] = [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.uploadpack', target.evil('uploadpack')],
    ['remote.origin.url', target.root],
    ['protocol.allow', 'always'],
    ['protocol.ext.allow', 'always'],
  ];
  for (const [key, value] of config) git(target.root, ['config', key, value]);
  const absent = 'a'.repeat(40);
  const urls = [target.root, `ext::${target.evil('ext')}`, 'ssh://host.invalid/x'];
  git(target.root, ['config', 'core.sshCommand', target.evil('ssh')]);
  for (const url of urls) {
    git(target.root, ['config', 'remote.origin.url', url]);
    expect(() => git(target.root, ['cat-file', '-p', absent])).toThrow();
  }
  expect(target.ran()).toEqual(['ext', 'ssh', 'uploadpack']);
  // The belt: what holds in the target's own directory, where refs are moved, if something were fetched.
  const env = { ...baseEnvironment(), GIT_DIR: join(target.root, '.git') };
  for (const url of urls) {
    git(target.root, ['config', 'remote.origin.url', url]);
    expect(spawnSync('git', ['cat-file', '-p', absent], { env }).status).toBe(128);
  }
  expect(target.ran()).toEqual([]);
  await using repository = await openRepository({ root: target.root, durable: false });
  await writeFile(join(target.root, '.git', 'refs', 'heads', 'absent'), `${absent}\n`);
  const blob = git(target.root, ['rev-parse', 'HEAD:file']);
  const loose = join(target.root, '.git', 'objects', blob.slice(0, 2), blob.slice(2));
  await rename(loose, join(target.root, 'moved-away'));
  for (const url of urls) {
    git(target.root, ['config', 'remote.origin.url', url]);
    const missing = { code: 'object_missing' };
    await expect(repository.readFile(target.head, 'file')).rejects.toMatchObject(missing);
    await expect(repository.listFiles(target.head, '')).rejects.toMatchObject(missing);
    const commit = { code: 'unknown_commit' };
    await expect(repository.commitInfo(absent)).rejects.toMatchObject(commit);
    await expect(repository.resolve('refs/heads/absent')).rejects.toMatchObject(commit);
    await expect(repository.moveRef('refs/heads/new', absent, undefined)).rejects.toMatchObject(
      commit,
    );
    expect(await repository.moveRef('refs/heads/absent', target.head, undefined)).toBe(false);
    expect(await repository.moveRef('refs/heads/fresh', target.head, undefined)).toBe(true);
    expect(await repository.moveRef('refs/heads/fresh', null, target.head)).toBe(true);
  }
  expect(target.ran()).toEqual([]);
});

test('nothing of our own environment reaches git', async () => {
  await using target = await hostile();
  await using scratch = await temporaryFolder();
  const planted: Record<string, string> = {
    GIT_DIR: '/nonexistent',
    GIT_WORK_TREE: '/nonexistent',
    GIT_INDEX_FILE: join(target.root, '.git', 'index'),
    GIT_OBJECT_DIRECTORY: '/nonexistent',
    GIT_EXTERNAL_DIFF: target.evil('external'),
    GIT_SSH_COMMAND: target.evil('ssh'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: '/nonexistent',
    GIT_TRACE: join(scratch.path, 'trace'),
    GIT_NAMESPACE: 'other',
    GIT_AUTHOR_DATE: 'never',
    PATH: `.::${process.env['PATH']}`,
  };
  const before = { ...process.env };
  Object.assign(process.env, planted);
  try {
    expect(searchPath()).toBe(before['PATH']);
    await using repository = await openRepository({ root: target.root, durable: false });
    await everything(repository, target.head, scratch.path);
  } finally {
    for (const key of Object.keys(planted)) {
      if (before[key] === undefined) delete process.env[key];
      else process.env[key] = before[key];
    }
  }
  expect(target.ran()).toEqual([]);
  expect(await readdir(scratch.path)).toEqual(['out']);
});

test('replacements, grafts and shallow marks do not change what a commit is', async () => {
  await using target = await hostile();
  await using repository = await openRepository({ root: target.root, durable: false });
  const { head } = target;
  const next = await commitFiles(repository, head, { file: 'next\n' });
  const forged = await commitFiles(repository, undefined, { file: 'forged\n' });
  git(target.root, ['update-ref', `refs/replace/${next}`, forged]);
  await writeFile(join(target.root, '.git', 'info', 'grafts'), `${next}\n`);
  await writeFile(join(target.root, '.git', 'shallow'), `${next}\n`);
  expect(git(target.root, ['show', `${next}:file`])).toBe('forged');
  const env = { ...baseEnvironment(), GIT_DIR: join(target.root, '.git') };
  const belt = spawnSync('git', ['cat-file', '-p', `${next}:file`], { env });
  expect(belt.stdout.toString()).toBe('next\n');
  expect(Buffer.from((await repository.readFile(next, 'file'))!).toString()).toBe('next\n');
  expect((await repository.commitInfo(next)).parents).toEqual([head]);
  expect(await repository.isAncestor(head, next)).toBe(true);
});

test('objects whose bytes are not those of their name are refused', async () => {
  await using target = await hostile();
  await using repository = await openRepository({ root: target.root, durable: false });
  for (const name of ['HEAD:file', 'HEAD^{tree}', 'HEAD']) {
    const id = git(target.root, ['rev-parse', name]);
    const type = git(target.root, ['cat-file', '-t', id]);
    const body = Buffer.concat([
      Buffer.from(git(target.root, ['cat-file', type, id])),
      Buffer.from(' '),
    ]);
    const path = join(target.root, '.git', 'objects', id.slice(0, 2), id.slice(2));
    const honest = readFileSync(path);
    await chmod(path, 0o644);
    await writeFile(
      path,
      deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])),
    );
    const altered = { code: expect.stringMatching(/^(object_altered|git_failed)$/) };
    await expect(repository.readFile(target.head, 'file'), name).rejects.toMatchObject(altered);
    await writeFile(path, honest);
  }
  expect((await repository.readFile(target.head, 'file'))?.length).toBe(5);
});

test('trees with names that no honest git makes are refused wherever they are read', async () => {
  await using target = await hostile();
  await using scratch = await temporaryFolder();
  await using repository = await openRepository({ root: target.root, durable: false });
  const blob = Buffer.from(git(target.root, ['rev-parse', 'HEAD:file']), 'hex');
  for (const [at, name] of [
    '..',
    '.git',
    '.GIT',
    'git~1',
    '.git ',
    'a/../../b',
    'x\\..\\y',
    '.',
    '\xff',
  ].entries()) {
    const entry = Buffer.concat([Buffer.from(`100644 ${name}\0`, 'latin1'), blob]);
    const tree = git(
      target.root,
      ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'],
      entry,
    );
    const commit = git(target.root, ['commit-tree', '-m', 'x', tree]);
    const refused = { code: 'bad_path' };
    await expect(repository.listFiles(commit, ''), name).rejects.toMatchObject(refused);
    await expect(
      repository.checkOut(commit, join(scratch.path, `${at}`)),
      name,
    ).rejects.toMatchObject(refused);
    await expect(commitFiles(repository, commit, { f: 'x' }), name).rejects.toMatchObject(refused);
  }
  expect(await readdir(scratch.path)).toEqual([]);
});

test('a ref that stands for another one is not moved through', async () => {
  await using target = await hostile();
  await using repository = await openRepository({ root: target.root, durable: false });
  git(target.root, ['symbolic-ref', 'refs/heads/hone/proposals', 'refs/heads/main']);
  const next = await commitFiles(repository, target.head, { file: 'next\n' });
  const move = repository.moveRef('refs/heads/hone/proposals', next, target.head);
  await expect(move).rejects.toMatchObject({ code: 'ref_refused' });
  expect(await repository.resolve('refs/heads/main')).toBe(target.head);
  expect(await repository.resolve('refs/heads/hone/proposals')).toBe(target.head);
  const tagged = await repository.commit({
    tree: (await repository.commitInfo(next)).tree,
    parents: [],
    message: 'x',
    author: operator,
  });
  git(target.root, ['tag', '-a', '-m', 'tag', 'annotated', tagged]);
  expect(await repository.resolve('refs/tags/annotated')).toBe(tagged);
});
