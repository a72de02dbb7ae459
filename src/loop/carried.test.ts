/** A base that moves between the approval and the deployment: when the approval still counts, and when it is asked again. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { OPERATOR } from '../../test/proposals.ts';
import { digestOf } from '../base/index.ts';
import { planAccept } from '../config/index.ts';
import { listEffects } from '../outbox/index.ts';
import { decideByHand } from './index.ts';
import {
  AGENT,
  CLERK_FILE,
  FILE,
  HOUR_MS,
  type World,
  withCommit,
  worldPerTest,
} from './loop.test-support.ts';

const DAY_MS = 24 * HOUR_MS;

describe.each(['memory', 'postgres'] as const)('an approval and a moved base on %s', (kind) => {
  const open = worldPerTest(kind);

  test('APP-3 DEP-1 it is carried over where only files differ that nothing depends on', async () => {
    const world = await open();
    const { proposal, content } = await world.propose();
    await world.approve(proposal.id);
    const head = await world.commit('docs/notes.md', 'for people\n');
    await world.run();
    const now = await world.single();
    expect(now.proposal.state).toBe('monitoring');
    expect(now.proposal.digest).not.toBe(proposal.digest);
    const carried = now.attestations.find(({ verdict }) => verdict === 'carried');
    expect(carried).toMatchObject({
      kind: 'decision',
      contentDigest: now.proposal.digest,
      actor: { kind: 'system' },
      carried: { fromBase: content.baseCommit, toBase: head, fromDigest: proposal.digest },
    });
    expect(await world.fileAt(await world.head())).toContain('timeout_ms: 1500');
    expect(await world.fileAt(await world.head(), 'docs/notes.md')).toBe('for people\n');
    const entries = (await recorded(world.store)).map(({ type, data }) => ({ type, ...data }));
    expect(entries).toContainEqual(expect.objectContaining({ verdict: 'carried' }));
    const asked = entries.filter(({ type }) => type === 'approve.asked');
    expect(asked).toHaveLength(1);
  });

  test('two moves in a row are compared with what the person approved', async () => {
    const world = await open();
    const { proposal, content } = await world.propose();
    await world.approve(proposal.id);
    await world.commit('docs/notes.md', 'one\n');
    let moves = 0;
    const store = withCommit(world.store, async (plan, real) => {
      const result = await real();
      const isCarried = JSON.stringify(plan.entries ?? []).includes('"verdict":"carried"');
      // Between the carried approval and the deployment, once.
      if (isCarried && moves++ === 0) await world.commit('docs/notes.md', 'two\n');
      return result;
    });
    await world.run(world.loop({ store }));
    const now = await world.single();
    expect(now.proposal.state).toBe('monitoring');
    expect(moves).toBe(2);
    const from = now.attestations.flatMap((one) =>
      one.kind === 'decision' && one.carried !== undefined ? [one.carried] : [],
    );
    expect(from.map(({ fromBase }) => fromBase)).toEqual([content.baseCommit, content.baseCommit]);
    expect(new Set(from.map(({ toBase }) => toBase)).size).toBe(2);
  });
});

describe('an approval and a moved base', () => {
  const open = worldPerTest('memory');

  /** Approved; then somebody else commits, and the loop goes on. */
  async function moved(world: World, change: (world: World) => Promise<unknown>) {
    const { proposal } = await world.propose();
    await world.approve(proposal.id);
    await change(world);
    await world.run();
    return world.single();
  }

  const notices = async (world: World) =>
    (await listEffects(world.store, { limit: 100 })).map(({ payload }) => JSON.stringify(payload));

  test.each<[string, (world: World) => Promise<unknown>, string]>([
    [
      'a file of the change',
      (world) => world.commit(FILE, `${AGENT}notes: none\n`),
      'not the approved one',
    ],
    [
      'another agent’s file',
      (world) => world.commit(CLERK_FILE, AGENT),
      `depends on changed (${CLERK_FILE})`,
    ],
    ['hone.yaml', (world) => world.commit('hone.yaml', 'x: 1\n'), 'changed (hone.yaml)'],
    [
      'a policy',
      (world) => world.commit('policies/a.cedar', 'permit;'),
      'changed (policies/a.cedar)',
    ],
    [
      'the owners',
      (world) => world.commit('.github/CODEOWNERS', '* @x'),
      'changed (.github/CODEOWNERS)',
    ],
    [
      'the configuration',
      async (world) => {
        await world.commit('docs/notes.md', 'x');
        const digest = digestOf('config');
        const nowMs = (await world.store.nowMs()) + 1;
        await world.store.commit(
          planAccept({ digest, file: digest, previous: null, actor: OPERATOR, nowMs }),
        );
      },
      'another configuration was accepted since',
    ],
    [
      'more than a week',
      async (world) => {
        await world.commit('docs/notes.md', 'x');
        world.clock.advance(7 * DAY_MS + 1);
      },
      'older than seven days',
    ],
    [
      'history',
      async (world) => {
        const before = await world.head();
        const { tree } = await world.repository.commitInfo(before);
        const author = { name: 'x', email: 'x@example.org', atMs: 5 };
        const other = await world.repository.commit({ tree, parents: [], message: 'y', author });
        await world.repository.moveRef('refs/heads/main', other, before);
      },
      'does not descend',
    ],
  ])('it is asked again, with the reason, after a change of %s', async (_, change, why) => {
    const world = await open();
    world.config = world.configured({
      notify: { webhooks: [{ name: 'ops', url: 'https://hooks.example.org/x', secretEnv: 'S' }] },
    });
    const now = await moved(world, change);
    expect(now.proposal.state).toBe('pending');
    expect(now.attestations.map(({ verdict }) => verdict)).not.toContain('carried');
    expect((await notices(world)).join('\n')).toContain(why);
  });

  test('a replay that does worse there is asked about again', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.approve(proposal.id);
    await world.commit('docs/notes.md', 'x\n');
    const replay = world.replay();
    const run: typeof replay.run = async (commit, sessions, signal) => {
      const outcomes = await replay.run(commit, sessions, signal);
      // One more session fails whatever is tried: significantly better still, and less than before.
      const [first] = outcomes.filter(({ session }) => session.startsWith('late'));
      return outcomes.map((one) =>
        one.session === first?.session ? { ...one, ok: false, error: 'broken' } : one,
      );
    };
    await world.run(world.loop({ replay: { ...replay, run } }));
    const now = await world.single();
    expect(now.proposal.state).toBe('pending');
    await decideByHand(
      proposal.id,
      { verdict: 'approved', reason: 'still better' },
      { actor: OPERATOR, ports: world.ports() },
    );
    await world.run();
    expect((await world.single()).proposal.state).toBe('monitoring');
  });

  test('where a replay does not say what it reads, every file counts', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.approve(proposal.id);
    await world.commit('docs/notes.md', 'x\n');
    const { reads: _, ...replay } = world.replay();
    await world.run(world.loop({ replay }));
    expect((await world.single()).proposal.state).toBe('pending');
  });
});
