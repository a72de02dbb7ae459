/** Every table that comes from the ledger, damaged in every way, is found and made anew, to the byte. */
import { describe, expect, test } from 'vitest';
import { asRebuild, breakIn, placeAll } from '../../test/ledger.ts';
import { CODER, OPERATOR } from '../../test/proposals.ts';
import { storePerTest, type TimedStore } from '../../test/timed-store.ts';
import { makeArtifact } from '../artifact/index.ts';
import { type CleanText, digestOf, ownWords, systemRandom } from '../base/index.ts';
import { planCheck } from '../claim/index.ts';
import { planAccept } from '../config/index.ts';
import { ignorePlan, mergePlan } from '../diagnose/index.ts';
import { makePack, packParts } from '../evidence/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import { SETTINGS as GATEWAY } from '../gateway/gateway.test-support.ts';
import { answerPlan, findAsks, hooksPlan, Judge, pinPlan } from '../gateway/index.ts';
import { planFirstToken } from '../identity/index.ts';
import { isDifferent, type Look, OVERTAKEN, Replay, rebuildPlan } from '../ledger/index.ts';
import { ENFORCED, KillSwitch, readAutomatic, Switches, setAutomatic } from '../policy/index.ts';
import { findTask } from '../process/index.ts';
import { AGENT, COMMIT, taskWorld } from '../process/process.test-support.ts';
import { planAttest } from '../prompt/index.ts';
import { controlMigrations, openSqlite, type Row, type Store, type Write } from '../store/index.ts';
import { planSubmit } from '../vet/index.ts';
import { callBack } from './by-hand.ts';
import { HOUR_MS, traffic, worldPerTest } from './loop.test-support.ts';
import { makeProjections } from './manifests.ts';

const TABLES = makeProjections().flatMap(({ tables }) => [...tables]);
const KEYS: Readonly<Record<string, string>> = {
  config_pins: 'id',
  policy_stops: 'id',
  policy_switches: 'gate',
  learn_cycles: 'cycle_id',
  diagnose_ignored: 'pattern_id',
  diagnose_merged: 'pattern_id',
  gateway_pins: 'name',
  process_sessions: 'session_id',
  prompt_attestations: 'task_id', // each task of this test is attested once
};
const keyOf = (table: string) =>
  KEYS[table] ?? (/^(deploy|monitor|learn)_/.test(table) ? 'proposal_id' : 'id');

const rowsOf = (store: Store, table: string) =>
  store.all(`SELECT * FROM ${table} ORDER BY ${keyOf(table)}`);

const dump = async (store: Store) => {
  const tables: Record<string, Row[]> = {};
  for (const table of TABLES) tables[table] = await rowsOf(store, table);
  return tables;
};

async function openReplay(store: Store): Promise<{ replay: Replay } & AsyncDisposable> {
  const options = { path: ':memory:', synchronous: 'off', migrations: controlMigrations } as const;
  const scratch = await openSqlite(options);
  const projections = makeProjections();
  const replay = new Replay({ store, scratch, projections, placePending: () => placeAll(store) });
  return { replay, [Symbol.asyncDispose]: () => scratch.close() };
}

const differing = (look: Look | undefined) =>
  look!.tables
    .filter(isDifferent)
    .map(({ shape, missing, altered, extra }) => [
      shape.table,
      missing.length,
      altered.length,
      extra.length,
    ]);

const BY = { actor: OPERATOR, reason: ownWords('it was damaged'), expect: [] };

/** What can be wrong with a table, as writes; none where the table cannot have it. */
const DAMAGE: Readonly<Record<string, (table: string, rows: readonly Row[]) => Write[]>> = {
  emptied: (table, rows) => rows.map((row) => gone(table, row)),
  altered: (table, rows) =>
    rows.flatMap((row) => [gone(table, row), { insert: table, row: altered(table, row) }]),
  'given one more row': (table, rows) => {
    const [row] = rows;
    const key = keyOf(table);
    if (typeof row![key] === 'number') return []; // such a table has one row by its own rule
    return [{ insert: table, row: { ...altered(table, row!), [key]: `${row![key]}~` } }];
  },
};
const gone = (table: string, row: Row) => ({
  delete: table,
  where: { [keyOf(table)]: row[keyOf(table)]! },
});
/** Another value in every column but the key. */
function altered(table: string, row: Row): Row {
  const change = ([name, value]: [string, Row[string]]) => {
    if (name === keyOf(table)) return [name, value];
    if (typeof value === 'number') return [name, value + 1000];
    return [name, value === null ? null : `${value} \ufffd`];
  };
  return Object.fromEntries(Object.entries(row).map((entry) => change(entry) as [string, string]));
}

