/** What every forge promises. A member's test calls it with a way to make one, and the world around it. */
import { afterEach, describe, expect, test } from 'vitest';
import type { CommitId, RefName } from '../git/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import type { Forge, ForgeKind } from './types.ts';

export interface ForgeUnderTest extends AsyncDisposable {
  readonly kind: ForgeKind;
  readonly forge: Forge;
  /** Where a ref is for everybody else, read without the forge. */
  seenByOthers(ref: RefName): Promise<CommitId | undefined>;
  /** Somebody else moves a branch to a commit of the forge's repository, or makes it. */
  movedByOthers(branch: RefName, to: CommitId): Promise<void>;
  /** Creates what this forge reports as a hindrance; absent if it has none. */
  hinder?(branch: RefName): Promise<void>;
}

const MAIN = 'refs/heads/main';
const BACKUP = 'refs/hone/backup/p_1';

/** Names that git accepts. */
const ODD_BRANCHES = [
  'refs/heads/release/2026-01',
  'refs/heads/-x',
  'refs/heads/ümlaut',
  'refs/heads/$(id)',
  "refs/heads/a'b",
];
/** What git or the port refuses as a name. */
const NO_BRANCHES = [
  'refs/heads/../main',
  'refs/heads/a b',
  'refs/heads/x.lock',
  'refs/heads/a\nb',
  '--force',
  'HEAD',
  '',
];

