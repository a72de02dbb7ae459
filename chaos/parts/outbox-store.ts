/** What the sending processes and the measurement that kills them agree on. */
import type { DestinationKind } from '../../src/facts/index.ts';
import { entryWriter } from '../../src/ledger/index.ts';
import { effectWriter, type OutboxLimits } from '../../src/outbox/index.ts';
import { controlMigrations, openSqlite, type Store } from '../../src/store/index.ts';
import { openPostgres } from '../../src/store/postgres/store.ts';

/** Several of each, because each is served in order, by one sender at a time. */
export const DESTINATIONS: readonly { kind: DestinationKind; name: string }[] = (
  ['keyed', 'findable', 'once'] as const
).flatMap((kind) =>
  Array.from({ length: kind === 'once' ? 1 : 4 }, (_, at) => ({ kind, name: `${kind}/${at}` })),
);

export const LIMITS: OutboxLimits = {
  attemptsMax: 50,
  backoffMs: 4,
  backoffMaxMs: 30,
  sendTimeoutMs: 300,
  leaseMs: 600,
};

export function openOutboxStore(place: string): Promise<Store> {
  const options = {
    migrations: controlMigrations,
    parts: { entries: entryWriter, effects: effectWriter },
  };
  return place.startsWith('postgres:')
    ? openPostgres({ url: place, ...options, connectionsMax: 4 })
    : openSqlite({ path: place, synchronous: 'normal', ...options });
}

/** The migrated template itself: nobody else is on a server that was started for a run. */
export const templateUrl = (url: string) => url.replace('/postgres?', '/hone_template?');
