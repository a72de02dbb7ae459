import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { memoryRepository } from '../git/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import { readDossier } from '../proposal/index.ts';
import { around, FILE, MAIN, makeWorld } from './deployments.test-support.ts';
import { type Forge, movedAtMs, openForge, readDeployment, wasOvertaken } from './index.ts';

const HOUR_MS = 3_600_000;

describe('applying', () => {
  const open = storePerTest('memory');

  test('waits while it is stopped or checked out, and says done when it was moved before', async () => {
    const trees = new Map<string, string>();
    const one = await makeWorld(open(), memoryRepository({ workingTrees: trees }));
    await one.take((await one.next())!);
    expect((await one.next({ stopped: async () => true }))?.to).toBeUndefined();
    trees.set(MAIN, '/work');
    expect((await one.next())?.to).toBeUndefined();
    expect(await one.repository.resolve(MAIN)).toBe(one.base);
    const commit = await one.repository.resolve(`refs/heads/hone/proposal-${one.id}`);
    await one.repository.moveRef(MAIN, commit!, one.base);
    await one.others({ readme: 'on top\n' });
    const step = (await one.next({ stopped: async () => true }))!;
    expect(step).toMatchObject({ to: 'monitoring', did: expect.stringContaining('on top of it') });
  });

  test('says when the branch moved: now, or at the earliest after the backup when others found it so', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.take((await one.next())!);
    const preparedAtMs = (await readDeployment(one.store, one.id))!.changedAtMs;
    one.opened.clock.advance(3 * HOUR_MS);
    // Killed right after the move; found five hours later.
    await one.next();
    one.opened.clock.advance(5 * HOUR_MS);
    await one.take((await one.next())!);
    expect(await movedAtMs(await one.dossier(), one.store)).toBe(preparedAtMs);

    const two = await makeWorld(open(), memoryRepository());
    await two.take((await two.next())!);
    two.opened.clock.advance(3 * HOUR_MS);
    const nowMs = two.opened.clock.nowMs();
    await two.take((await two.next())!);
    expect(await movedAtMs(await two.dossier(), two.store)).toBe(nowMs);
  });

  test('somebody who moved the branch first is named, and nobody else is to blame', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.take((await one.next())!);
    expect(await wasOvertaken(await one.dossier(), one.store)).toBe(false);
    const theirs = await one.others({ readme: 'theirs\n' });
    const step = (await one.next())!;
    const { id, content } = step.spawn![0]!;
    expect(step).toMatchObject({ to: 'aborted', did: expect.stringContaining(id) });
    expect(content).toMatchObject({ baseCommit: theirs, files: [FILE] });
    await one.take(step);
    // The same change on the branch as it is now, from its beginning.
    expect((await readDossier(one.store, id)).proposal).toMatchObject({
      state: 'draft',
      version: 1,
    });
    expect(await wasOvertaken(await one.dossier(), one.store)).toBe(true);
    expect(await movedAtMs(await one.dossier(), one.store)).toBeUndefined();
  });

  test('a forge that needs longer is asked again, and what it says is said', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.take((await one.next())!);
    let isMerged = false;
    const openSlow = (name: string): Forge => {
      const forge = openForge(name, one);
      return {
        ...forge,
        move: async (move) =>
          isMerged ? forge.move(move) : { moved: false, why: 'It waits for its checks.' },
      };
    };
    const step = await one.next({ openForge: openSlow });
    expect(step).toEqual({
      did: 'It waits for its checks.',
      dueAtMs: one.opened.clock.nowMs() + 60_000,
    });
    isMerged = true;
    expect(await one.next({ openForge: openSlow })).toMatchObject({ to: 'monitoring' });
  });

  test('a deployment keeps to its forge; one that this build does not have is a fault', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.take((await one.next())!);
    await one.store.commit({
      writes: [
        { update: 'deploy_deployments', where: { proposal_id: one.id }, set: { forge: 'other' } },
      ],
    });
    await expect(one.next()).rejects.toMatchObject({ code: 'unknown_forge' });
    expect(await one.repository.resolve(MAIN)).toBe(one.base);
  });

  test('a backup that was removed meanwhile is made again before the move', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.take((await one.next())!);
    const ref = `refs/hone/backup/${one.id}`;
    await one.repository.moveRef(ref, null, one.base);
    expect((await one.next())?.to).toBe('monitoring');
    expect(await one.repository.resolve(ref)).toBe(one.base);
  });

  test('DEP-3 what cannot be read back after the move is moved back', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.take((await one.next())!);
    let moved = false;
    const broken = around(one.repository, {
      after: async (method, [name], result) => {
        if (method === 'moveRef' && name === MAIN) moved = true;
        const rotten = moved && method === 'readFile';
        if (rotten) moved = false;
        return rotten ? Buffer.from('rot') : result;
      },
    });
    const step = (await one.next({ repository: broken }))!;
    expect(step).toMatchObject({
      to: 'aborted',
      did: expect.stringContaining('the branch was moved back'),
      attestations: [{ kind: 'deployment', verdict: 'failed' }],
    });
    expect(await one.repository.resolve(MAIN)).toBe(one.base);
    await one.take(step);
    expect(await one.state()).toBe('aborted');
  });

  test('a commit that is not what was approved is not moved to', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.take((await one.next())!);
    const evil = await commitFiles(one.repository, one.base, { [FILE]: 'evil\n' });
    await one.store.commit({
      writes: [
        { update: 'deploy_deployments', where: { proposal_id: one.id }, set: { commit_id: evil } },
      ],
    });
    const moves: unknown[] = [];
    const repository = around(one.repository, {
      before: async (method, [ref]) => {
        if (method === 'moveRef') moves.push(ref);
      },
    });
    expect(await one.next({ repository })).toMatchObject({ to: 'aborted' });
    expect(await one.next({ repository })).not.toHaveProperty('spawn');
    expect(moves).not.toContain(MAIN);
    expect(await one.repository.resolve(MAIN)).toBe(one.base);
  });
});
