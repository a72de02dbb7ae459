/**
 * The tree's right edge, and how entries become rows there.
 *
 * A row's `hashes` are its leaf hash, the tree nodes it completes (level 1 upwards) and, last, the
 * chain: SHA-256 of the chain before it and the leaf hash. The tree gives proofs; the chain lets
 * `verify` name the very entry where a rewriting begins. Rejected: a table of nodes and a row for the
 * frontier (two more pages written per append, and tables that change beside a log that must not);
 * the root in every row in place of the chain (up to 20 hashes per entry at a million entries).
 */
import { sha256 } from '../base/index.ts';
import type { EntryDraft } from '../facts/index.ts';
import type { EntryWriter, Row, SyncRead, Value, Write } from '../store/index.ts';
import { bodyText } from './body-text.ts';
import type { entryBody } from './entry-body.ts';
import { damaged } from './errors.ts';
import {
  append,
  emptyFrontier,
  type Frontier,
  frontierNodes,
  HASH_BYTES,
  hashLeaf,
  nodeAddress,
} from './merkle.ts';
import { isPlainEntry } from './plain-entry.ts';

export interface Tip {
  readonly frontier: Frontier;
  readonly chain: Uint8Array;
}

export const emptyTip = (): Tip => ({
  frontier: emptyFrontier(),
  chain: new Uint8Array(HASH_BYTES),
});

/** What one more leaf adds: its row's hashes in their parts, and the tip after it. */
export interface Growth {
  readonly leafHash: Uint8Array;
  readonly completed: readonly Uint8Array[];
  readonly tip: Tip;
}

export function grow(tip: Tip, leafHash: Uint8Array): Growth {
  const { frontier, completed } = append(tip.frontier, leafHash);
  return { leafHash, completed, tip: { frontier, chain: chainAfter(tip.chain, leafHash) } };
}

export function rowHashes({ leafHash, completed, tip }: Growth): Uint8Array {
  return Buffer.concat([leafHash, ...completed, tip.chain]);
}

const chainInput = new Uint8Array(2 * HASH_BYTES);

export function chainAfter(before: Uint8Array, leafHash: Uint8Array): Uint8Array {
  chainInput.set(before, 0);
  chainInput.set(leafHash, HASH_BYTES);
  return sha256(chainInput);
}

export const nodeIn = (hashes: Uint8Array, level: number): Uint8Array =>
  hashes.subarray(level * HASH_BYTES, (level + 1) * HASH_BYTES);

/** The last place there can be: a ledger's size is a number, too. */
export const INDEX_MAX = Number.MAX_SAFE_INTEGER - 1;
/** Null where somebody put an entry at a place that no number counts. */
export const COUNTED_IDX = `CASE WHEN idx BETWEEN 0 AND ${INDEX_MAX} THEN idx END AS idx`;
export const LAST_ROW = `SELECT ${COUNTED_IDX}, hashes FROM ledger_entries
  WHERE idx IS NOT NULL ORDER BY ledger_entries.idx DESC LIMIT 1`;
export const HASHES_AT = 'SELECT hashes FROM ledger_entries WHERE idx = ?';

/** A row's hashes as stored; undefined if there is no such row. */
export type StoredHashes = Value | undefined;

/** A node in a row that may be anything. Whether it is the right one only `verify` says. */
export function storedNode(hashes: StoredHashes, row: number, level: number): Uint8Array {
  if (hashes === undefined) throw damaged(`Entry ${row} is missing.`);
  // The node and, behind it, at least the chain.
  if (hashes instanceof Uint8Array && hashes.length >= (level + 2) * HASH_BYTES) {
    return nodeIn(hashes, level);
  }
  throw damaged(`The hashes of entry ${row} cannot be read.`);
}

export function sizeWith(last: Row): number {
  if (last['idx'] !== null) return (last['idx'] as number) + 1;
  throw damaged('There is an entry at an impossible place.');
}

/** Builds the tip of a ledger whose last row is given, reading at most one row per bit of its size. */
export function tipOf(last: Row | undefined, hashesAt: (row: number) => StoredHashes): Tip {
  if (last === undefined) return emptyTip();
  const size = sizeWith(last);
  const peaks = frontierNodes(size).map(({ level, index }) => {
    const { row } = nodeAddress(level, index);
    return storedNode(hashesAt(row), row, level);
  });
  // One of the peaks stands in the last row: its hashes were seen to be some.
  return { frontier: { size, peaks }, chain: (last['hashes'] as Uint8Array).subarray(-HASH_BYTES) };
}

/** Checks payloads with zod, which takes longer to load than a command that only reads should. */
let checkedBody: typeof entryBody | undefined;

const bodyOf = (draft: EntryDraft, nowMs: number): string =>
  isPlainEntry(draft)
    ? bodyText({ ...draft, artifacts: [], atMs: draft.atMs ?? nowMs })
    : checkedBody!(draft, nowMs);

async function loadCheck(): Promise<void> {
  checkedBody = (await import('./entry-body.ts')).entryBody;
}

export const entryWriter: EntryWriter<Tip> = {
  load(drafts: readonly EntryDraft[]): Promise<void> | undefined {
    if (checkedBody !== undefined || drafts.every(isPlainEntry)) return undefined;
    return loadCheck();
  },

  tip(read: SyncRead): Tip {
    const [last] = read(LAST_ROW);
    return tipOf(last, (row) => read(HASHES_AT, [row])[0]?.['hashes']);
  },

  place(tip: Tip, drafts: readonly EntryDraft[], nowMs: number): { writes: Write[]; tip: Tip } {
    const writes: Write[] = [];
    let after = tip;
    for (const draft of drafts) {
      const body = bodyOf(draft, nowMs);
      const idx = after.frontier.size;
      const grown = grow(after, hashLeaf(body));
      after = grown.tip;
      const row = { idx, subject: draft.subject, body, hashes: rowHashes(grown) };
      writes.push({ insert: 'ledger_entries', row });
    }
    return { writes, tip: after };
  },

  unplaced(drafts: readonly EntryDraft[], nowMs: number): Write[] {
    return drafts.map((draft) => ({
      insert: 'ledger_entries',
      row: { subject: draft.subject, body: bodyOf(draft, nowMs) },
    }));
  },
};
