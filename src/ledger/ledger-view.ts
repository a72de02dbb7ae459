/** Questions to the ledger. Entries without a place (PostgreSQL, before sequencing) are not in it yet. */
import type { Entry } from '../facts/index.ts';
import type { Row, Store, Value } from '../store/index.ts';
import { damaged, LedgerError } from './errors.ts';
import {
  frontierNodes,
  hashLeaf,
  type NodeId,
  nodeAddress,
  type ReadNode,
  root,
} from './merkle.ts';
import {
  consistencyProof,
  inclusionProof,
  nodesForConsistency,
  nodesForInclusion,
} from './merkle-proof.ts';
import { bytesText } from './stored-bytes.ts';
import {
  HASHES_AT,
  INDEX_MAX,
  LAST_ROW,
  type StoredHashes,
  sizeWith,
  storedNode,
  type Tip,
  tipOf,
} from './tip.ts';

export interface PlacedEntry {
  readonly index: number;
  readonly entry: Entry;
  /** The exact bytes that were hashed. */
  readonly body: string;
}

/** There is something, but not an entry that this build knows. */
export interface UnreadableEntry {
  readonly index: number;
  readonly entry: undefined;
  readonly cause: unknown;
}

export interface EntryFilter {
  readonly subject?: string;
  /** Entries of one type; any other is not even read. */
  readonly type?: Entry['type'];
  /** Entries from this index on. */
  readonly from?: number;
  /** Entries below this index. */
  readonly before?: number;
  /** The newest first. */
  readonly newestFirst?: boolean;
  readonly limit: number;
}

/** Has an index of its own on SQLite, which is only used by a statement that names its rows in the very same way. */
const INDEXED_TYPE: Entry['type'] = 'policy.let_pass';
const INDEXED = `instr(body, '"type":"${INDEXED_TYPE}"') > 0`;

/** All that a look at the ledger needs: a store, or a snapshot of one. */
export type LedgerReads = Pick<Store, 'engine' | 'all'>;

export class LedgerView {
  readonly #store: LedgerReads;

  constructor(store: LedgerReads) {
    this.#store = store;
  }

