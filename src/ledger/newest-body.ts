/**
 * The newest entry about a subject, as its bytes. For a start that compares one value with its record: it
 * loads no schemas. On PostgreSQL an entry counts from its commit on, also while it waits for its place.
 */
import type { Store } from '../store/index.ts';
import { INDEX_MAX } from './tip.ts';

export async function newestBody(
  store: Pick<Store, 'all' | 'engine'>,
  subject: string,
): Promise<string | undefined> {
  const [row] = await store.all(
    store.engine === 'postgres'
      ? `SELECT body FROM ledger_entries WHERE subject = ?
         ORDER BY idx DESC NULLS FIRST, id DESC LIMIT 1`
      : `SELECT body FROM ledger_entries WHERE subject = ? AND idx BETWEEN 0 AND ${INDEX_MAX}
         ORDER BY idx DESC LIMIT 1`,
    [subject],
  );
  return row?.['body'] as string | undefined;
}
