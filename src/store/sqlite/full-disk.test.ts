/**
 * A full disk: said in plain words, nothing half-written, and with room again everything goes on. SQLite's
 * own limit runs everywhere; a small file system of its own needs Linux, and leave to mount one.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeInstallation, run } from '../../../test/cli.ts';
import { planOf, writeThrough, written } from '../../../test/full-disk.ts';
import { parts } from '../../../test/stores.ts';
import { systemClock, systemRandom } from '../../base/index.ts';
import { errorStatus } from '../../contracts/error-table.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { controlMigrations, openSqlite } from '../index.ts';
import { Committer } from './committer.ts';
import { openDatabase } from './database.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hone-full-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fault = (path: string) => ({
  code: 'disk_full',
  message: `${path} does not fit on the disk (database or disk is full).`,
  hint: 'Free some space, then try again.',
});

test('a database that may not grow refuses whole plans, and takes them again when it may', async () => {
  const path = join(folder, 'control.db');
  const file = { path, synchronous: 'full', migrations: controlMigrations, parts } as const;
  await (await openSqlite(file)).close();
  const database = openDatabase(file);
  await parts.entries.load(planOf('any').entries!);
  const committer = new Committer({
    database,
    location: path,
    clock: systemClock,
    waitClock: systemClock,
    random: systemRandom,
    parts,
  });
  const { acknowledged, refused } = await writeThrough(committer, {
    fill: () => {
      const { page_count } = database.prepare('PRAGMA page_count').get() as { page_count: number };
      database.exec(`PRAGMA max_page_count = ${page_count}`);
    },
    free: () => database.exec('PRAGMA max_page_count = 1000000'),
  });
  database.close();
  expect(refused.length).toBeGreaterThanOrEqual(10);
  for (const error of refused) {
    expect(error).toMatchObject(fault(path));
    expect(errorStatus(error)).toEqual({ exit: 4, http: 507 });
  }
  expect(acknowledged).toContain('before');
  expect(acknowledged.filter((key) => key.startsWith('after'))).toHaveLength(10);
  const keys = acknowledged.toSorted();
  const store = await openSqlite(file);
  expect(await written(store)).toEqual({ rows: keys, effects: keys, entries: keys });
  expect(await verifyLedger(store, { known: [] })).toMatchObject({ ok: true, size: keys.length });
  await store.close();
});

/** Runs a script where `$DISK` is a small file system that nobody else sees. */
const MOUNTED = [
  ...['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'],
  'mount -t tmpfs -o size=2m tmpfs "$DISK" && eval "$SCRIPT"',
];
const environment = (script: string) => ({
  PATH: process.env['PATH'] ?? '',
  NODE: process.execPath,
  DISK: folder,
  SCRIPT: script,
});
const canMount =
  spawnSync(MOUNTED[0]!, MOUNTED.slice(1), {
    env: { DISK: tmpdir(), SCRIPT: 'true', PATH: process.env['PATH'] ?? '' },
  }).status === 0;

describe.skipIf(!canMount)('a file system that is full (where one may be mounted)', () => {
  test('refuses whole plans, and takes them again when there is room', async () => {
    const worker = new URL('../../../test/full-disk-worker.ts', import.meta.url).pathname;
    const script = `"$NODE" ${worker} "$DISK"`;
    const { exit, out, err } = await run(MOUNTED, folder, environment(script));
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    const said = JSON.parse(out);
    expect(said.faults.length).toBeGreaterThanOrEqual(10);
    for (const one of said.faults) {
      expect(one).toEqual({ ...fault(join(folder, 'control.db')), exit: 4 });
    }
    expect(said.acknowledged).toContain('before');
    expect(said.acknowledged).toContain('after-at-once-8');
    const keys = said.acknowledged.toSorted();
    expect(said.written).toEqual({ rows: keys, effects: keys, entries: keys });
    expect(said.verified).toBe(true);
  });

  test('ends a command with 4 and with what to do, and the next one works when there is room', async () => {
    using here = makeInstallation();
    const main = new URL('../../main.ts', import.meta.url).pathname;
    const script = `
      hone() { "$NODE" ${main} "$@"; echo "exit $?"; }
      hone init > "$DISK/made" || exit
      cat /dev/zero > "$DISK/filler" 2> "$DISK/made"
      hone ledger checkpoint 2>&1
      rm "$DISK/filler"
      hone ledger checkpoint > "$DISK/made" && hone ledger verify 2>&1`;
    const ran = await run(MOUNTED, here.repository, {
      ...here.environment,
      ...environment(script),
      XDG_STATE_HOME: folder,
    });
    expect(ran.out.replaceAll(/\s+/g, ' ')).toMatch(
      /^hone: \S+control\.db does not fit on the disk \([^)]*\)\. Free some space, then try again\. exit 4 Verified \d+ entries\..* exit 0 $/,
    );
  });
});
