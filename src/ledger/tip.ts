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
import type { EntryWriter, Row, SyncRead, Write } from '../store/index.ts';
import type { entryBody } from './entry-body.ts';
import {
  append,
  emptyFrontier,
  type Frontier,
  frontierNodes,
  HASH_BYTES,
  hashLeaf,
  nodeAddress,
} from './merkle.ts';

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

const chainOf = (hashes: Uint8Array): Uint8Array => hashes.subarray(-HASH_BYTES);

export const nodeIn = (hashes: Uint8Array, level: number): Uint8Array =>
  hashes.subarray(level * HASH_BYTES, (level + 1) * HASH_BYTES);

export const LAST_ROW = `SELECT idx, hashes FROM ledger_entries
  WHERE idx IS NOT NULL ORDER BY idx DESC LIMIT 1`;
export const HASHES_AT = 'SELECT hashes FROM ledger_entries WHERE idx = ?';

/** Builds the tip of a ledger whose last row is given, reading at most one row per bit of its size. */
export function tipOf(last: Row | undefined, hashesAt: (row: number) => Uint8Array): Tip {
  if (last === undefined) return emptyTip();
  const size = (last['idx'] as number) + 1;
  const peaks = frontierNodes(size).map(({ level, index }) =>
    nodeIn(hashesAt(nodeAddress(level, index).row), level),
  );
  return { frontier: { size, peaks }, chain: chainOf(last['hashes'] as Uint8Array) };
}

/** Checks payloads with zod, which takes longer to load than a command that only reads should. */
let bodyOf: typeof entryBody | undefined;

export const entryWriter: EntryWriter<Tip> = {
  async load(): Promise<void> {
    bodyOf = (await import('./entry-body.ts')).entryBody;
  },

  tip(read: SyncRead): Tip {
    const [last] = read(LAST_ROW);
    return tipOf(last, (row) => read(HASHES_AT, [row])[0]!['hashes'] as Uint8Array);
  },

  place(tip: Tip, drafts: readonly EntryDraft[], nowMs: number): { writes: Write[]; tip: Tip } {
    const writes: Write[] = [];
    let after = tip;
    for (const draft of drafts) {
      const body = bodyOf!(draft, nowMs);
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
      row: { subject: draft.subject, body: bodyOf!(draft, nowMs) },
    }));
  },
};
