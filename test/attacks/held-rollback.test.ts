/**
 * Somebody who can write the target repository holds up a rollback: a lock that is left behind, a branch that
 * stands for another, one that moves under every attempt. The harm stays, so a person is told, once per call and
 * with the reason, and can settle it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TargetRepository } from '../../src/git/index.ts';
import { git, realRepository } from '../../src/git/test-repositories.ts';
import {
  callBack,
  isStuck,
  proposalsThatNeedAPerson,
  reminders,
  settleByHand,
} from '../../src/loop/index.ts';
import { HOUR_MS, MINUTE_MS, type World, worldPerTest } from '../../src/loop/loop.test-support.ts';
import type { Row } from '../../src/store/index.ts';
import { breakIn } from '../ledger.ts';
import { OPERATOR } from '../proposals.ts';

const MAIN = 'refs/heads/main';
const TIMEOUT_MS = 5 * MINUTE_MS;

/** The repository, with some of its methods taken over. */
function withMethods(
  repository: TargetRepository,
  methods: Partial<TargetRepository>,
): TargetRepository {
  return new Proxy(repository, {
    get(target, name) {
      const own = Reflect.get(methods, name) ?? Reflect.get(target, name, target);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

const alarms = async ({ store }: World) =>
  (await store.all('SELECT payload FROM outbox_effects ORDER BY id'))
    .map(({ payload }) => JSON.parse(String(payload)) as Row)
    .filter(({ severity }) => severity === 'critical');

const call = async (world: World, id: string) =>
  expect(await callBack(id, 'it hurts', { actor: OPERATOR, ports: world.ports() })).toMatchObject({
    done: true,
  });

/** Attempts every 30 s, as a running Hone makes them. */
async function runFor(world: World, forMs: number, repository = world.repository): Promise<void> {
  const loop = world.loop({ repository });
  for (const untilMs = world.clock.nowMs() + forMs; world.clock.nowMs() < untilMs; ) {
    await world.run(loop);
    world.clock.advance(30_000);
  }
  await world.run(loop);
}

describe.each(['file', 'postgres'] as const)('MON-2 a rollback that is held up, on %s', (kind) => {
  const makeWorld = worldPerTest(kind);

  const calledBack = async () => {
    const world = await makeWorld();
    const { id } = (await world.deployed()).proposal;
    await call(world, id);
    return { world, id };
  };

  const refusing = ({ repository }: World, words = 'main.lock exists') =>
    withMethods(repository, { moveRef: () => Promise.reject(new Error(words)) });

  const expectTold = async (world: World, id: string, why: string) => {
    const told = await alarms(world);
    expect(told).toMatchObject([
      { to: 'operator', title: expect.stringMatching(/^NOT taken back; a person has to do it: /) },
    ]);
    expect(told[0]!['text']).toContain(why);
    expect(told[0]!['text']).toContain(`hone settle ${id}`);
  };

  test('within the time nobody is woken; after it an operator is told once, with the reason', async () => {
    const { world, id } = await calledBack();
    await runFor(world, TIMEOUT_MS - MINUTE_MS, refusing(world));
    expect(await alarms(world)).toEqual([]);
    await runFor(world, 2 * MINUTE_MS, refusing(world));
    await expectTold(world, id, 'main.lock exists');
    await runFor(world, 10 * MINUTE_MS, refusing(world, 'and other words each time'));
    expect(await alarms(world)).toHaveLength(1);
  });

  test('it needs a person, who is reminded and can settle it', async () => {
    const { world, id } = await calledBack();
    await runFor(world, TIMEOUT_MS + MINUTE_MS, refusing(world));
    expect(isStuck(await world.single())).toBe(true);
    expect(await proposalsThatNeedAPerson(world.store)).toMatchObject([{ id, need: 'settle' }]);
    const nowMs = world.clock.nowMs() + HOUR_MS;
    const channels = ['terminal'];
    expect(await reminders(world.store, { nowMs, allowed: ['rollback'], channels })).toMatchObject([
      { payload: { title: expect.stringContaining('Still NOT taken back') } },
    ]);
    const kept = { settlement: 'kept', reason: 'it is fine' } as const;
    const by = { actor: OPERATOR, ports: world.ports() };
    expect(await settleByHand(id, kept, by)).toMatchObject({ done: true });
  });

  test('once nothing is in the way it is taken back, and said to be late', async () => {
    const { world } = await calledBack();
    await runFor(world, TIMEOUT_MS + MINUTE_MS, refusing(world));
    await runFor(world, MINUTE_MS);
    expect((await world.single()).proposal.state).toBe('reverted');
    const [, taken] = await alarms(world);
    expect(taken!['text']).toContain('which is late');
  });

  test('a second call that is held up is told too', async () => {
    const { world, id } = await calledBack();
    await runFor(world, TIMEOUT_MS + MINUTE_MS, refusing(world));
    await call(world, id);
    await runFor(world, TIMEOUT_MS + MINUTE_MS, refusing(world));
    expect(await alarms(world)).toHaveLength(2);
  });

  test('a branch that moves under every attempt: no step fails, and it is told all the same', async () => {
    const { world, id } = await calledBack();
    let count = 0;
    const racing = withMethods(world.repository, {
      moveRef: async (ref, target, expected) => {
        if (ref === MAIN) await world.commit('notes.md', `${count++}\n`);
        return world.repository.moveRef(ref, target, expected);
      },
    });
    const loop = world.loop({ repository: racing });
    const attempts = async () => {
      for (let steps = 0; steps < 4; steps++) {
        const taken = await loop.step(`proposal/${id}`, new AbortController().signal);
        expect(taken).toMatchObject({ step: 'rollback', outcome: 'taken' });
      }
    };
    await attempts();
    expect(await alarms(world)).toEqual([]);
    world.clock.advance(TIMEOUT_MS + 1);
    await attempts();
    await expectTold(world, id, 'moved before');
  });

  test('a rollback that is first tried late is told as done, and as late', async () => {
    const { world } = await calledBack();
    world.clock.advance(HOUR_MS);
    await world.run();
    expect((await world.single()).proposal.state).toBe('reverted');
    expect((await alarms(world)).map(({ title }) => title)).toEqual([
      expect.stringMatching(/^Taken back: /),
      expect.stringMatching(/^V9 does not hold for proposal:/),
    ]);
  });

  test('a proposal that cannot be read is told too, and again each hour', async () => {
    const { world, id } = await calledBack();
    const { proposal } = await world.single();
    const intruder = await breakIn(world.store.engine, world.place);
    try {
      await intruder.run('DELETE FROM artifact_blobs WHERE digest = ?', [proposal.digest]);
    } finally {
      await intruder[Symbol.asyncDispose]();
    }
    await runFor(world, TIMEOUT_MS + 30 * MINUTE_MS);
    await expectTold(world, id, 'There is no artifact');
    await runFor(world, HOUR_MS);
    expect(await alarms(world)).toHaveLength(2);
  });
});

describe('MON-2 a real repository in which the rollback is held up', () => {
  const makeWorld = worldPerTest('memory');

  test.each([
    ['a lock that is left behind', 'main.lock', leaveLock],
    ['a branch that stands for another', 'is a symbolic ref to refs/heads/prod', makeSymbolic],
  ])('%s', async (_, words, holdUp) => {
    await using target = await realRepository();
    git(target.workingTree, ['symbolic-ref', 'HEAD', 'refs/heads/elsewhere']);
    const world = await makeWorld(target.repository);
    const { id } = (await world.deployed()).proposal;
    await call(world, id);
    await holdUp(target.workingTree);
    world.clock.advance(TIMEOUT_MS + 1);
    await world.run();
    const [told] = await alarms(world);
    expect(told).toMatchObject({ to: 'operator', text: expect.stringContaining(words) });
  });

  function leaveLock(folder: string): Promise<void> {
    return writeFile(join(folder, '.git', `${MAIN}.lock`), '');
  }

  async function makeSymbolic(folder: string): Promise<void> {
    git(folder, ['branch', 'prod', 'main']);
    git(folder, ['symbolic-ref', MAIN, 'refs/heads/prod']);
  }
});
