/** What a lease costs, against a bare one-row UPDATE transaction. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Leases } from '../src/lease/index.ts';
import type { Measurement } from '../tools/measure.ts';
import { openFile, withFolder } from './parts/bench-store.ts';
import { median, takeTurns } from './parts/timing.ts';

export const measurement: Measurement = {
  what: 'acquire, renew and release against a bare UPDATE',
  aims: { operation_ratio: '<=1.2' },
  async *run({ scale }) {
    yield* await withFolder(async (folder) => {
      const leases = new Leases(await openFile(folder));
      const database = new DatabaseSync(join(folder, 'bare.db'));
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      database.exec(
        'CREATE TABLE bare (name TEXT PRIMARY KEY, token INTEGER) STRICT, WITHOUT ROWID',
      );
      database.exec(`INSERT INTO bare VALUES ('a', 0)`);
      const update = database.prepare(`UPDATE bare SET token = token + 1 WHERE name = 'a'`);
      let held = await acquired(leases);
      let turn = 0;
      // Acquire, renew and release in turn, each timed as one operation.
      const operation = async () => {
        turn += 1;
        if (turn % 3 === 1) await leases.renew(held, 60_000);
        else if (turn % 3 === 2) await leases.release(held);
        else held = await acquired(leases);
      };
      const times = await takeTurns({
        measured: operation,
        floor: () => update.run(),
        count: Math.ceil(6000 * scale),
        block: 60,
      });
      const [measured, floor] = [median(times.measured), median(times.floor)];
      database.close();
      return [
        { metric: 'operation_ratio', value: measured / floor, measured, floor, unit: 'ms p50' },
      ];
    });
  },
};

async function acquired(leases: Leases) {
  const result = await leases.acquire('bench', 'bench', 60_000);
  if (!result.acquired) throw new Error('nobody else wants this lease');
  return result.lease;
}
