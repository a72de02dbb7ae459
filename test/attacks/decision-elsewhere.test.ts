/** An approval is about one repository, branch and forge: elsewhere the same bytes are another decision. */
import { describe, expect, test } from 'vitest';
import { isSameTarget } from '../../src/facts/index.ts';
import { decideByHand, type LoopPorts } from '../../src/loop/index.ts';
import { type World, worldPerTest } from '../../src/loop/loop.test-support.ts';
import { latestDecision, readDossier } from '../../src/proposal/index.ts';
import { OPERATOR } from '../proposals.ts';

const RELEASE = 'refs/heads/release';

describe.each(['memory', 'postgres'] as const)('APP-3 a decision for elsewhere on %s', (kind) => {
  const makeWorld = worldPerTest(kind);

  /** Approved for main, and a branch `release` at the very same commit. */
  const approved = async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    const head = await world.head();
    await world.repository.moveRef(RELEASE, head, undefined);
    await world.approve(id);
    return { world, id, head };
  };

  const heads = async (world: World) => [
    await world.head(),
    await world.repository.resolve(RELEASE),
  ];

  /** The proposal is asked about again, and nothing was moved. */
  const expectAskedAgain = async (
    { world, id, head }: { world: World; id: string; head: string },
    changes: Partial<LoopPorts>,
  ) => {
    const before = (await world.store.all('SELECT key FROM outbox_effects')).length;
    const steps = await world.run(world.loop(changes));
    expect(await heads(world)).toEqual([head, head]);
    const { proposal } = await readDossier(world.store, id);
    expect(proposal.state).toBe('pending');
    const said = steps.map(({ did }) => did).join('\n');
    expect(said).toContain('does not count for');
    const told = await world.store.all('SELECT payload FROM outbox_effects ORDER BY id');
    const notice = told.slice(before).map(({ payload }) => String(payload));
    const again = notice.find((text) => text.includes('Asked again'))!;
    expect(again).toContain(`hone approve ${id} --digest ${proposal.digest.slice(7, 19)}`);
  };

  test('the configured branch changes: neither moves, it is asked again, and decided again it goes there', async () => {
    const { world, id, head } = await approved();
    world.config = world.configured({ deploy: { branch: 'release' } });
    await expectAskedAgain({ world, id, head }, {});
    await world.approve(id);
    await world.run();
    const [main, release] = await heads(world);
    expect(main).toBe(head);
    expect(release).not.toBe(head);
    const dossier = await readDossier(world.store, id);
    const { target } = latestDecision(dossier.attestations, dossier.proposal.digest)!;
    expect(isSameTarget(target, { repository: 'shop-1', branch: 'release', forge: 'local' })).toBe(
      true,
    );
  });

  test('asked for one branch, another is configured: an approval is refused, it is asked again, then counts', async () => {
    const world = await makeWorld();
    const { id, digest } = (await world.propose()).proposal;
    const head = await world.head();
    await world.repository.moveRef(RELEASE, head, undefined);
    world.config = world.configured({ deploy: { branch: 'release' } });
    const approve = async () => {
      const decision = { verdict: 'approved', reason: '', digest: digest.slice(7, 19) } as const;
      return decideByHand(id, decision, { actor: OPERATOR, ports: world.ports() });
    };
    const refused = await approve();
    expect(refused).toMatchObject({ done: false });
    const { why } = refused as { why: string };
    expect(why).toContain('asked for main of shop-1');
    expect(why).toContain('release of shop-1 (local) is configured now');
    const said = (await world.run()).map(({ did }) => did).join('\n');
    expect(said).toContain('The question was for main of shop-1');
    expect((await world.single()).proposal.state).toBe('pending');
    expect(await heads(world)).toEqual([head, head]);
    expect(await approve()).toMatchObject({ done: true });
    await world.run();
    expect((await heads(world))[0]).toBe(head);
    expect((await heads(world))[1]).not.toBe(head);
  });

  test('a rejection counts wherever it was asked for', async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    world.config = world.configured({ deploy: { branch: 'release' } });
    const decision = { verdict: 'rejected', reason: 'no' } as const;
    expect(
      await decideByHand(id, decision, { actor: OPERATOR, ports: world.ports() }),
    ).toMatchObject({ done: true });
  });

  test('a store that is taken to another repository decides nothing there', async () => {
    await expectAskedAgain(await approved(), { repositoryId: 'shop-2' });
  });

  test('a branch that changes after the deployment was prepared: it goes where it was decided', async () => {
    const { world, id, head } = await approved();
    await world.loop().step(`proposal/${id}`, new AbortController().signal);
    expect((await world.single()).proposal.state).toBe('deploying');
    world.config = world.configured({ deploy: { branch: 'release' } });
    await world.run();
    const [main, release] = await heads(world);
    expect(release).toBe(head);
    expect(main).not.toBe(head);
  });

  test('changed and changed back: the approval still counts where it was given', async () => {
    const { world, id, head } = await approved();
    const main = world.config;
    world.config = world.configured({ deploy: { branch: 'release' } });
    world.config = main;
    await world.run();
    expect((await readDossier(world.store, id)).proposal.state).toBe('monitoring');
    expect((await heads(world))[1]).toBe(head);
  });

  test('what is approved names where it goes', async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    const decision = { verdict: 'approved', reason: 'it helps' } as const;
    const decided = await decideByHand(id, decision, { actor: OPERATOR, ports: world.ports() });
    expect(decided).toMatchObject({
      did: `approved by ${OPERATOR.id} for main of shop-1 (local): it helps`,
    });
  });
});