/** A tool that was pinned, a question that was answered, a secret that was read. */
async function askAndMark(store: Store, nowMs: number): Promise<void> {
  const pins = pinPlan(new Map([['a/x', { name: 'x' }]]), new Map(), { actor: SYSTEM, nowMs });
  await store.commit(pins!);
  const gone = { client: 'codex', place: 'here', reason: ownWords('x'), byOperator: false };
  const probed = { client: 'codex', place: 'here', verdict: 'taken-away', why: ownWords('x') };
  const hooks = hooksPlan(
    [
      { type: 'gateway.hooks_removed', data: gone },
      { type: 'gateway.hooks_probed', data: probed },
    ],
    { actor: SYSTEM, nowMs },
  );
  await store.commit(hooks);
  const judge = new Judge({
    store,
    mode: async () => ENFORCED,
    contexts: { ofTask: async () => undefined, ofSession: async () => undefined },
    settings: { ...GATEWAY, requireTask: false },
    newId: (prefix) => `${prefix}_1`,
    isAnswered: async () => true,
  });
  const caller = { agent: 'coder', session: 's1', task: undefined };
  const of = (path: string) =>
    ({ server: 'a', tool: 'x', arguments: { path }, definition: 'pinned' }) as const;
  const { ask } = await judge.judge(of('a'), caller);
  await judge.noteOutput(caller, 'Authorization: Bearer 0123456789abcdef0123456789abcdef');
  const [found] = await findAsks(store, ask!.id, nowMs);
  const answer = { actor: OPERATOR, reason: ownWords('seen'), nowMs };
  await store.commit(answerPlan(found!, 'approved', answer));
  await judge.judge(of('a'), caller);
}

/** A task with a session, a piece of evidence, a claim that was checked and instructions that were attested. */
async function workOn(timed: Pick<TimedStore, 'store' | 'clock'>): Promise<void> {
  const { store } = timed;
  const { tasks, start } = taskWorld(timed);
  const { id } = await start();
  await tasks.bind(await findTask(store, id), { actor: AGENT, worker: 'coder' }, 's1');
  const task = await findTask(store, id);
  const place = { taskId: id, phase: 'plan', round: 0, position: task.version };
  const pack = makePack({
    ...{ id: 'e_1', kind: 'document', origin: 'claimed', commit: null },
    place,
    need: { evidence: 'document' },
    file: { name: 'plan.md', text: '# A plan\n' },
  });
  const nowMs = await store.nowMs();
  const parts = packParts(pack, place, { actor: AGENT, nowMs });
  const { isValid } = pack.fact;
  await tasks.addEvidence(task, { actor: AGENT, worker: 'coder' }, { parts, isValid });
  const run = { agent: 'reviewer', result: 'Done.', checked: [] };
  const checked = { taskId: id, commit: COMMIT, ...run, actor: AGENT, nowMs };
  await store.commit(planCheck({ id: 'c_1', ...checked }, (text) => text).plan);
  const attested = { before: undefined, reason: ownWords('it began'), actor: AGENT, nowMs };
  await store.commit(planAttest({ taskId: id, files: { 'AGENTS.md': null }, ...attested }));
}

