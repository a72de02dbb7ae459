/**
 * What a lease costs, against a bare one-row UPDATE transaction. A write that changes nothing is not
 * synced, so each operation and each bare UPDATE changes its row, and that is asserted.
 */
import assert from 'node:assert';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Lease, Leases } from '../src/lease/index.ts';
import type { Figure, Measurement } from '../tools/measure.ts';
import { openFile, withFolder } from './parts/bench-store.ts';
import { median, takeTurns } from './parts/timing.ts';

const TTL_MS = 60_000;
/** Another than the first: a renewal in the millisecond of the acquisition moves the time too. */
const RENEWED_TTL_MS = 90_000;
/** In the order they are done, again and again. */
const OPERATIONS = ['acquire', 'renew', 'release'] as const;
const BLOCK = 20 * OPERATIONS.length;

export const measurement: Measurement = {
  what: 'acquire, renew and release against a bare UPDATE',
  aims: { operation_ratio: '<=1.2' },
  async *run({ scale }) {
    yield* await withFolder((folder) => leaseFigures(folder, Math.ceil(6000 * scale)));
  },
};

async function leaseFigures(folder: string, count: number): Promise<Figure[]> {
  const store = await openFile(folder);
  const bare = bareUpdate(folder);
  const times = await takeTurns({
    measured: inTurn(new Leases(store)),
    floor: bare.update,
    count,
    block: BLOCK,
  });
  await store.close();
  assert.equal(bare.close(), times.floor.length, 'every bare UPDATE changed its row');

  const floor = median(times.floor);
  const figures = OPERATIONS.map((operation, at): Figure => {
    const measured = median(times.measured.filter((_, i) => i % OPERATIONS.length === at));
    const metric = `${operation}_ratio`;
    return { metric, value: measured / floor, measured, floor, unit: 'ms p50' };
  });
  const worst = figures.reduce((a, b) => (a.value >= b.value ? a : b));
  const note = `the worst of the three: ${worst.metric}`;
  return [{ ...worst, metric: 'operation_ratio', note }, ...figures];
}

/** Does the next operation of one lease's life at each call. */
function inTurn(leases: Leases): () => Promise<void> {
  let held: Lease | undefined;
  let turn = 0;
  const operations = {
    acquire: async () => {
      const result = await leases.acquire('bench', 'bench', TTL_MS);
      assert(result.acquired, 'the release before gave it back'); // a release returns nothing itself
      held = result.lease;
    },
    renew: async () => {
      const renewed = await leases.renew(held!, RENEWED_TTL_MS);
      assert(
        renewed !== undefined && renewed.expiresAtMs !== held!.expiresAtMs,
        'the renewal moved the time',
      );
      held = renewed;
    },
    release: () => leases.release(held!),
  };
  return () => operations[OPERATIONS[turn++ % OPERATIONS.length]!]();
}

/** One row in the same mode and folder; `close` says how often it was changed. */
function bareUpdate(folder: string): { update: () => void; close: () => number } {
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE bare (name TEXT PRIMARY KEY, token INTEGER) STRICT, WITHOUT ROWID');
  database.exec(`INSERT INTO bare VALUES ('a', 0)`);
  const statement = database.prepare(`UPDATE bare SET token = token + 1 WHERE name = 'a'`);
  return {
    update: () => void statement.run(),
    close: () => {
      const changes = database.prepare('SELECT token FROM bare').get()!['token'] as number;
      database.close();
      return changes;
    },
  };
}
