/**
 * Somebody who can write the database, and not the ledger's history: rows that say a change was approved, when
 * nobody approved it. Nothing is deployed on rows that the ledger does not have, and an operator is told.
 */
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/base/index.ts';
import { generateKey, makeCheckpoint, planKey } from '../../src/ledger/index.ts';
import { type World, withCommit, worldPerTest } from '../../src/loop/loop.test-support.ts';
import { type Dossier, evidenceDigest, readDossier } from '../../src/proposal/index.ts';
import type { Row, Store } from '../../src/store/index.ts';
import { recompute } from '../intruder-rewrite.ts';
import { breakIn, type Intruder, placeAll } from '../ledger.ts';
import { OPERATOR, TARGET } from '../proposals.ts';

const KEY = generateKey('example.org/hone');

describe.each(['file', 'postgres'] as const)('forged rows on %s', (kind) => {
  const makeWorld = worldPerTest(kind);

  const intrude = async (world: World, crime: (intruder: Intruder) => Promise<void>) => {
    const intruder = await breakIn(world.store.engine, world.place);
    try {
      await crime(intruder);
    } finally {
      await intruder[Symbol.asyncDispose]();
    }
  };

  /** A decision row as Hone itself would write it. */
  const insertDecision = (intruder: Intruder, { proposal, attestations }: Dossier) =>
    intruder.run(
      `INSERT INTO proposal_attestations (id, proposal_id, position, kind, content_digest, verdict,
       scope, artifacts, actor, at_ms)
       VALUES ('att_forged', ?, ?, 'decision', ?, 'approved', ?, '[]', ?, ?)`,
      [
        proposal.id,
        proposal.version,
        proposal.digest,
        canonicalJson({
          allows: { what: 'deployment' },
          evidenceDigest: evidenceDigest(attestations, proposal.digest),
          target: TARGET,
          tier: 'require',
        }),
        canonicalJson(OPERATOR),
        proposal.changedAtMs,
      ],
    );

  const setState = (intruder: Intruder, id: string, state: string, more: number) =>
    intruder.run('UPDATE proposal_proposals SET state = ?, version = version + ? WHERE id = ?', [
      state,
      more,
      id,
    ]);

  const isDue = (intruder: Intruder, id: string) =>
    intruder.run('UPDATE loop_works SET due_at_ms = 0, ready_at_ms = 0 WHERE subject = ?', [id]);

  const alarms = async ({ store }: World) =>
    (await store.all('SELECT payload FROM outbox_effects ORDER BY id'))
      .map(({ payload }) => JSON.parse(String(payload)) as Row)
      .filter(({ severity }) => severity === 'critical');

  const expectHeld = async (world: World, head: string, state = 'approved') => {
    const { id } = (await world.single()).proposal;
    const steps = await world.run();
    expect(await world.head()).toBe(head);
    expect((await readDossier(world.store, id)).proposal.state).toBe(state);
    const said = steps.at(-1)?.did ?? '';
    expect(said).toContain('its rows do not match the ledger');
    expect(await alarms(world)).toMatchObject([
      { to: 'operator', title: expect.stringContaining('NOT deployed; the record does not match') },
    ]);
  };

  test('an approval that nobody gave moves nothing, and is told', async () => {
    const world = await makeWorld();
    const dossier = await world.propose();
    const head = await world.head();
    const { id } = dossier.proposal;
    await intrude(world, async (intruder) => {
      await insertDecision(intruder, dossier);
      await setState(intruder, id, 'approved', 2);
      await isDue(intruder, id);
    });
    await expectHeld(world, head);
    // Told once, however often it is looked at again.
    world.clock.advance(3_600_000);
    await world.run();
    expect(await alarms(world)).toHaveLength(1);
  });

  test.each([
    ['the content', 'altered', ({ proposal }: Dossier) => proposal.digest],
    ['the content', 'gone', ({ proposal }: Dossier) => proposal.digest],
    ['the diff', 'altered', ({ content }: Dossier) => content.diffDigest],
    ['the diff', 'gone', ({ content }: Dossier) => content.diffDigest],
  ] as const)(
    '%s of an approved change, %s in the store: held, and told once',
    async (_, crime, digestOf) => {
      const world = await makeWorld();
      const dossier = await world.propose();
      const head = await world.head();
      await world.approve(dossier.proposal.id);
      const digest = digestOf(dossier);
      await intrude(world, (intruder) =>
        crime === 'gone'
          ? intruder.run('DELETE FROM artifact_blobs WHERE digest = ?', [digest])
          : intruder.run('UPDATE artifact_blobs SET content = ? WHERE digest = ?', [
              Buffer.from('other bytes'),
              digest,
            ]),
      );
      for (let looks = 0; looks < 3; looks++) {
        expect((await world.run()).at(-1)).toMatchObject({ outcome: 'failed' });
        world.clock.advance(3_600_000);
      }
      expect(await world.head()).toBe(head);
      expect(await alarms(world)).toMatchObject([
        {
          to: 'operator',
          title: `NOT deployed; the record does not match: ${dossier.content.title}`,
          text: expect.stringContaining(digest),
        },
      ]);
      const [work] = await world.store.all('SELECT data FROM loop_works WHERE subject = ?', [
        dossier.proposal.id,
      ]);
      expect(JSON.parse(String(work!['data']))).toMatchObject({ needsPerson: true });
    },
  );

  test.each([
    [
      'a stop that nobody lifted',
      async (world: World) => void (await world.killSwitch.stop(OPERATOR, 'look first', 'command')),
      'UPDATE policy_stops SET stopped = 0',
      'policy_stops',
    ],
    [
      'a stop whose row is gone',
      async (world: World) => void (await world.killSwitch.stop(OPERATOR, 'look first', 'command')),
      'DELETE FROM policy_stops',
      'policy_stops',
    ],
    [
      'a gate that nobody switched off',
      async () => {},
      `INSERT INTO policy_switches (gate, mode, reason, changed_at_ms) VALUES ('identity', 'off', 'x', 1)`,
      'policy_switches',
    ],
  ])('%s lets nothing pass', async (_, before, crime, table) => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    await world.approve(id);
    const head = await world.head();
    await before(world);
    await intrude(world, (intruder) => intruder.run(crime));
    await expectHeld(world, head);
    expect((await alarms(world))[0]!['text']).toContain(table);
  });

  test('nor does one whose version was made to fit the number of entries', async () => {
    const world = await makeWorld();
    const dossier = await world.propose();
    const head = await world.head();
    const { id } = dossier.proposal;
    await intrude(world, async (intruder) => {
      await insertDecision(intruder, dossier);
      await setState(intruder, id, 'approved', 0);
      await isDue(intruder, id);
    });
    // Its position is the version: the row is of a future that the proposal has not reached.
    await expectHeld(world, head);
  });

  test('an old approval brought back, with the later entries hidden under another subject', async () => {
    const world = await makeWorld();
    const { id, digest } = (await world.propose()).proposal;
    await world.approve(id);
    const approved = await world.store.all('SELECT * FROM proposal_proposals');
    await world.commit('agents/other.yaml', 'name: other\n');
    await world.run();
    const moved = (await world.single()).proposal;
    expect(moved).toMatchObject({ state: 'pending' });
    expect(moved.digest).not.toBe(digest);
    await placeAll(world.store);
    const [amended] = await world.store.all(
      `SELECT idx FROM ledger_entries WHERE body LIKE '%"proposal.amended"%'`,
    );
    await intrude(world, async (intruder) => {
      const { version, title } = approved[0]!;
      await intruder.run(
        `UPDATE proposal_proposals SET state = 'approved', digest = ?, version = ?, title = ?,
         changed_at_ms = ? WHERE id = ?`,
        [digest, version as number, title as string, approved[0]!['changed_at_ms'] as number, id],
      );
      await intruder.run('DELETE FROM proposal_attestations WHERE position >= ?', [
        version as number,
      ]);
      await intruder.run(
        `UPDATE ledger_entries SET subject = 'proposal:p_other' WHERE subject = ? AND idx >= ?`,
        [`proposal:${id}`, amended!['idx'] as number],
      );
      await isDue(intruder, id);
    });
    await expectHeld(world, await world.head());
  });

  test('an entry rewritten with every hash after it, where a checkpoint was signed before', async () => {
    const world = await makeWorld();
    await world.store.commit(planKey(KEY, OPERATOR, false));
    const { id } = (await world.propose()).proposal;
    const head = await world.head();
    await placeAll(world.store);
    await makeCheckpoint(world.store, KEY, undefined);
    const [asked] = await world.store.all(
      `SELECT idx, body FROM ledger_entries WHERE body LIKE '%"replay"%' AND body LIKE '%"passed"%'`,
    );
    await world.approve(id);
    await placeAll(world.store);
    await intrude(world, async (intruder) => {
      const body = String(asked!['body']).replace(
        '"improvesTarget":true',
        '"improvesTarget":false',
      );
      expect(body).not.toBe(asked!['body']);
      await intruder.run('UPDATE ledger_entries SET body = ? WHERE idx = ?', [
        body,
        asked!['idx'] as number,
      ]);
      await intruder.run(
        `UPDATE proposal_attestations
         SET scope = replace(scope, '"improvesTarget":true', '"improvesTarget":false')`,
      );
      await recompute(world.store, intruder);
    });
    await expectHeld(world, head);
  });

  test('a prepared deployment turned to another branch moves neither', async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    const head = await world.head();
    const release = 'refs/heads/release';
    await world.repository.moveRef(release, head, undefined);
    await world.approve(id);
    await world.loop().step(`proposal/${id}`, new AbortController().signal);
    expect((await world.single()).proposal.state).toBe('deploying');
    await intrude(world, (intruder) =>
      intruder.run('UPDATE deploy_deployments SET branch = ? WHERE proposal_id = ?', [release, id]),
    );
    await expectHeld(world, head, 'deploying');
    expect(await world.repository.resolve(release)).toBe(head);
  });

  test('rows altered between the proof and the commit: the commit is refused, and then the proof', async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    const head = await world.head();
    await world.approve(id);
    let isAltered = false;
    const store = withCommit(world.store, async (plan, real) => {
      if (!isAltered && plan.expect?.some(({ name }) => name === 'record')) {
        isAltered = true;
        await world.store.commit({
          writes: [{ update: 'proposal_proposals', where: { id }, set: { title: 'Another' } }],
        });
      }
      return real();
    });
    const steps = await world.run(world.loop({ store }));
    expect(isAltered).toBe(true);
    expect(steps.map(({ outcome }) => outcome).slice(0, 1)).toEqual(['refused']);
    expect(await world.head()).toBe(head);
    expect(await alarms(world)).toHaveLength(1);
  });

  test('what was not altered is deployed, also beside damage that is not its own', async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    const head = await world.head();
    await intrude(world, (intruder) =>
      intruder.run(
        `INSERT INTO proposal_proposals (id, version, state, digest, title, created_at_ms, changed_at_ms)
         VALUES ('o_forged', 9, 'approved', 'sha256:0', 'forged', 1, 1)`,
      ),
    );
    await world.approve(id);
    await world.run();
    expect(await world.head()).not.toBe(head);
    expect((await readDossier(world.store, id)).proposal.state).toBe('monitoring');
  });
});

