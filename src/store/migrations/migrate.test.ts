import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runStoreWorkers } from '../../../test/processes.ts';
import { freshDatabase } from '../../../test/stores.ts';
import { openPostgres } from '../postgres/store.ts';
import { openDatabase } from '../sqlite/database.ts';
import { openSqlite } from '../sqlite/store.ts';
import { FINGERPRINTS } from './fingerprints.ts';
import { allMigrations, controlMigrations } from './index.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { countedFingerprint } from './other-build.ts';
import type { MigrationSet } from './types.ts';

const AT_ONCE = 20;
const PROCESSES = 4;
/** From e2fsprogs, which every Debian has; without it one test is skipped, loudly. */
const CHATTR = 'chattr';

/** An empty place of each engine, what opens it as Hone does, and what somebody else does to it. */
interface Place {
  readonly location: string;
  open(migrations?: MigrationSet): ReturnType<typeof openSqlite>;
  sql(text: string): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

function sqlitePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'hone-migrate-'));
  const location = join(folder, 'control.db');
  return {
    location,
    open: (migrations = controlMigrations) =>
      openSqlite({ path: location, synchronous: 'normal', migrations }),
    sql: async (text) => {
      const database = new DatabaseSync(location, { timeout: 5000 });
      const rows = database.prepare(text).all();
      database.close();
      return rows.map((row) => ({ ...row }));
    },
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgresPlace(): Promise<Place> {
  const { url, drop } = await freshDatabase({ empty: true });
  return {
    location: url,
    open: (migrations = controlMigrations) => openPostgres({ url, migrations, connectionsMax: 2 }),
    sql: async (text) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query(text);
      await client.end();
      return rows;
    },
    drop,
  };
}

const OWN = controlMigrations.migrations.length;

const tables = {
  sqlite: `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`,
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
};

