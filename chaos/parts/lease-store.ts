/** The store that both holders of `chaos stale-holder` use, each in its own process. */
import { controlMigrations, openSqlite, type Store } from '../../src/store/index.ts';
import { openPostgres } from '../../src/store/postgres/store.ts';

export const LEASE = 'contested';
export const TTL_MS = 25;
/** How often a holder without a fence writes after its time. */
export const WRITES_AFTER = 3;

export function openLeaseStore(place: string): Promise<Store> {
  return place.startsWith('postgres:')
    ? openPostgres({ url: place, migrations: controlMigrations, connectionsMax: 2 })
    : openSqlite({ path: place, synchronous: 'normal', migrations: controlMigrations });
}
