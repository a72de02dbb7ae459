/** The record: who signs it, and whether the tables match it. */
import { HomeError, hasKey } from '../../home/index.ts';
import { isDifferent, Replay } from '../../ledger/index.ts';
import { makeProjections } from '../../loop/index.ts';
import { controlMigrations, openSqlite } from '../../store/index.ts';
import { ledgerKey } from '../ledger-key.ts';
import { type Check, error, ok, type WithStore, warning } from './types.ts';

export const recordChecks: readonly Check[] = [
  { name: 'signing key', needs: 'store', look: lookAtKey },
  { name: 'tables', needs: 'store', look: lookAtTables },
];

async function lookAtKey({ opened: { store }, home }: WithStore) {
  // Where several machines share a database, one of them signs.
  if (store.engine === 'postgres' && !hasKey(home)) return ok('Another machine signs this ledger.');
  try {
    await ledgerKey(store, home);
    return ok('The key here signs this ledger.');
  } catch (fault) {
    if (!(fault instanceof HomeError)) throw fault;
    return error(fault.message, fault.hint ?? 'Restore it from a backup.');
  }
}

/** The same look as "hone ledger rebuild": every table that comes from the ledger, rebuilt beside the store. */
async function lookAtTables({ opened: { store, placePending } }: WithStore) {
  const scratch = await openSqlite({
    path: ':memory:',
    synchronous: 'off',
    migrations: controlMigrations,
  });
  try {
    const look = await new Replay({
      store,
      scratch,
      placePending,
      projections: makeProjections(),
    }).look();
    if (look === undefined)
      return warning('Other processes record too fast to compare.', 'Run it again.');
    const tables = look.tables.filter(isDifferent).map(({ shape }) => shape.table);
    if (tables.length === 0) return ok('Every row matches the ledger.');
    return error(
      `Rows of ${tables.join(', ')} do not match the ledger.`,
      'Run "hone ledger verify", then "hone ledger rebuild"; nothing is deployed from such rows.',
    );
  } finally {
    await scratch.close();
  }
}