describe.each(['sqlite', 'postgres'] as const)('STORE-3 migrations on %s', (engine) => {
  let place: Place;
  beforeEach(async () => {
    place = engine === 'sqlite' ? sqlitePlace() : await postgresPlace();
  });
  afterEach(() => place.drop());
  const tableNames = async () => (await place.sql(tables[engine])).map(({ name }) => name);

  test('twenty that start at once on an empty database all open it, and it is migrated once', async () => {
    const names = Array.from({ length: PROCESSES }, (_, at) => `starter ${at}`);
    const processes = runStoreWorkers(place.location, names, 0);
    const inProcess = Array.from({ length: AT_ONCE - PROCESSES }, () => place.open());
    const [stores, heard] = await Promise.all([Promise.all(inProcess), processes]);
    for (const one of heard) expect(one).toEqual({ code: 0, lines: ['opened'], errors: '' });
    for (const store of stores) {
      expect(await store.all('SELECT count(*) AS n FROM ledger_entries')).toHaveLength(1);
      await store.close();
    }
    const applied = await place.sql('SELECT name FROM store_migrations ORDER BY id');
    expect(applied).toEqual(controlMigrations.migrations.map(({ name }) => ({ name })));
  });

  test('old code refuses a schema that a newer build broke, and says what to do', async () => {
    await (await place.open()).close();
    await place.sql(`INSERT INTO store_migrations VALUES (77, 'renamed', 1, 'f')`);
    const opening = place.open();
    await expect(opening).rejects.toMatchObject({ name: 'StoreError', code: 'newer_schema' });
    await expect(opening).rejects.toThrow(/77 renamed/);
    await expect(opening).rejects.toMatchObject({ hint: expect.stringContaining('newer Hone') });
  });

  test('old code goes on beside a newer schema that broke nothing', async () => {
    await (await place.open()).close();
    await place.sql(`INSERT INTO store_migrations VALUES (77, 'added', 0, 'f')`);
    const store = await place.open();
    expect(await store.all('SELECT id FROM store_migrations')).toHaveLength(OWN + 1);
    await store.close();
  });

  test('a store of an unreleased build, with another text of a migration, is refused and left as it is', async () => {
    const [first, ...rest] = controlMigrations.migrations;
    const older = {
      ...first!,
      sqlite: `${first!.sqlite}CREATE TABLE store_gone (a INTEGER) STRICT;`,
      postgres: `${first!.postgres}CREATE TABLE store_gone (a bigint);`,
    };
    await (await place.open({ ...controlMigrations, migrations: [older, ...rest] })).close();
    const before = await tableNames();
    const opening = place.open();
    await expect(opening).rejects.toMatchObject({ code: 'unreleased_schema' });
    await expect(opening).rejects.toThrow(/unreleased build.*migration 1 \(foundation\)/);
    await expect(opening).rejects.toMatchObject({ hint: expect.stringContaining('hone init') });
    expect(await tableNames()).toEqual(before);
    await (await place.open({ ...controlMigrations, migrations: [older, ...rest] })).close();
  });

  test('a store of before fingerprints were kept is refused as well', async () => {
    await (await place.open()).close();
    await place.sql('ALTER TABLE store_migrations DROP COLUMN fingerprint');
    await expect(place.open()).rejects.toMatchObject({ code: 'unreleased_schema' });
  });

  test('of two builds that start at once, the one that comes second is refused', async () => {
    const [first, ...rest] = controlMigrations.migrations;
    const other = { ...first!, sqlite: `${first!.sqlite} `, postgres: `${first!.postgres} ` };
    const set = { ...controlMigrations, migrations: [other, ...rest] };
    const both = await Promise.allSettled([place.open(), place.open(set)]);
    for (const one of both) if (one.status === 'fulfilled') await one.value.close();
    const refused = both.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'unreleased_schema' } }]);
  });

  test('new code brings an old schema up, one migration after the other', async () => {
    await (await place.open()).close();
    const more = (id: number) => ({
      id,
      name: `more ${id}`,
      breaking: false,
      sqlite: `CREATE TABLE store_more_${id} (a INTEGER) STRICT`,
      postgres: `CREATE TABLE store_more_${id} (a bigint)`,
    });
    const newer = {
      ...controlMigrations,
      migrations: [...controlMigrations.migrations, more(902), more(903)],
    };
    await (await place.open(newer)).close();
    expect(await tableNames()).toEqual(
      expect.arrayContaining(['store_more_902', 'store_more_903']),
    );
  });

  test('a migration that fails half-way leaves nothing of itself, and is tried again', async () => {
    const broken = {
      id: 902,
      name: 'broken',
      breaking: false,
      sqlite: 'CREATE TABLE store_half (a INTEGER) STRICT; CREATE TABLE ledger_entries (a)',
      postgres: 'CREATE TABLE store_half (a bigint); CREATE TABLE ledger_entries (a bigint)',
    };
    const set = { ...controlMigrations, migrations: [...controlMigrations.migrations, broken] };
    await expect(place.open(set)).rejects.toThrow(/ledger_entries/);
    expect(await tableNames()).not.toContain('store_half');
    expect(await place.sql('SELECT id FROM store_migrations')).toHaveLength(OWN);
    await (await place.open()).close();
  });

  test('a database of somebody else is refused and left as it is', async () => {
    await place.sql('CREATE TABLE theirs (a integer)');
    await place.sql('INSERT INTO theirs VALUES (42)');
    const before = engine === 'sqlite' ? readFileSync(place.location) : undefined;
    const opening = place.open();
    await expect(opening).rejects.toMatchObject({ code: 'foreign' });
    await expect(opening).rejects.toMatchObject({
      hint: expect.stringContaining('Nothing was changed'),
    });
    expect(await tableNames()).toEqual(['theirs']);
    expect(await place.sql('SELECT a FROM theirs')).toEqual([{ a: 42 }]);
    if (before !== undefined) {
      expect(readFileSync(place.location).equals(before)).toBe(true);
      expect(readdirSync(join(place.location, '..'))).toEqual(['control.db']);
    }
  });
});

