/** Quarantine: kept, visible, and let out by a person, but for what the constitution holds. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { BOB, CODER, OPERATOR } from '../../test/proposals.ts';
import { readArtifact } from '../artifact/index.ts';
import { type Actor, SYSTEM } from '../facts/index.ts';
import { listFixes } from '../learn/index.ts';
import { isReleased } from '../proposal/index.ts';
import { decideByHand, heldBy, proposalsThatNeedAPerson, releaseByHand } from './index.ts';
import { AGENT, FILE, type World, worldPerTest } from './loop.test-support.ts';

/** Odd letters, which a person may find harmless; what hides text fails validation anyway. */
const ODD = AGENT.replace('too tight', 'too \u{1d42d}\u{1d422}\u{1d420}\u{1d421}\u{1d42d}');
const SECRET = AGENT.replace('too tight', 'ask someone@corp.io');
const BOTH = ODD.replace('too ', 'ask someone@corp.io, too ');

describe.each(['memory', 'postgres'] as const)('quarantine on %s', (kind) => {
  const open = worldPerTest(kind);
  const by = (world: World, actor: Actor) => ({ actor, ports: world.ports() });
  const held = async (text: string) => {
    const world = await open();
    await world.commit(FILE, text);
    const dossier = await world.propose();
    expect(dossier.proposal.state).toBe('quarantined');
    return { world, id: dossier.proposal.id, dossier };
  };
  const reports = async (world: World) => {
    const { attestations } = await world.single();
    const vettings = attestations.filter((one) => one.kind === 'vetting');
    return Promise.all(
      vettings.map(async ({ artifacts }) =>
        JSON.parse(
          Buffer.from((await readArtifact(world.store, artifacts[0]!)).content).toString(),
        ),
      ),
    );
  };

  test('a person releases it, it goes on as if vetted, and before and after are kept', async () => {
    const { world, id, dossier } = await held(ODD);
    expect(await heldBy(world.store, dossier)).toMatchObject([{ name: 'hidden', rule: null }]);
    expect(await proposalsThatNeedAPerson(world.store)).toMatchObject([{ id, need: 'release' }]);
    const answer = await releaseByHand(id, ' it is a joke ', by(world, BOB));
    expect(answer).toMatchObject({
      done: true,
      did: 'released from quarantine by bob@example.org: it is a joke',
    });
    await world.run();
    const after = await world.single();
    expect(after.proposal.state).toBe('pending');
    expect(after.proposal.digest).toBe(dossier.proposal.digest);
    expect(await proposalsThatNeedAPerson(world.store)).toEqual([]);
    expect(await reports(world)).toMatchObject([
      { report: 'vetting', verdict: 'held' },
      { report: 'release', releasedBy: BOB.id, reason: 'it is a joke' },
      { report: 'vetting', verdict: 'passed', releasedByPerson: true },
    ]);
    const moves = (await recorded(world.store)).filter(({ type }) => type === 'proposal.advanced');
    expect(
      moves.map(({ data, actor }) => [data['from'], data['to'], actor.kind]).slice(0, 3),
    ).toEqual([
      ['draft', 'quarantined', 'system'],
      ['quarantined', 'draft', 'human'],
      ['draft', 'vetted', 'system'],
    ]);
  });

  test.each([
    ['a secret', SECRET],
    ['a secret beside something that could be', BOTH],
  ])('%s is never released, and it says so', async (_, text) => {
    const { world, id } = await held(text);
    const before = await recorded(world.store);
    expect(await releaseByHand(id, 'please', by(world, OPERATOR))).toMatchObject({
      done: false,
      why: expect.stringMatching(/constitution.*nobody can release.*secrets \(rule 11\)/),
    });
    expect(await recorded(world.store)).toEqual(before);
    expect((await world.single()).proposal.state).toBe('quarantined');
  });

  test.each([
    ['an agent', CODER],
    ['Hone itself', SYSTEM],
  ])('%s releases nothing', async (_, actor) => {
    const { world, id, dossier } = await held(ODD);
    expect(await releaseByHand(id, 'x', by(world, actor))).toMatchObject({
      done: false,
      why: expect.stringContaining('Only a person'),
    });
    expect((await world.single()).proposal).toEqual(dossier.proposal);
  });

  test('other bytes are held again: a release is of one exact content', async () => {
    const { world, id, dossier } = await held(ODD);
    await releaseByHand(id, 'fine', by(world, BOB));
    await world.run();
    await world.approve(id);
    await world.commit(FILE, `${ODD}notes: none\n`);
    await world.run();
    const moved = await world.single();
    expect(moved.proposal.digest).not.toBe(dossier.proposal.digest);
    expect(moved.proposal.state).toBe('quarantined');
    expect(isReleased(moved.attestations, moved.proposal.digest)).toBe(false);
  });

  test('what is not held cannot be released, and released twice is once', async () => {
    const { world, id } = await held(ODD);
    const answers = await Promise.all([1, 2].map(() => releaseByHand(id, 'ok', by(world, BOB))));
    expect(answers.filter(({ done }) => done)).toHaveLength(1);
    await world.run();
    expect(await releaseByHand(id, 'ok', by(world, BOB))).toEqual({
      done: false,
      why: 'It is pending: nothing holds it.',
    });
  });

  test('a person closes what is held for good, and it is remembered as rejected', async () => {
    const { world, id, dossier } = await held(SECRET);
    const decision = { verdict: 'rejected', reason: 'it holds an address' } as const;
    expect(await decideByHand(id, decision, by(world, BOB))).toMatchObject({ done: true });
    await world.run();
    expect((await world.single()).proposal.state).toBe('rejected');
    expect(await proposalsThatNeedAPerson(world.store)).toEqual([]);
    expect(await listFixes(world.store, dossier.content.patternId!)).toMatchObject([
      { outcome: 'rejected' },
    ]);
    const again = { verdict: 'approved', reason: '' } as const;
    expect(await decideByHand(id, again, by(world, OPERATOR))).toMatchObject({ done: false });
  });
});
