/** A change that Hone could not take back: a person says what became of it. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { BOB, CODER, GATE, OPERATOR } from '../../test/proposals.ts';
import { readArtifact } from '../artifact/index.ts';
import { readDeployment } from '../deploy/index.ts';
import { type Actor, type Attestation, PROPOSAL_STATES, SYSTEM } from '../facts/index.ts';
import { listFixes } from '../learn/index.ts';
import { findTransition, latest, planAdvance } from '../proposal/index.ts';
import {
  callBack,
  decideByHand,
  isStuck,
  proposalsThatNeedAPerson,
  type Settlement,
  settleByHand,
  waitingProposals,
} from './index.ts';
import { AGENT, FILE, HOUR_MS, traffic, type World, worldPerTest } from './loop.test-support.ts';

describe.each(['memory', 'postgres'] as const)('settling on %s', (kind) => {
  const open = worldPerTest(kind);
  const by = (world: World, actor: Actor) => ({ actor, ports: world.ports() });
  const settle = (world: World, id: string, settlement: Settlement, actor: Actor = OPERATOR) =>
    settleByHand(id, { settlement, reason: ' mended by hand ' }, by(world, actor));
  const needed = async (world: World) =>
    (await proposalsThatNeedAPerson(world.store)).map(({ id, need }) => [id, need]);

  /** Somebody edited the very line, so it cannot be taken back. */
  const stuck = async () => {
    const world = await open();
    const { proposal, content } = await world.deployed();
    await world.commit(FILE, AGENT.replace('800', '2000'));
    expect(await callBack(proposal.id, 'it hurts', by(world, BOB))).toMatchObject({ done: true });
    await world.run();
    const dossier = await world.single();
    expect(isStuck(dossier)).toBe(true);
    return { world, id: proposal.id, pattern: content.patternId!, dossier };
  };

  test('it is on the list of what needs a person, with the reason, until it is settled', async () => {
    const { world, id } = await stuck();
    expect(await needed(world)).toEqual([[id, 'settle']]);
    const now = { nowMs: world.clock.nowMs(), stopped: true };
    expect(await waitingProposals(world.store, now)).toMatchObject([
      { id, why: expect.stringContaining('later changes touch the same lines'), failing: false },
    ]);
    await settle(world, id, 'reverted');
    await world.run();
    expect(await needed(world)).toEqual([]);
    expect(await waitingProposals(world.store, now)).toEqual([]);
  });

  test('kept: it stays, is tried no more, and is remembered as failed, never as proven', async () => {
    const { world, id, pattern } = await stuck();
    const head = await world.head();
    expect(await settle(world, id, 'kept')).toMatchObject({
      done: true,
      did: 'kept by operator@example.org, although it was to be taken back: mended by hand',
    });
    await world.run();
    world.clock.advance(10 * 60_000);
    await world.run();
    const dossier = await world.single();
    expect(dossier.proposal.state).toBe('implemented');
    expect(await world.head()).toBe(head);
    expect(await needed(world)).toEqual([]);
    expect(await world.loop().nextDueMs()).toBeNull();
    expect(await listFixes(world.store, pattern)).toMatchObject([
      { outcome: 'failed', reason: expect.stringContaining('mended by hand') },
    ]);
    const said = latest(dossier.attestations, 'rollback', dossier.proposal.digest)!;
    expect(said).toMatchObject({ verdict: 'waived', actor: OPERATOR });
    const { content } = await readArtifact(world.store, said.artifacts[0]!);
    expect(JSON.parse(Buffer.from(content).toString())).toMatchObject({
      settlement: 'kept',
      settledBy: OPERATOR.id,
      reason: 'mended by hand',
    });
    expect((await recorded(world.store)).at(-2)).toMatchObject({
      type: 'proposal.advanced',
      actor: OPERATOR,
      data: { from: 'monitoring', to: 'implemented' },
    });
  });

  test('reverted: it is over, with the branch as the person left it', async () => {
    const { world, id, pattern } = await stuck();
    await world.commit(FILE, `${AGENT}# mended\n`);
    const head = await world.head();
    expect(await settle(world, id, 'reverted', BOB)).toMatchObject({ done: true });
    await world.run();
    expect((await world.single()).proposal.state).toBe('reverted');
    expect(await world.head()).toBe(head);
    expect(await readDeployment(world.store, id)).toMatchObject({ state: 'reverted' });
    expect(await listFixes(world.store, pattern)).toMatchObject([{ outcome: 'withdrawn' }]);
    const entry = (await recorded(world.store)).find(({ type }) => type === 'deploy.reverted');
    expect(entry).toMatchObject({ actor: BOB, data: { toCommit: head } });
  });

  test('a change that is kept can be called back again, and once it fits is taken back', async () => {
    const { world, id } = await stuck();
    await settle(world, id, 'kept');
    await world.run();
    await world.commit(FILE, AGENT.replace('800', '1500'));
    await callBack(id, 'after all', by(world, BOB));
    await world.run();
    expect((await world.single()).proposal.state).toBe('reverted');
    expect(await world.fileAt(await world.head())).toBe(AGENT);
  });

  test.each([
    ['an agent', CODER],
    ['Hone itself', SYSTEM],
  ])('%s settles nothing', async (_, actor) => {
    const { world, id } = await stuck();
    const before = await recorded(world.store);
    for (const settlement of ['kept', 'reverted'] as const)
      expect(await settle(world, id, settlement, actor)).toMatchObject({
        done: false,
        why: expect.stringContaining('person'),
      });
    expect(await recorded(world.store)).toEqual(before);
  });

  test('keeping takes a token, and so does saying that it is gone where that cannot be seen', async () => {
    const { world, id } = await stuck();
    const before = await recorded(world.store);
    const refused = { done: false, why: expect.stringContaining('HONE_TOKEN') };
    expect(await settle(world, id, 'kept', BOB)).toMatchObject(refused);
    expect(await settle(world, id, 'reverted', BOB)).toMatchObject(refused);
    await world.commit(FILE, AGENT.replace('800', '850'));
    expect(await settle(world, id, 'reverted', BOB)).toMatchObject(refused);
    expect(await recorded(world.store)).toEqual(before);
    expect(await settle(world, id, 'reverted', OPERATOR)).toMatchObject({ done: true });
  });

  test('a change whose very lines are on the branch is not gone by saying so', async () => {
    const { world, id } = await stuck();
    const { proposal } = await world.single();
    const { commit } = (await readDeployment(world.store, proposal.id))!;
    await world.commit(FILE, (await world.fileAt(commit))!);
    expect(await settle(world, id, 'reverted', BOB)).toMatchObject({ done: false });
  });

  test('an implemented change that is kept is no proven fix any more', async () => {
    const world = await open();
    const { proposal, content } = await world.deployed();
    world.clock.advance(25 * HOUR_MS);
    const untilMs = world.clock.nowMs();
    world.files.text += traffic({ untilMs, overMs: 24 * HOUR_MS, failEvery: 100 });
    await world.run();
    expect((await world.single()).proposal.state).toBe('implemented');
    const outcome = async () => (await listFixes(world.store, content.patternId!))[0];
    expect(await outcome()).toMatchObject({ outcome: 'proven' });
    await world.commit(FILE, AGENT.replace('800', '2000'));
    await callBack(proposal.id, 'it hurts', by(world, BOB));
    await world.run();
    expect(await settle(world, proposal.id, 'kept')).toMatchObject({ done: true });
    await world.run();
    expect((await world.single()).proposal.state).toBe('implemented');
    expect(await outcome()).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('mended by hand'),
    });
  });

  test('what did not fail cannot be settled: not before, not twice', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    const nothing = { done: false, why: expect.stringContaining('nothing to settle') };
    expect(await settle(world, proposal.id, 'kept')).toMatchObject(nothing);
    await world.approve(proposal.id);
    await world.run();
    for (const settlement of ['kept', 'reverted'] as const)
      expect(await settle(world, proposal.id, settlement)).toMatchObject(nothing);
    await callBack(proposal.id, 'it hurts', by(world, BOB));
    await world.run();
    expect(await settle(world, proposal.id, 'reverted')).toMatchObject(nothing);
  });

  test('of two at one moment one counts', async () => {
    const { world, id } = await stuck();
    const answers = await Promise.all([settle(world, id, 'kept'), settle(world, id, 'reverted')]);
    expect(answers.filter(({ done }) => done)).toHaveLength(1);
  });

  test('the kernel lets nobody but a person out by it, and nothing of it leads to deploying', async () => {
    const { dossier } = await stuck();
    const { proposal, attestations } = dossier;
    const waivedBy = (actor: Actor) => ({
      ...dossier,
      attestations: [
        ...attestations,
        { ...attestations.at(-1)!, id: 'att_x', verdict: 'waived', actor } as Attestation,
      ],
    });
    const request = {
      to: 'implemented',
      reason: '',
      nowMs: 1,
      gate: GATE,
    } as const;
    for (const actor of [SYSTEM, CODER]) {
      const waived = waivedBy(actor);
      expect(planAdvance(waived, { ...request, actor })).toHaveProperty('refused');
      expect(planAdvance(waived, { ...request, actor: OPERATOR })).toHaveProperty('refused');
      expect(isStuck(waived)).toBe(false);
    }
    expect(planAdvance(waivedBy(OPERATOR), { ...request, actor: OPERATOR })).toHaveProperty('plan');
    for (const to of ['deploying', 'approved', 'monitoring'] as const)
      expect(planAdvance(waivedBy(OPERATOR), { ...request, to, actor: OPERATOR })).toHaveProperty(
        'refused',
      );
    expect(proposal.state).toBe('monitoring');
    const ways = PROPOSAL_STATES.filter((from) => findTransition(from, 'deploying') !== undefined);
    expect(ways).toEqual(['approved']);
  });

  test('what was settled cannot be decided again', async () => {
    const { world, id } = await stuck();
    await settle(world, id, 'kept');
    const decision = { verdict: 'approved', reason: '' } as const;
    expect(await decideByHand(id, decision, by(world, OPERATOR))).toMatchObject({ done: false });
  });
});
