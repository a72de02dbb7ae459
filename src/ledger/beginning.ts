/**
 * The keys a ledger names, and whether it begins as every ledger does: with the record of its creation,
 * which `hone init` writes before anything else. An empty ledger, or one that begins with something else,
 * is consistent, but says nothing about what was there before.
 */
import type { Store } from '../store/index.ts';
import { damaged, LedgerError } from './errors.ts';
import { formatVerifier, parseVerifier } from './note-key.ts';
import { COUNTED_IDX } from './tip.ts';

/** What the entries about the ledger's own keys are about; the only ones with an index by subject. */
export const OWN_SUBJECT = 'hone:ledger';

const KEYS_MAX = 100;

export type ReadKeys =
  /** Oldest first. */
  | { readonly ok: true; readonly keys: string[] }
  /** The entry that should name a key and does not; `null` while it has no place that counts. */
  | { readonly ok: false; readonly index: number | null };

/**
 * The keys this ledger was signed with, by its own record; at most a hundred. Their name is the ledger's,
 * even on a machine that joined later. The entries may have been altered.
 */
export async function readKeys(store: Store): Promise<ReadKeys> {
  const rows = await store.all(
    `SELECT ${COUNTED_IDX}, body FROM ledger_entries WHERE subject = '${OWN_SUBJECT}'
     ORDER BY ledger_entries.idx LIMIT ${KEYS_MAX}`,
  );
  const named = await loadKeyNamed();
  const keys: string[] = [];
  for (const row of rows) {
    const key = named(row['body'] as string);
    if (key === undefined) return { ok: false, index: row['idx'] as number | null };
    keys.push(key.verifierKey);
  }
  return { ok: true, keys };
}

/** The same where the ledger is taken as it is. */
export async function recordedKeys(store: Store): Promise<string[]> {
  const read = await readKeys(store);
  if (read.ok) return read.keys;
  throw new LedgerError(
    'unreadable_entry',
    `${read.index === null ? 'An entry' : `Entry ${read.index}`} should name the ledger's key and cannot be read.`,
    { hint: 'Run "hone ledger verify": something other than Hone changed the record.' },
  );
}

/**
 * The same for whoever would create one if there is none. What is written together with the record of a ledger's
 * creation stays if somebody removes that record: if it exists, no new ledger is begun.
 */
export async function keysToJoin(store: Store): Promise<string[]> {
  // Asked first: another process may begin it between the two looks.
  const isBegun = await readBegun(store);
  const keys = await recordedKeys(store);
  if (keys.length === 0 && isBegun) {
    throw damaged('A ledger was created here, and the record of its creation is gone.');
  }
  return keys;
}

async function readBegun(store: Store): Promise<boolean> {
  const sql = 'SELECT 1 AS one FROM ledger_cursors WHERE consumer = ?';
  return (await store.all(sql, [OWN_SUBJECT])).length > 0;
}

export type Beginning =
  /** `ledger.created` comes first; it has its place, or will get the first one. */
  | 'created'
  /** There are no entries at all, not even waiting ones. */
  | 'empty'
  /** Something else comes first. */
  | 'other';

export async function ledgerBeginning(store: Store): Promise<Beginning> {
  const [placed] = await store.all('SELECT body FROM ledger_entries WHERE idx = 0');
  const [first] = placed === undefined ? await oldestUnplaced(store) : [placed];
  if (first === undefined) return 'empty';
  const named = await loadKeyNamed();
  return named(first['body'] as string)?.type === 'ledger.created' ? 'created' : 'other';
}

/** Where nothing has its place yet; on SQLite nothing ever waits. */
function oldestUnplaced(store: Store) {
  const sql = 'SELECT body FROM ledger_entries WHERE idx IS NULL';
  return store.all(store.engine === 'sqlite' ? `${sql} LIMIT 1` : `${sql} ORDER BY id LIMIT 1`);
}

interface KeyNamed {
  readonly type: string;
  readonly verifierKey: string;
}

/** The schemas are loaded by whoever reads entries, not by whoever counts them. */
async function loadKeyNamed(): Promise<(body: string) => KeyNamed | undefined> {
  const { parseBody } = await import('./entry-body.ts');
  return (body) => {
    try {
      const { type, data } = parseBody(body);
      if (type !== 'ledger.created' && type !== 'ledger.key_changed') return undefined;
      return { type, verifierKey: formatVerifier(parseVerifier(String(data['verifierKey']))) };
    } catch {
      return undefined; // whatever it is, it names no key
    }
  };
}
