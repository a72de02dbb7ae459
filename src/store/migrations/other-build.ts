/** What another build did to the schema: a newer one, or an unreleased one with other migrations. */
import { StoreError } from '../errors.ts';
import type { Engine } from '../types.ts';
import type { Migration, MigrationSet } from './types.ts';

/** A row of `store_migrations`. Unreleased builds kept no fingerprint. */
export interface AppliedMigration {
  readonly id: number;
  readonly name: string;
  readonly breaking: number;
  readonly fingerprint?: string;
}

/** Control has the ids up to here, telemetry those above; on PostgreSQL they share one database. */
const CONTROL_ID_MAX = 1000;

export interface Place {
  readonly engine: Engine;
  readonly location: string;
}

/** Throws unless this build can work on what was applied. */
export function checkApplied(
  applied: readonly AppliedMigration[],
  set: MigrationSet,
  place: Place,
): void {
  checkNewer(applied, set, place);
  checkSame(applied, set, place);
}

/**
 * Unknown migrations are fine unless one says that builds without it must stay away. A set judges only
 * migrations of its own kind: the other kind's are judged by whoever opens the database with those.
 */
function checkNewer(
  applied: readonly AppliedMigration[],
  set: MigrationSet,
  { location }: Place,
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

/** A migration never changes once it is released: one that was applied with another text is nobody's release. */
function checkSame(
  applied: readonly AppliedMigration[],
  set: MigrationSet,
  { engine, location }: Place,
): void {
  const rows = new Map(applied.map((row) => [row.id, row]));
  const other = set.migrations.find((migration) => {
    const row = rows.get(migration.id);
    return row !== undefined && row.fingerprint !== fingerprintOf(migration, engine);
  });
  if (other === undefined) return;
  throw new StoreError(
    'unreleased_schema',
    `${location} was made by an unreleased build of Hone: its migration ${other.id} (${other.name}) is not this build's.`,
    {
      hint:
        engine === 'sqlite'
          ? 'Use that build, or set Hone up again: move the state folder away, or set XDG_STATE_HOME to a new one, then run "hone init". Nothing was changed.'
          : 'Use that build, or give Hone a new database (store.url in hone.yaml) and run "hone init". Nothing was changed.',
    },
  );
}

/**
 * Tells one text from another: its length and FNV-1a in 32 bits. It finds accidents, not attacks, and needs no
 * crypto to be loaded at every start.
 */
export function countedFingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return `${text.length}-${hash.toString(16).padStart(8, '0')}`;
}

/** Of this build's own migrations. By identity: a copy with another text has another fingerprint. */
const released = new WeakMap<Migration, Readonly<Record<Engine, string>>>();

export function keepFingerprint(
  migration: Migration,
  fingerprint: Readonly<Record<Engine, string>>,
): void {
  released.set(migration, fingerprint);
}

export function fingerprintOf(migration: Migration, engine: Engine): string {
  return released.get(migration)?.[engine] ?? countedFingerprint(migration[engine]);
}