/** In databases of their own: nobody has taken the triggers away there. */
describe.each(['file', 'postgres'] as const)('the triggers on %s', (kind) => {
  const makeWorld = worldPerTest(kind);

  test('attestations are not taken out, altered or replaced by a plain statement', async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    const [one] = await world.store.all('SELECT * FROM proposal_attestations LIMIT 1');
    const where = { id: one!['id']! };
    const refused = { message: expect.stringContaining('attestations are only ever added') };
    const table = 'proposal_attestations';
    const commit: Store['commit'] = (plan) => world.store.commit(plan);
    await expect(commit({ writes: [{ delete: table, where }] })).rejects.toMatchObject(refused);
    await expect(
      commit({ writes: [{ update: table, where, set: { verdict: 'failed' } }] }),
    ).rejects.toMatchObject(refused);
    if (world.store.engine === 'sqlite') {
      const { DatabaseSync } = await import('node:sqlite');
      using database = new DatabaseSync(world.place, { timeout: 5000 });
      expect(() =>
        database.exec(`INSERT OR REPLACE INTO ${table} SELECT id, proposal_id, position, kind,
          content_digest, 'failed', scope, artifacts, actor, at_ms FROM ${table}`),
      ).toThrow('attestations are only ever added');
    }
    expect((await readDossier(world.store, id)).attestations.length).toBeGreaterThan(0);
  });
});

describe('entries that wait for their place on postgres', () => {
  const makeWorld = worldPerTest('postgres');

  test('hold a deployment up, and do not refuse it for good', async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    const head = await world.head();
    await world.approve(id);
    const steps = await world.run(world.loop({ placePending: async () => {} }));
    expect(steps.at(-1)).toMatchObject({
      did: 'It waits: Its newest entries have no place in the ledger yet.',
    });
    expect(await world.head()).toBe(head);
    world.clock.advance(1_000);
    await world.run();
    expect(await world.head()).not.toBe(head);
    expect((await world.single()).proposal.state).toBe('monitoring');
  });
});
