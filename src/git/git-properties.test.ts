/** Laws that hold for all trees and edits, with the real git and the one in memory side by side. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CommitId,
  memoryRepository,
  type OpenRepository,
  openRepository,
  type TargetRepository,
} from './index.ts';
import { changesBetween } from './line-diff.ts';
import { mergeLines } from './line-merge.ts';
import { commitFiles, initRepository, temporaryFolder } from './test-repositories.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let real: OpenRepository;
const memory: TargetRepository = memoryRepository();
beforeAll(async () => {
  folder = await temporaryFolder();
  initRepository(folder.path);
  real = await openRepository({ root: folder.path, durable: false });
});
afterAll(async () => {
  await real[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

type Tree = Readonly<Record<string, string>>;

/** Few different lines, so that they repeat; every kind of ending. */
const messy = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        'a',
        'b',
        '',
        '{',
        '  x',
        'ü',
        '\ttab ',
        'cr\r',
        '@@ -1 +1 @@',
        '--- a/f',
        'diff --git a/x b/x',
      ),
      { maxLength: 25 },
    ),
    fc.boolean(),
  )
  .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));
const paths = fc.constantFrom(
  'f',
  'a.b',
  'a/b',
  'a/c/d',
  'with space',
  'é/ü',
  '"q"',
  '-dash',
  'z/z',
  'x b/x',
);
const trees: fc.Arbitrary<Tree> = fc.dictionary(paths, messy, {
  minKeys: 1,
  maxKeys: 6,
  noNullPrototype: true,
});

/** The same commit in both, with everything that only the old tree had removed. */
async function commitBoth(base: CommitId | undefined, from: Tree, to: Tree): Promise<CommitId> {
  const gone = Object.fromEntries(
    Object.keys(from)
      .filter((path) => !(path in to))
      .map((path) => [path, null]),
  );
  const ids = await Promise.all(
    [real, memory].map((one) => commitFiles(one, base, { ...gone, ...to })),
  );
  expect(ids[0]).toBe(ids[1]);
  return ids[0]!;
}

const treeOf = async (commit: CommitId) => (await memory.commitInfo(commit)).tree;

test('ids are git’s, and a diff from either applies in either and gives the other tree', async () => {
  await fc.assert(
    fc.asyncProperty(trees, trees, async (from, to) => {
      const old = await commitBoth(undefined, {}, from);
      const now = await commitBoth(old, from, to);
      const wanted = { ok: true, tree: await treeOf(now) };
      const gone = Object.keys(from).filter((path) => !(path in to));
      const changes = [
        ...Object.entries(to).map(([path, text]) => ({ path, content: Buffer.from(text) })),
        ...gone.map((path) => ({ path, content: null })),
      ];
      for (const source of [real, memory]) {
        // The same as a diff in memory: no process is asked.
        const drafted = await source.draft(old, changes);
        expect(drafted).toEqual({ ok: true, diff: await memory.diff(old, now) });
        const patch = await source.diff(old, now);
        if (patch === '') expect(wanted.tree).toBe(await treeOf(old));
        else
          for (const place of [real, memory])
            expect(await place.applyPatch(old, patch)).toEqual(wanted);
      }
      expect(await real.listFiles(now, '')).toEqual(await memory.listFiles(now, ''));
    }),
    { numRuns: 12 },
  );
});

/** Edits of a file of distinct lines, which leave one shortest difference. */
const edits = fc.array(
  fc.record({ at: fc.nat(29), remove: fc.nat(3), insert: fc.array(fc.nat(999), { maxLength: 3 }) }),
  { minLength: 1, maxLength: 3 },
);
type Edits = typeof edits extends fc.Arbitrary<infer T> ? T : never;
const plain = Array.from({ length: 30 }, (_, at) => `line ${at}\n`);

/** From the end on, so that places stay what they were; `side` makes new lines its own. */
function edit(lines: readonly string[], changes: Edits, side: string): string {
  const next = [...lines];
  for (const { at, remove, insert } of [...changes].sort((a, b) => b.at - a.at)) {
    next.splice(at, remove, ...insert.map((number, nth) => `${side} ${at} ${nth} ${number}\n`));
  }
  return next.join('');
}

test('where lines are distinct, the text of a diff is git’s', async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (changes) => {
      const old = await commitBoth(undefined, {}, { f: plain.join('') });
      const now = await commitBoth(old, {}, { f: edit(plain, changes, 'new') });
      expect(await memory.diff(old, now)).toBe(await real.diff(old, now));
    }),
    { numRuns: 10 },
  );
});

test('merges agree with each other and with git merge-tree', async () => {
  const oracle = (ours: CommitId, theirs: CommitId) => {
    try {
      const args = ['merge-tree', '--write-tree', ours, theirs];
      return execFileSync('git', args, { cwd: folder.path, stdio: 'pipe' }).toString().trim();
    } catch {
      return 'conflict';
    }
  };
  await fc.assert(
    fc.asyncProperty(edits, edits, async (one, other) => {
      const base = await commitBoth(undefined, {}, { f: plain.join(''), 'd/g': 'g\n' });
      const ours = await commitBoth(base, {}, { f: edit(plain, one, 'ours') });
      const theirs = await commitBoth(base, {}, { f: edit(plain, other, 'theirs'), 'd/g': 'G\n' });
      const merged = await real.merge(ours, theirs);
      expect(await memory.merge(ours, theirs)).toEqual(merged);
      expect(oracle(ours, theirs)).toBe(merged.ok ? merged.tree : 'conflict');
    }),
    { numRuns: 12 },
  );
});

