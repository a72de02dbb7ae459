import { describe, expect, test } from 'vitest';
import { breakIn, recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { readArtifact } from '../artifact/index.ts';
import { ownWords } from '../base/index.ts';
import type { Store } from '../store/index.ts';
import {
  findTask,
  leaseName,
  listTasks,
  type Task,
  taskContextOf,
  taskContextOfSession,
} from './index.ts';
import {
  AGENT,
  asked,
  COMMIT,
  DIFF,
  LEASE_MS,
  PERSON,
  PLAN,
  SHORT,
  TESTS,
  taskWorld,
} from './process.test-support.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';

const PROMPT_DIGEST = `sha256:${'7'.repeat(64)}`;

describe.each(['memory', 'postgres'] as const)('tasks on %s', (kind) => {
  const open = storePerTest(kind);
  const world = () => taskWorld(open());
  const again = ({ id }: Task) => findTask(open().store, id);

  test('PROC-7 name their persona as the variant in telemetry', async () => {
    const { tasks } = world();
    const persona = { name: 'writer', personaDigest: `sha256:${'0'.repeat(64)}`, tools: ['a/*'] };
    const given = { title: 'x', definition: SHORT, commit: COMMIT, persona };
    const task = await tasks.start({ ...given, actor: AGENT, worker: 'coder' });
    const { events } = await tasks.advance(task, asked({ evidence: [PLAN()] }));
    expect(events).toMatchObject([{ name: 'agent.state.transition', variant: 'writer' }]);
    expect(await taskContextOf(open().store, task.id)).toMatchObject({ personaTools: ['a/*'] });
  });

  test('are given back as the commit left them, without reading them again', async () => {
    const { tasks, start } = world();
    const first = await start();
    const refused = await tasks.advance(first, asked({}));
    expect(refused).toMatchObject({ done: false, task: { version: first.version + 1 } });
    expect(refused.task).toEqual(await again(first));
    const moved = await tasks.advance(refused.task, asked({ evidence: [PLAN()] }));
    expect(moved).toMatchObject({ done: true, task: { phase: 'build', violations: {} } });
    expect(moved.task).toEqual(await again(first));
    const back = { actor: AGENT, worker: 'coder', to: 'plan', reason: 'again', session: undefined };
    const returned = await tasks.backtrack(moved.task, back);
    expect(returned).toMatchObject({ done: true, task: { phase: 'plan', round: 1 } });
    expect(returned.task).toEqual(await again(first));
  });

  test('PROC-1 PROC-8 go from phase to phase in order, each step recorded with its journal', async () => {
    const { tasks, start } = world();
    let task = await start();
    const skipped = await tasks.advance(task, asked({ to: 'check', evidence: [PLAN()] }));
    expect(skipped).toMatchObject({
      done: false,
      refused: { why: 'gate', reasons: [{ code: 'out_of_order' }], escalated: false },
    });
    expect(skipped.events.map((one) => ('name' in one ? one.name : one.kind))).toEqual([
      'phase_validations_failed',
      'phase_skips_attempted',
      'process.violation',
      'task_failure',
    ]);
    const evidence = [PLAN(), DIFF(), TESTS()];
    let spanId: string | undefined;
    for (const phase of ['build', 'check', null]) {
      const moved = await tasks.advance(
        await again(task),
        asked({
          evidence,
          promptDigests: [PROMPT_DIGEST],
          summary: 'token ghp_0123456789abcdefghijklmnopqrstuvwxyz',
        }),
      );
      expect(moved).toMatchObject({ done: true, events: [{ name: 'agent.state.transition' }] });
      spanId = (moved.events[0] as { spanId?: string }).spanId;
      task = moved.task;
      expect(task.phase).toBe(phase ?? 'check');
    }
    expect(task.state).toBe('done');
    const entries = await recorded(open().store);
    expect(entries.map(({ type, data }) => `${type} ${data['to'] ?? ''}`.trim())).toEqual([
      'process.task_started',
      'process.refused check',
      'process.advanced build',
      'process.advanced check',
      'process.advanced',
    ]);
    const last = entries.at(-1)!;
    const journal = await readArtifact(open().store, last.data['journalDigest'] as string);
    expect(last.artifacts[0]).toBe(journal.digest);
    const text = Buffer.from(journal.content).toString();
    expect(text).not.toContain('ghp_');
    expect(JSON.parse(text)).toMatchObject({
      phase: 'check',
      inputs: [{ kind: 'document' }, { kind: 'diff' }],
      outputs: [{ kind: 'tests', reliedOn: true }],
      prompts: [PROMPT_DIGEST],
      spanId,
    });
    expect(spanId).toMatch(/^span_/);
  });

  test('PROC-3 that went back need fresh evidence of that phase and of all behind it', async () => {
    const { tasks, start } = world();
    const evidence = [PLAN(), DIFF(), TESTS()];
    let task = await start();
    for (let phase = 0; phase < 2; phase++)
      task = (await tasks.advance(task, asked({ evidence }))).task;
    const back = await tasks.backtrack(task, {
      ...{ actor: PERSON, worker: 'ada', to: 'build', reason: 'no test', session: undefined },
    });
    expect(back).toMatchObject({
      done: true,
      task: { phase: 'build', round: 1, freshFrom: { build: 1, check: 1 } },
    });
    expect(back.events).toMatchObject([
      { name: 'phase_backtracks' },
      { name: 'agent.state.transition' },
    ]);
    const stale = await tasks.advance(back.task, asked({ evidence }));
    expect(stale).toMatchObject({ refused: { reasons: [{ code: 'stale_evidence' }] } });
    const fresh = [...evidence, { ...DIFF(), round: 1 }];
    expect(await tasks.advance(stale.task, asked({ evidence: fresh }))).toMatchObject({
      done: true,
    });
    expect(
      await tasks.backtrack(await again(task), {
        ...{ actor: PERSON, worker: 'ada', to: 'check', reason: 'x', session: undefined },
      }),
    ).toMatchObject({ refused: { why: 'no_way_back' } });
  });

  test('PROC-4 belong to one worker per phase: another is told who, and an overtaken one is refused', async () => {
    const { tasks, start } = world();
    const task = await start();
    const second = await tasks.advance(task, asked({ worker: 'bob', evidence: [PLAN()] }));
    expect(second).toMatchObject({ refused: { why: 'gate', reasons: [{ code: 'lease_held' }] } });
    expect(
      second.done === false && second.refused.why === 'gate' && second.refused.reasons[0]?.why,
    ).toContain('coder');
    expect(second.events).toMatchObject([{ name: 'phase_lease_contended', value: 1 }]);
    // Contention is no violation: nothing is recorded.
    expect(await recorded(open().store)).toHaveLength(1);
    open().clock.advance(LEASE_MS);
    expect(await tasks.advance(task, asked({ worker: 'bob', evidence: [PLAN()] }))).toMatchObject({
      done: true,
      task: { phase: 'build', worker: 'bob' },
    });
    // The next phase was handed over in the same commit.
    expect(await tasks.advance(await again(task), asked({ evidence: [DIFF()] }))).toMatchObject({
      refused: { reasons: [{ code: 'lease_held' }] },
    });
    const rows = await open().store.all(
      `SELECT name, holder FROM lease_leases WHERE name LIKE 'task%' ORDER BY name`,
    );
    expect(rows).toEqual([
      { name: leaseName({ id: task.id, phase: 'build' }), holder: 'bob' },
      { name: leaseName({ id: task.id, phase: 'plan' }), holder: null },
    ]);
  });

  test('two requests at once on what was read: one is told that it changed', async () => {
    const { tasks, start } = world();
    const task = await start();
    const both = await Promise.all([
      tasks.advance(task, asked({ evidence: [PLAN()] })),
      tasks.advance(task, asked({ evidence: [PLAN()] })),
    ]);
    expect(both.filter(({ done }) => done)).toHaveLength(1);
    expect((await again(task)).phase).toBe('build');
  });

  test('PROC-9 that break the same rule three times wait for a person, with a diary', async () => {
    const { tasks, start } = world();
    let task = await start();
    const notices: string[] = [];
    const escalation = (why: string) => {
      notices.push(why);
      return {};
    };
    for (let time = 1; time <= 3; time++) {
      const refused = await tasks.advance(
        task,
        asked({ to: 'check', evidence: [PLAN()], escalation }),
      );
      expect(refused).toMatchObject({ refused: { escalated: time === 3 } });
      task = refused.task;
    }
    expect(notices).toHaveLength(1);
    expect(task).toMatchObject({ escalated: 'repeated' });
    const escalated = (await recorded(open().store)).at(-1)!;
    const diary = await readArtifact(open().store, escalated.data['diaryDigest'] as string);
    expect(JSON.parse(Buffer.from(diary.content).toString())).toMatchObject({
      refusedSince: { 'plan/out_of_order/check': 2 },
      missing: [{ code: 'out_of_order' }],
    });
    const waits = await tasks.advance(task, asked({ evidence: [PLAN()] }));
    expect(waits).toMatchObject({ refused: { reasons: [{ code: 'escalated' }] } });
    expect(await tasks.release(waits.task, PERSON, 'talked to it')).toBe(true);
    expect(await tasks.advance(await again(task), asked({ evidence: [PLAN()] }))).toMatchObject({
      done: true,
    });
  });

  test('PROC-9 without progress for 90 minutes are asked about once, and progress ends it', async () => {
    const { tasks, start } = world();
    const task = await start();
    const asking = () => tasks.escalateStalled(() => ({}));
    open().clock.advance(5_399_999);
    expect(await asking()).toBe(0);
    open().clock.advance(1);
    expect([await asking(), await asking()]).toEqual([1, 0]);
    const stalled = await again(task);
    expect(stalled).toMatchObject({ escalated: 'stalled' });
    expect(await tasks.advance(stalled, asked({ evidence: [PLAN()] }))).toMatchObject({
      done: true,
      task: { escalated: null },
    });
  });

  test('are found by the session that works on them', async () => {
    const { tasks, start } = world();
    const { store } = open();
    const task = await start();
    expect(await taskContextOfSession(store, 's1')).toBeUndefined();
    await tasks.bind(task, { actor: AGENT, worker: 'coder' }, 's1');
    const context = {
      ...{ taskId: task.id, process: 'short', phase: 'plan', phaseRisk: 'read_only' },
      ...{ phaseTools: ['notes/*'], personaTools: undefined },
    };
    expect(await taskContextOfSession(store, 's1')).toEqual(context);
    expect(await taskContextOf(store, task.id)).toEqual(context);
    await expect(taskContextOf(store, 'task_no')).rejects.toMatchObject({ code: 'unknown' });
  });

  test('LEDGER-4 their tables, folded from the ledger, are byte-equal', async () => {
    const { tasks, start } = world();
    const { store, clock } = open();
    let task = await start({ commit: null });
    await tasks.bind(task, { actor: AGENT, worker: 'coder' }, 's1');
    await tasks.moveCommit(await again(task), AGENT, COMMIT);
    clock.advance(1000);
    task = (await tasks.advance(await again(task), asked({ to: 'check' }))).task;
    task = (await tasks.advance(task, asked({ evidence: [PLAN()] }))).task;
    await tasks.escalate(task, { cause: 'claims', why: ownWords('test'), notices: {} });
    await tasks.release(await again(task), PERSON, 'seen');
    await tasks.backtrack(await again(task), {
      ...{ actor: PERSON, worker: 'ada', to: 'plan', reason: 'again', session: undefined },
    });
    await start({ title: 'another' });
    const before = await dump(store);
    expect(await listTasks(store, { limit: 10 })).toHaveLength(2);
    const entries = await recorded(store);
    for (const table of PROJECTED_TABLES)
      for (const row of await store.all(`SELECT * FROM ${table}`)) {
        const where = 'id' in row ? { id: row['id']! } : { session_id: row['session_id']! };
        await store.commit({ writes: [{ delete: table, where }] });
      }
    expect(await dump(store)).not.toBe(before);
    const folded = new Map();
    for (const entry of entries) await store.commit({ writes: projectEntry(entry, folded) });
    expect(await dump(store)).toBe(before);
  });
});

async function dump(store: Store): Promise<string> {
  const rows = PROJECTED_TABLES.map((table) => store.all(`SELECT * FROM ${table} ORDER BY 1`));
  return JSON.stringify(await Promise.all(rows), null, 1);
}

describe.each(['file', 'postgres'] as const)(
  'a task that somebody edited by hand on %s',
  (kind) => {
    const open = storePerTest(kind);

    test('by its process: nothing moves, and nothing is lost', async () => {
      const task = await taskWorld(open()).start();
      await using intruder = await breakIn(open().store.engine, open().place);
      const easy = Buffer.from(JSON.stringify({ name: 'short', phases: [{ name: 'plan' }] }));
      await intruder.run('UPDATE artifact_blobs SET content = ?', [easy]);
      // Whoever has not read it before reads it now.
      const { tasks } = taskWorld(open());
      const asking = tasks.advance(task, asked({ evidence: [PLAN()] }));
      await expect(asking).rejects.toMatchObject({ code: 'altered' });
      expect(await findTask(open().store, task.id)).toEqual(task);
      expect(await recorded(open().store)).toHaveLength(1);
    });

    test('by its row, into a later phase: what Hone itself had to see before is asked for all the same', async () => {
      const { tasks, start } = taskWorld(open());
      const task = await start();
      await using intruder = await breakIn(open().store.engine, open().place);
      await intruder.run("UPDATE process_tasks SET phase = 'check'", []);
      const there = await findTask(open().store, task.id);
      const outcome = await tasks.advance(there, asked({ evidence: [TESTS()] }));
      expect(outcome).toMatchObject({ done: false });
    });
  },
);
