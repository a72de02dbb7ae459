/** The port's contract, the same for the real git and for the repository in memory. */
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommitId, TargetRepository } from './index.ts';
import {
  commitFiles,
  commitTree,
  operator,
  realRepository,
  rememberedRepository,
  type TestRepository,
  temporaryFolder,
} from './test-repositories.ts';

const kinds = [
  ['git', 'sha1', realRepository],
  ['memory', 'sha1', rememberedRepository],
  ['memory', 'sha256', rememberedRepository],
] as const;

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('utf8');
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);

describe.each(kinds)('%s %s', (_, format, make) => {
  let made: TestRepository;
  let repository: TargetRepository;
  beforeAll(async () => {
    made = await make({ format });
    repository = made.repository;
  });
  afterAll(() => made[Symbol.asyncDispose]());

  const nothing = '0123456789abcdef'.repeat(4).slice(0, format === 'sha1' ? 40 : 64);
  const fails = (work: Promise<unknown>, code: string) =>
    expect(work).rejects.toMatchObject({ name: 'GitError', code });
  const put = (base: CommitId | undefined, files: Record<string, string | Uint8Array | null>) =>
    commitFiles(repository, base, files);
  const treeOf = async (commit: CommitId) => (await repository.commitInfo(commit)).tree;

  describe('reading', () => {
    test('a file’s bytes come back, whatever they are', async () => {
      const bytes = Uint8Array.from({ length: 512 }, (_, at) => at % 256);
      const commit = await put(undefined, { 'a/b/bytes': bytes, empty: '', 'ü \u{1f600}': 'x' });
      expect(await repository.readFile(commit, 'a/b/bytes')).toEqual(
        expect.objectContaining(bytes),
      );
      expect((await repository.readFile(commit, 'empty'))?.length).toBe(0);
      expect(text(await repository.readFile(commit, 'ü \u{1f600}'))).toBe('x');
    });

    test('what is no file is undefined: nothing, a folder, below a file, a link, a submodule', async () => {
      const tree = await made.seed([
        { path: 'f', mode: '100644', content: 'x' },
        { path: 'd/f', mode: '100644', content: 'x' },
        { path: 'link', mode: '120000', content: 'f' },
        { path: 'dlink', mode: '120000', content: 'd' },
        { path: 'sub', mode: '160000', content: nothing },
      ]);
      const commit = await commitTree(repository, tree);
      for (const path of ['none', 'd', 'd/none', 'f/below', 'link', 'dlink/f', 'sub', 'sub/f']) {
        expect(await repository.readFile(commit, path), path).toBeUndefined();
      }
    });

    test('a link says where it points, anything else says nothing', async () => {
      const tree = await made.seed([
        { path: 'f', mode: '100644', content: 'x' },
        { path: 'd/link', mode: '120000', content: '../f' },
      ]);
      const commit = await commitTree(repository, tree);
      expect(await repository.readLink(commit, 'd/link')).toBe('../f');
      for (const path of ['f', 'd', 'none', 'd/link/x'])
        expect(await repository.readLink(commit, path), path).toBeUndefined();
    });

    test('listed with their kinds and sizes, sorted by bytes', async () => {
      const tree = await made.seed([
        { path: 'a/x', mode: '100644', content: 'four' },
        { path: 'a.b', mode: '100755', content: '#!' },
        { path: 'a-link', mode: '120000', content: 'a/x' },
        { path: 'é', mode: '100644', content: '' },
        { path: 'z/sub', mode: '160000', content: nothing },
      ]);
      const commit = await commitTree(repository, tree);
      expect(await repository.listFiles(commit, '')).toEqual([
        { path: 'a-link', kind: 'symlink', sizeBytes: 3 },
        { path: 'a.b', kind: 'executable', sizeBytes: 2 },
        { path: 'a/x', kind: 'file', sizeBytes: 4 },
        { path: 'z/sub', kind: 'submodule', sizeBytes: 0 },
        { path: 'é', kind: 'file', sizeBytes: 0 },
      ]);
      expect((await repository.listFiles(commit, 'z')).map(({ path }) => path)).toEqual(['z/sub']);
      for (const folder of ['a.b', 'none', 'a/x', 'a-link', 'z/sub', 'a*', ':(glob)a']) {
        expect(await repository.listFiles(commit, folder), folder).toEqual([]);
      }
    });

    test('a commit says what was put into it', async () => {
      const base = await put(undefined, { f: '1' });
      for (const message of ['', 'one line', 'subject\n\nbody ü\n\n', '\n\nleading', 'tree x\n']) {
        const draft = { tree: await treeOf(base), parents: [base], message, author: operator };
        const id = await repository.commit(draft);
        expect(await repository.commitInfo(id)).toEqual({
          id,
          ...draft,
          committedAtMs: operator.atMs,
        });
      }
    });

    test('the paths that each commit changed, of a merge those against its first parent', async () => {
      const first = await put(undefined, { a: '1', 'b/ü c': '1', d: '1' });
      const second = await put(first, { a: '2', d: null, 'e f': '1' });
      const side = await put(first, { g: '1' });
      const tree = await repository.merge(second, side);
      const author = operator;
      const merged = await repository.commit({
        tree: tree.ok ? tree.tree : '',
        parents: [second, side],
        message: 'm',
        author,
      });
      const same = await repository.commit({
        tree: await treeOf(merged),
        parents: [merged],
        message: 'nothing',
        author,
      });
      expect(await repository.changedPaths([same, merged, second, first])).toEqual([
        [],
        ['g'],
        ['a', 'd', 'e f'],
        ['a', 'b/ü c', 'd'],
      ]);
      expect(await repository.changedPaths([])).toEqual([]);
      // What is known is answered with what is not, in the order asked.
      const third = await put(second, { h: '1' });
      expect(await repository.changedPaths([first, third, same])).toEqual([
        ['a', 'b/ü c', 'd'],
        ['h'],
        [],
      ]);
      expect(await repository.commitInfo(merged)).toMatchObject({ committedAtMs: author.atMs });
    });

    test('names that are no commit of this repository are refused everywhere', async () => {
      const commit = await put(undefined, { f: '1' });
      const tree = await treeOf(commit);
      const deletion = 'diff --git a/f b/f\ndeleted file mode 100644\n';
      for (const bad of [nothing, tree, 'HEAD', '--all', '', commit.slice(1), `${commit}^`]) {
        await fails(repository.commitInfo(bad), 'unknown_commit');
        await fails(repository.readFile(bad, 'f'), 'unknown_commit');
        await fails(repository.listFiles(bad, ''), 'unknown_commit');
        await fails(repository.diff(commit, bad), 'unknown_commit');
        await fails(repository.isAncestor(bad, commit), 'unknown_commit');
        await fails(repository.writeFiles(bad, []), 'unknown_commit');
        await fails(repository.applyPatch(bad, deletion), 'unknown_commit');
        await fails(repository.merge(commit, bad), 'unknown_commit');
        await fails(repository.revert(bad, commit), 'unknown_commit');
        await fails(repository.moveRef('refs/heads/bad', bad, undefined), 'unknown_commit');
      }
    });

    test('paths that lead elsewhere are refused', async () => {
      const commit = await put(undefined, { f: '1' });
      for (const path of ['/f', '../f', 'a/../f', '.git/config', 'a//b', './f', 'f/']) {
        await fails(repository.readFile(commit, path), 'bad_path');
        await fails(repository.listFiles(commit, path), 'bad_path');
      }
      await fails(repository.readFile(commit, ''), 'bad_path');
    });

    test('ancestors', async () => {
      const first = await put(undefined, { f: '1' });
      const second = await put(first, { f: '2' });
      const aside = await put(first, { f: '3' });
      expect(await repository.isAncestor(first, second)).toBe(true);
      expect(await repository.isAncestor(second, second)).toBe(true);
      expect(await repository.isAncestor(second, first)).toBe(false);
      expect(await repository.isAncestor(aside, second)).toBe(false);
    });
  });

  describe('writing', () => {
    test('changes, additions and removals leave the rest as it was', async () => {
      const base = await put(undefined, { 'a/keep': 'k', 'a/go': 'g', 'b/c/deep': 'd', same: 's' });
      const next = await put(base, { 'a/go': null, 'b/c/deep': 'D', 'new/file': 'n', never: null });
      const paths = (await repository.listFiles(next, '')).map(({ path }) => path);
      expect(paths).toEqual(['a/keep', 'b/c/deep', 'new/file', 'same']);
      expect(text(await repository.readFile(next, 'b/c/deep'))).toBe('D');
      expect(text(await repository.readFile(base, 'b/c/deep'))).toBe('d');
      expect(await treeOf(await put(next, {}))).toBe(await treeOf(next));
    });

    test('the same files are the same tree, however they came', async () => {
      const direct = await put(undefined, { a: '1', 'b/c': '2' });
      const around = await put(await put(undefined, { x: '0', 'b/c': '3' }), {
        x: null,
        a: '1',
        'b/c': '2',
      });
      expect(await treeOf(around)).toBe(await treeOf(direct));
    });

    test('a file keeps its mode; an empty tree can be committed', async () => {
      const tree = await made.seed([{ path: 'run', mode: '100755', content: 'a' }]);
      const base = await commitTree(repository, tree);
      const [run] = await repository.listFiles(await put(base, { run: 'b' }), '');
      expect(run).toEqual({ path: 'run', kind: 'executable', sizeBytes: 1 });
      expect(await repository.listFiles(await put(base, { run: null }), '')).toEqual([]);
    });

    test('what would remove something unnamed is refused', async () => {
      const tree = await made.seed([
        { path: 'f', mode: '100644', content: 'x' },
        { path: 'd/f', mode: '100644', content: 'x' },
        { path: 'link', mode: '120000', content: '/etc/passwd' },
        { path: 'sub', mode: '160000', content: nothing },
      ]);
      const base = await commitTree(repository, tree);
      for (const path of ['f/below', 'd', 'link', 'link/x', 'sub', 'sub/x']) {
        await fails(put(base, { [path]: 'new' }), 'bad_change');
      }
      await fails(put(base, { n: '1', 'n/m': '2' }), 'bad_change');
      const twice = { path: 'x', content: Buffer.from('1') };
      await fails(repository.writeFiles(base, [twice, twice]), 'bad_change');
      const named = await put(base, {
        f: null,
        'f/below': 'new',
        link: null,
        'd/f': null,
        d: 'file',
      });
      expect((await repository.listFiles(named, '')).map(({ path }) => path)).toEqual([
        'd',
        'f/below',
        'sub',
      ]);
    });

    test('paths that may not be written', async () => {
      const bad = [
        '',
        '/abs',
        '../up',
        'a/../b',
        'a//b',
        'a/',
        './a',
        '.git',
        '.git/config',
        'a/.GIT/hooks/x',
        '.git.',
        '.git ',
        '.git::$INDEX_ALLOCATION/x',
        'git~1/config',
        'GIT~2',
        '.g\u200cit/config',
        'a\\b',
        'C:/x',
        'c:x',
        'new\nline',
        'tab\t',
        'nul\0',
        'del\x7f',
        'x\x9b',
        '\ud800',
        `${'x'.repeat(256)}`,
      ];
      for (const path of bad) await fails(put(undefined, { [path]: 'x' }), 'bad_path');
      const fine = await put(undefined, {
        '.gitignore': '',
        'git~': '',
        '.github/x': '',
        'a b': '',
        '-x': '',
        ':(top)x': '',
        '*': '',
      });
      expect(await repository.listFiles(fine, '')).toHaveLength(7);
    });

    test('drafts that git would mend or refuse', async () => {
      const tree = await treeOf(await put(undefined, { f: '1' }));
      const commit = await commitTree(repository, tree);
      const draft = { tree, parents: [], message: 'm', author: operator };
      for (const name of ['', ' ', 'a<b', 'a\nb', 'dot.', '"quoted"']) {
        await fails(repository.commit({ ...draft, author: { ...operator, name } }), 'bad_draft');
      }
      for (const atMs of [-1, Number.NaN, 1e15]) {
        await fails(repository.commit({ ...draft, author: { ...operator, atMs } }), 'bad_draft');
      }
      await fails(repository.commit({ ...draft, message: 'a\0b' }), 'bad_draft');
      await fails(repository.commit({ ...draft, parents: [commit, commit] }), 'bad_draft');
      await fails(repository.commit({ ...draft, tree: nothing }), 'unknown_tree');
      await fails(repository.commit({ ...draft, tree: commit }), 'unknown_tree');
      await fails(repository.commit({ ...draft, tree: '--help' }), 'unknown_tree');
      await fails(repository.commit({ ...draft, parents: [nothing] }), 'unknown_commit');
      await fails(repository.commit({ ...draft, parents: [tree] }), 'unknown_commit');
    });
  });

  describe('diff', () => {
    test('is git’s own form, frozen', async () => {
      const lines = numbered(20);
      const from = await put(undefined, { 'with space': lines.join(''), é: 'old\n', gone: 'g\n' });
      const changed = lines.with(2, 'three\n').with(9, 'ten\n').join('');
      const to = await put(from, {
        'with space': changed,
        é: 'old\nno newline',
        gone: null,
        empty: '',
      });
      const printed = (await repository.diff(from, to)).replace(/[0-9a-f]{40,64}/g, (id) =>
        id.replaceAll('0', '') === '' ? 'none' : id.length === nothing.length ? 'id' : 'short',
      );
      expect(printed).toBe(
        [
          'diff --git a/empty b/empty',
          'new file mode 100644',
          'index none..id',
          'diff --git a/gone b/gone',
          'deleted file mode 100644',
          'index id..none',
          '--- a/gone',
          '+++ /dev/null',
          '@@ -1 +0,0 @@',
          '-g',
          'diff --git a/with space b/with space',
          'index id..id 100644',
          '--- a/with space\t',
          '+++ b/with space\t',
          '@@ -1,13 +1,13 @@',
          ' line 1',
          ' line 2',
          '-line 3',
          '+three',
          ' line 4',
          ' line 5',
          ' line 6',
          ' line 7',
          ' line 8',
          ' line 9',
          '-line 10',
          '+ten',
          ' line 11',
          ' line 12',
          ' line 13',
          'diff --git "a/\\303\\251" "b/\\303\\251"',
          'index id..id 100644',
          '--- "a/\\303\\251"',
          '+++ "b/\\303\\251"',
          '@@ -1 +1,2 @@',
          ' old',
          '+no newline',
          '\\ No newline at end of file',
          '',
        ].join('\n'),
      );
      expect(await repository.diff(to, to)).toBe('');
    });

    test('links, submodules, modes and bytes that are no text', async () => {
      const seed = (content: string, sub: string, mode: '100644' | '100755' | '120000') =>
        made.seed([
          { path: 'bin', mode: '100644', content: `\0${content}` },
          {
            path: 'latin1',
            mode: '100644',
            content: Buffer.from(`caf\xe9 ${content}\n`, 'latin1'),
          },
          { path: 'mode', mode, content: 'same' },
          { path: 'sub', mode: '160000', content: sub },
        ]);
      const from = await commitTree(repository, await seed('1', nothing, '100644'));
      const to = await commitTree(repository, await seed('2', nothing.replace('0', '1'), '100755'));
      const link = await commitTree(
        repository,
        await seed('2', nothing.replace('0', '1'), '120000'),
      );
      const printed = await repository.diff(from, to);
      expect(printed).toContain('Binary files a/bin and b/bin differ\n');
      expect(printed).toContain('Binary files a/latin1 and b/latin1 differ\n');
      expect(printed).toContain('diff --git a/mode b/mode\nold mode 100644\nnew mode 100755\ndiff');
      expect(printed).toContain(`-Subproject commit ${nothing}\n+Subproject commit 1`);
      expect(await repository.diff(to, link)).toMatch(
        /^diff --git a\/mode b\/mode\ndeleted file mode 100755\n[\s\S]*-same\n[\s\S]*\nnew file mode 120000\n[\s\S]*\+same\n/,
      );
    });
  });

  describe('a draft', () => {
    const draft = (base: string, changes: Record<string, string | Uint8Array | null>) =>
      repository.draft(
        base,
        Object.entries(changes).map(([path, content]) => ({
          path,
          content: content === null ? null : Buffer.from(content),
        })),
      );

    test('is the diff of the commit that the changes would make, which is not made', async () => {
      const base = await put(undefined, { f: 'a\nb\nc\n', gone: 'g\n', kept: 'k\n' });
      const changes = { f: 'a\nB\nc\n', gone: null, fresh: 'x', kept: 'k\n', none: null };
      const drafted = await draft(base, changes);
      const { fresh, f } = changes;
      const made = await put(base, { f, fresh, gone: null });
      expect(drafted).toEqual({ ok: true, diff: await repository.diff(base, made) });
      expect(await draft(base, { kept: 'k\n', none: null })).toEqual({ ok: true, diff: '' });
    });

    test('keeps a mode, and refuses what is no text, no file or no commit', async () => {
      const tree = await made.seed([
        { path: 'run', mode: '100755', content: 'a\n' },
        { path: 'link', mode: '120000', content: 'run' },
      ]);
      const base = await commitTree(repository, tree);
      expect(await draft(base, { run: 'b\n' })).toMatchObject({
        ok: true,
        diff: expect.stringMatching(/^index \w+\.\.\w+ 100755$/m),
      });
      expect(await draft(base, { bin: 'a\0b' })).toMatchObject({ ok: false });
      await fails(draft(base, { link: 'x' }), 'bad_change');
      await fails(draft(base, { '../x': 'x' }), 'bad_path');
      await fails(draft(nothing, { x: 'x' }), 'unknown_commit');
    });
  });

  describe('patches', () => {
    const patchOf = (hunk: string, path = 'f') =>
      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunk}`;
    const base = () => put(undefined, { f: numbered(10).join(''), tail: 'a\nb' });

    test('apply at the lines they name', async () => {
      const hunk = '@@ -2,3 +2,3 @@ any words\n line 2\n-line 3\n+three\n line 4\n';
      const commit = await base();
      const result = await repository.applyPatch(commit, patchOf(hunk));
      const wanted = await put(commit, { f: numbered(10).with(2, 'three\n').join('') });
      expect(result).toEqual({ ok: true, tree: await treeOf(wanted) });
    });

    test('are refused where git would search, guess or mend', async () => {
      const commit = await base();
      const refused: Record<string, string> = {
        'an offset': '@@ -3,3 +3,3 @@\n line 2\n-line 3\n+three\n line 4\n',
        'a new line number that is off': '@@ -2,3 +3,3 @@\n line 2\n-line 3\n+three\n line 4\n',
        'other context': '@@ -2,3 +2,3 @@\n line two\n-line 3\n+three\n line 4\n',
        'other white space': '@@ -2,3 +2,3 @@\n line  2\n-line 3\n+three\n line 4\n',
        'a carriage return': '@@ -2,3 +2,3 @@\n line 2\r\n-line 3\r\n+three\r\n line 4\r\n',
        'no context': '@@ -3 +3 @@\n-line 3\n+three\n',
        'no context before': '@@ -3,2 +3,2 @@\n-line 3\n+three\n line 4\n',
        'no context after': '@@ -2,2 +2,2 @@\n line 2\n-line 3\n+three\n',
        'a count that is off': '@@ -2,4 +2,4 @@\n line 2\n-line 3\n+three\n line 4\n',
        'an insertion without lines': '@@ -2,0 +3 @@\n+three\n',
        'beyond the end': '@@ -10,2 +10,2 @@\n line 10\n-line 11\n+x\n',
        'hunks out of order':
          '@@ -8,3 +8,3 @@\n line 8\n-line 9\n+x\n line 10\n@@ -2,3 +2,3 @@\n line 2\n-line 3\n+y\n line 4\n',
        'nothing changed': '@@ -2,2 +2,2 @@\n line 2\n line 3\n',
        'an unmarked line': '@@ -2,3 +2,3 @@\n line 2\n\n-line 3\n+three\n',
        'a mail’s end': '@@ -2,3 +2,3 @@\n line 2\n-line 3\n+three\n line 4\n-- \n2.39.5\n',
        'a line without an end inside':
          '@@ -9,2 +9,3 @@\n line 9\n+x\n\\ No newline at end of file\n line 10\n',
      };
      for (const [what, hunk] of Object.entries(refused)) {
        expect(await repository.applyPatch(commit, patchOf(hunk)), what).toMatchObject({
          ok: false,
        });
      }
    });

    test('are refused when they are no patch of plain files', async () => {
      const commit = await base();
      const hunk = '@@ -2,3 +2,3 @@\n line 2\n-line 3\n+three\n line 4\n';
      const create = (path: string, mode = '100644', name = `b/${path}`) =>
        `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ ${name}\n@@ -0,0 +1 @@\n+x\n`;
      const refused = [
        '',
        'x',
        'no patch\n',
        `${patchOf(hunk)}\n`,
        `From: x\n${patchOf(hunk)}`,
        `--- a/f\n+++ b/f\n${hunk}`,
        patchOf(hunk).slice(0, -1),
        patchOf(hunk) + patchOf(hunk),
        patchOf(hunk, 'none'),
        patchOf(hunk, '../f'),
        create('f'),
        create('f/x'),
        create('.git/config'),
        create('.GIT/hooks/pre-commit'),
        create('a/../../x'),
        create('/abs'),
        create('link', '120000'),
        create('sub', '160000'),
        create('odd', '100664'),
        create('new', '100644', 'b/other'),
        create('new').replace('a/new', 'a/f'),
        create('new').replace('+1', '+2'),
        'diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n',
        'diff --git a/f b/f\ndeleted file mode 100644\n',
        'diff --git a/f b/f\ndeleted file mode 100755\n',
        'diff --git a/f b/f\nold mode 100755\nnew mode 100644\n',
        'diff --git a/f b/f\nindex 0000000..1111111 100644\n',
        'diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1111111\nBinary files /dev/null and b/x differ\n',
        'diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1111111\nGIT binary patch\nliteral 1\nIcmZPo0ssI200000\n\n',
        'diff --git "a/\\377" "b/\\377"\nnew file mode 100644\n',
        'diff --git "a/x\\ny" "b/x\\ny"\nnew file mode 100644\n',
        `${patchOf(hunk)}\ud800\n`,
        patchOf(hunk).replace('three', 'th\0ree'),
      ];
      for (const patch of refused) {
        const result = await repository.applyPatch(commit, patch);
        expect(result, patch).toMatchObject({
          ok: false,
          why: expect.stringMatching(/^[^\n]{5,300}$/),
        });
      }
    });

    test('make, remove, turn executable, and keep the missing last line feed', async () => {
      const commit = await base();
      const to = await put(commit, { 'new dir/é': 'x', empty: '', tail: 'a\nB', f: null });
      const result = await repository.applyPatch(commit, await repository.diff(commit, to));
      expect(result).toEqual({ ok: true, tree: await treeOf(to) });
      const mode = 'diff --git a/f b/f\nold mode 100644\nnew mode 100755\n';
      const executable = await repository.applyPatch(commit, mode);
      const [f] = executable.ok
        ? await repository.listFiles(await commitTree(repository, executable.tree), '')
        : [];
      expect(f).toMatchObject({ path: 'f', kind: 'executable' });
    });

    test('reach files whose other bytes are no text', async () => {
      const bytes = Buffer.from(`caf\xe9\n${numbered(9).join('')}`, 'latin1');
      const from = await put(undefined, { f: bytes });
      const to = await put(from, {
        f: Buffer.from(bytes.toString('latin1').replace('line 9', 'nine'), 'latin1'),
      });
      const result = await repository.applyPatch(from, await repository.diff(from, to));
      expect(result).toEqual({ ok: true, tree: await treeOf(to) });
    });
  });

  describe('reverts and merges', () => {
    const lines = numbered(30);
    const file = (...edits: readonly (readonly [number, string])[]) =>
      edits.reduce((all, [line, now]) => all.with(line - 1, now), lines).join('');

    test('a revert undoes one commit under others that came after', async () => {
      const first = await put(undefined, { f: file(), other: '1' });
      const harmful = await put(first, { f: file([5, 'harm\n']), made: 'm', other: null });
      const later = await put(harmful, { f: file([5, 'harm\n'], [20, 'later\n']), more: 'x' });
      const wanted = await put(later, { f: file([20, 'later\n']), made: null, other: '1' });
      expect(await repository.revert(harmful, later)).toEqual({
        ok: true,
        tree: await treeOf(wanted),
      });
      expect(await repository.revert(harmful, harmful)).toEqual({
        ok: true,
        tree: await treeOf(first),
      });
      // Twice is once: what is undone already stays as it is.
      expect(await repository.revert(harmful, wanted)).toEqual({
        ok: true,
        tree: await treeOf(wanted),
      });
    });

    test('a revert that others built upon is a conflict, with its paths', async () => {
      const first = await put(undefined, { f: file(), g: file(), gone: 'x\n' });
      const change = await put(first, { f: file([5, 'a\n']), g: file([5, 'a\n']), gone: 'y\n' });
      const later = await put(change, {
        f: file([5, 'b\n']),
        g: file([5, 'a\n'], [6, 'b\n']),
        gone: null,
      });
      expect(await repository.revert(change, later)).toEqual({
        ok: false,
        conflicts: ['f', 'gone'],
      });
    });

    test('a first commit can be reverted, and a merge against its first parent', async () => {
      const first = await put(undefined, { f: '1\n' });
      const second = await put(first, { g: '2\n' });
      const side = await put(first, { h: '3\n' });
      const onlyG = await put(undefined, { g: '2\n' });
      expect(await repository.revert(first, second)).toEqual({
        ok: true,
        tree: await treeOf(onlyG),
      });
      const merged = await repository.merge(second, side);
      if (!merged.ok) throw new Error('a clean merge');
      const commit = await repository.commit({
        tree: merged.tree,
        parents: [second, side],
        message: '',
        author: operator,
      });
      expect(await repository.revert(commit, commit)).toEqual({
        ok: true,
        tree: await treeOf(second),
      });
    });

    test('merges join what lies apart and name what does not', async () => {
      const base = await put(undefined, { f: file(), g: 'x\n' });
      const ours = await put(base, { f: file([3, 'ours\n']), added: '1' });
      const theirs = await put(base, { f: file([9, 'theirs\n']), g: null });
      const wanted = await put(ours, { f: file([3, 'ours\n'], [9, 'theirs\n']), g: null });
      expect(await repository.merge(ours, theirs)).toEqual({
        ok: true,
        tree: await treeOf(wanted),
      });
      expect(await repository.merge(base, ours)).toEqual({ ok: true, tree: await treeOf(ours) });
      expect(await repository.merge(ours, base)).toEqual({ ok: true, tree: await treeOf(ours) });
      const same = await put(base, { f: file([9, 'theirs\n']) });
      expect((await repository.merge(same, theirs)).ok).toBe(true);
      const against = await put(base, { f: file([9, 'other\n']), g: 'y\n', added: '2' });
      expect(await repository.merge(theirs, against)).toEqual({ ok: false, conflicts: ['f', 'g'] });
      expect(await repository.merge(ours, against)).toEqual({ ok: false, conflicts: ['added'] });
    });

    test('changes that touch are a conflict; a file against a folder is one, too', async () => {
      const base = await put(undefined, { f: file() });
      const ours = await put(base, { f: file([9, 'ours\n']), name: 'file' });
      const theirs = await put(base, { f: file([10, 'theirs\n']), 'name/below': 'x' });
      expect(await repository.merge(ours, theirs)).toEqual({ ok: false, conflicts: ['f', 'name'] });
    });

    test('lines that still stand are taken back whatever was done beside them', async () => {
      const base = await put(undefined, { f: file() });
      const commit = await put(base, { f: file([9, 'ours\n']) });
      const later = await put(commit, { f: file([8, 'before\n'], [9, 'ours\n'], [10, 'after\n']) });
      const wanted = await put(base, { f: file([8, 'before\n'], [10, 'after\n']) });
      expect(await repository.revert(commit, later)).toEqual({
        ok: true,
        tree: await treeOf(wanted),
      });
      // The line itself was changed; and what only removed a line has no place beside one that is changed.
      const over = await put(commit, { f: file([9, 'theirs\n']) });
      expect(await repository.revert(commit, over)).toEqual({ ok: false, conflicts: ['f'] });
      const removed = await put(base, { f: file([9, '']) });
      const beside = await put(removed, { f: file([9, ''], [10, 'after\n']) });
      expect(await repository.revert(removed, beside)).toEqual({ ok: false, conflicts: ['f'] });
    });

    test('links and submodules that both sides changed are conflicts, one side’s change is taken', async () => {
      const seed = (link: string, sub: string, base?: CommitId) =>
        made
          .seed([
            { path: 'link', mode: '120000', content: link },
            { path: 'sub', mode: '160000', content: sub },
          ])
          .then((tree) =>
            repository.commit({ tree, parents: base ? [base] : [], message: '', author: operator }),
          );
      const other = (digit: string) => digit.repeat(nothing.length);
      const base = await seed('a\n\nb\n', nothing);
      const ours = await seed('A\n\nb\n', other('1'), base);
      const theirs = await seed('a\n\nB\n', other('2'), base);
      expect(await repository.merge(ours, theirs)).toEqual({
        ok: false,
        conflicts: ['link', 'sub'],
      });
      const linkOnly = await seed('x', nothing, base);
      const subOnly = await seed('a\n\nb\n', other('3'), base);
      const wanted = await seed('x', other('3'));
      expect(await repository.merge(linkOnly, subOnly)).toEqual({
        ok: true,
        tree: await treeOf(wanted),
      });
    });

    test('a moved file is not followed', async () => {
      const base = await put(undefined, { f: file() });
      const moved = await put(base, { f: null, g: file() });
      const edited = await put(base, { f: file([5, 'x\n']) });
      expect(await repository.merge(moved, edited)).toEqual({ ok: false, conflicts: ['f'] });
    });

    test('histories without a common commit are refused', async () => {
      await fails(
        repository.merge(await put(undefined, { f: '1' }), await put(undefined, { f: '2' })),
        'unrelated',
      );
    });
  });

  describe('refs', () => {
    test('are made, moved and removed only from where they are expected', async () => {
      const [one, two] = [await put(undefined, { f: '1' }), await put(undefined, { f: '2' })];
      const ref = 'refs/heads/hone/proposal-1';
      expect(await repository.resolve(ref)).toBeUndefined();
      expect(await repository.moveRef(ref, one, two)).toBe(false);
      expect(await repository.moveRef(ref, one, undefined)).toBe(true);
      expect(await repository.moveRef(ref, two, undefined)).toBe(false);
      expect(await repository.moveRef(ref, one, one)).toBe(true);
      expect(await repository.moveRef(ref, two, one)).toBe(true);
      expect(await repository.resolve(ref)).toBe(two);
      expect(await repository.moveRef(ref, null, one)).toBe(false);
      expect(await repository.moveRef(ref, null, undefined)).toBe(false);
      expect(await repository.moveRef(ref, null, two)).toBe(true);
      expect(await repository.moveRef(ref, null, two)).toBe(false);
      expect(await repository.moveRef(ref, null, undefined)).toBe(true);
      expect(await repository.resolve(ref)).toBeUndefined();
    });

    test('a backup is a ref of its own kind', async () => {
      const one = await put(undefined, { f: '1' });
      expect(await repository.moveRef('refs/hone/backup/1', one, undefined)).toBe(true);
      expect(await repository.resolve('refs/hone/backup/1')).toBe(one);
    });

    test('which branch is checked out, and where', async () => {
      expect(await repository.checkedOutAt('refs/heads/main')).toBe(made.workingTree);
      for (const ref of ['refs/heads/mai', 'refs/heads/main/below', 'refs/tags/main'])
        expect(await repository.checkedOutAt(ref), ref).toBeUndefined();
    });

    test('of twenty who move it at once, one does', async () => {
      const ref = 'refs/heads/race';
      const start = await put(undefined, { f: 'start' });
      const tree = await treeOf(start);
      const draft = { tree, parents: [start], author: operator };
      const targets = await Promise.all(
        Array.from({ length: 20 }, (_, at) => repository.commit({ ...draft, message: `${at}` })),
      );
      const made = await Promise.all(targets.map((id) => repository.moveRef(ref, id, undefined)));
      expect(made.filter(Boolean)).toHaveLength(1);
      const first = targets[made.indexOf(true)]!;
      expect(await repository.resolve(ref)).toBe(first);
      const moved = await Promise.all(targets.map(() => repository.moveRef(ref, start, first)));
      expect(moved.filter(Boolean)).toHaveLength(1);
      const removed = await Promise.all(targets.map(() => repository.moveRef(ref, null, start)));
      expect(removed.filter(Boolean)).toHaveLength(1);
    });

    test('names that are none, and kinds that are not ours', async () => {
      const one = await put(undefined, { f: '1' });
      for (const ref of [
        'main',
        'HEAD',
        'refs/heads',
        'refs/heads/',
        'refs/heads/a..b',
        'refs/heads/.x',
        '-d',
        'refs/heads/x.lock',
        'refs/heads/a b',
        'refs/heads/a\n',
        'refs/heads/a//b',
        'refs/heads/*',
        'refs/heads/@{0}',
      ]) {
        await fails(repository.resolve(ref), 'bad_ref');
        await fails(repository.checkedOutAt(ref), 'bad_ref');
        await fails(repository.moveRef(ref, one, undefined), 'bad_ref');
      }
      for (const ref of [
        `refs/replace/${one}`,
        'refs/bisect/bad',
        'refs/worktree/x',
        'refs/remotes/origin/main',
        'refs/heads/HEAD',
      ]) {
        await fails(repository.moveRef(ref, one, undefined), 'bad_ref');
      }
      expect(await repository.moveRef('refs/heads/taken', one, undefined)).toBe(true);
      await fails(repository.moveRef('refs/heads/taken/below', one, undefined), 'ref_refused');
      expect(await repository.resolve('refs/heads/taken/below')).toBeUndefined();
      expect(await repository.resolve('refs/heads/take')).toBeUndefined();
    });
  });

  describe('checkOut', () => {
    test('writes real files, links and modes into an empty folder', async () => {
      await using folder = await temporaryFolder();
      const bytes = Buffer.from('\r\n\0\xff$Id$', 'latin1');
      const tree = await made.seed([
        { path: 'a/b/file', mode: '100644', content: bytes },
        { path: 'run', mode: '100755', content: '#!/bin/sh\n' },
        { path: 'a/up', mode: '120000', content: '../run' },
        { path: '.gitattributes', mode: '100644', content: '* text eol=crlf ident filter=x\n' },
        { path: 'sub', mode: '160000', content: nothing },
      ]);
      await repository.checkOut(await commitTree(repository, tree), join(folder.path, 'out'));
      const at = (path: string) => join(folder.path, 'out', path);
      expect(await readFile(at('a/b/file'))).toEqual(bytes);
      expect((await stat(at('run'))).mode & 0o111).not.toBe(0);
      expect((await stat(at('a/b/file'))).mode & 0o111).toBe(0);
      expect(await readlink(at('a/up'))).toBe('../run');
      expect(await readdir(at('sub'))).toEqual([]);
      expect((await readdir(at('.'))).sort()).toEqual(['.gitattributes', 'a', 'run', 'sub']);
    });

    test('writes only the files that are wanted', async () => {
      await using folder = await temporaryFolder();
      const commit = await put(undefined, { 'a/x': '1', 'a/y': '2', 'b/x': '3' });
      const out = join(folder.path, 'out');
      await repository.checkOut(commit, out, (path) => path === 'a/y');
      expect((await readdir(out, { recursive: true })).sort()).toEqual(['a', join('a', 'y')]);
    });

    test('refuses folders that are not empty, not there, or links', async () => {
      await using folder = await temporaryFolder();
      const commit = await put(undefined, { f: '1' });
      await writeFile(join(folder.path, 'x'), '');
      await fails(repository.checkOut(commit, folder.path), 'bad_folder');
      await fails(repository.checkOut(commit, join(folder.path, 'x')), 'bad_folder');
      await fails(repository.checkOut(commit, join(folder.path, 'none', 'deeper')), 'bad_folder');
      await mkdir(join(folder.path, 'real'));
      await symlink('real', join(folder.path, 'link'));
      await fails(repository.checkOut(commit, join(folder.path, 'link')), 'bad_folder');
    });

    test('refuses a commit with a link that leads out, before anything is written', async () => {
      await using folder = await temporaryFolder();
      const tree = await made.seed([
        { path: 'd/file', mode: '100644', content: 'x' },
        { path: 'd/link', mode: '120000', content: '../../x' },
      ]);
      const out = join(folder.path, 'out');
      await fails(repository.checkOut(await commitTree(repository, tree), out), 'bad_path');
      await expect(lstat(out)).rejects.toThrow();
    });
  });
});

describe.each([
  ['git', realRepository],
  ['memory', rememberedRepository],
] as const)('%s limits', (_, make) => {
  const limits = { changesMax: 3, fileBytesMax: 100, patchBytesMax: 200, checkOutBytesMax: 150 };

  test('too many, too large', async () => {
    await using made = await make({ limits });
    const { repository } = made;
    const large = (work: Promise<unknown>) =>
      expect(work).rejects.toMatchObject({ code: 'too_large' });
    const base = await commitFiles(repository, undefined, {
      a: 'x'.repeat(100),
      b: 'y'.repeat(100),
    });
    await large(commitFiles(repository, base, { c: 'x'.repeat(101) }));
    await large(commitFiles(repository, base, { c: '', d: '', e: '', f: '' }));
    await large(repository.applyPatch(base, `${'x'.repeat(200)}\n`));
    await using folder = await temporaryFolder();
    await large(repository.checkOut(base, join(folder.path, 'out')));
    const grow = `diff --git a/c b/c\nnew file mode 100644\n--- /dev/null\n+++ b/c\n@@ -0,0 +1 @@\n+${'x'.repeat(101)}\n`;
    expect(await repository.applyPatch(base, grow.slice(0, 200))).toMatchObject({ ok: false });
  });
});
