/**
 * The newest entry about something of which there is one: the configuration, the stop, a gate's mode; and every
 * entry about the tokens. For whoever compares a row with its record at each start, before each deployment or
 * when a token is shown: it loads no schemas, and an index of its own finds the entries however long the ledger is. On PostgreSQL an entry counts from its commit
 * on, also while it waits for its place.
 */
import type { Store } from '../store/index.ts';
import { INDEX_MAX } from './tip.ts';

export const CONFIG_SUBJECT = 'config:hone.yaml';
export const STOP_SUBJECT = 'hone:stop';
export const IDENTITY_SUBJECT = 'switch:identity';
export const TOKENS_SUBJECT = 'hone:tokens';
export const AUTOMATIC_SUBJECT = 'hone:automatic';
export type StateSubject =
  | typeof CONFIG_SUBJECT
  | typeof STOP_SUBJECT
  | typeof IDENTITY_SUBJECT
  | typeof AUTOMATIC_SUBJECT;

export interface NewestState {
  readonly body: string;
  /** Null while it waits for its place. */
  readonly index: number | null;
}

/** The same words as the index has: it is only used by a statement that names its rows in this way. */
const INDEXED = [CONFIG_SUBJECT, STOP_SUBJECT, IDENTITY_SUBJECT, TOKENS_SUBJECT]
  .map((subject) => `subject = '${subject}'`)
  .join(' OR ');
/** It came later, and has an index of its own. */
const rowsAbout = (subject: StateSubject) =>
  subject === AUTOMATIC_SUBJECT ? `subject = '${subject}'` : `(${INDEXED})`;
const PLACED = `idx BETWEEN 0 AND ${INDEX_MAX}`;

export async function newestState(
  store: Pick<Store, 'all' | 'engine'>,
  subject: StateSubject,
): Promise<NewestState | undefined> {
  const about = `SELECT idx, body FROM ledger_entries WHERE ${rowsAbout(subject)} AND subject = ?`;
  const [row] = await store.all(
    store.engine === 'postgres'
      ? `${about} ORDER BY idx DESC NULLS FIRST, id DESC LIMIT 1`
      : `${about} AND ${PLACED} ORDER BY idx DESC LIMIT 1`,
    [subject],
  );
  if (row === undefined) return undefined;
  return { body: row['body'] as string, index: row['idx'] as number | null };
}

/** The bodies of all entries about the tokens, those without a place last. */
export async function tokenEntries(store: Pick<Store, 'all' | 'engine'>): Promise<string[]> {
  const about = `SELECT body FROM ledger_entries WHERE (${INDEXED}) AND subject = ?`;
  const rows = await store.all(
    store.engine === 'postgres'
      ? `${about} ORDER BY idx NULLS LAST, id`
      : `${about} AND ${PLACED} ORDER BY idx`,
    [TOKENS_SUBJECT],
  );
  return rows.map(({ body }) => body as string);
}
