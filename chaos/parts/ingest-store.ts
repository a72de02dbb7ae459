/** The telemetry store as the measurement and its processes open it. */
import { openSqlite, type Store, telemetryMigrations } from '../../src/store/index.ts';
import { openPostgres } from '../../src/store/postgres/store.ts';

export function openIngestStore(place: string): Promise<Store> {
  return place.startsWith('postgres:')
    ? openPostgres({ url: place, migrations: telemetryMigrations, connectionsMax: 4 })
    : openSqlite({
        path: place,
        synchronous: 'normal',
        migrations: telemetryMigrations,
        bulkThread: true,
      });
}
