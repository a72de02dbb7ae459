/** Installations on both engines that are backed up and restored by real commands. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as contracts from '../src/contracts/index.ts';
import { allMigrations, controlMigrations, openSqlite, type Store } from '../src/store/index.ts';
import { openPostgres } from '../src/store/postgres/store.ts';
import { type Installation, makeInstallation } from './cli.ts';
import { freshDatabase, parts } from './stores.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type TestEngine = (typeof ENGINES)[number];

export interface Machine extends AsyncDisposable {
  readonly installation: Installation;
  /** A folder outside the repository and the state folder. */
  readonly elsewhere: string;
  readonly databaseUrl: string | undefined;
  stateDir(): Promise<string>;
  openStore(): Promise<Store>;
  backup(...args: string[]): Promise<ReturnType<typeof contracts.backupJson.parse>>;
}

/** A machine of its own, with a database of its own on PostgreSQL; not set up yet. */
export async function makeMachine(engine: TestEngine): Promise<Machine> {
  const database = engine === 'postgres' ? await freshDatabase({ empty: true }) : undefined;
  const installation = makeInstallation({ inProcess: true });
  const { repository, environment } = installation;
  if (database !== undefined) {
    environment['HONE_STORE'] = database.url;
    writeFileSync(join(repository, 'hone.yaml'), 'store:\n  url: env:HONE_STORE\n');
  }
  const elsewhere = join(dirname(repository), 'elsewhere');
  mkdirSync(elsewhere);
  let stateDir: Promise<string> | undefined;
  const found = () => {
    stateDir ??= installation.stateDir();
    return stateDir;
  };
  return {
    installation,
    elsewhere,
    databaseUrl: database?.url,
    stateDir: found,
    openStore: async () =>
      database === undefined
        ? openSqlite({
            path: join(await found(), 'control.db'),
            synchronous: 'normal',
            migrations: controlMigrations,
            parts,
          })
        : openPostgres({ url: database.url, migrations: allMigrations, parts }),
    backup: async (...args) => {
      const run = await installation.hone('backup', '--output', elsewhere, '--json', ...args);
      if (run.exit !== 0) throw new Error(run.out + run.err);
      return contracts.backupJson.parse(run.json());
    },
    [Symbol.asyncDispose]: async () => {
      installation[Symbol.dispose]();
      await database?.drop();
    },
  };
}

/** Opens, works, closes: a store that stays open would refuse a restore. */
export async function withStore<T>(machine: Machine, work: (store: Store) => Promise<T>) {
  const store = await machine.openStore();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
