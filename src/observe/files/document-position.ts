/**
 * What was taken of documents: files that are one payload and are written anew as a whole. The same content is never
 * taken twice, wherever it lies. Other content at the same path is taken without the records that were
 * already taken there: a report that the next run overwrites has other times, and all of it is new; of a list that
 * grows only what was added is.
 *
 * Every record is known by a short hash. The newest hashes of a path are kept in a ring of rows, so that a batch
 * writes its own row and no others:
 *
 *   row 0 ─► row 1 ─► … ─► row 63 ─► row 0 …     512 records each
 *
 * A document that goes on where the one before ended is recognised by a hash over all records up to there, however
 * many they are.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, type Json, sha256Hex } from '../../base/index.ts';
import type { Decoded, Positions, StreamPosition } from '../types.ts';

const ROWS = 64;
const ROW_RECORDS = 512;
/** 48 bits: of 32 000 records two are alike once in a million documents. */
const HASH_CHARS = 8;
/** What is remembered of one path. */
export const REMEMBERED_MAX = ROWS * ROW_RECORDS;

interface Row {
  readonly path: string;
  /** The place in the ring is the rest by `ROWS`. */
  readonly sequence: number;
  /** The document's content. */
  readonly digest: string;
  /** The first content of those that went on where the one before ended. */
  readonly lineage: string;
  /** How many of its records were dealt with, and the hash over all of them. */
  readonly upTo: number;
  readonly chain: string;
  /** Of records of this row. */
  readonly hashes: string;
  readonly isDone: boolean;
  /** When the file was written, as the decoder was told: it is told the same when it continues. */
  readonly modifiedMs: number | null;
}

export class DocumentPosition {
  readonly #digest: string;
  readonly #path: string;
  readonly #rows: readonly Row[];
  readonly #latest: Row | undefined;

  private constructor(path: string, digest: string, rows: readonly Row[]) {
    this.#path = path;
    this.#digest = digest;
    this.#rows = rows;
    this.#latest = rows.find((row) => row.path === path);
  }

  static async find(positions: Positions, path: string, digest: string): Promise<DocumentPosition> {
    const key = sha256Hex(path).slice(0, 40);
    const rows = (await positions.find([pathMark(key), digestMark(digest)])) as unknown as Row[];
    const newestFirst = rows.toSorted((a, b) => b.sequence - a.sequence);
    return new DocumentPosition(key, digest, newestFirst);
  }

  /** The same content was taken, as the newest of this path or at another one. */
  get isTaken(): boolean {
    const isSame = ({ digest, isDone }: Row) => isDone && digest === this.#digest;
    if (this.#latest !== undefined && isSame(this.#latest)) return true;
    return this.#rows.some((row) => row.path !== this.#path && isSame(row));
  }

  /** Half of it was taken: it must be decoded as it was then. */
  get begunModifiedMs(): number | null | undefined {
    return this.#begun?.modifiedMs;
  }

  get #begun(): Row | undefined {
    const isOf = (row: Row) => row === this.#latest || row.path !== this.#path;
    return this.#rows.find((row) => isOf(row) && row.digest === this.#digest && !row.isDone);
  }

  /** The taking of its records. */
  take(records: readonly Decoded[], modifiedMs: number | null): Taking {
    const hashes = records.map(hashOf);
    const before = this.#begun ?? this.#latest;
    const isContinued = before !== undefined && chainOf(hashes, before.upTo) === before.chain;
    const { digest, path } = { digest: this.#digest, path: this.#path };
    const sequence = (this.#latest?.sequence ?? -1) + 1;
    const lineage = `${digest}@${sequence}`;
    const fresh = { lineage, upTo: 0, chain: '', hashes: '', sequence };
    const from = isContinued ? { ...before, ...ownRow(before, path, fresh) } : fresh;
    const row: Row = { ...from, path, digest, isDone: false, modifiedMs };
    return new Taking(hashes, row, this.#taken(row.lineage));
  }

  /** How often each record was in one of the documents before; those of its own lineage come before its place. */
  #taken(lineage: string): Map<string, number> {
    const most = new Map<string, number>();
    const byLineage = Map.groupBy(
      this.#rows.filter((row) => row.path === this.#path && row.lineage !== lineage),
      (row) => row.lineage,
    );
    for (const rows of byLineage.values()) {
      const counts = new Map<string, number>();
      for (const hash of rows.flatMap(({ hashes }) => split(hashes)))
        counts.set(hash, (counts.get(hash) ?? 0) + 1);
      for (const [hash, count] of counts) most.set(hash, Math.max(most.get(hash) ?? 0, count));
    }
    return most;
  }
}

/** A document that was begun at another path goes on in a row of this one. */
function ownRow(before: Row, path: string, fresh: Pick<Row, 'hashes' | 'sequence'>) {
  return before.path === path ? {} : { hashes: fresh.hashes, sequence: fresh.sequence };
}

export class Taking {
  readonly #hashes: readonly string[];
  readonly #taken: Map<string, number>;
  #row: Row;

  constructor(hashes: readonly string[], row: Row, taken: Map<string, number>) {
    this.#hashes = hashes;
    this.#row = row;
    this.#taken = taken;
    // Those before its place, of a document that was begun, used up their share of what was taken before.
    for (const hash of hashes.slice(0, row.upTo)) this.#isTaken(hash);
  }

  /** Which of the next `count` records are new, and where they are; undefined when all were dealt with. */
  next(
    count: number,
  ): { readonly fresh: readonly number[]; readonly position: StreamPosition } | undefined {
    if (this.#row.isDone) return undefined;
    const { upTo } = this.#row;
    const hashes = this.#hashes.slice(upTo, upTo + Math.min(count, ROW_RECORDS));
    const fresh: number[] = [];
    for (const [at, hash] of hashes.entries()) if (!this.#isTaken(hash)) fresh.push(upTo + at);
    const isFull = this.#row.hashes.length / HASH_CHARS + hashes.length > ROW_RECORDS;
    this.#row = {
      ...this.#row,
      sequence: this.#row.sequence + (isFull ? 1 : 0),
      hashes: (isFull ? '' : this.#row.hashes) + hashes.join(''),
      upTo: upTo + hashes.length,
      chain: chainOf(hashes, hashes.length, this.#row.chain),
      isDone: upTo + hashes.length >= this.#hashes.length,
    };
    return { fresh, position: stored(this.#row) };
  }

  #isTaken(hash: string): boolean {
    const left = this.#taken.get(hash) ?? 0;
    if (left > 0) this.#taken.set(hash, left - 1);
    return left > 0;
  }
}

const pathMark = (path: string) => `document-at:${path}`;
const digestMark = (digest: string) => `document:${digest}`;

function stored(row: Row): StreamPosition {
  return {
    stream: `document:${row.path}:${row.sequence % ROWS}`,
    marks: [pathMark(row.path), digestMark(row.digest)],
    value: { ...row } as unknown as Json,
  };
}

function hashOf(record: Decoded): string {
  const known = record.ok ? record.event : [record.reason, record.detail];
  const hash = createHash('sha256').update(canonicalJson(known as unknown as Json));
  return hash.digest('base64url').slice(0, HASH_CHARS);
}

/** One hash over the first `count`; none has it if there are not as many. */
function chainOf(hashes: readonly string[], count: number, from = ''): string {
  let chain = from;
  if (count > hashes.length) return 'shorter';
  for (let at = 0; at < count; at++) chain = sha256Hex(chain + hashes[at]!);
  return chain;
}

function split(hashes: string): string[] {
  return hashes.match(/.{8}/g) ?? [];
}