describe('STORE-3 places of every condition on sqlite', () => {
  let place: Place;
  beforeEach(() => {
    place = sqlitePlace();
  });
  afterEach(() => place.drop());

  test('one that is overtaken between looking and migrating finds it done', async () => {
    const first = openDatabase({ path: place.location, synchronous: 'normal' });
    const second = openDatabase({ path: place.location, synchronous: 'normal' });
    let looks = 0;
    const LOOKS = 4;
    const overtaken: MigrationSet = {
      name: 'control',
      get migrations() {
        looks += 1; // the last look begins to apply; those before it are at what was applied
        if (looks === LOOKS) migrateSqlite(second, controlMigrations, place.location);
        return controlMigrations.migrations;
      },
    };
    migrateSqlite(first, overtaken, place.location);
    expect(looks).toBeGreaterThanOrEqual(LOOKS);
    for (const database of [first, second]) database.close();
    expect(await place.sql('SELECT id FROM store_migrations')).toHaveLength(OWN);
  });

  test('a file damaged behind its header is corrupt, and left as it is', async () => {
    await (await place.open()).close();
    const bytes = readFileSync(place.location);
    bytes.fill(0xa5, 100, 4096);
    writeFileSync(place.location, bytes);
    await expect(place.open()).rejects.toMatchObject({ name: 'StoreError', code: 'corrupt' });
    expect(readFileSync(place.location).equals(bytes)).toBe(true);
  });

  test('a file cut short is corrupt when what is missing is read', async () => {
    await (await place.open()).close();
    const bytes = readFileSync(place.location);
    writeFileSync(place.location, bytes.subarray(0, 4096 * 2));
    const opening = place.open().then((store) => store.all('SELECT count(*) FROM outbox_effects'));
    await expect(opening).rejects.toMatchObject({ name: 'StoreError', code: 'corrupt' });
  });

  test('a file where a folder should be cannot be reached', async () => {
    writeFileSync(place.location, 'not a folder');
    const path = join(place.location, 'below', 'control.db');
    const opening = openSqlite({ path, synchronous: 'full', migrations: controlMigrations });
    await expect(opening).rejects.toMatchObject({ name: 'StoreError', code: 'unreachable' });
    expect(readFileSync(place.location, 'utf8')).toBe('not a folder');
  });

  test('a folder that takes no new file cannot be reached', async () => {
    const path = '/proc/control.db'; // refuses root too
    const opening = openSqlite({ path, synchronous: 'full', migrations: controlMigrations });
    await expect(opening).rejects.toMatchObject({ name: 'StoreError', code: 'unreachable' });
  });

  test('a database that may not be written is opened, read, and refuses to be changed', async ({
    skip,
  }) => {
    await (await place.open()).close();
    const thaw = freeze(place.location);
    if (thaw === undefined) return skip('as root this needs a file system with chattr');
    try {
      const writing = place.open().then(async (store) => {
        const row = { consumer: 'x', position: 1 };
        await store.commit({ writes: [{ insert: 'ledger_cursors', row }] });
      });
      const code = expect.stringMatching(/^(read_only|unreachable)$/);
      await expect(writing).rejects.toMatchObject({ name: 'StoreError', code });
    } finally {
      thaw();
    }
    await (await place.open()).close();
  });
});

/** Makes a file and its folder read-only, for root too; how to undo it, if it could be done. */
function freeze(path: string): (() => void) | undefined {
  const folder = dirname(path);
  if (process.getuid?.() !== 0) {
    chmodSync(path, 0o444);
    chmodSync(folder, 0o555);
    return () => chmodSync(folder, 0o755);
  }
  const chattr = (flag: string) => spawnSync(CHATTR, [flag, path, folder]).status === 0;
  return chattr('+i') ? () => void chattr('-i') : undefined;
}

test('STORE-3 the fingerprints that are listed are those of the texts', () => {
  const counted = allMigrations.migrations.map((migration) => [
    migration.id,
    {
      sqlite: countedFingerprint(migration.sqlite),
      postgres: countedFingerprint(migration.postgres),
    },
  ]);
  const listed = Object.entries(FINGERPRINTS).map(([id]) => Number(id));
  expect(listed.length).toBeGreaterThan(10);
  expect(FINGERPRINTS).toEqual(
    Object.fromEntries(counted.filter(([id]) => listed.includes(id as number))),
  );
});
