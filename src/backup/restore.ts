/**
 * Puts a backup in place of an installation. The steps, each with its promise:
 *
 *   check ─► stage ─► prepare ─► swap
 *
 * `check`: nobody works on the installation, and one that is there is only replaced when that was asked for.
 * `stage`: the backup's bytes, digests checked, beside the installation. `prepare`: what must hold before
 * anybody works on it (`after-restore.ts`), and the ledger verified from its first entry. `swap`: all at once.
 * Whatever fails or is killed before `swap` leaves the installation as it was.
 */
import { join } from 'node:path';
import { type Clock, type Digest, isoTime, type Random } from '../base/index.ts';
import type { Actor } from '../facts/index.ts';
import type { Home } from '../home/index.ts';
import { entryWriter, LedgerView, verifyLedger } from '../ledger/index.ts';
import { effectWriter } from '../outbox/index.ts';
import type { Store } from '../store/index.ts';
import { prepareRestored } from './after-restore.ts';
import type { Backup } from './container.ts';
import { BackupError } from './errors.ts';
import type { OnStep } from './install.ts';
import { altered } from './manifest.ts';

export interface RestoreOptions {
  readonly home: Home;
  readonly backup: Backup;
  /** Where the store is: undefined for SQLite. */
  readonly databaseUrl: string | undefined;
  readonly actor: Actor;
  readonly replace: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
  /** Named points at which a test kills the process. */
  readonly onStep?: OnStep;
}

export interface Restored {
  readonly digest: Digest;
  readonly uncertain: number;
  /** Where what was there before is: a folder, or a schema of the database. */
  readonly kept: string | null;
}

export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { backup, databaseUrl } = options;
  const engine = databaseUrl === undefined ? 'sqlite' : 'postgres';
  if (backup.manifest.engine !== engine) throw otherEngine(backup.manifest.engine, engine);
  if (databaseUrl === undefined) {
    const { restoreSqlite } = await import('./restore-sqlite.ts');
    return restoreSqlite(options);
  }
  const { restorePostgres } = await import('./restore-postgres.ts');
  return restorePostgres(options, databaseUrl);
}

function otherEngine(has: string, needs: string): BackupError {
  const name = (engine: string) => (engine === 'sqlite' ? 'SQLite' : 'PostgreSQL');
  return new BackupError(
    'other_engine',
    `The backup is of a store on ${name(has)}, and the installation here uses ${name(needs)}.`,
    {
      hint: `Restore it where store.url means ${name(has)}. A backup does not move between engines. Nothing was changed.`,
    },
  );
}

export function notEmpty(where: string): BackupError {
  return new BackupError('not_empty', `There is an installation already: ${where}.`, {
    hint: 'With --replace the backup takes its place, and what is there now is kept beside it. Nothing was changed.',
  });
}

export const storeParts = { entries: entryWriter, effects: effectWriter };

/** The ledger is the one that the manifest names, and every entry of it verifies; then it goes on. */
export async function prepareStaged(
  store: Store,
  { backup, actor, onProgress, onStep, signal }: RestoreOptions,
): Promise<{ readonly uncertain: number }> {
  const { size, root } = backup.manifest.ledger;
  const source = 'the list of the backup';
  const known = [{ size, root: Buffer.from(root, 'hex'), source }];
  const result = await verifyLedger(store, {
    known,
    onProgress: (done) => {
      signal?.throwIfAborted();
      onProgress?.(`Verified ${done} of ${size} entries`);
    },
  });
  if (!result.ok)
    throw altered(backup.path, `its ledger does not verify. ${result.problem.message}`);
  if ((await new LedgerView(store).size()) !== size) {
    throw altered(backup.path, 'its ledger is longer than it says');
  }
  onStep?.('verified');
  const prepared = await prepareRestored(store, backup, actor);
  onStep?.('prepared');
  return prepared;
}

/** A name for what was there: `2026-11-16T17:00:00.000Z` without what a folder or a schema cannot have. */
export function stamp(nowMs: number): string {
  return isoTime(nowMs).replace(/[-:.]/g, '').toLowerCase();
}

export const inState = (home: Home, ...names: string[]): string => join(home.stateDir, ...names);
