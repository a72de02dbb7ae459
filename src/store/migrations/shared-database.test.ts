/** Control and telemetry share one database on PostgreSQL. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase } from '../../../test/stores.ts';
import { openPostgres } from '../postgres/store.ts';
import type { Store } from '../types.ts';
import { allMigrations, controlMigrations, telemetryMigrations } from './index.ts';
import type { MigrationSet } from './types.ts';

const EVERY_ID = allMigrations.migrations.map(({ id }) => id);

describe('one PostgreSQL database for control and telemetry', () => {
  let database: { url: string; drop: () => Promise<void> };
  const opened: Store[] = [];
  beforeEach(async () => {
    database = await freshDatabase({ empty: true });
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await database.drop();
  });
  const open = async (migrations: MigrationSet) => {
    const store = await openPostgres({ url: database.url, migrations, connectionsMax: 2 });
    opened.push(store);
    return store;
  };
  const applied = async (store: Store) =>
    (await store.all('SELECT id FROM store_migrations ORDER BY id')).map((row) => row['id']);
  const expectRefusal = async (store: Store, table: string) => {
    const where = { id: 7 };
    expect(await store.commit({ expect: [{ table, where }] })).toMatchObject({ committed: false });
  };

  test.each([
    ['control first', [controlMigrations, telemetryMigrations]],
    ['telemetry first', [telemetryMigrations, controlMigrations]],
    ['both in one', [allMigrations, telemetryMigrations, controlMigrations]],
  ])('opened %s, both work', async (_, sets) => {
    for (const set of sets) {
      const store = await open(set);
      if (set !== telemetryMigrations) await expectRefusal(store, 'policy_stops');
      if (set !== controlMigrations) await expectRefusal(store, 'observe_aside');
    }
    expect(await applied(opened[0]!)).toEqual(EVERY_ID);
  });

  test('twenty of all kinds that start at once all open it, and it is migrated once', async () => {
    const sets = [controlMigrations, telemetryMigrations, allMigrations];
    await Promise.all(Array.from({ length: 20 }, (_, at) => open(sets[at % sets.length]!)));
    expect(await applied(opened[0]!)).toEqual(EVERY_ID);
  });

  test('a newer, breaking migration of one kind turns away those who open that kind', async () => {
    await open(allMigrations);
    const row = { name: 'renamed', breaking: 1, fingerprint: 'f' };
    const insert = (id: number) =>
      opened[0]!.commit({ writes: [{ insert: 'store_migrations', row: { id, ...row } }] });
    const refusal = { name: 'StoreError', code: 'newer_schema' };
    await insert(1900);
    await expect(open(telemetryMigrations)).rejects.toMatchObject(refusal);
    await expect(open(allMigrations)).rejects.toMatchObject(refusal);
    await open(controlMigrations);
    await insert(900);
    await expect(open(controlMigrations)).rejects.toMatchObject(refusal);
  });
});