  /** Entries at places that no ledger has do not count: `verify` finds them, and whoever would append. */
  async size(): Promise<number> {
    const [last] = await this.#store.all(
      `SELECT idx FROM ledger_entries WHERE idx BETWEEN 0 AND ${INDEX_MAX} ORDER BY idx DESC LIMIT 1`,
    );
    return last === undefined ? 0 : (last['idx'] as number) + 1;
  }

  /** Written, but without a place yet; always 0 on SQLite. */
  async unplaced(): Promise<number> {
    const [row] = await this.#store.all(
      'SELECT count(*) AS n FROM ledger_entries WHERE idx IS NULL',
    );
    return row!['n'] as number;
  }

  /** Whether any is, without counting them all. */
  async hasUnplaced(): Promise<boolean> {
    const found = await this.#store.all(
      'SELECT 1 AS one FROM ledger_entries WHERE idx IS NULL LIMIT 1',
    );
    return found.length > 0;
  }

  async tip(): Promise<Tip> {
    const [last] = await this.#store.all(LAST_ROW);
    if (last === undefined) return tipOf(last, () => undefined);
    const hashes = await this.#hashes(frontierNodes(sizeWith(last)));
    return tipOf(last, (row) => hashes.get(row));
  }

  /** The right edge it had when it was that long, as its rows say; only `verify` checks them. */
  async tipAt(size: number): Promise<Tip> {
    if (size === 0) return tipOf(undefined, () => undefined);
    // The last of the nodes is in the last row.
    const hashes = await this.#hashes(frontierNodes(size));
    const last = { idx: size - 1, hashes: hashes.get(size - 1) ?? null };
    return tipOf(last, (row) => hashes.get(row));
  }

  /** The present size and root hash. */
  async head(): Promise<{ size: number; root: Uint8Array }> {
    const { frontier } = await this.tip();
    return { size: frontier.size, root: root(frontier) };
  }

  /** The root hash the ledger had when it was that long. */
  async rootAt(size: number): Promise<Uint8Array> {
    await this.#checkSize(size);
    const nodes = frontierNodes(size);
    const read = await this.#nodes(nodes);
    return root({ size, peaks: nodes.map(({ level, index }) => read(level, index)) });
  }

  async entry(index: number): Promise<PlacedEntry> {
    const [found] = await this.read({ from: index, limit: 1 });
    if (found?.index === index) return readable(found);
    const size = await this.size();
    if (index >= 0 && index < size) throw damaged(`Entry ${index} is missing.`);
    throw noSuchEntry(index, size);
  }

  /** Throws on the first that cannot be read. */
  async entries(filter: EntryFilter): Promise<PlacedEntry[]> {
    return (await this.read(filter)).map(readable);
  }

  /** Also what cannot be read, for whoever shows a ledger as it is. */
  async read(filter: EntryFilter): Promise<(PlacedEntry | UnreadableEntry)[]> {
    const last = Math.min(INDEX_MAX, (filter.before ?? INDEX_MAX + 1) - 1);
    const where = ['idx BETWEEN ? AND ?'];
    const parameters: Value[] = [filter.from ?? 0, last];
    if (filter.subject !== undefined) {
      where.push('subject = ?');
      parameters.push(filter.subject);
    }
    if (filter.type === INDEXED_TYPE && this.#store.engine === 'sqlite') {
      where.push(INDEXED);
    } else if (filter.type !== undefined) {
      // As canonical JSON has it. It may also stand deeper, so `isOf` looks again.
      where.push('body LIKE ?');
      parameters.push(`%"type":"${filter.type}"%`);
    }
    const order = filter.newestFirst === true ? 'DESC' : 'ASC';
    const rows = await this.#store.all(
      `SELECT idx, body FROM ledger_entries WHERE ${where.join(' AND ')} ORDER BY idx ${order} LIMIT ?`,
      [...parameters, filter.limit],
    );
    const parse = await loadParser();
    const isOf = (one: PlacedEntry | UnreadableEntry) =>
      filter.type === undefined || one.entry === undefined || one.entry.type === filter.type;
    return rows.map((row) => placed(row, parse)).filter(isOf);
  }

  /** Proves that the entry is in the ledger of that size. */
  async proveInclusion(index: number, size: number): Promise<Uint8Array[]> {
    await this.#checkSize(size);
    if (!Number.isSafeInteger(index) || index < 0 || index >= size) throw noSuchEntry(index, size);
    const read = await this.#nodes(nodesForInclusion(index, size));
    return inclusionProof(index, size, read);
  }

  /** Of the entry as stored, whatever it is. */
  async leafHash(index: number): Promise<Uint8Array> {
    const body = bytesText('body', this.#store.engine);
    const sql = `SELECT ${body} AS body FROM ledger_entries WHERE idx = ?`;
    const [row] = await this.#store.all(sql, [index]);
    if (row === undefined) throw damaged(`Entry ${index} is missing.`);
    return hashLeaf((row['body'] as Uint8Array | null) ?? new Uint8Array());
  }

  /** Proves that the larger ledger extends the smaller one. */
  async proveConsistency(size1: number, size2: number): Promise<Uint8Array[]> {
    await this.#checkSize(size2);
    const read = await this.#nodes(nodesForConsistency(size1, size2));
    return consistencyProof(size1, size2, read);
  }

  async #checkSize(size: number): Promise<void> {
    const actual = await this.size();
    if (Number.isSafeInteger(size) && size >= 0 && size <= actual) return;
    throw new LedgerError('out_of_range', `The ledger has ${actual} entries, not ${size}.`);
  }

  async #nodes(ids: readonly NodeId[]): Promise<ReadNode> {
    const hashes = await this.#hashes(ids);
    return (level, index) => {
      const { row } = nodeAddress(level, index);
      return storedNode(hashes.get(row), row, level);
    };
  }

  async #hashes(ids: readonly NodeId[]): Promise<Map<number, StoredHashes>> {
    const rows = [...new Set(ids.map(({ level, index }) => nodeAddress(level, index).row))];
    const found = await Promise.all(rows.map((row) => this.#store.all(HASHES_AT, [row])));
    return new Map(rows.map((row, at) => [row, found[at]![0]?.['hashes']]));
  }
}

type ParseBody = (body: string) => Entry;

/** Loaded by whoever reads entries, not by whoever counts them. */
const loadParser = async (): Promise<ParseBody> => (await import('./entry-body.ts')).parseBody;

function placed(row: Row, parse: ParseBody): PlacedEntry | UnreadableEntry {
  const body = row['body'] as string;
  const index = row['idx'] as number;
  try {
    return { index, entry: parse(body), body };
  } catch (cause) {
    return { index, entry: undefined, cause };
  }
}

function readable(found: PlacedEntry | UnreadableEntry): PlacedEntry {
  if (found.entry !== undefined) return found;
  throw new LedgerError('unreadable_entry', `Entry ${found.index} cannot be read.`, {
    hint: 'Run "hone ledger verify". If that finds nothing, a newer Hone wrote it: use that one.',
    cause: found.cause,
  });
}

function noSuchEntry(index: number, size: number): LedgerError {
  return new LedgerError('out_of_range', `There is no entry ${index}: the ledger has ${size}.`, {
    hint: size === 0 ? 'The ledger is empty.' : `Choose one from 0 to ${size - 1}.`,
  });
}
