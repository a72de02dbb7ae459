/** The same commit on PostgreSQL, with `fsync` on, against a bare INSERT there. */
import pg from 'pg';
import { controlMigrations } from '../../src/store/index.ts';
import { openPostgres } from '../../src/store/postgres/store.ts';
import { startPostgres } from '../../test/postgres-server.ts';
import type { Context, Figure } from '../../tools/measure.ts';
import { assertCommitted, change, parts, proposals, ROW_BYTES } from './bench-store.ts';
import { median, ratePerSecond, takeTurns } from './timing.ts';

export async function postgresFigures({ scale, progress }: Context): Promise<Figure[]> {
  progress('PostgreSQL');
  const server = await startPostgres({ fsync: true });
  const store = await openPostgres({
    url: server.url,
    migrations: controlMigrations,
    parts,
    connectionsMax: 64,
  });
  const bare = new pg.Client({ connectionString: server.url });
  try {
    await bare.connect();
    await bare.query('CREATE TABLE bare (id bigserial PRIMARY KEY, body text NOT NULL)');
    const insert = {
      name: 'bare',
      text: 'INSERT INTO bare (body) VALUES ($1)',
      values: [ROW_BYTES],
    };
    const check = assertCommitted;
    check(await store.commit(proposals()));
    let number = 0;
    const versions = new Map<number, number>();
    // Each worker keeps to its own rows: what is measured is commits, not quarrels about one row.
    const commit = (worker: number) => {
      const at = worker * 7 + (++number % 7);
      const version = versions.get(at) ?? 0;
      versions.set(at, version + 1);
      return store.commit({ ...change(at, version), effects: change(number, 0).effects! });
    };
    // Connections are made when they are first needed: that is start-up, not committing.
    await ratePerSecond(commit, { workers: 64, ms: 2000 * scale, check });
    const turns = await takeTurns({
      measured: () => commit(0),
      floor: () => bare.query(insert),
      count: Math.ceil(2000 * scale),
      block: 50,
      check,
    });
    const one = await ratePerSecond(commit, { workers: 1, ms: 3000 * scale, check });
    const many = await ratePerSecond(commit, { workers: 64, ms: 3000 * scale, check });
    const [measured, floor] = [median(turns.measured), median(turns.floor)];
    return [
      { metric: 'postgres_change_ratio', value: measured / floor, measured, floor, unit: 'ms p50' },
      {
        metric: 'postgres_64_speedup',
        value: many / one,
        measured: many,
        floor: one,
        unit: 'commits/s',
      },
    ];
  } finally {
    await bare.end();
    await store.close();
    await server.stop();
  }
}