describe.each(['memory', 'postgres'] as const)(
  'the tables that come from the ledger on %s',
  (kind) => {
    const open = worldPerTest(kind);

    /** A change that was proposed, deployed, kept and taken back; a gate weakened; stopped and resumed. */
    const lived = async () => {
      const world = await open();
      const { store, clock } = world;
      const digest = digestOf('accepted');
      const nowMs = clock.nowMs();
      await store.commit(
        planAccept({ previous: null, digest, file: digest, actor: OPERATOR, nowMs }),
      );
      await new Switches(store, { vetting: 'enforce' }).set(
        'vetting',
        'observe',
        OPERATOR,
        'a trial',
      );
      await setAutomatic(
        store,
        { on: ['notify'], sinceMs: nowMs },
        { before: await readAutomatic(store), actor: OPERATOR, reason: 'a trial', also: {} },
      );
      const { plan } = planFirstToken({
        name: 'boss',
        actor: OPERATOR,
        random: systemRandom,
        nowMs,
      });
      await store.commit(plan);
      const killSwitch = new KillSwitch(store, () => false);
      await killSwitch.stop(SYSTEM, 'stop', 'command');
      await killSwitch.resume(OPERATOR, 'go on');
      await store.commit(ignorePlan('pat_known', { actor: OPERATOR, reason: 'known', nowMs }));
      await store.commit(
        mergePlan('pat_other', 'pat_known', { actor: OPERATOR, reason: 'one', nowMs }),
      );
      await askAndMark(store, nowMs);
      await workOn(world);
      const submitted = await planSubmit(store, {
        ...{ actor: CODER, kind: 'feedback', content: makeArtifact('slow', 'text/plain') },
        ...{ about: ownWords('slow'), nowMs, perDay: 1 },
      });
      if ('plan' in submitted) await store.commit(submitted.plan);
      const { proposal } = await world.deployed();
      clock.advance(25 * HOUR_MS);
      const untilMs = clock.nowMs();
      world.files.text += traffic({ untilMs, overMs: 24 * HOUR_MS, failEvery: 100 });
      await world.run();
      const options = { actor: OPERATOR, ports: world.ports() };
      await callBack(proposal.id, 'not wanted', options);
      await world.run();
      return world;
    };

    test('are what it says; damaged in any way, they are found and made anew, to the byte', async () => {
      const { store } = await lived();
      const before = await dump(store);
      for (const table of TABLES) expect(before[table], table).not.toEqual([]);
      await using opened = await openReplay(store);
      expect(differing(await opened.replay.look())).toEqual([]);
      for (const [how, damage] of Object.entries(DAMAGE)) {
        for (const table of TABLES) {
          const rows = before[table]!;
          const writes = damage(table, rows);
          if (writes.length === 0) continue;
          await store.commit({ writes: asRebuild(table, writes) });
          expect(await rowsOf(store, table), `${table} ${how}`).not.toEqual(rows);
          const look = (await opened.replay.look())!;
          const counts = {
            emptied: [rows.length, 0, 0],
            altered: [0, rows.length, 0],
          }[how] ?? [0, 0, 1];
          expect(differing(look)).toEqual([[table, ...counts]]);
          expect(await store.commit(rebuildPlan(store, look, BY))).toEqual({ committed: true });
          // The next look says whether another table was touched.
          expect(await rowsOf(store, table), `${table} ${how}`).toEqual(rows);
        }
      }
      expect(await dump(store)).toEqual(before);
      expect(differing(await opened.replay.look())).toEqual([]);
      // All at once, by a replay that begins at the first entry.
      const all = TABLES.flatMap((table) =>
        asRebuild(table, DAMAGE['altered']!(table, before[table]!)),
      );
      await store.commit({ writes: all });
      await using again = await openReplay(store);
      const look = (await again.replay.look())!;
      expect(differing(look)).toHaveLength(TABLES.length);
      await store.commit(rebuildPlan(store, look, BY));
      expect(await dump(store)).toEqual(before);
    });

    test('what others record between the look and the commit is not overwritten', async () => {
      const { store } = await lived();
      const switches = new Switches(store, { vetting: 'enforce', limits: 'enforce' });
      await using opened = await openReplay(store);
      const damage = {
        update: 'policy_switches',
        where: { gate: 'vetting' },
        set: { mode: 'off' },
      };
      await store.commit({ writes: [damage] });
      const look = (await opened.replay.look())!;
      await switches.set('vetting', 'enforce', OPERATOR, 'the trial is over');
      const late = await store.commit(rebuildPlan(store, look, BY));
      expect(late).toMatchObject({ committed: false, refused: { name: OVERTAKEN } });
      expect(await switches.mode('vetting')).toBe('enforce');
      expect(differing(await opened.replay.look())).toEqual([]);
      if (kind === 'postgres') {
        // Also once it has its place.
        await store.commit({ writes: [{ ...damage, set: { mode: 'observe' } }] });
        const second = (await opened.replay.look())!;
        await switches.set('limits', 'observe', OPERATOR, 'a trial');
        await placeAll(store);
        const placed = await store.commit(rebuildPlan(store, second, BY));
        expect(placed).toMatchObject({ committed: false, refused: { name: OVERTAKEN } });
      }
    });

    test('a look that others overtake is taken again; one that they always overtake is given up', async () => {
      const { store } = await lived();
      await store.commit({
        writes: [{ update: 'policy_switches', where: { gate: 'vetting' }, set: { mode: 'off' } }],
      });
      const passed: EntryDraft = {
        type: 'policy.let_pass',
        actor: SYSTEM,
        subject: 'hone:x',
        data: { gate: 'vetting', what: ownWords('x'), why: ownWords('y') },
      };
      const overtaken = async (times: number) => {
        let left = times;
        const options = { path: ':memory:', synchronous: 'off' } as const;
        const scratch = await openSqlite({ ...options, migrations: controlMigrations });
        const all: Store['all'] = async (sql, parameters) => {
          const rows = await store.all(sql, parameters);
          if (sql.includes('FROM policy_switches') && left-- > 0) {
            await store.commit({ entries: [passed] });
          }
          return rows;
        };
        const busy = new Proxy(store, {
          get: (target, name) => {
            if (name === 'all') return all;
            const value = Reflect.get(target, name, target);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
        const projections = makeProjections();
        const placePending = () => placeAll(store);
        const look = await new Replay({ store: busy, scratch, projections, placePending }).look();
        await scratch.close();
        return look;
      };
      expect(differing(await overtaken(3))).toEqual([['policy_switches', 0, 1, 0]]);
      expect(await overtaken(1000)).toBeUndefined();
    });

    test('an entry that does not follow from those before it is named', async () => {
      const { store, clock } = await open();
      const created: EntryDraft = {
        type: 'proposal.created',
        actor: SYSTEM,
        subject: 'proposal:p_1',
        data: { contentDigest: digestOf('x'), title: ownWords('x') },
        atMs: clock.nowMs(),
      };
      await store.commit({ entries: [created, created] });
      await using opened = await openReplay(store);
      await expect(opened.replay.look()).rejects.toMatchObject({
        code: 'unfoldable',
        message: 'Entry 1 does not follow from those before.',
      });
    });
  },
);

describe('a file that was damaged past what a store writes', () => {
  const open = storePerTest('file');

  test('numbers that no number holds, broken text and renamed keys are found and replaced', async () => {
    const { store, place } = open();
    const cycle = (id: string): EntryDraft => ({
      type: 'learn.cycle_recorded',
      actor: SYSTEM,
      subject: `cycle:${id}`,
      data: {
        patterns: 1,
        proposals: 0,
        lesson: `once said \ufffd in ${id}` as CleanText,
      },
      atMs: 5,
    });
    await store.commit({ entries: ['a', 'b', 'c', 'd'].map(cycle) });
    await using opened = await openReplay(store);
    const { replay } = opened;
    const restore = async () => store.commit(rebuildPlan(store, (await replay.look())!, BY));
    expect(differing(await replay.look())).toEqual([['learn_cycles', 4, 0, 0]]);
    await restore();
    const before = await store.all('SELECT * FROM learn_cycles ORDER BY cycle_id');
    const intruder = await breakIn('sqlite', place);
    await intruder.run(`UPDATE learn_cycles SET at_ms = ${2n ** 61n} WHERE cycle_id = 'a'`);
    await intruder.run(`UPDATE learn_cycles SET lesson =
      CAST(replace(CAST(lesson AS BLOB), x'efbfbd', x'f0bfbd') AS TEXT) WHERE cycle_id = 'b'`);
    await intruder.run(`UPDATE learn_cycles SET cycle_id = 'e' WHERE cycle_id = 'c'`);
    await intruder[Symbol.asyncDispose]();
    expect(differing(await replay.look())).toEqual([['learn_cycles', 1, 2, 1]]);
    await restore();
    expect(differing(await replay.look())).toEqual([]);
    expect(await store.all('SELECT * FROM learn_cycles ORDER BY cycle_id')).toEqual(before);
  });
});
