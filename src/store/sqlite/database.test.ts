import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errorStatus } from '../../contracts/error-table.ts';
import { controlMigrations, openSqlite } from '../index.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hone-database-'));
  path = join(folder, 'control.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openSqlite({ path, synchronous: 'full', migrations: controlMigrations });

function foreignDatabase(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

test.each([
  ['a few bytes', () => writeFileSync(path, 'hello')],
  ['text', () => writeFileSync(path, 'hello\n'.repeat(2000))],
  ['zeros', () => writeFileSync(path, Buffer.alloc(4096))],
  ['a database with tables', () => foreignDatabase('CREATE TABLE t (a)')],
  ['a database with another mark', () => foreignDatabase('PRAGMA application_id = 7')],
])('STORE-1 a file of somebody else (%s) is refused and left as it is', async (_, make) => {
  make();
  const before = readFileSync(path);
  await expect(open()).rejects.toMatchObject({ code: 'foreign' });
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('STORE-1 an empty file and a folder that is not there yet become a database', async () => {
  writeFileSync(path, '');
  await (await open()).close();
  path = join(folder, 'new', 'below', 'control.db');
  await (await open()).close();
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
});

test('STORE-1 a folder in place of the file is told apart from a foreign file', async () => {
  mkdirSync(path);
  await expect(open()).rejects.toMatchObject({ code: 'unreachable' });
});

test('a damaged file is said, with what can be done, and what can be done helps', async () => {
  await (await open()).close();
  const whole = readFileSync(path);
  const torn = Buffer.from(whole);
  torn.fill(0xa5, 4096);
  writeFileSync(path, torn);
  const error = await open().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({
    code: 'corrupt',
    message: `${path} is damaged (database disk image is malformed).`,
    hint: 'Stop Hone and put a backup in its place: "hone restore FILE --replace". Without one, move it and its -wal file away and run "hone init", which starts from nothing.',
  });
  expect(errorStatus(error).exit).toBe(4);
  writeFileSync(path, whole);
  await (await open()).close();
  rmSync(path);
  await (await open()).close();
});

/** A power cut while the first page is written leaves it torn beside a journal that undoes it. */
test('STORE-1 a first page that was torn while the database was made is rolled back', async () => {
  const journal = Buffer.alloc(512);
  journal.set([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
  journal.writeUInt32BE(512, 20); // sector size
  journal.writeUInt32BE(4096, 24); // page size; the database had no pages
  writeFileSync(`${path}-journal`, journal);
  writeFileSync(path, Buffer.alloc(4096));
  const store = await open();
  expect(await store.all('SELECT id FROM store_migrations')).toHaveLength(
    controlMigrations.migrations.length,
  );
  await store.close();
});

/** POSIX drops all of a process's locks on a file when it closes any descriptor of it. */
test.skipIf(process.platform !== 'linux')(
  'STORE-1 opening a database again leaves the locks of the process in place (Linux)',
  async () => {
    const store = await open();
    const locks = () => {
      const { ino } = statSync(path);
      const lines = readFileSync('/proc/locks', 'utf8').split('\n');
      return lines.filter((line) => line.includes(`${process.pid} `) && line.includes(`:${ino} `));
    };
    expect(locks()).toHaveLength(1);
    const again = await open();
    expect(locks()).toHaveLength(1);
    await again.close();
    expect(locks()).toHaveLength(1);
    await store.close();
  },
);
