/** Killed after every git effect, and with somebody else moving the branch before every call. */
import { afterEach, describe, expect, test } from 'vitest';
import { openTimedStore, type TimedStore } from '../../test/timed-store.ts';
import { memoryRepository } from '../git/index.ts';
import {
  around,
  type DeployWorld,
  FILE,
  MAIN,
  makeWorld,
  NEW,
  OLD,
} from './deployments.test-support.ts';
import { readDeployment } from './index.ts';

const stores: TimedStore[] = [];
afterEach(async () => {
  for (const opened of stores.splice(0)) await opened[Symbol.asyncDispose]();
});

async function newWorld(): Promise<DeployWorld> {
  const opened = await openTimedStore('memory');
  stores.push(opened);
  return makeWorld(opened, memoryRepository());
}

/** Where everything is, for comparing two ways to get there. */
async function picture(world: DeployWorld) {
  const { repository, id } = world;
  const refs = [MAIN, `refs/hone/backup/${id}`, `refs/heads/hone/proposal-${id}`];
  const { changedAtMs: _, ...deployment } = (await readDeployment(world.store, id))!;
  return {
    state: await world.state(),
    refs: await Promise.all(refs.map((ref) => repository.resolve(ref))),
    deployment,
  };
}

const STEPS = ['prepare', 'apply', 'plan the revert', 'revert'];
const EFFECTS = ['commit', 'moveRef', 'writeFiles', 'applyPatch', 'revert'];

describe('killed before its commit, a step taken again does the same once', () => {
  test.each(STEPS.map((name, at) => [name, at] as const))('%s', async (_, at) => {
    const undisturbed = await newWorld();
    for (let step = 0; step <= at; step++) await undisturbed.take((await undisturbed.next())!);
    const expected = await picture(undisturbed);

    let kills = 0;
    for (let effect = 1; ; effect++) {
      const world = await newWorld();
      for (let step = 0; step < at; step++) await world.take((await world.next())!);
      let done = 0;
      const mortal = around(world.repository, {
        after: async (method, _args, result) => {
          if (EFFECTS.includes(method) && ++done === effect) throw new Error('killed');
          return result;
        },
      });
      const survived = await world.next({ repository: mortal }).catch((error: Error) => error);
      if (!(survived instanceof Error)) break;
      expect(survived.message).toBe('killed');
      kills++;
      // Much later, by another process.
      world.opened.clock.advance(3_600_000);
      await world.take((await world.next())!);
      expect(await picture(world)).toEqual(expected);
    }
    expect(kills).toBeGreaterThan(0);

    const twice = await newWorld();
    for (let step = 0; step < at; step++) await twice.take((await twice.next())!);
    await twice.next();
    await twice.take((await twice.next())!);
    expect(await picture(twice)).toEqual(expected);
  });
});

describe('somebody else moves the branch before any call', () => {
  /** Takes steps until nothing is left to do; the intruder acts once, before call number `at`. */
  async function story(at: number, files: Readonly<Record<string, string>>) {
    const world = await newWorld();
    let calls = 0;
    let theirs: string | undefined;
    const repository = around(world.repository, {
      before: async () => {
        if (++calls === at) theirs = await world.others(files);
      },
    });
    let last = '';
    for (let step = 0; step < 10; step++) {
      const answer = await world.next({ repository });
      if (answer === undefined) break;
      last = answer.did;
      await world.take(answer);
    }
    return { world, theirs, calls, last };
  }

  test('their commit stays, and the record is what the branch says', async () => {
    const seen = new Set<string>();
    for (let at = 1; ; at++) {
      const { world, theirs } = await story(at, { readme: 'theirs\n' });
      if (theirs === undefined) break;
      const { repository } = world;
      const head = (await repository.resolve(MAIN))!;
      const state = await world.state();
      seen.add(state);
      expect(await repository.isAncestor(theirs, head), `call ${at}`).toBe(true);
      expect(await world.at('readme')).toBe('theirs\n');
      expect(await world.at(FILE)).toBe(OLD);
      const deployment = await readDeployment(world.store, world.id);
      if (state === 'reverted') expect(deployment?.state).toBe('reverted');
      if (state === 'aborted')
        expect(await repository.isAncestor(deployment!.commit, head)).toBe(false);
    }
    // Before the backup, between backup and move, after the move.
    expect([...seen].sort()).toEqual(['aborted', 'approved', 'reverted']);
  });

  test('lines of theirs that stand in the way are never overwritten', async () => {
    const mine = NEW.replace('30', '77');
    let conflicts = 0;
    for (let at = 1; ; at++) {
      const { world, theirs, last } = await story(at, { [FILE]: mine });
      if (theirs === undefined) break;
      const state = await world.state();
      if (state === 'monitoring') {
        expect(last).toContain(FILE);
        conflicts++;
      }
      // Reverted first: then their commit came on top of the revert.
      expect(await world.at(FILE), `call ${at}, ${state}`).toBe(mine);
    }
    expect(conflicts).toBeGreaterThan(3);
  });
});
