import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { memoryRepository } from '../git/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import {
  around,
  CALL,
  type DeployWorld,
  FILE,
  fileOf,
  MAIN,
  makeWorld,
  NEW,
  OLD,
} from './deployments.test-support.ts';
import { readDeployment, revertStep } from './index.ts';

describe('taking back', () => {
  const open = storePerTest('memory');
  const back = async (world: DeployWorld, changes = {}) =>
    revertStep(await world.dossier(), world.ports(changes), CALL);

  test('MON-4 keeps what others did since, in other files and in other lines of the same', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.deploy();
    await one.others({ readme: 'later\n', [FILE]: NEW.replace('model: m', 'model: n') });
    await one.take(await back(one));
    const last = await one.others({ readme: 'later still\n' });
    // Planned on a head that is gone: planned again, on the new one.
    await one.take(await back(one));
    expect(await readDeployment(one.store, one.id)).toMatchObject({ revert: { onto: last } });
    await one.take(await back(one));
    expect(await one.state()).toBe('reverted');
    expect(await one.at('readme')).toBe('later still\n');
    expect(await one.at(FILE)).toBe(OLD.replace('model: m', 'model: n'));
  });

  test('moved, killed, and others on top since: it is done, by the commit that did it', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.deploy();
    await one.take(await back(one));
    await back(one);
    const revert = await one.repository.resolve(MAIN);
    await one.others({ readme: 'on top\n' });
    await one.take(await back(one));
    expect(await one.state()).toBe('reverted');
    expect(await fileOf(one, 'rollback')).toMatchObject({ to: revert, how: 'reverted' });
  });

  test('files that are not back are said, not taken for done', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.deploy();
    await one.take(await back(one));
    const { revert } = (await readDeployment(one.store, one.id))!;
    const repository = around(one.repository, {
      after: async (method, [commit], result) =>
        method === 'readFile' && commit === revert?.commit ? Buffer.from('rot') : result,
    });
    const step = await back(one, { repository });
    expect(step).toMatchObject({ attestations: [{ kind: 'rollback', verdict: 'failed' }] });
    expect(step.did).toContain(FILE);
  });

  test('MON-4 conflicts are named, attested once, and gone when somebody solved them', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.deploy();
    await one.others({ [FILE]: NEW.replace('30', '40') });
    const step = await back(one);
    expect(step.did).toContain(FILE);
    expect(step.to).toBeUndefined();
    await one.take(step);
    expect(await fileOf(one, 'rollback')).toMatchObject({ conflicts: [FILE] });
    expect((await back(one)).attestations).toBeUndefined();
    await one.others({ [FILE]: OLD });
    await one.take(await back(one));
    expect(await one.state()).toBe('reverted');
    expect(await fileOf(one, 'rollback')).toMatchObject({ how: 'nothing of it is left' });
  });

  test('what never reached the branch needs no revert commit', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.take((await one.next())!);
    const head = await one.others({ [FILE]: 'something else\n' });
    const step = await back(one);
    expect(step.did).toContain('it never reached the branch');
    await one.take(step);
    expect(await one.state()).toBe('reverted');
    expect(await one.repository.resolve(MAIN)).toBe(head);
    expect(await back(one)).toEqual({ did: 'It was already taken back.' });
  });

  test('a worker that was overtaken can no longer move the branch to what was taken back', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await one.take((await one.next())!);
    const { commit, baseCommit } = (await readDeployment(open().store, one.id))!;
    await one.take(await back(one));
    expect(await one.state()).toBe('reverted');
    expect(await one.repository.moveRef(MAIN, commit, baseCommit)).toBe(false);
    const head = (await one.repository.resolve(MAIN))!;
    const bytes = (await one.repository.readFile(head, FILE))!;
    expect(Buffer.from(bytes).toString()).toBe(OLD);
  });

  test('a change that lives on under another commit is found and taken back', async () => {
    const one = await makeWorld(open(), memoryRepository());
    const head = await one.deploy();
    const rewritten = await commitFiles(one.repository, undefined, { [FILE]: NEW, readme: 'r\n' });
    await one.repository.moveRef(MAIN, rewritten, head);
    await one.take(await back(one));
    await one.take(await back(one));
    expect(await one.state()).toBe('reverted');
    expect(await one.at(FILE)).toBe(OLD);
  });

  test('neither a working tree, the kill switch nor a late hour stops it', async () => {
    const trees = new Map<string, string>();
    const one = await makeWorld(open(), memoryRepository({ workingTrees: trees }));
    await one.deploy();
    trees.set(MAIN, '/home/operator/work');
    const stopped = { stopped: async () => true };
    await one.take(await back(one, stopped));
    one.opened.clock.advance(400_000);
    const step = await back(one, stopped);
    expect(step.to).toBe('reverted');
    expect(step.did).toContain('/home/operator/work still has the old files');
    expect(step.did).toContain('which is late');
  });

  test('a branch that is gone is said, not counted as taken back', async () => {
    const one = await makeWorld(open(), memoryRepository());
    const head = await one.deploy();
    await one.repository.moveRef(MAIN, null, head);
    const step = await back(one);
    expect(step).toMatchObject({ attestations: [{ kind: 'rollback', verdict: 'failed' }] });
    expect(step.to).toBeUndefined();
  });

  test('a proposal that was never prepared is a fault', async () => {
    const one = await makeWorld(open(), memoryRepository());
    await expect(back(one)).rejects.toMatchObject({ code: 'no_deployment' });
  });
});
