/** DEP-7: the actions that programs may ask for, on an approved change and on nothing else. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { CODER } from '../../test/proposals.ts';
import { readArtifact } from '../artifact/index.ts';
import { compareBranch, type DeployPorts, publishApproved } from '../deploy/index.ts';
import type { Dossier } from '../proposal/index.ts';
import { authorOf } from './adapters/target.ts';
import { deliverAction } from './index.ts';
import { type World, worldPerTest } from './loop.test-support.ts';

describe('DEP-7 actions on an approved change', () => {
  const makeWorld = worldPerTest('memory');

  const patchOf = async ({ store }: World, { content }: Dossier) => ({
    action: 'write_patch' as const,
    baseCommit: content.baseCommit,
    patch: Buffer.from((await readArtifact(store, content.diffDigest)).content).toString(),
  });
  const by = (world: World) => ({ actor: CODER, ports: world.ports() });

  /** Approved, and waiting: somebody has the branch checked out. */
  const approved = async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    world.workingTrees.set('refs/heads/main', '/home/somebody/agents');
    await world.approve(id);
    await world.run();
    const dossier = await world.single();
    expect(dossier.proposal.state).toBe('approved');
    return { world, dossier, id };
  };

  test('the decided bytes are written to their branch, twice is once, and each is on record', async () => {
    const { world, dossier, id } = await approved();
    const asked = await patchOf(world, dossier);
    expect(await deliverAction(id, { action: 'validate_branch' }, by(world))).toMatchObject({
      done: false,
      why: expect.stringContaining('There is no branch'),
    });
    const written = await deliverAction(id, asked, by(world));
    expect(written).toMatchObject({ done: true, branch: `refs/heads/hone/proposal-${id}` });
    expect(await world.repository.resolve(written.branch)).toBe(written.commit);
    expect(await deliverAction(id, asked, by(world))).toEqual(written);
    expect(await deliverAction(id, { action: 'validate_branch' }, by(world))).toEqual(written);
    expect(await world.head()).toBe(dossier.content.baseCommit);
    const actions = (await recorded(world.store)).filter(({ type }) => type === 'deploy.action');
    expect(actions.map(({ actor, data }) => [actor.id, data['action'], data['outcome']])).toEqual([
      [CODER.id, 'validate_branch', 'refused'],
      [CODER.id, 'write_patch', 'done'],
      [CODER.id, 'write_patch', 'done'],
      [CODER.id, 'validate_branch', 'done'],
    ]);
    // Hone goes on with its own deployment afterwards.
    world.workingTrees.clear();
    world.clock.advance(3_600_000);
    await world.run();
    expect((await world.single()).proposal.state).toBe('monitoring');
  });

  test('other bytes and another base are refused, and nothing is written', async () => {
    const { world, dossier, id } = await approved();
    const asked = await patchOf(world, dossier);
    const other = { ...asked, patch: asked.patch.replace('2000', '9000').concat(' ') };
    expect(await deliverAction(id, other, by(world))).toMatchObject({
      done: false,
      why: expect.stringContaining('its bytes differ'),
    });
    const moved = { ...asked, baseCommit: 'f'.repeat(40) };
    expect(await deliverAction(id, moved, by(world))).toMatchObject({
      done: false,
      why: expect.stringContaining('It was decided on the base'),
    });
    expect(await world.repository.resolve(`refs/heads/hone/proposal-${id}`)).toBeUndefined();
  });

  test('a change that nobody approved is refused', async () => {
    const world = await makeWorld();
    const pending = await world.propose();
    const { id } = pending.proposal;
    expect(await deliverAction(id, await patchOf(world, pending), by(world))).toMatchObject({
      done: false,
      why: 'It is pending; only an approved change is written, compared and opened.',
    });
  });

  test('while everything is stopped nothing is written', async () => {
    const { world, dossier, id } = await approved();
    await world.killSwitch.stop(CODER, 'harm', 'command');
    const asked = await patchOf(world, dossier);
    expect(await deliverAction(id, asked, by(world))).toMatchObject({
      done: false,
      why: expect.stringContaining('stopped'),
    });
  });

  test('a branch that somebody committed to is not what was decided, and no pull request is opened', async () => {
    const { world, dossier, id } = await approved();
    await deliverAction(id, await patchOf(world, dossier), by(world));
    const branch = `refs/heads/hone/proposal-${id}` as const;
    const before = (await world.repository.resolve(branch))!;
    const onTop = await world.commit('agents/other.yaml', 'name: other\n');
    await world.repository.moveRef(branch, onTop, before);
    for (const action of ['validate_branch', 'open_pr'] as const) {
      expect(await deliverAction(id, { action }, by(world))).toMatchObject({ done: false });
    }
  });

  test('a forge without pull requests says so; one with them is given what was decided', async () => {
    const { world, dossier, id } = await approved();
    await deliverAction(id, await patchOf(world, dossier), by(world));
    expect(await deliverAction(id, { action: 'open_pr' }, by(world))).toMatchObject({
      done: false,
      why: expect.stringContaining('has no pull requests'),
    });
    const drafts: unknown[] = [];
    const { store, repository, newId } = world.ports();
    const deploy = {
      ...{ store, repository, newId, nowMs: 0, forge: 'local', branch: 'refs/heads/main' },
      author: authorOf(world.ports()),
      diffText: async (digest: string) =>
        Buffer.from((await readArtifact(store, digest)).content).toString(),
      openForge: () => ({
        resolve: (ref: never) => repository.resolve(ref),
        reviews: {
          publish: async (draft: unknown) => {
            drafts.push(draft);
            return { pull: '7', url: 'http://127.0.0.1/pull/7', isChecked: false };
          },
        },
      }),
    } as unknown as DeployPorts;
    const ports = {
      deploy,
      dossier: async () => dossier,
      examples: async () => [],
      howToDecide: () => '',
    };
    expect(await publishApproved(dossier, ports)).toMatchObject({ pull: '7' });
    const { commit } = await compareBranch(dossier, deploy);
    expect(drafts).toMatchObject([
      { proposalId: id, contentDigest: dossier.proposal.digest, commit },
    ]);
  });
});
