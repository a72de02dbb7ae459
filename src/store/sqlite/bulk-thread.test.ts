/** Large plans in a thread of their own: the same answers, faults and order as without it. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqlite, type Plan, type Store, telemetryMigrations, type Value } from '../index.ts';
import { isLarge } from './bulk-thread.ts';

let folder: string;
let path: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hone-bulk-'));
  path = join(folder, 'telemetry.db');
  store = await openSqlite({
    path,
    synchronous: 'normal',
    migrations: telemetryMigrations,
    bulkThread: true,
  });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const ROWS = 3500;

/** So many counts, in hours from `hour` on. */
function counts(hour: number, rows = ROWS): Plan {
  const values: Value[] = [];
  for (let row = 0; row < rows; row++) values.push(hour, row, 1, 1);
  const key = ['hour_ms', 'series', 'bucket'];
  return {
    writes: [{ upsertRows: 'observe_latencies', key, merge: { events: 'add' }, values }],
  };
}

async function sums(): Promise<{ rows: number; events: number }> {
  const sql = 'SELECT count(*) AS rows, coalesce(sum(events), 0) AS events FROM observe_latencies';
  const [row] = await store.all(sql);
  return row as { rows: number; events: number };
}

test('only plans of many rows, without entries and effects, go to the thread', () => {
  expect(isLarge(counts(1))).toBe(true);
  expect(isLarge(counts(1, 10))).toBe(false);
  const effect = { key: 'k', destination: 'd', payload: {}, step: 'notify' } as const;
  expect(isLarge({ ...counts(1), effects: [effect] })).toBe(false);
});

test('what is acknowledged can be read at once, and small commits go on meanwhile', async () => {
  const large = [1, 2, 1].map((hour) => store.commit(counts(hour)));
  const small = Array.from({ length: 20 }, (_, at) => store.commit(counts(1000 + at, 1)));
  expect(await Promise.all([...large, ...small])).toEqual(
    Array.from({ length: 23 }, () => ({ committed: true })),
  );
  expect(await sums()).toEqual({ rows: 2 * ROWS + 20, events: 3 * ROWS + 20 });
});

test('a refused expectation is named, and nothing of its plan is written', async () => {
  const expected = { table: 'observe_latencies', where: { hour_ms: 7 } } as const;
  const refused = await store.commit({ ...counts(1), expect: [expected] });
  expect(refused).toEqual({ committed: false, refused: expected });
  expect(await sums()).toMatchObject({ rows: 0 });
});

test('a fault keeps its code and hint, and the next plan is written', async () => {
  const twice: Plan = {
    writes: [
      ...counts(1).writes!,
      { insert: 'observe_latencies', row: { hour_ms: 1, series: 1, bucket: 1, events: 1 } },
    ],
  };
  await expect(store.commit(twice)).rejects.toMatchObject({
    name: 'StoreError',
    code: 'constraint',
    hint: expect.stringContaining('defect'),
  });
  expect(await sums()).toMatchObject({ rows: 0 });
  expect(await store.commit(counts(2))).toEqual({ committed: true });
});

test('another process that holds the lock is waited for', async () => {
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const commit = store.commit(counts(1));
  // Answered by the same thread only when the lock is free.
  const small = store.commit(counts(2, 1));
  await new Promise((resolve) => setImmediate(resolve));
  other.exec('COMMIT');
  other.close();
  expect(await Promise.all([commit, small])).toEqual([{ committed: true }, { committed: true }]);
});

test('closing waits for what was handed over, and refuses more', async () => {
  const commits = [1, 2, 3].map((hour) => store.commit(counts(hour)));
  await store.close();
  expect(await Promise.all(commits)).toHaveLength(3);
  const again = new DatabaseSync(path, { readOnly: true });
  expect(again.prepare('SELECT count(*) AS n FROM observe_latencies').get()).toEqual({
    n: 3 * ROWS,
  });
  again.close();
  await expect(store.commit(counts(4))).rejects.toMatchObject({ code: 'closed' });
});

test('a file that was taken away is not made anew: the plan is refused with the reason', async () => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`);
  await expect(store.commit(counts(1))).rejects.toMatchObject({
    code: 'unreachable',
    message: `${path} is gone.`,
  });
  expect(existsSync(path)).toBe(false);
});