export function forgeContract(name: string, make: () => Promise<ForgeUnderTest>): void {
  describe(`the contract of a forge: ${name}`, () => {
    const made: ForgeUnderTest[] = [];
    afterEach(async () => {
      for (const one of made.splice(0)) await one[Symbol.asyncDispose]();
    });

    async function world() {
      const under = await make();
      made.push(under);
      const { forge } = under;
      const put = (base: CommitId | undefined, text: string) =>
        commitFiles(forge.repository, base, { file: text });
      const base = await put(undefined, 'base\n');
      const next = await put(base, 'next\n');
      const theirs = await put(base, 'theirs\n');
      await under.movedByOthers(MAIN, base);
      const at = async (ref: RefName) => {
        const [own, others] = [await forge.resolve(ref), await under.seenByOthers(ref)];
        expect(own).toBe(others);
        expect(await forge.seen(ref)).toBe(own);
        return own;
      };
      return { ...under, base, next, theirs, put, at };
    }

    test('has a name that fits into a decision, and says beforehand where a change goes', async () => {
      const { kind } = await world();
      expect(kind.name).toMatch(/^[a-z][a-z0-9-]{0,39}$/);
      expect(kind.about).toMatch(/^[^.\n]{10,200}$/);
      expect(kind.words(MAIN, { remote: 'origin' })).toMatch(/main.*\.$/);
      for (const branch of NO_BRANCHES)
        expect(
          kind.words(`refs/heads/${branch}\u202e\u001b[2J`, { remote: 'a\u202eb' }),
        ).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    });

    test('says where a branch is, also when others moved it, and the commit can be read', async () => {
      const { forge, base, theirs, movedByOthers, at } = await world();
      expect(await at(MAIN)).toBe(base);
      await movedByOthers(MAIN, theirs);
      expect(await at(MAIN)).toBe(theirs);
      expect((await forge.repository.commitInfo(theirs)).parents).toEqual([base]);
      expect(await at('refs/heads/none')).toBeUndefined();
    });

    test('moves a branch forward, and asked again changes nothing', async () => {
      const { forge, base, next, at } = await world();
      expect(await forge.move({ branch: MAIN, from: base, to: next })).toEqual({ moved: true });
      expect(await at(MAIN)).toBe(next);
      await forge.move({ branch: MAIN, from: base, to: next });
      expect(await at(MAIN)).toBe(next);
    });

    test('leaves a branch that others moved where it is, and says why', async () => {
      const { forge, base, next, theirs, movedByOthers, at } = await world();
      await movedByOthers(MAIN, theirs);
      const answer = await forge.move({ branch: MAIN, from: base, to: next });
      expect(answer).toEqual({ moved: false, why: expect.stringMatching(/^[A-Z0-9].*\.$/) });
      expect(await at(MAIN)).toBe(theirs);
    });

    test('of several moves at once, one happens', async () => {
      const { forge, base, put, at } = await world();
      const commits = await Promise.all([1, 2, 3, 4].map((one) => put(base, `${one}\n`)));
      const answers = await Promise.all(
        commits.map((to) => forge.move({ branch: MAIN, from: base, to })),
      );
      const done = commits.filter((_, index) => answers[index]?.moved);
      expect(done).toHaveLength(1);
      expect(await at(MAIN)).toBe(done[0]);
    });

    test('never drops a commit, and never makes a branch', async () => {
      const { forge, base, next, theirs, movedByOthers, at } = await world();
      await movedByOthers(MAIN, theirs);
      for (const to of [base, next]) {
        expect(await forge.move({ branch: MAIN, from: theirs, to })).toMatchObject({
          moved: false,
        });
      }
      expect(await at(MAIN)).toBe(theirs);
      const branch = 'refs/heads/none';
      expect(await forge.move({ branch, from: base, to: next })).toMatchObject({ moved: false });
      expect(await at(branch)).toBeUndefined();
    });

    test('takes its own move back, but nothing that came on top of it', async () => {
      const { forge, base, next, put, movedByOthers, at } = await world();
      const back = { branch: MAIN, from: next, to: base };
      await forge.move({ branch: MAIN, from: base, to: next });
      expect(await forge.takeBack(back)).toBe(true);
      expect(await at(MAIN)).toBe(base);
      await forge.move({ branch: MAIN, from: base, to: next });
      const onTop = await put(next, 'on top\n');
      await movedByOthers(MAIN, onTop);
      expect(await forge.takeBack(back)).toBe(false);
      expect(await at(MAIN)).toBe(onTop);
    });

    test('keeps a ref of Hone’s, from where it was expected only', async () => {
      const { forge, base, next, theirs, at } = await world();
      expect(await forge.keep(BACKUP, { from: undefined, to: base })).toBe(true);
      expect(await forge.keep(BACKUP, { from: undefined, to: next })).toBe(false);
      expect(await forge.keep(BACKUP, { from: next, to: theirs })).toBe(false);
      expect(await at(BACKUP)).toBe(base);
      // Wherever it points: a backup is not a branch that grows.
      expect(await forge.keep(BACKUP, { from: base, to: theirs })).toBe(true);
      expect(await forge.keep(BACKUP, { from: theirs, to: base })).toBe(true);
      expect(await at(BACKUP)).toBe(base);
    });

    test('names a hindrance with what to do, and takes back all the same', async () => {
      const { forge, hinder, base, next, at } = await world();
      expect(await forge.hindrance(MAIN)).toBeUndefined();
      expect(await forge.afterRollback(MAIN)).toBeUndefined();
      await forge.move({ branch: MAIN, from: base, to: next });
      if (hinder === undefined) return;
      await hinder(MAIN);
      expect(await forge.hindrance(MAIN)).toMatch(/^The branch main .*: .+\.$/);
      expect(await forge.takeBack({ branch: MAIN, from: next, to: base })).toBe(true);
      expect(await at(MAIN)).toBe(base);
      expect(await forge.afterRollback(MAIN)).toMatch(/^[A-Z].*\.$/);
    });

    // One world for all names: each way over a network costs a connection.
    test('moves a branch with an odd name', async () => {
      const { forge, base, next, movedByOthers, seenByOthers } = await world();
      for (const branch of ODD_BRANCHES) {
        await movedByOthers(branch, base);
        const answer = await forge.move({ branch, from: base, to: next });
        expect({ branch, ...answer }).toEqual({ branch, moved: true });
        expect(await seenByOthers(branch)).toBe(next);
      }
      expect(await seenByOthers(MAIN)).toBe(base);
    });

    test('touches nothing for what is no branch', async () => {
      const { forge, base, next, seenByOthers } = await world();
      for (const branch of NO_BRANCHES) {
        const answer = await forge
          .move({ branch, from: base, to: next })
          .catch((error: Error) => error);
        const isRefused = answer instanceof Error || !answer.moved;
        expect({ branch, isRefused }).toEqual({ branch, isRefused: true });
        expect(await seenByOthers(MAIN)).toBe(base);
      }
    });
  });
}
