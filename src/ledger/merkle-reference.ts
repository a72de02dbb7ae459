/**
 * The recursive definitions of RFC 6962 section 2.1 and of draft-ietf-plants-merkle-tree-certs, written
 * as the texts write them. For tests only: what they judge is written differently.
 */
import { emptyRoot, hashNode } from './merkle.ts';

/** MTH(D[start:end]) over leaf hashes. */
export function referenceRoot(
  leaves: readonly Uint8Array[],
  start = 0,
  end = leaves.length,
): Uint8Array {
  if (end === start) return emptyRoot();
  if (end - start === 1) return leaves[start]!;
  const middle = start + referenceSplit(end - start);
  return hashNode(referenceRoot(leaves, start, middle), referenceRoot(leaves, middle, end));
}

/** SUBTREE_PROOF(start, end, D_size) as ranges of leaves; from start 0 it is RFC 6962's PROOF. */
export function referenceSubtreeProof(
  start: number,
  end: number,
  size: number,
): [number, number][] {
  return subproof([start, end], [0, size], true);
}

function subproof(
  [start, end]: [number, number],
  [low, high]: [number, number],
  known: boolean,
): [number, number][] {
  if (start === low && end === high) return known ? [] : [[low, high]];
  const middle = low + referenceSplit(high - low);
  if (end <= middle) return [...subproof([start, end], [low, middle], known), [middle, high]];
  if (start >= middle) return [...subproof([start, end], [middle, high], known), [low, middle]];
  return [...subproof([middle, end], [middle, high], false), [low, middle]];
}

/** The largest power of two below `size`. */
function referenceSplit(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}
