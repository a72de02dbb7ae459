/** A backup of PostgreSQL's tables: staged in a schema beside Hone's, then swapped in one transaction. */
import { mkdir, rm } from 'node:fs/promises';
import { systemClock } from '../base/index.ts';
import { makePrivateFolder } from '../home/index.ts';
import { Leases } from '../lease/index.ts';
import { allMigrations, StoreError } from '../store/index.ts';
import { openPostgres, otherRestore, PutBack } from '../store/postgres/index.ts';
import { clearStaged, commitInstall, inUse, lockRestores, moveFiles } from './install.ts';
import { altered } from './manifest.ts';
import { FILES } from './part-names.ts';
import {
  inState,
  notEmpty,
  prepareStaged,
  type Restored,
  type RestoreOptions,
  stamp,
  storeParts,
} from './restore.ts';
import { stagePart } from './restore-sqlite.ts';

const LOOKS_MAX = 20;
const LOOK_MS = 100;

export async function restorePostgres(options: RestoreOptions, url: string): Promise<Restored> {
  const { home, backup, replace, onStep, signal, clock } = options;
  makePrivateFolder(home.stateDir);
  using _lock = lockRestores(home);
  moveFiles(home); // one that was interrupted comes first
  clearStaged(home);
  await using target = await begin(url);
  if (!(await target.isEmpty())) {
    if (!replace) throw notEmpty('its tables are in the database');
    if (await isAtWork(options, url)) throw inUse('Somebody holds a lease.');
  }
  await checkAlone(target);
  const when = stamp(clock.nowMs());
  const kept = `hone_before_restore_${when}`;
  const folders = { staged: `restoring-${when}`, kept: `before-restore-${when}` };
  try {
    await stageTables(options, target);
    await stageFiles(options, folders.staged);
    onStep?.('staged');
    const { uncertain } = await prepare(options, target.stagedUrl);
    signal?.throwIfAborted();
    await checkAlone(target);
    const isKept = !(await target.isEmpty());
    await target.swap(kept);
    onStep?.('swapped');
    // Until these are in place Hone only watches: what is kept here is not what the store has accepted.
    commitInstall(home, { ...folders, without: [] });
    moveFiles(home, onStep);
    return { digest: backup.digest, uncertain, kept: isKept ? `schema ${kept}` : null };
  } finally {
    await rm(inState(home, folders.staged), { recursive: true, force: true });
  }
}

async function begin(url: string): Promise<PutBack> {
  const target = await PutBack.begin(url, allMigrations);
  if (target === undefined) throw otherRestore('the database');
  return target;
}

/** A connection that was closed is listed for a moment longer. */
async function checkAlone(target: PutBack): Promise<void> {
  for (let look = 1; ; look++) {
    const others = await target.others();
    if (others === 0) return;
    if (look > LOOKS_MAX) throw inUse(`Hone has ${others} other connections to this database.`);
    await systemClock.sleep(LOOK_MS);
  }
}

/** Nobody can be working on tables that this build cannot open. */
async function isAtWork({ clock, random }: RestoreOptions, url: string): Promise<boolean> {
  try {
    const store = await openPostgres({ url, migrations: allMigrations, clock, random });
    try {
      return (await new Leases(store).running()).length > 0;
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

async function stageTables({ backup, signal, onProgress }: RestoreOptions, target: PutBack) {
  const tables = new Set(await target.tables());
  for (const { name } of backup.manifest.parts) {
    if (!name.startsWith('table/')) continue;
    const table = name.slice('table/'.length);
    if (!tables.has(table)) throw altered(backup.path, `Hone has no table ${table}`);
    signal?.throwIfAborted();
    onProgress?.(`Copying ${table}`);
    await target.fill(table, backup.read(name));
  }
}

async function stageFiles({ home, backup }: RestoreOptions, folder: string): Promise<void> {
  await mkdir(inState(home, folder), { mode: 0o700 });
  for (const name of FILES) {
    if (backup.has(name)) await stagePart(backup, name, { path: inState(home, folder, name) });
  }
}

async function prepare(options: RestoreOptions, url: string) {
  const { clock, random } = options;
  const store = await openPostgres({
    url,
    migrations: allMigrations,
    parts: storeParts,
    clock,
    random,
    connectionsMax: 2,
  });
  try {
    return await prepareStaged(store, options);
  } finally {
    await store.close();
  }
}
