/** Every gate that can be switched, in each of its modes, where the loop and people meet it. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { BOB, CODER, OPERATOR } from '../../test/proposals.ts';
import {
  type Actor,
  type Change,
  type ProposalContent,
  SWITCH_MODES,
  type SwitchMode,
  SYSTEM,
} from '../facts/index.ts';
import { Switches } from '../policy/index.ts';
import { listProposals, planCreate, readDossier } from '../proposal/index.ts';
import { decideByHand, readReport } from './index.ts';
import {
  AGENT,
  FILE,
  isStep,
  MINUTE_MS,
  traffic,
  type World,
  withCommit,
  worldPerTest,
} from './loop.test-support.ts';
import { newWork } from './works.ts';

const ANOTHER_PLACE: Change = { kind: 'add_file', file: 'another place' };

type Gate = 'vetting' | 'limits' | 'identity' | 'telemetry';

describe.each(['memory', 'postgres'] as const)('SWITCH-1 gates on %s', (kind) => {
  const open = worldPerTest(kind);

  const set = async (world: World, gate: Gate, mode: SwitchMode, actor: Actor = OPERATOR) =>
    new Switches(world.store, world.config.switches).set(gate, mode, actor, 'a trial');
  const passed = async ({ store }: World) =>
    (await recorded(store))
      .filter(({ type }) => type === 'policy.let_pass')
      .map(({ subject, data }) => ({ subject, ...data }));
  /** A proposal that somebody hands in. */
  const submit = async (world: World, id: string, content: ProposalContent) => {
    const { store } = world;
    const nowMs = await store.nowMs();
    const created = planCreate(id, content, nowMs);
    const work = newWork({ kind: 'proposal', subject: id, dueAtMs: nowMs, data: {}, nowMs });
    await store.commit({ ...created, writes: [...(created.writes ?? []), work] });
  };
  const stateOf = async ({ store }: World, id: string) =>
    (await readDossier(store, id)).proposal.state;

  describe('vetting', () => {
    const poorOf = async (world: World) => {
      const { content } = await world.propose();
      return { ...content, rationale: 'TBD', change: ANOTHER_PLACE };
    };

    test.each<[SwitchMode, string, number]>([
      ['enforce', 'rejected', 0],
      ['observe', 'pending', 1],
      ['off', 'pending', 0],
    ])('%s: a poor proposal ends as %s', async (mode, state, entries) => {
      const world = await open();
      const poor = await poorOf(world);
      await set(world, 'vetting', mode);
      await submit(world, 'p_poor', poor);
      await world.run();
      expect(await stateOf(world, 'p_poor')).toBe(state);
      expect(await passed(world)).toHaveLength(entries);
    });

    test('rolled back: what was let pass stays marked, and the next of its kind is held again', async () => {
      const world = await open();
      const poor = await poorOf(world);
      expect(await set(world, 'vetting', 'observe')).toEqual({ set: true, previous: 'enforce' });
      await submit(world, 'p_first', poor);
      const taken = await world.run();
      expect(await stateOf(world, 'p_first')).toBe('pending');
      const marked = [
        {
          subject: 'proposal:p_first',
          gate: 'vetting',
          what: 'complete',
          why: 'The rationale is missing or only a placeholder.',
        },
      ];
      expect(await passed(world)).toEqual(marked);
      expect(taken.find(({ step }) => step === 'vet')!.did).toContain(
        'Let pass, because the gate vetting only observes: complete: The rationale is missing',
      );

      expect(await set(world, 'vetting', 'enforce')).toEqual({ set: true, previous: 'observe' });
      await submit(world, 'p_second', poor);
      await world.run();
      expect(await stateOf(world, 'p_second')).toBe('rejected');
      expect(await stateOf(world, 'p_first')).toBe('pending');
      expect(await passed(world)).toEqual(marked);
      const modes = (await recorded(world.store)).filter(
        ({ type }) => type === 'policy.switch_set',
      );
      expect(modes.map(({ data }) => [data['previousMode'], data['mode']])).toEqual([
        ['enforce', 'observe'],
        ['observe', 'enforce'],
      ]);
    });

    test('set back between the judgement and its commit, it is judged anew', async () => {
      const world = await open();
      const poor = await poorOf(world);
      await set(world, 'vetting', 'observe');
      await submit(world, 'p_poor', poor);
      let flipped = false;
      const store = withCommit(world.store, async (plan, real) => {
        if (isStep(plan) && !flipped) {
          flipped = true;
          await set(world, 'vetting', 'enforce');
        }
        return real();
      });
      const taken = await world.run(world.loop({ store }));
      expect(taken.map(({ outcome }) => outcome).slice(0, 2)).toEqual(['refused', 'taken']);
      expect(await stateOf(world, 'p_poor')).toBe('rejected');
      expect(await passed(world)).toEqual([]);
    });

    test('a mode that cannot be read is enforce', async () => {
      const world = await open();
      const poor = await poorOf(world);
      await set(world, 'vetting', 'off');
      await submit(world, 'p_poor', poor);
      const all: World['store']['all'] = (sql, parameters) =>
        sql.includes('policy_switches')
          ? Promise.reject(new Error('connection lost'))
          : world.store.all(sql, parameters);
      const store = { ...withCommit(world.store, (_, real) => real()), all };
      await world.run(world.loop({ store }));
      expect(await stateOf(world, 'p_poor')).toBe('rejected');
    });
  });

  describe('limits', () => {
    test.each<[SwitchMode, boolean, number]>([
      ['enforce', false, 0],
      ['observe', true, 1],
      ['off', true, 0],
    ])('%s: one cycle too many begins: %s', async (mode, started, entries) => {
      const world = await open();
      world.files.text = '';
      world.config = world.configured({ limits: { cyclesPerDay: 1 } });
      const loop = world.loop();
      await loop.startCycle('periodic');
      await world.run(loop);
      world.clock.advance(MINUTE_MS);
      await set(world, 'limits', mode);
      const second = await loop.startCycle('periodic');
      expect(second.started).toBe(started);
      const marks = await passed(world);
      expect(marks).toHaveLength(entries);
      if (mode !== 'observe') return;
      const why = '1 automatic cycles ran in 24 hours; the limit is 1';
      expect(marks).toEqual([
        { subject: `cycle:${second.cycle}`, gate: 'limits', what: 'cycles a day', why },
      ]);
      await world.run(loop);
      const { notes } = (await readReport(world.store, second.cycle!))!;
      expect(notes).toContain(
        `Let pass, because the gate limits only observes: cycles a day: ${why}`,
      );
      world.clock.advance(MINUTE_MS);
      await set(world, 'limits', 'enforce');
      expect((await loop.startCycle('periodic')).started).toBe(false);
    });

    test('a person’s cycle is not counted, so nothing about it is let pass', async () => {
      const world = await open();
      world.config = world.configured({ limits: { cyclesPerDay: 0 } });
      await set(world, 'limits', 'observe');
      expect(await world.loop().startCycle('human')).toMatchObject({ started: true });
      expect(await passed(world)).toEqual([]);
    });

    test.each<[SwitchMode, number, number]>([
      ['enforce', 1, 0],
      // Observed when it is proposed, and once more when it is vetted.
      ['observe', 2, 2],
      ['off', 2, 0],
    ])('%s: of two proposals where one may be open %i are made', async (mode, made, entries) => {
      const world = await open();
      const fetch = '  fetch_page:\n    timeout_ms: 800\n    retries: 2\n';
      await world.commit(FILE, AGENT.replace('\nprompt', `${fetch}\nprompt`));
      // In other minutes than the first tool: what fails in the same ones looks like an outage.
      world.files.text += traffic({
        untilMs: world.clock.nowMs() - 6 * MINUTE_MS,
        tool: 'fetch_page',
      });
      world.config = world.configured({ limits: { openProposals: 1 } });
      await set(world, 'limits', mode);
      await world.loop().startCycle('human');
      const taken = await world.run();
      expect(await listProposals(world.store, { limit: 9 })).toHaveLength(made);
      const marks = await passed(world);
      expect(marks).toHaveLength(entries);
      for (const mark of marks) expect(mark).toMatchObject({ gate: 'limits' });
      const said = taken.filter(({ did }) => did.includes('the gate limits only observes'));
      expect(said.map(({ step }) => step)).toEqual(mode === 'observe' ? ['propose', 'vet'] : []);
    });
  });

  describe('limits, pauses', () => {
    test.each<[SwitchMode, string, number]>([
      ['enforce', 'declined', 0],
      ['observe', 'proposed', 1],
      ['off', 'proposed', 0],
    ])('%s: after a rejection too many the next is %s', async (mode, did, entries) => {
      const world = await open();
      world.config = world.configured({
        limits: { rejectionsBeforePause: 1 },
        learn: { refusalHolds: '0s' },
      });
      const { proposal } = await world.propose();
      const decision = { verdict: 'rejected', reason: 'no' } as const;
      await decideByHand(proposal.id, decision, { actor: BOB, ports: world.ports() });
      await world.run();
      await set(world, 'limits', mode);
      const cycle = async () => {
        world.files.text += traffic({ untilMs: world.clock.nowMs() });
        const { cycle: id } = await world.loop().startCycle('human');
        await world.run();
        return (await readReport(world.store, id!))!.findings[0]!;
      };
      const found = await cycle();
      expect(found.did).toBe(did);
      if (mode === 'enforce') {
        expect(found.why).toContain(
          'the last proposal of constant-tune was rejected, so it pauses until',
        );
        world.clock.advance(48 * 60 * MINUTE_MS);
        expect((await cycle()).did).toBe('proposed');
      }
      expect(await passed(world)).toHaveLength(entries);
    });
  });

  describe('telemetry', () => {
    /** As much again in a shape that nobody reads. */
    const half = (world: World) => {
      world.files.text += 'what is this\n'.repeat(120);
    };
    const why =
      '120 of 240 lines could not be read, so the telemetry may not show what happened; "hone sources list" says why';

    test.each<[SwitchMode | 'as shipped', number, number]>([
      ['enforce', 0, 0],
      ['observe', 1, 1],
      ['as shipped', 1, 1],
      ['off', 1, 0],
    ])(
      '%s: on telemetry of which half cannot be read %i proposals are made',
      async (mode, made, entries) => {
        const world = await open();
        half(world);
        if (mode !== 'as shipped') await set(world, 'telemetry', mode);
        const { cycle } = await world.loop().startCycle('human');
        await world.run();
        expect(await listProposals(world.store, { limit: 9 })).toHaveLength(made);
        const marks = await passed(world);
        expect(marks).toHaveLength(entries);
        const { notes } = (await readReport(world.store, cycle!))!;
        expect(notes.filter((note) => note.includes(why))).toHaveLength(mode === 'off' ? 0 : 1);
        if (entries === 0) return;
        expect(marks).toEqual([
          { subject: `cycle:${cycle}`, gate: 'telemetry', what: 'acting on it', why },
        ]);
      },
    );

    test('enforced, what can mostly be read is acted on', async () => {
      const world = await open();
      world.files.text += 'what is this\n'.repeat(20);
      await set(world, 'telemetry', 'enforce');
      await world.propose();
      expect(await passed(world)).toEqual([]);
    });
  });

  describe('identity', () => {
    const approve = (world: World, id: string, actor: Actor) =>
      decideByHand(
        id,
        { verdict: 'approved', reason: 'it helps' },
        { actor, ports: world.ports({ replay: undefined }) },
      );
    /** Not shown to help, so a decision needs a token. */
    const asked = async (world: World) => {
      const loop = world.loop({ replay: undefined });
      const { proposal } = await world.propose(loop);
      expect(proposal.state).toBe('pending');
      return proposal.id;
    };

    test.each<[SwitchMode, boolean, number]>([
      ['enforce', false, 0],
      // At the decision, and once more when it goes to the target.
      ['observe', true, 2],
      ['off', true, 2],
    ])('%s: a person without a token decides: %s', async (mode, done, entries) => {
      const world = await open();
      const id = await asked(world);
      await set(world, 'identity', mode);
      const decided = await approve(world, id, BOB);
      expect(decided.done).toBe(done);
      await world.run(world.loop({ replay: undefined }));
      expect(await stateOf(world, id)).toBe(done ? 'monitoring' : 'pending');
      const marks = await passed(world);
      expect(marks).toHaveLength(entries);
      if (!decided.done) expect(decided.why).toContain('it needs more proof of who decides');
      if (!decided.done) return;
      const words = 'Let pass, because the gate identity only observes';
      expect(decided.did.includes(words)).toBe(mode === 'observe');
      const why = 'bob@example.org is verified by local, and tier require needs token.';
      expect(marks.map((mark) => mark.subject)).toEqual([`proposal:${id}`, `proposal:${id}`]);
      for (const mark of marks) expect(mark).toMatchObject({ gate: 'identity', why });
    });

    test('set back after the decision, the way to the target is closed', async () => {
      const world = await open();
      const id = await asked(world);
      await set(world, 'identity', 'observe');
      expect(await approve(world, id, BOB)).toMatchObject({ done: true });
      await set(world, 'identity', 'enforce');
      const taken = await world.run(world.loop({ replay: undefined }));
      expect(taken.at(-1)).toMatchObject({ step: 'deploy', outcome: 'failed' });
      expect(taken.at(-1)!.did).toContain('it needs more proof of who decides');
      expect(await stateOf(world, id)).toBe('approved');
      expect(await world.fileAt(await world.head())).toBe(AGENT);
    });

    test.each(SWITCH_MODES)('%s: who may never decide does not', async (mode) => {
      const world = await open();
      const id = await asked(world);
      const { content } = await readDossier(world.store, id);
      await submit(world, 'p_own', { ...content, proposer: BOB, change: ANOTHER_PLACE });
      await world.run(world.loop({ replay: undefined }));
      expect(await stateOf(world, 'p_own')).toBe('pending');
      await set(world, 'identity', mode);
      const claimed: Actor = { ...OPERATOR, verified: 'none' };
      for (const actor of [CODER, SYSTEM, claimed])
        expect(await approve(world, id, actor)).toMatchObject({ done: false });
      expect(await approve(world, 'p_own', BOB)).toMatchObject({
        done: false,
        why: expect.stringContaining('nobody approves their own proposal'),
      });
      expect(await passed(world)).toEqual([]);
    });

    test('who is verified enough leaves no mark', async () => {
      const world = await open();
      const id = await asked(world);
      await set(world, 'identity', 'observe');
      expect(await approve(world, id, OPERATOR)).toMatchObject({ done: true });
      await world.run(world.loop({ replay: undefined }));
      expect(await stateOf(world, id)).toBe('monitoring');
      expect(await passed(world)).toEqual([]);
    });
  });

  test.each([CODER, SYSTEM])('$kind weakens none of them', async (actor) => {
    const world = await open();
    for (const gate of ['vetting', 'limits', 'identity', 'telemetry'] as const)
      for (const mode of ['observe', 'off'] as const)
        expect(await set(world, gate, mode, actor)).toEqual({ set: false, why: 'not_human' });
    expect(await set(world, 'vetting', 'enforce', actor)).toMatchObject({ set: true });
  });
});
