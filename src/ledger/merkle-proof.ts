/**
 * Builds inclusion and consistency proofs (RFC 6962 sections 2.1.1 and 2.1.2, RFC 9162 sections
 * 2.1.3.1 and 2.1.4.1) from stored complete nodes. Pure, O(log n). A proof is a list of ranges of
 * leaves, bottom up, each standing for one hash; at most one of them, at the tree's right edge, is
 * not a complete node and is folded from several. A database can fetch everything at once: ask
 * `nodesFor...`, read those, then build the proof with a `readNode` over what was read.
 */
import { LedgerError } from './errors.ts';
import { bitLength, foldPeaks, type NodeId, type ReadNode, rangeNodes } from './merkle.ts';

interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** The nodes that `inclusionProof` will read, in the order of reading. */
export function nodesForInclusion(index: number, size: number): NodeId[] {
  return inclusionRanges(index, size).flatMap(({ start, end }) => rangeNodes(start, end));
}

/** Proves that leaf `index` is in the tree of `size` leaves. */
export function inclusionProof(index: number, size: number, readNode: ReadNode): Uint8Array[] {
  return inclusionRanges(index, size).map((range) => rangeHash(range, readNode));
}

/** The nodes that `consistencyProof` will read, in the order of reading. */
export function nodesForConsistency(size1: number, size2: number): NodeId[] {
  return consistencyRanges(size1, size2).flatMap(({ start, end }) => rangeNodes(start, end));
}

/** Proves that the tree of `size1` leaves is a prefix of the one of `size2`; never from size 0 (ADR 010). */
export function consistencyProof(size1: number, size2: number, readNode: ReadNode): Uint8Array[] {
  return consistencyRanges(size1, size2).map((range) => rangeHash(range, readNode));
}

/** RFC 6962 section 2.1.1, PATH(m, D[n]), walked from the root down and then turned around. */
function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size)
    throw new LedgerError(
      'out_of_range',
      `There is no leaf ${index} in a tree of ${size} leaves.`,
      {
        hint: 'Ask for an index from 0 to the size minus 1.',
      },
    );
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + splitSize(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/** RFC 6962 section 2.1.2, SUBPROOF(m, D[n], b), walked from the root down and then turned around. */
function consistencyRanges(size1: number, size2: number): LeafRange[] {
  if (!Number.isSafeInteger(size1) || !Number.isSafeInteger(size2) || size1 < 1 || size1 > size2)
    throw new LedgerError(
      'out_of_range',
      `There is no consistency proof from ${size1} to ${size2} leaves.`,
      { hint: 'Ask for two sizes from 1 upwards, the smaller first.' },
    );
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size2;
  while (end !== size1) {
    const middle = start + splitSize(end - start);
    if (size1 <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  // From start 0 this last range is the old tree itself, whose root the verifier has (RFC: b is true).
  if (start > 0) ranges.push({ start, end });
  return ranges.reverse();
}

/** The largest power of two below `size`, RFC 6962's k; `size` is at least 2. */
function splitSize(size: number): number {
  return 2 ** (bitLength(size - 1) - 1);
}

function rangeHash(range: LeafRange, readNode: ReadNode): Uint8Array {
  const nodes = rangeNodes(range.start, range.end);
  return foldPeaks(nodes.map(({ level, index }) => readNode(level, index)));
}
