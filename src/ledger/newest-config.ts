/**
 * The newest entry about the configuration, as its bytes. For every start, which compares what is in effect
 * with its record: it loads no schemas, and an index of its own finds it however long the ledger is. On
 * PostgreSQL an entry counts from its commit on, also while it waits for its place.
 */
import type { Store } from '../store/index.ts';
import { INDEX_MAX } from './tip.ts';

export const CONFIG_SUBJECT = 'config:hone.yaml';

/** The subject is written out: an index of some rows is only used where the statement itself names them. */
const ABOUT = `SELECT body FROM ledger_entries WHERE subject = '${CONFIG_SUBJECT}'`;

export async function newestConfigBody(
  store: Pick<Store, 'all' | 'engine'>,
): Promise<string | undefined> {
  const [row] = await store.all(
    store.engine === 'postgres'
      ? `${ABOUT} ORDER BY idx DESC NULLS FIRST, id DESC LIMIT 1`
      : `${ABOUT} AND idx BETWEEN 0 AND ${INDEX_MAX} ORDER BY idx DESC LIMIT 1`,
  );
  return row?.['body'] as string | undefined;
}
