/**
 * Reads the whole ledger once, in order, in bounded memory, and says whether it is what it was. Finds
 * what somebody with access to the file or the database did past the triggers: altered, removed,
 * reordered or inserted entries, each named by the first index that does not fit, and, against
 * checkpoints, truncation, rewriting and forks that are consistent in themselves.
 */
import type { Row, Store, Value } from '../store/index.ts';
import { subjectMatches } from './entry-subject.ts';
import { type Frontier, HASH_BYTES, hashLeaf, hashNode, root } from './merkle.ts';
import { chainAfter, emptyTip, nodeIn, type Tip } from './tip.ts';

export const PAGE_ROWS = 2000;

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
      /** How many known roots were compared; without one nothing is covered. */
      readonly compared: number;
    }
  | { readonly ok: false; readonly problem: VerifyProblem };

export interface VerifyOptions {
  readonly known: readonly KnownRoot[];
  /** Called about once per page with how many entries were read. */
  readonly onProgress?: (done: number) => void;
}

export async function verifyLedger(store: Store, options: VerifyOptions): Promise<VerifyResult> {
  const roots = new RootChecks(options.known);
  const walk = new Walk();
  for (;;) {
    const rows = await readPage(store, walk.size);
    for (const row of rows) {
      const problem = roots.check(walk) ?? checkRow(walk, row);
      if (problem !== undefined) return { ok: false, problem };
    }
    options.onProgress?.(walk.size);
    if (rows.length < PAGE_ROWS) break;
  }
  const { size } = walk;
  const problem = roots.check(walk) ?? (await strayEntry(store, size)) ?? roots.checkEnd(size);
  if (problem !== undefined) return { ok: false, problem };
  const { coveredSize, compared } = roots;
  return { ok: true, size, root: root(walk), coveredSize, compared };
}

/** By key, not by an open cursor: a ledger of any size, beside a store that goes on being written. */
export async function readPage(store: Store, from: number): Promise<Row[]> {
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
async function strayEntry(store: Store, size: number): Promise<VerifyProblem | undefined> {
  const [row] = await store.all(
    `SELECT CAST(idx AS TEXT) AS idx FROM ledger_entries
     WHERE idx < 0 OR idx > ${Number.MAX_SAFE_INTEGER} ORDER BY ledger_entries.idx LIMIT 1`,
  );
  if (row === undefined) return undefined;
  const place = row['idx'] as string;
  const message = `There is an entry numbered ${place}, which is outside a ledger of ${size}.`;
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

/** Checks the row and goes on past it. */
export function checkRow(walk: Walk, row: Row): VerifyProblem | undefined {
  const index = walk.size;
  if (row['idx'] !== index)
    return { kind: 'missing', index, message: `Entry ${index} is missing.` };
  const body = row['body'];
  const stored = asBytes(row['hashes']);
  const leafHash = hashLeaf(typeof body === 'string' ? body : asBytes(body));
  if (!walk.pass(leafHash, stored)) {
    const altered = Buffer.compare(leafHash, nodeIn(stored, 0)) !== 0;
    return { kind: 'entry', index, message: whatIsWrong(index, altered, stored) };
  }
  const text = textOf(body);
  const subject = textOf(row['subject']);
  if (text === undefined || subject === undefined || !subjectMatches(text, subject)) {
    const message = `Entry ${index} is listed under a subject that is not its own.`;
    return { kind: 'entry', index, message };
  }
  return undefined;
}

/**
 * The tree's right edge as reading comes past it. It grows in place: `append` and `grow`, which give a new
 * edge for each leaf because a writer may have to go back, take a fifth more of verification's time.
 */
export class Walk implements Frontier {
  size: number;
  readonly peaks: Uint8Array[];
  #chain: Uint8Array;

  /** From the ledger's beginning, or from where it was that long. */
  constructor({ frontier, chain }: Tip = emptyTip()) {
    this.size = frontier.size;
    this.peaks = [...frontier.peaks];
    this.#chain = chain;
  }

  /** False if the row's hashes are not those that follow here; the walk is over then. */
  pass(leafHash: Uint8Array, stored: Uint8Array): boolean {
    if (!isAt(stored, 0, leafHash)) return false;
    let position = 1;
    let node = leafHash;
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2) {
      node = hashNode(this.peaks.pop()!, node);
      if (!isAt(stored, position++, node)) return false;
    }
    this.#chain = chainAfter(this.#chain, leafHash);
    if (!isAt(stored, position++, this.#chain)) return false;
    this.peaks.push(node);
    this.size += 1;
    return stored.length === position * HASH_BYTES;
  }
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

  get compared(): number {
    return this.#next;
  }

  constructor(known: readonly KnownRoot[]) {
    this.#known = [...known].sort((a, b) => a.size - b.size);
  }

  check(frontier: Frontier): VerifyProblem | undefined {
    const { size } = frontier;
    for (; this.#known[this.#next]?.size === size; this.#next++) {
      const known = this.#known[this.#next]!;
      if (Buffer.compare(known.root, root(frontier)) !== 0) return this.#rewritten(known);
      this.coveredSize = size;
    }
    return undefined;
  }

  checkEnd(index: number): VerifyProblem | undefined {
    const longer = this.#known[this.#next];
    if (longer === undefined) return undefined;
    const message = `The ledger ends after ${index} entries, but ${longer.source} has ${longer.size}.`;
    return { kind: 'truncated', index, message };
  }

  #rewritten({ size, source }: KnownRoot): VerifyProblem {
    const index = this.coveredSize;
    const message =
      `The first ${size} entries differ from those that ${source} was made of: ` +
      `the change lies in entries ${index} to ${Math.max(size - 1, 0)}.`;
    return { kind: 'rewritten', index, message };
  }
}