test('what was reverted under later changes is as if it had never been', async () => {
  const halves = (changes: Edits, from: number) =>
    changes.map((one) => ({ ...one, at: from + (one.at % 10) }));
  await fc.assert(
    fc.asyncProperty(edits, edits, async (harm, later) => {
      const [above, below] = [halves(harm, 0), halves(later, 18)];
      const base = await commitBoth(undefined, {}, { f: plain.join('') });
      const harmed = await commitBoth(base, {}, { f: edit(plain, above, 'harm') });
      const both = edit(plain, [...above, ...below], 'harm');
      const after = await commitBoth(harmed, {}, { f: both });
      const wanted = await commitBoth(base, {}, { f: edit(plain, below, 'harm') });
      for (const place of [real, memory]) {
        expect(await place.revert(harmed, after)).toEqual({ ok: true, tree: await treeOf(wanted) });
      }
    }),
    { numRuns: 6 },
  );
});

test('a patch that was tampered with means the same to both, or nothing', async () => {
  const tampering = fc.record({
    line: fc.nat(60),
    how: fc.constantFrom('drop', 'double', 'swap', 'sign', 'number', 'space'),
  });
  const tamper = (patch: string, { line, how }: { line: number; how: string }): string => {
    const lines = patch.split('\n');
    const at = line % Math.max(1, lines.length - 1);
    const text = lines[at]!;
    if (how === 'drop') lines.splice(at, 1);
    else if (how === 'double') lines.splice(at, 0, text);
    else if (how === 'swap') lines.splice(at, 2, lines[at + 1] ?? '', text);
    else if (how === 'sign')
      lines[at] = text.replace(/^[ +-]/, (sign) => ({ ' ': '-', '-': '+', '+': ' ' })[sign]!);
    else if (how === 'number') lines[at] = text.replace(/\d+/, (number) => `${Number(number) + 1}`);
    else lines[at] = `${text} `;
    return lines.join('\n');
  };
  await fc.assert(
    fc.asyncProperty(
      edits,
      fc.array(tampering, { minLength: 1, maxLength: 2 }),
      async (changes, steps) => {
        const old = await commitBoth(undefined, {}, { f: plain.join('') });
        const now = await commitFiles(memory, old, { f: edit(plain, changes, 'new') });
        const patch = steps.reduce(tamper, await memory.diff(old, now));
        expect(await real.applyPatch(old, patch)).toEqual(await memory.applyPatch(old, patch));
      },
    ),
    { numRuns: 20 },
  );
});

describe('lines in memory', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n'), { maxLength: 40 });

  test('a difference leads from the one text to the other', () => {
    fc.assert(
      fc.property(text, text, (old, now) => {
        const rebuilt: string[] = [];
        let at = 0;
        for (const { a, aEnd, b, bEnd } of changesBetween(old, now)) {
          rebuilt.push(...old.slice(at, a), ...now.slice(b, bEnd));
          expect(aEnd > a || bEnd > b).toBe(true);
          at = aEnd;
        }
        expect([...rebuilt, ...old.slice(at)]).toEqual(now);
      }),
      { numRuns: 500 },
    );
  });

  test('a merge with a side that changed nothing is the other side; the same on both sides is that', () => {
    fc.assert(
      fc.property(text, text, (base, side) => {
        const [b, s] = [base.join(''), side.join('')];
        expect(mergeLines(b, s, b)).toBe(s);
        expect(mergeLines(b, b, s)).toBe(s);
        expect(mergeLines(b, s, s)).toBe(s);
        expect(mergeLines(b, s, b, { beside: true })).toBe(s);
        expect(mergeLines(b, b, s, { beside: true })).toBe(s);
      }),
      { numRuns: 500 },
    );
  });

  test('lines of their own are taken back beside any others', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`);
    const places = fc.uniqueArray(fc.nat(29), { minLength: 2, maxLength: 20 });
    const withLines = (mark: string, some: readonly number[], from = lines) =>
      from.map((one, at) => (some.includes(at) ? `${mark} ${at}\n` : one));
    fc.assert(
      fc.property(places, fc.nat(), (all, cut) => {
        const at = 1 + (cut % (all.length - 1));
        const [own, later] = [all.slice(0, at), all.slice(at)];
        const changed = withLines('own', own);
        const sides = [changed, withLines('later', later, changed), lines].map((one) =>
          one.join(''),
        );
        const taken = mergeLines(sides[0]!, sides[1]!, sides[2]!, { beside: true });
        expect(taken).toBe(withLines('later', later).join(''));
      }),
      { numRuns: 500 },
    );
  });

  test('a rewritten file is a difference that ends in time', () => {
    const many = (mark: string) => Array.from({ length: 20_000 }, (_, at) => `${mark} ${at}\n`);
    expect(changesBetween(many('old'), many('new'))).toEqual([
      { a: 0, aEnd: 20_000, b: 0, bEnd: 20_000 },
    ]);
  });
});
