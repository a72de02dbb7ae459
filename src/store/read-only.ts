/**
 * Whether a statement only reads. It is our own SQL, so this finds mistakes, not attacks: a write that
 * goes round `commit` would have no ledger entry. By words, the same on every engine: SQLite's own
 * answer (`sqlite3_stmt_readonly`) is out of reach here, and PostgreSQL's would be a transaction around
 * each read.
 */

const READS = new Set(['SELECT', 'WITH', 'VALUES', 'EXPLAIN', 'SHOW']);
/** INSERT, REPLACE and MERGE need INTO; so does the SELECT that makes a table. */
const WRITES = new Set(['INTO', 'INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** What is quoted or a comment is passed over whole; a word is kept. */
const TOKENS = /'[^']*'|"[^"]*"|--[^\n]*|\/\*.*?\*\/|([a-z_]\w*)/gis;

/** Throws unless it only reads. To be asked once for each text: it goes through all of it. */
export function assertReads(sql: string): void {
  let first: string | undefined;
  for (const [, word] of sql.matchAll(TOKENS)) {
    if (word === undefined) continue;
    const upper = word.toUpperCase();
    first ??= upper;
    if (WRITES.has(upper)) throw onlyReads();
  }
  if (first === undefined || !READS.has(first)) throw onlyReads();
}

function onlyReads(): TypeError {
  return new TypeError('all() only reads: writes go through store.commit');
}
