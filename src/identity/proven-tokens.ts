/**
 * The tokens' rows beside what the ledger says about them. Whoever can write the database could otherwise make
 * themselves an operator with one INSERT: a row counts only where the entries make the very same one. Entries
 * are read without their schemas, and on PostgreSQL also those that wait for their place.
 */
import type { Entry } from '../facts/index.ts';
import { foldRows, type StoredRow, sameRows, tokenEntries } from '../ledger/at-start.ts';
import type { Row, Store, Write } from '../store/index.ts';
import { projectEntry } from './rebuild.ts';
import { TABLE, type Token, tokenOf } from './token-rows.ts';

/** Nobody changes tokens more often than this while they are read. */
const LOOKS_MAX = 10;
const COLUMNS = 'id, name, role, secret_hash, created_at_ms, revoked_at_ms';

export interface KnownTokens {
  /** As the ledger has them. */
  readonly recorded: readonly Token[];
  /** Those whose row is what the ledger says. */
  readonly proven: readonly Token[];
  /** There is or was an operator, by the ledger or by a row. */
  readonly hadOperator: boolean;
  /** No row is missing, altered or too many. */
  readonly agree: boolean;
}

export async function knownTokens(store: Pick<Store, 'all' | 'engine'>): Promise<KnownTokens> {
  const { rows, recorded } = await readBoth(store);
  const stored = rows.map(asStored);
  const proven = rows.filter((row) => isRecorded(row, recorded)).map(tokenOf);
  const tokens = recorded.map(({ row }) => tokenOf(row));
  return {
    recorded: tokens,
    proven,
    hadOperator: [...tokens, ...rows.map(tokenOf)].some(({ role }) => role === 'operator'),
    agree: sameRows(recorded, stored),
  };
}

/** As of one moment: with the same entries before and after the rows, no commit came in between. */
async function readBoth(store: Pick<Store, 'all' | 'engine'>) {
  let before = await tokenEntries(store);
  for (let looks = 1; ; looks++) {
    const rows = await store.all(`SELECT ${COLUMNS} FROM ${TABLE}`);
    const after = await tokenEntries(store);
    if (after.length === before.length || looks === LOOKS_MAX) {
      return { rows, recorded: foldRows(after.flatMap(projectBody)) };
    }
    before = after;
  }
}

/** `differs`: the row claims what the ledger does not say. */
export async function provenByHash(
  store: Pick<Store, 'all' | 'engine'>,
  hash: string,
): Promise<Token | 'unknown' | 'differs'> {
  // The row is read before the entries: one that was revoked between the two looks is looked at again.
  for (let looks = 0; looks < 2; looks++) {
    const [row] = await store.all(
      `SELECT ${COLUMNS} FROM ${TABLE} WHERE secret_hash = ? AND revoked_at_ms IS NULL`,
      [hash],
    );
    if (row === undefined) return 'unknown';
    if (isRecorded(row, await recordedRows(store))) return tokenOf(row);
  }
  return 'differs';
}

const asStored = (row: Row): StoredRow => ({ table: TABLE, row });

function isRecorded(row: Row, recorded: readonly StoredRow[]): boolean {
  const made = recorded.filter((one) => one.row['id'] === row['id']);
  return sameRows(made, [asStored(row)]);
}

async function recordedRows(store: Pick<Store, 'all' | 'engine'>): Promise<StoredRow[]> {
  return foldRows((await tokenEntries(store)).flatMap(projectBody));
}

/** A body that cannot be read says nothing about a token. */
function projectBody(body: string): Write[] {
  try {
    return projectEntry(JSON.parse(body) as Entry);
  } catch {
    return [];
  }
}
