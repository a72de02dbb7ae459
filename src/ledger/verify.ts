/**
 * Reads the whole ledger once, in order, in bounded memory, and says whether it is what it was. Finds
 * what somebody with access to the file or the database did past the triggers: altered, removed,
 * reordered or inserted entries, each named by the first index that does not fit, and, against
 * checkpoints, truncation, rewriting and forks that are consistent in themselves.
 */
import type { Row, Store, Value } from '../store/index.ts';
import { subjectMatches } from './entry-subject.ts';
import { HASH_BYTES, hashLeaf, root } from './merkle.ts';
import { emptyTip, type Growth, grow, nodeIn, type Tip } from './tip.ts';

const PAGE_ROWS = 2000;

/** A size and root that somebody vouched for, and where that was read. */
export interface KnownRoot {
  readonly size: number;
  readonly root: Uint8Array;
  readonly source: string;
}

export type VerifyProblem =
  /** The entry at this index was altered, or is not the one that was written there. */
  | { readonly kind: 'entry'; readonly index: number; readonly message: string }
  /** No entry at this index, though later ones exist. */
  | { readonly kind: 'missing'; readonly index: number; readonly message: string }
  /** The ledger is shorter than a checkpoint says. */
  | { readonly kind: 'truncated'; readonly index: number; readonly message: string }
  /** Consistent in itself, but not the ledger a checkpoint was made of. */
  | { readonly kind: 'rewritten'; readonly index: number; readonly message: string };

export type VerifyResult =
  | {
      readonly ok: true;
      readonly size: number;
      readonly root: Uint8Array;
      /** Entries below this size are covered by a checkpoint; later ones only by their own hashes. */
      readonly coveredSize: number;
    }
  | { readonly ok: false; readonly problem: VerifyProblem };

export interface VerifyOptions {
  readonly known: readonly KnownRoot[];
  /** Called about once per page with how many entries were read. */
  readonly onProgress?: (done: number) => void;
}

export async function verifyLedger(store: Store, options: VerifyOptions): Promise<VerifyResult> {
  const roots = new RootChecks(options.known);
  let tip = emptyTip();
  for (;;) {
    const rows = await readPage(store, tip.frontier.size);
    for (const row of rows) {
      const problem = roots.check(tip);
      if (problem !== undefined) return { ok: false, problem };
      const step = checkRow(tip, row);
      if ('problem' in step) return { ok: false, problem: step.problem };
      tip = step.tip;
    }
    options.onProgress?.(tip.frontier.size);
    if (rows.length < PAGE_ROWS) break;
  }
  const problem = roots.check(tip) ?? (await strayEntry(store, tip)) ?? roots.checkEnd(tip);
  if (problem !== undefined) return { ok: false, problem };
  const { size } = tip.frontier;
  return { ok: true, size, root: root(tip.frontier), coveredSize: roots.coveredSize };
}

/** By key, not by an open cursor: a ledger of any size, beside a store that goes on being written. */
async function readPage(store: Store, from: number): Promise<Row[]> {
  const rows = await store.all(
    `SELECT idx, subject, body, hashes FROM ledger_entries
     WHERE idx BETWEEN ? AND ${Number.MAX_SAFE_INTEGER} ORDER BY idx LIMIT ${PAGE_ROWS}`,
    [from],
  );
  // PostgreSQL takes valid UTF-8 only.
  return store.engine === 'sqlite' && rows.some(isDoubtful) ? withBytes(store, rows) : rows;
}

/**
 * SQLite keeps what it is given, and broken UTF-8 is read as U+FFFD: F0 BF BD looks like the EF BF BD
 * that stood there. Such rows are judged by their bytes; reading all as bytes costs more than hashing.
 */
function isDoubtful({ subject, body }: Row): boolean {
  return hasReplacement(subject) || hasReplacement(body);
}

function hasReplacement(value: Value | undefined): boolean {
  return typeof value === 'string' && value.includes('\ufffd');
}

function withBytes(store: Store, rows: readonly Row[]): Promise<Row[]> {
  const sql = `SELECT idx, CAST(subject AS BLOB) AS subject, CAST(body AS BLOB) AS body, hashes
    FROM ledger_entries WHERE idx = ?`;
  return Promise.all(
    rows.map(async (row) =>
      isDoubtful(row) ? ((await store.all(sql, [row['idx']!]))[0] ?? row) : row,
    ),
  );
}

