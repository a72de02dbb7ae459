import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { memoryRepository } from '../git/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import { FILE, MAIN, makeWorld, OLD, type WorldOptions } from './deployments.test-support.ts';
import { prepare } from './index.ts';

describe('preparing', () => {
  const open = storePerTest('memory');
  const world = (options?: WorldOptions) => makeWorld(open(), memoryRepository(), options);

  test('DEP-1 on a base that moved it is another change, or none where it no longer applies', async () => {
    const one = await world();
    const head = await one.others({ readme: 'other\n' });
    const dossier = await one.dossier();
    const step = await prepare(dossier, one.ports());
    const { content, files } = step.amend!;
    expect(step.to).toBeUndefined();
    expect(content).toEqual({
      ...dossier.content,
      baseCommit: head,
      diffDigest: files![0]!.digest,
    });
    const clash = await one.others({ [FILE]: OLD.replace('10', '11') });
    expect(await prepare(await one.dossier(), one.ports())).toMatchObject({
      did: 'the target moved on and the change no longer applies to it',
      to: 'superseded',
    });
    expect(await one.repository.resolve(MAIN)).toBe(clash);
    expect(await one.repository.resolve(`refs/hone/backup/${one.id}`)).toBeUndefined();
  });

  test('a branch that is checked out, missing or stopped is left alone', async () => {
    const trees = new Map([[MAIN, '/home/\u202eoperator\n/work']]);
    const one = await makeWorld(open(), memoryRepository({ workingTrees: trees }));
    const waiting = await one.next();
    expect(waiting).toEqual({
      did: 'The branch main is checked out at /home/ operator /work, and Hone never touches a working tree: check out another branch there, or give Hone a clone of its own.',
      dueAtMs: one.opened.clock.nowMs() + 60_000,
    });
    trees.clear();
    expect(await one.next({ branch: 'refs/heads/live' })).toMatchObject({
      did: expect.stringContaining('no branch live'),
    });
    const stopped = await one.next({ stopped: async () => true });
    expect(stopped).toMatchObject({ did: expect.stringContaining('stopped') });
    expect(stopped).not.toHaveProperty('to');
    expect((await one.next())?.to).toBe('deploying');
  });

  test('DEP-1 what is not exactly the declared change is never deployed', async () => {
    const cases: readonly (readonly [WorldOptions, string])[] = [
      [{ more: { readme: 'more\n' } }, 'files that it does not name'],
      [{ content: { files: [FILE, 'readme'] } }, 'does not change: readme'],
      [{ content: { files: ['../x'] } }, '../x'],
      [{ diff: (diff: string) => diff.replace('-wait: 10', '-wait: 11') }, 'does not apply'],
    ];
    for (const [options, why] of cases) {
      const one = await world(options);
      expect(await one.next(), why).toMatchObject({
        to: 'aborted',
        did: expect.stringContaining(why),
      });
      expect(await one.repository.resolve(`refs/hone/backup/${one.id}`)).toBeUndefined();
    }
  });

  test('a mode is part of the change; other bytes than those approved are a fault', async () => {
    const executable = (diff: string) =>
      diff.replace(/index (\w+)\.\.(\w+) 100644/, 'old mode 100644\nnew mode 100755\nindex $1..$2');
    expect((await (await world({ diff: executable })).next())?.to).toBe('deploying');
    const altered = { diffText: async () => 'diff --git a/x b/x\ndeleted file mode 100644\n' };
    await expect((await world()).next(altered)).rejects.toMatchObject({ code: 'diff_altered' });
  });

  test('DEP-3 a backup that cannot be made is attested once and tried again', async () => {
    const one = await world();
    const { repository } = one;
    const stranger = await commitFiles(repository, one.base, { readme: 'work of a person\n' });
    const patchBranch = `refs/heads/hone/proposal-${one.id}`;
    await repository.moveRef(patchBranch, stranger, undefined);
    const step = (await one.next())!;
    expect(step.did).toContain('has a commit that Hone did not make: rename it');
    expect(step.attestations).toMatchObject([{ kind: 'backup', verdict: 'failed' }]);
    await one.take(step);
    expect((await one.next())?.attestations).toBeUndefined();
    expect(await one.state()).toBe('approved');
    await repository.moveRef(patchBranch, null, stranger);
    await one.take((await one.next())!);
    expect(await one.state()).toBe('deploying');

    const blocked = await world();
    await blocked.repository.moveRef('refs/heads/hone', blocked.base, undefined);
    expect((await blocked.next())?.attestations).toMatchObject([
      { kind: 'backup', verdict: 'failed' },
    ]);
  });

  test('text of others is no trailer and no line of its own', async () => {
    const one = await world({
      content: {
        title: 'Fix\n\nHone-Proposal: p_other\u202e',
        rationale: 'Hone-Proposal: p_other\n\u001b[31mred\n',
      },
    });
    await one.take((await one.next())!);
    const commit = await one.repository.resolve(`refs/heads/hone/proposal-${one.id}`);
    const { message } = await one.repository.commitInfo(commit!);
    expect(message.split('\n').filter((line) => line.startsWith('Hone-Proposal:'))).toEqual([
      `Hone-Proposal: ${one.id}`,
    ]);
    expect(message).toMatch(/^chore\(hone\): Fix Hone-Proposal: p_other\n\n> Hone-Proposal/);
    expect(message.replaceAll('\n', '')).not.toMatch(/[\p{Cf}\p{Cc}]/u);
  });
});
