/** Old code meets a newer schema. */
import { StoreError } from '../errors.ts';
import type { MigrationSet } from './types.ts';

export interface AppliedMigration {
  readonly id: number;
  readonly name: string;
  readonly breaking: number;
}

/** Control has the ids up to here, telemetry those above; on PostgreSQL they share one database. */
const CONTROL_ID_MAX = 1000;

/**
 * Unknown migrations are fine unless one says that builds without it must stay away. A set judges only
 * migrations of its own kind: the other kind's are judged by whoever opens the database with those.
 */
export function checkNewer(
  applied: readonly AppliedMigration[],
  set: MigrationSet,
  location: string,
): void {
  const known = new Set(set.migrations.map((migration) => migration.id));
  const isControl = ({ id }: { readonly id: number }) => id <= CONTROL_ID_MAX;
  const kinds = new Set(set.migrations.map(isControl));
  const breaking = applied.filter(
    (row) => row.breaking === 1 && !known.has(row.id) && kinds.has(isControl(row)),
  );
  if (breaking.length === 0) return;
  const names = breaking.map((row) => `${row.id} ${row.name}`).join(', ');
  throw new StoreError(
    'newer_schema',
    `${location} was changed by a newer Hone (migration ${names}), which this one cannot read.`,
    {
      hint: 'Install the newer Hone, or restore a backup made before the upgrade. Nothing was changed.',
    },
  );
}
