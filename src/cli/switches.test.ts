/** Gates that do not enforce and schedules that fail, as a tired operator sees them: the real process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeInstallation } from '../../test/cli.ts';
import { parts } from '../../test/stores.ts';
import { ownWords } from '../base/index.ts';
import * as contracts from '../contracts/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { controlMigrations, openSqlite } from '../store/index.ts';
import { agentFile, calls, makeTarget, SETTINGS } from './target.test-support.ts';

test('SWITCH-1 what a gate let pass is said at once, and shown to whoever looks later', async () => {
  using target = await makeTarget({ 'agents/researcher.yaml': agentFile('researcher', 'search') });
  writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
  target.append(calls({ agent: 'researcher', tool: 'search', untilMs: Date.now() }));
  const made = contracts.initJson.parse((await target.hone('init', '--json')).json());
  expect((await target.hone('cycle')).exit).toBe(0);
  const { proposals } = contracts.proposalsListJson.parse(
    (await target.hone('proposals', 'list', '--json')).json(),
  );
  const { id, digest } = proposals[0]!;
  const approve = () => target.hone('approve', id, '--digest', digest);
  const show = async () =>
    contracts.proposalsShowJson.parse(
      (await target.hone('proposals', 'show', id, '--json')).json(),
    );
  expect(await show()).toMatchObject({ tier: 'require', letPass: [] });
  expect(await approve()).toMatchObject({ exit: 1 });

  // Whoever is at the command line cannot do away with the proof that is asked of them.
  for (const mode of ['observe', 'off']) {
    expect((await target.hone('switch', 'set', 'identity', mode)).exit).toBe(1);
    expect(await approve()).toMatchObject({ exit: 1 });
  }
  const operator = { HONE_TOKEN: made.token!.secret };
  expect((await target.honeWith(operator, 'switch', 'set', 'identity', 'observe')).exit).toBe(0);
  const approved = await approve();
  expect(approved.exit).toBe(0);
  const words = approved.out.replace(/\s+/g, ' ');
  expect(words).toContain('Let pass, because the gate identity only observes');
  expect(words).toContain(
    'operator@example.org is verified by local, and tier require needs token.',
  );

  expect((await target.hone('switch', 'set', 'identity', 'enforce')).exit).toBe(0);
  const { letPass } = await show();
  expect(letPass.map(({ gate, what }) => [gate, what])).toEqual([
    ['identity', 'the decision on the way to approved'],
    ['identity', 'the decision on the way to deploying'],
  ]);
  const text = (await target.hone('proposals', 'show', id)).out;
  expect(text).toContain('Let pass by gates that do not enforce\n  identity: the decision');
});

test('SCHED-1 all are listed before their first run, and the last that failed is told by status', async () => {
  using here = makeInstallation({ inProcess: true });
  const stateDir = await here.stateDir();
  const list = async () =>
    contracts.scheduleListJson.parse((await here.hone('schedule', 'list', '--json')).json());
  const { schedules } = await list();
  expect(schedules.map(({ name }) => name)).toEqual([
    'telemetry',
    'retention',
    'criticalNotices',
    'highNotices',
    'digest',
    'stalledTasks',
    'selfEvaluation',
    'enhancementScan',
  ]);
  for (const { nextDueAt, lastDueAt } of schedules) {
    expect(Date.parse(nextDueAt)).toBeGreaterThan(Date.now() - 60_000);
    expect(lastDueAt).toBeNull();
  }
  const table = (await here.hone('schedule', 'list')).out;
  expect(table).toContain('enhancementScan');
  expect(table).toContain('never');
  const before = contracts.statusJson.parse((await here.hone('status', '--json')).json());
  expect(before.failedSchedule).toBeNull();

  const atMs = Date.UTC(2025, 5, 1, 9);
  const store = await openSqlite({
    path: join(stateDir, 'control.db'),
    synchronous: 'full',
    migrations: controlMigrations,
    parts,
  });
  const row = { cron: '0 9 * * * UTC', next_due_ms: atMs + 86_400_000, last_due_ms: atMs };
  await store.commit({
    writes: [
      {
        insert: 'schedule_schedules',
        row: { name: 'digest', ...row, last_outcome: 'failed', last_finished_ms: atMs + 1000 },
      },
    ],
    entries: [
      {
        type: 'schedule.ran',
        actor: SYSTEM,
        subject: 'schedule:digest',
        data: {
          schedule: 'digest',
          dueAtMs: atMs,
          outcome: 'failed',
          missed: 0,
          step: 'notify',
          error: ownWords('no disk\u001b[31m'),
        },
      },
    ],
  });
  await store.close();
  const status = contracts.statusJson.parse((await here.hone('status', '--json')).json());
  expect(status.failedSchedule).toMatchObject({ name: 'digest', outcome: 'failed' });
  const text = (await here.hone('status')).out.replace(/\s+/g, ' ');
  expect(text).toContain('The schedule digest failed at 2025-06-01 09:00 UTC: no disk');
  expect(text).not.toContain('\u001b');
  expect((await list()).schedules.find(({ name }) => name === 'digest')).toMatchObject({
    nextDueAt: '2025-06-02T09:00:00.000Z',
    lastOutcome: 'failed',
  });
});
