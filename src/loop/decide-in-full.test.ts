/** Everything people do about a decision beside yes and no, from the proposal to the branch. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { CODER, OPERATOR } from '../../test/proposals.ts';
import type { Actor } from '../facts/index.ts';
import { listEffects } from '../outbox/index.ts';
import { latestByMode } from '../proposal/index.ts';
import { decideByHand, modifyByHand, setAsideByHand } from './index.ts';
import { FILE, type World, worldPerTest } from './loop.test-support.ts';

const ANN: Actor = { kind: 'human', id: 'ann@example.org', verified: 'token' };

describe.each(['memory', 'postgres'] as const)('a decision in full on %s', (kind) => {
  const open = worldPerTest(kind);
  const by = (world: World, actor: Actor) => ({ actor, ports: world.ports() });
  const approve = async (world: World, actor: Actor) =>
    decideByHand(
      (await world.single()).proposal.id,
      { verdict: 'approved', reason: 'fine' },
      by(world, actor),
    );
  const stateOf = async (world: World) => (await world.single()).proposal.state;

  /** The proposed change, with another number in it. */
  async function editedDiff(world: World, to = '4100'): Promise<string> {
    const { content } = await world.single();
    const before = (await world.fileAt(content.baseCommit))!;
    const tree = await world.repository.writeFiles(content.baseCommit, [
      { path: FILE, content: Buffer.from(before.replace('timeout_ms: 800', `timeout_ms: ${to}`)) },
    ]);
    const author = { name: 'ann', email: 'ann@example.org', atMs: 0 };
    const parents = [content.baseCommit];
    const commit = await world.repository.commit({ tree, parents, message: 'x', author });
    return world.repository.diff(content.baseCommit, commit);
  }

  test('APP-2 an edited diff is a new digest, validated anew, and its editor cannot approve it alone', async () => {
    const world = await open();
    const { proposal, content } = await world.propose();
    const modification = {
      diff: await editedDiff(world),
      digest: proposal.digest,
      reason: 'a little more room',
    };
    const edited = await modifyByHand(proposal.id, modification, by(world, ANN));
    expect(edited).toMatchObject({ done: true });
    expect(await stateOf(world)).toBe('draft');
    await world.run();
    const now = await world.single();
    expect(now.proposal.state).toBe('pending');
    expect(now.proposal.digest).not.toBe(proposal.digest);
    expect(now.content).toMatchObject({
      type: content.type,
      modifiers: [ANN],
      proposer: content.proposer,
      change: { kind: 'set_value', from: 800, to: 4100 },
    });
    const proven = latestByMode(now.attestations, now.proposal.digest);
    expect([...proven.values()].map(({ verdict }) => verdict)).not.toContain('failed');
    expect(proven.size).toBeGreaterThan(1);

    expect(await approve(world, ANN)).toMatchObject({
      done: true,
      did: expect.stringContaining('somebody who did not edit it'),
    });
    await world.run();
    expect(await stateOf(world)).toBe('pending');
    expect(await approve(world, OPERATOR)).toMatchObject({ done: true });
    await world.run();
    expect(await stateOf(world)).toBe('monitoring');
    expect(await world.fileAt(await world.head())).toContain('timeout_ms: 4100');
  });

  test('an edit that is more than one value is a change of behaviour, at the highest tier', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    for (const more of ['4100\n# and a line', '4100\n    added: true']) {
      const { digest } = (await world.single()).proposal;
      const modification = { diff: await editedDiff(world, more), digest, reason: 'and a note' };
      const made = await modifyByHand(proposal.id, modification, by(world, ANN));
      expect(made).toMatchObject({ done: true });
      expect((await world.single()).content).toMatchObject({
        type: 'behavior_fix',
        change: { kind: 'edit_code' },
        reach: null,
        modifiers: [ANN],
      });
    }
  });

  test('what cannot be an edit is refused and changes nothing', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    const diff = await editedDiff(world);
    const before = await recorded(world.store);
    const secret = diff.replace('4100', `4100 # ${['AKIA', 'Q3EGRI5WZT7KJ2XN'].join('')}`);
    const same = await editedDiff(world, '800');
    const { digest } = proposal;
    for (const [given, why] of [
      [{ diff, digest: 'sha256:000000000000' }, 'not what you saw'],
      [{ diff, digest: digest.slice(7, 12) }, 'at least 8'],
      [{ diff: 'nonsense', digest }, 'does not apply'],
      [{ diff: diff.replaceAll('800', '801'), digest }, 'does not apply'],
      [{ diff: secret, digest }, 'secret'],
      [{ diff: same, digest }, /does not apply|changes nothing/],
    ] as const) {
      const made = await modifyByHand(proposal.id, { ...given, reason: 'x' }, by(world, ANN));
      expect(made).toMatchObject({ done: false, why: expect.stringMatching(why) });
    }
    const agent = await modifyByHand(proposal.id, { diff, digest, reason: 'x' }, by(world, CODER));
    expect(agent).toMatchObject({ done: false });
    expect(await recorded(world.store)).toEqual(before);
  });

  test('APP-2 two approvers: the first approval is kept, the second deploys', async () => {
    const world = await open();
    world.config = world.configured({ approve: { approvers: { approve: 2, require: 2 } } });
    await world.propose();
    expect(await approve(world, ANN)).toMatchObject({ done: true });
    await world.run();
    expect(await stateOf(world)).toBe('pending');
    await approve(world, ANN);
    await world.run();
    expect(await stateOf(world)).toBe('pending');
    expect(await approve(world, OPERATOR)).toMatchObject({ done: true });
    await world.run();
    expect(await stateOf(world)).toBe('monitoring');
  });

  test('APP-2 an owner of the file, by CODEOWNERS of the base, must approve', async () => {
    const world = await open();
    await world.commit('CODEOWNERS', 'agents/ @org/agents\n');
    world.config = world.configured({
      approve: {
        codeOwners: true,
        owners: [{ owner: '@Org/Agents', people: ['ann@example.org'] }],
      },
    });
    await world.propose();
    expect(await approve(world, OPERATOR)).toMatchObject({
      done: true,
      did: expect.stringContaining('owner'),
    });
    await world.run();
    expect(await stateOf(world)).toBe('pending');
    await approve(world, ANN);
    await world.run();
    expect(await stateOf(world)).toBe('monitoring');
  });

  test('requested changes hold it and are told; whoever asked can let it go on', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    const wants = { verdict: 'changes_requested', reason: 'name the ticket' } as const;
    expect(await decideByHand(proposal.id, wants, by(world, ANN))).toMatchObject({ done: true });
    expect(await approve(world, OPERATOR)).toMatchObject({
      done: false,
      why: expect.stringContaining('requested changes'),
    });
    const told = await listEffects(world.store, { limit: 100 });
    expect(told.filter(({ key }) => key.includes('changes_requested')).length).toBeGreaterThan(0);
    expect(await approve(world, ANN)).toMatchObject({ done: true });
    await world.run();
    expect(await stateOf(world)).toBe('monitoring');
  });

  test('escalated, a local user no longer can; a request after the approval takes it back to the queue', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await approve(world, OPERATOR);
    const up = { verdict: 'escalated', reason: 'too big for me' } as const;
    expect(await decideByHand(proposal.id, up, by(world, ANN))).toMatchObject({ done: true });
    await world.run();
    expect(await stateOf(world)).toBe('pending');
    const local: Actor = { ...ANN, id: 'carl@example.org', verified: 'local' };
    expect(await approve(world, local)).toMatchObject({ done: false });
    expect(await approve(world, OPERATOR)).toMatchObject({ done: true });
    await world.run();
    expect(await stateOf(world)).toBe('monitoring');
  });

  test('paused, it stays where it is, approved or not, until it is resumed', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    const aside = (act: 'pause' | 'resume' | 'abort', actor = ANN) =>
      setAsideByHand(proposal.id, { act, reason: 'holiday' }, by(world, actor));
    expect(await aside('pause', CODER)).toMatchObject({ done: false });
    await approve(world, OPERATOR);
    expect(await aside('pause')).toMatchObject({ done: true });
    expect(await aside('pause')).toMatchObject({ done: false, why: 'It is paused already.' });
    await world.run();
    expect(await stateOf(world)).toBe('approved');
    expect(await aside('resume')).toMatchObject({ done: true });
    await world.run();
    expect(await stateOf(world)).toBe('monitoring');
    expect(await aside('abort')).toMatchObject({
      done: false,
      why: expect.stringContaining('rollback'),
    });
  });

  test('given up, it is over, and remembered as given up', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    const given = { act: 'abort', reason: 'the tool goes away' } as const;
    expect(await setAsideByHand(proposal.id, given, by(world, ANN))).toMatchObject({ done: true });
    await world.run();
    expect(await stateOf(world)).toBe('aborted');
    expect(await approve(world, OPERATOR)).toMatchObject({ done: false });
  });
});