/** Rows where no page is read: before the first place, or beyond what a number counts. */
async function strayEntry(store: Store, tip: Tip): Promise<VerifyProblem | undefined> {
  const [row] = await store.all(
    `SELECT CAST(idx AS TEXT) AS idx FROM ledger_entries
     WHERE idx < 0 OR idx > ${Number.MAX_SAFE_INTEGER} ORDER BY ledger_entries.idx LIMIT 1`,
  );
  if (row === undefined) return undefined;
  const place = row['idx'] as string;
  const { size } = tip.frontier;
  const message = `There is an entry numbered ${place}, which is no place in a ledger of ${size}.`;
  // A place that no number holds exactly is named by where the ledger ends.
  if (!place.startsWith('-')) return { kind: 'missing', index: size, message };
  const index = Number.isSafeInteger(Number(place)) ? Number(place) : size;
  return { kind: 'entry', index, message };
}

/** The text, if these bytes are its only spelling. */
function textOf(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value;
  const bytes = Buffer.from(asBytes(value));
  const text = bytes.toString();
  return bytes.equals(Buffer.from(text)) ? text : undefined;
}

/** Somebody may have taken a column's value away, where the engine lets them. */
function asBytes(value: Value | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function checkRow(tip: Tip, row: Row): { tip: Tip } | { problem: VerifyProblem } {
  const index = tip.frontier.size;
  if (row['idx'] !== index) {
    return { problem: { kind: 'missing', index, message: `Entry ${index} is missing.` } };
  }
  const body = row['body'];
  const stored = asBytes(row['hashes']);
  const leafHash = hashLeaf(typeof body === 'string' ? body : asBytes(body));
  const grown = grow(tip, leafHash);
  if (!isStored(grown, stored)) {
    const altered = Buffer.compare(leafHash, nodeIn(stored, 0)) !== 0;
    return { problem: { kind: 'entry', index, message: whatIsWrong(index, altered, stored) } };
  }
  const text = textOf(body);
  const subject = textOf(row['subject']);
  if (text === undefined || subject === undefined || !subjectMatches(text, subject)) {
    const message = `Entry ${index} is listed under another subject than it speaks of.`;
    return { problem: { kind: 'entry', index, message } };
  }
  return { tip: grown.tip };
}

/** Compared part by part: this runs for every entry, and nothing needs them in one piece. */
function isStored({ leafHash, completed, tip }: Growth, stored: Uint8Array): boolean {
  if (stored.length !== (completed.length + 2) * HASH_BYTES) return false;
  if (!isAt(stored, 0, leafHash)) return false;
  for (let at = 0; at < completed.length; at++) {
    if (!isAt(stored, at + 1, completed[at]!)) return false;
  }
  return isAt(stored, completed.length + 1, tip.chain);
}

/** Byte by byte: 0.03 µs, where a view on the bytes and `Buffer.compare` take 0.11. */
function isAt(stored: Uint8Array, position: number, hash: Uint8Array): boolean {
  const start = position * HASH_BYTES;
  for (let at = 0; at < HASH_BYTES; at++) if (stored[start + at] !== hash[at]) return false;
  return true;
}

function whatIsWrong(index: number, altered: boolean, stored: Uint8Array): string {
  if (stored.length % HASH_BYTES !== 0) return `The hashes of entry ${index} were altered.`;
  return altered
    ? `Entry ${index} or its hash was altered.`
    : `Entry ${index} does not follow from the one before it: entries were altered, moved, removed or inserted here.`;
}

/** Compares the ledger with known roots as reading passes their sizes. */
class RootChecks {
  readonly #known: readonly KnownRoot[];
  #next = 0;
  coveredSize = 0;

  constructor(known: readonly KnownRoot[]) {
    this.#known = [...known].sort((a, b) => a.size - b.size);
  }

  check(tip: Tip): VerifyProblem | undefined {
    const { size } = tip.frontier;
    for (; this.#known[this.#next]?.size === size; this.#next++) {
      const known = this.#known[this.#next]!;
      if (Buffer.compare(known.root, root(tip.frontier)) !== 0) return this.#rewritten(known);
      this.coveredSize = size;
    }
    return undefined;
  }

  checkEnd(tip: Tip): VerifyProblem | undefined {
    const longer = this.#known[this.#next];
    if (longer === undefined) return undefined;
    const index = tip.frontier.size;
    const message = `The ledger ends after ${index} entries, but ${longer.source} has ${longer.size}.`;
    return { kind: 'truncated', index, message };
  }

  #rewritten({ size, source }: KnownRoot): VerifyProblem {
    const index = this.coveredSize;
    const message =
      `The first ${size} entries are not those that ${source} was made of: ` +
      `the change lies in entries ${index} to ${Math.max(size - 1, 0)}.`;
    return { kind: 'rewritten', index, message };
  }
}
