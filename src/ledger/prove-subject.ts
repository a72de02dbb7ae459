/**
 * The entries about one subject, proven: everything from the subject's first entry to the ledger's end is
 * read, hashed and compared with the stored hashes, as `verify` does it, and with the newest checkpoint. So no
 * entry of the subject can be altered, hidden under another subject, taken out or put in between without being
 * named here. It costs what was recorded since the subject began, not the whole ledger.
 *
 * Where the subject begins is found by its column, which proves nothing and need not: an entry that is not
 * the beginning is refused. What this cannot find is an end that was cut off before any checkpoint of it was
 * made, and entries that were appended by the rules: whoever can write the database can do both.
 */
import type { EntryType } from '../facts/index.ts';
import type { Expectation, Store } from '../store/index.ts';
import { recordedKeys } from './beginning.ts';
import { LedgerError } from './errors.ts';
import { LedgerView, type PlacedEntry } from './ledger-view.ts';
import { root } from './merkle.ts';
import { parseVerifier } from './note-key.ts';
import { knownRoot, latestCheckpoint } from './signing.ts';
import { checkRow, type KnownRoot, PAGE_ROWS, readPage, Walk } from './verify.ts';

export type SubjectProof =
  | {
      readonly proven: true;
      readonly entries: readonly PlacedEntry[];
      /** The subject's newest entry, as it was read; the chain in it covers all before it. */
      readonly unchanged: Expectation;
    }
  /** Entries of the subject wait for their place (PostgreSQL). */
  | { readonly proven: false; readonly why: 'unplaced' }
  | { readonly proven: false; readonly why: 'broken'; readonly message: string };

/** How many rows are looked through at once for the subject's beginning; PostgreSQL has an index for it. */
const LOOK_ROWS = 20_000;

export async function proveSubject(
  store: Store,
  subject: string,
  first: EntryType,
): Promise<SubjectProof> {
  if (await hasUnplaced(store, subject)) return { proven: false, why: 'unplaced' };
  try {
    return await proof(store, subject, first);
  } catch (error) {
    // Rows that cannot be read are what somebody made of them.
    if (error instanceof LedgerError) return broken(error.message);
    throw error;
  }
}

async function proof(store: Store, subject: string, first: EntryType): Promise<SubjectProof> {
  const view = new LedgerView(store);
  const size = await view.size();
  const beginning = await beginningOf(store, { subject, first, size });
  if (beginning === undefined) return broken(`There is no entry ${first} about ${subject}.`);
  const known = await newestRoot(store);
  if (known !== undefined && 'message' in known) return broken(known.message);
  if (known !== undefined && known.size <= beginning) {
    if (!isRoot(known, await view.rootAt(known.size))) return broken(rewritten(known));
  }
  const walk = new Walk(await view.tipAt(beginning));
  const entries: PlacedEntry[] = [];
  let newest: Expectation | undefined;
  const { parseBody } = await import('./entry-body.ts');
  for (;;) {
    const rows = await readPage(store, walk.size);
    for (const row of rows) {
      const problem = checkRow(walk, row);
      if (problem !== undefined) return broken(problem.message);
      if (known?.size === walk.size && !isRoot(known, root(walk))) return broken(rewritten(known));
      if (row['subject'] !== subject) continue;
      const [body, index] = [row['body'] as string, walk.size - 1];
      entries.push({ index, entry: parseBody(body), body });
      const where = { idx: index, hashes: row['hashes']! };
      newest = { table: 'ledger_entries', where, name: 'record' };
    }
    if (rows.length < PAGE_ROWS) break;
  }
  if (known !== undefined && known.size > walk.size) {
    return broken(`The ledger has ${walk.size} entries, but ${known.source} has ${known.size}.`);
  }
  return { proven: true, entries, unchanged: newest! };
}

async function hasUnplaced(store: Store, subject: string): Promise<boolean> {
  if (store.engine === 'sqlite') return false;
  const sql = 'SELECT 1 AS one FROM ledger_entries WHERE idx IS NULL AND subject = ? LIMIT 1';
  return (await store.all(sql, [subject])).length > 0;
}

async function beginningOf(
  store: Store,
  { subject, first, size }: { subject: string; first: EntryType; size: number },
): Promise<number | undefined> {
  const length = store.engine === 'postgres' ? size : LOOK_ROWS;
  const sql = `SELECT idx, body FROM ledger_entries
    WHERE subject = ? AND idx >= ? AND idx < ? ORDER BY idx DESC`;
  for (let end = size; end > 0; end -= length) {
    const rows = await store.all(sql, [subject, Math.max(0, end - length), end]);
    const found = rows.find(({ body }) => String(body).endsWith(`,"type":"${first}","v":1}`));
    if (found !== undefined) return found['idx'] as number;
  }
  return undefined;
}

async function newestRoot(
  store: Store,
): Promise<KnownRoot | { readonly message: string } | undefined> {
  const newest = await latestCheckpoint(store);
  if (newest === undefined) return undefined;
  const source = `the stored checkpoint of ${newest.size} entries`;
  const verifiers = (await recordedKeys(store)).map(parseVerifier);
  const known = knownRoot(newest.note, source, verifiers);
  if (!known.ok || known.roots[0]!.size !== newest.size) {
    return { message: `${source} does not open with a key of this ledger.` };
  }
  return known.roots[0];
}

const isRoot = (known: KnownRoot, found: Uint8Array) => Buffer.compare(known.root, found) === 0;
const rewritten = ({ size, source }: KnownRoot) =>
  `The first ${size} entries differ from those that ${source} was made of.`;
const broken = (message: string): SubjectProof => ({ proven: false, why: 'broken', message });
