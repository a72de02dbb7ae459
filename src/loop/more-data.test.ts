/** A replay that shows nothing yet is repeated when more was recorded, by a real command in a real sandbox. */
import { describe, expect, test } from 'vitest';
import { sandboxProblem } from '../../test/sandbox.ts';
import { systemClock } from '../base/index.ts';
import type { Attestation } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { SandboxRunner } from '../validate/index.ts';
import { textOf } from './adapters/target.ts';
import { HOUR_MS, traffic, type World, withCommit, worldPerTest } from './loop.test-support.ts';

/** With a longer timeout, every sixth of the sessions that timed out ends well. */
const REPLAY = `
import { readFileSync } from 'node:fs';
const isLonger = !readFileSync('agents/researcher.yaml', 'utf8').includes('timeout_ms: 800');
for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
  const { id } = JSON.parse(line);
  const isMended = isLonger && [...id].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 6 === 0;
  console.log(JSON.stringify({ id, ok: id.startsWith('fine') || isMended }));
}
`;
const HOURLY = { calls: 20, overMs: HOUR_MS };

/** Killed when a look of the replay is committed. */
function killedAtLook(store: Store, when: 'before' | 'after'): Store {
  let dead = false;
  const die = () => {
    dead = true;
    throw new Error('killed');
  };
  const isLook = (data: unknown) => (data as { mode?: string }).mode === 'replay';
  return withCommit(
    store,
    async (plan, real) => {
      if (!plan.entries?.some(({ data }) => isLook(data))) return real();
      if (when === 'before') die();
      await real();
      return die();
    },
    () => dead,
  );
}

describe.skipIf(sandboxProblem() !== undefined).each(['memory', 'postgres'] as const)(
  'VAL-5 a replay that shows nothing yet, on %s',
  (kind) => {
    const open = worldPerTest(kind);

    async function begun(validate: object) {
      const world = await open();
      await world.commit('tools/replay.mjs', REPLAY);
      const command = { replay: ['node', 'tools/replay.mjs'] };
      world.config = world.configured({ validate: { ...command, ...validate } });
      let made = 0;
      const runner = new SandboxRunner({
        repository: world.repository,
        clock: systemClock,
        newId: () => `more-${process.pid}-${++made}`,
        settings: world.config.validate,
        keptIn: '/nowhere',
        secret: () => undefined,
        store: {} as never,
        probe: async () => ({ available: true, version: '0', kept: {} as never }),
      });
      return { world, ports: { replay: undefined, runner } };
    }

    async function looks(world: World) {
      const { proposal, attestations } = await world.single();
      const replays = attestations.filter(
        (one): one is Attestation<'validation'> =>
          one.kind === 'validation' && one.mode === 'replay',
      );
      const reports = await Promise.all(
        replays.map(async ({ artifacts }) =>
          JSON.parse(await textOf(world.store, artifacts[0] as never)),
        ),
      );
      return {
        state: proposal.state,
        told: reports.map(({ verdict, reasons, found }) => ({
          ...{ verdict, reasons, look: found.look.number, sure: found.look.significance },
          counts: found.counts && [found.counts.asked, found.counts.better, found.counts.worse],
        })),
      };
    }

    function hoursLater(world: World, hours: number) {
      for (let hour = 0; hour < hours; hour++) {
        world.clock.advance(HOUR_MS);
        world.files.text += traffic({ ...HOURLY, untilMs: world.clock.nowMs() });
      }
    }

    test('is repeated with more sessions before a person is asked, wherever it is killed', async () => {
      const { world, ports } = await begun({ extend: '12h' });
      const killed = world.loop({ ...ports, store: killedAtLook(world.store, 'after') });
      await expect(world.propose(killed)).rejects.toThrow('killed');
      const first = await looks(world);
      expect(first).toEqual({
        state: 'validating',
        told: [
          {
            ...{ verdict: 'inconclusive', look: 1, sure: 0.975, counts: [120, 4, 0] },
            reasons: [
              'Of 120 sessions, 4 that failed now work and 0 that worked now fail: no difference is shown; about 210 sessions like these would settle it.',
              '90 more take about 5 hours at the present rate of 20 an hour; then it is replayed again.',
            ],
          },
        ],
      });
      hoursLater(world, 1);
      await world.run(world.loop(ports));
      expect(await looks(world)).toEqual(first);
      hoursLater(world, 8);
      const killedAgain = world.loop({ ...ports, store: killedAtLook(world.store, 'before') });
      await expect(world.run(killedAgain)).rejects.toThrow('killed');
      expect(await looks(world)).toEqual(first);
      hoursLater(world, 1);
      await world.run(world.loop(ports));
      const { state, told } = await looks(world);
      expect([state, told.length]).toEqual(['pending', 2]);
      expect(told[1]).toMatchObject({
        ...{ verdict: 'passed', look: 2, sure: 0.9875, counts: [320, 10, 0] },
      });
    });

    test('with too few sessions waits for those that are missing, and asks when they do not come', async () => {
      const { world, ports } = await begun({ extend: '2h', minSessions: 140 });
      await world.propose(world.loop(ports));
      const [first] = (await looks(world)).told;
      expect(first!.reasons).toEqual([
        'There are not enough sessions: 120 are usable, 140 are needed.',
        '20 more take about 61 minutes at the present rate of 20 an hour; then it is replayed again.',
      ]);
      world.clock.advance(1.5 * HOUR_MS);
      world.files.text += traffic({ ...HOURLY, calls: 4, untilMs: world.clock.nowMs() });
      await world.run(world.loop(ports));
      const { state, told } = await looks(world);
      expect([state, told.length]).toEqual(['pending', 2]);
      expect(told[1]!.reasons.at(-1)).toBe(
        '16 more take about 59 minutes at the present rate of 16 an hour, longer than validate.extend (2h).',
      );
    });
  },
);
