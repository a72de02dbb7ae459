/** A backup of SQLite files: staged in the state folder, then moved into place (`install.ts`). */
import { existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { type Home, makePrivateFolder } from '../home/index.ts';
import { Leases } from '../lease/index.ts';
import { controlMigrations, openSqlite, StoreError, telemetryMigrations } from '../store/index.ts';
import { actingParts, type Held, holdSqlite } from '../store/sqlite/index.ts';
import type { Backup } from './container.ts';
import { clearStaged, commitInstall, inUse, lockRestores, moveFiles } from './install.ts';
import { altered, type Part } from './manifest.ts';
import { DATABASES, FILES } from './part-names.ts';
import {
  inState,
  notEmpty,
  prepareStaged,
  type Restored,
  type RestoreOptions,
  stamp,
  storeParts,
} from './restore.ts';

export async function restoreSqlite(options: RestoreOptions): Promise<Restored> {
  const { home, backup, replace, onStep, signal } = options;
  makePrivateFolder(home.stateDir);
  using _lock = lockRestores(home);
  moveFiles(home); // one that was interrupted comes first
  clearStaged(home);
  const isThere = existsSync(home.controlFile);
  if (isThere && !replace) throw notEmpty(home.stateDir);
  if (isThere) await checkIdle(options);
  const when = `${stamp(options.clock.nowMs())}-${process.pid}`;
  const staged = `restoring-${when}`;
  const kept = `before-restore-${when}`;
  try {
    await stage(options, staged);
    onStep?.('staged');
    const { uncertain } = await prepare(options, staged);
    signal?.throwIfAborted();
    // Nobody opens the old files while they are moved.
    const held = isThere ? hold(home) : undefined;
    try {
      const without = DATABASES.filter((name) => !backup.has(name));
      commitInstall(home, { staged, kept, without });
      onStep?.('committed');
      moveFiles(home, onStep);
    } finally {
      held?.release();
    }
    const isKept = existsSync(inState(home, kept));
    return { digest: backup.digest, uncertain, kept: isKept ? inState(home, kept) : null };
  } finally {
    await rm(inState(home, staged), { recursive: true, force: true });
  }
}

/** A store that cannot be opened is what a restore is for: nobody can be working on it. */
async function checkIdle({ home, clock, random }: RestoreOptions): Promise<void> {
  const path = home.controlFile;
  hold(home)?.release();
  try {
    const migrations = controlMigrations;
    const store = await openSqlite({ path, synchronous: 'full', migrations, clock, random });
    try {
      const [lease] = await new Leases(store).running();
      if (lease !== undefined) throw inUse(`${lease.holder} holds the lease ${lease.name}.`);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

function hold(home: Home): Held | undefined {
  let held: Held | undefined;
  try {
    held = holdSqlite(home.controlFile);
  } catch (error) {
    if (error instanceof StoreError && error.code !== 'busy') return undefined; // damaged
    throw error;
  }
  if (held === undefined) throw inUse(`Another process has ${home.controlFile} open.`);
  return held;
}

async function stage({ home, backup, signal, onProgress }: RestoreOptions, folder: string) {
  await mkdir(inState(home, folder), { mode: 0o700 });
  for (const name of [...DATABASES, ...FILES]) {
    if (!backup.has(name)) continue;
    await stagePart(backup, name, {
      path: inState(home, folder, name),
      onBytes: (done) => {
        signal?.throwIfAborted();
        onProgress?.(`Copied ${(done / 1e6).toFixed(1)} MB of ${name}`);
      },
    });
  }
}

export async function stagePart(
  backup: Backup,
  name: Part['name'],
  { path, onBytes }: { path: string; onBytes?: (done: number) => void },
): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  let done = 0;
  for await (const chunk of backup.read(name)) {
    await file.appendFile(chunk);
    done += chunk.length;
    onBytes?.(done);
  }
  await file.sync();
}

async function prepare(options: RestoreOptions, folder: string) {
  const { home, backup, clock, random } = options;
  const path = inState(home, folder, 'control.db');
  const common = { synchronous: 'full', clock, random } as const;
  const store = await openSqlite({
    ...common,
    path,
    migrations: controlMigrations,
    parts: storeParts,
  });
  let prepared: { readonly uncertain: number };
  try {
    prepared = await prepareStaged(store, options);
  } finally {
    await store.close();
  }
  await checkActing(backup, path, controlMigrations);
  if (backup.has('telemetry.db')) {
    const telemetry = inState(home, folder, 'telemetry.db');
    const migrations = telemetryMigrations;
    await (await openSqlite({ ...common, path: telemetry, migrations })).close();
    await checkActing(backup, telemetry, migrations);
  }
  return prepared;
}

/** What acts on rows by itself is ours, all of it: a backup may come from anywhere. */
async function checkActing(
  backup: Backup,
  path: string,
  migrations: typeof controlMigrations,
): Promise<void> {
  const fresh = `${path}.fresh`;
  await (await openSqlite({ path: fresh, synchronous: 'off', migrations })).close();
  const [is, should] = [actingParts(path), actingParts(fresh)];
  await rm(fresh, { force: true });
  const differs = [...new Set([...is.keys(), ...should.keys()])].find(
    (name) => is.get(name) !== should.get(name),
  );
  if (differs !== undefined) throw altered(backup.path, `its ${differs} is not Hone's`);
}
