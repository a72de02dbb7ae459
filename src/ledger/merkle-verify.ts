/**
 * Verifies inclusion and consistency proofs of trees (RFC 9162 sections 2.1.3.2 and 2.1.4.2) and of
 * subtrees (draft-ietf-plants-merkle-tree-certs, sections on subtree proofs). Pure.
 *
 * Every argument may come from an attacker: sizes of any value, hashes of any length, proofs of any
 * length. Promises: never throws, hashes at most one proof's worth (53 elements, however many are
 * given), and says why a proof fails. The size-0 cases are decided in docs/adr/010-empty-tree-proofs.md.
 */
import { emptyRoot, HASH_BYTES, hashNode } from './merkle.ts';

type ProofFailure =
  /** A size or an index is negative, not whole, or beyond 2^53 - 1. */
  | 'not_a_size'
  /** The leaf is not inside the tree or the subtree. */
  | 'index_outside'
  /** The older tree, or the subtree, ends behind the newer tree. */
  | 'size_order'
  /** A proof from the empty tree would prove nothing. */
  | 'empty_tree'
  /** `start` does not fit `end`: no such subtree exists in any tree. */
  | 'not_a_subtree'
  /** A hash that takes part in the computation is not 32 bytes. */
  | 'hash_length'
  | 'proof_too_short'
  | 'proof_too_long'
  /** The proof leads to another root for the older tree or the subtree. */
  | 'old_root_mismatch'
  /** The proof leads to another root. */
  | 'root_mismatch';

export type ProofResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: ProofFailure };

export interface InclusionClaim {
  readonly index: number;
  readonly size: number;
  readonly leafHash: Uint8Array;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

export interface ConsistencyClaim {
  readonly size1: number;
  readonly size2: number;
  readonly root1: Uint8Array;
  readonly root2: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** `index` counts from the tree's first leaf; `root` is the root of the subtree [start, end). */
export interface SubtreeInclusionClaim {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly leafHash: Uint8Array;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** `root1` is the root of the subtree [start, end), `root2` the one of the tree of `size` leaves. */
export interface SubtreeConsistencyClaim {
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly root1: Uint8Array;
  readonly root2: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

const VERIFIED: ProofResult = { ok: true };

/** Is the leaf with this hash at `index` of the tree with this root? */
export function verifyInclusion({ size, ...claim }: InclusionClaim): ProofResult {
  return verifySubtreeInclusion({ ...claim, start: 0, end: size });
}

/** Is the leaf with this hash at `index` of the tree, given the root of the subtree that holds it? */
export function verifySubtreeInclusion(claim: SubtreeInclusionClaim): ProofResult {
  const { index, start, end, leafHash, proof } = claim;
  if (!isSize(index) || !isSize(start) || !isSize(end)) return failed('not_a_size');
  if (index < start || index >= end) return failed('index_outside');
  if (!isSubtree(start, end)) return failed('not_a_subtree');
  if (!isHash(leafHash)) return failed('hash_length');
  // RFC 9162 section 2.1.3.2, with its names: fn is the path's place at a level, sn the last place.
  let fn = index - start;
  let sn = end - start - 1;
  let node = leafHash;
  for (const sibling of proof) {
    if (sn === 0) return failed('proof_too_long');
    if (!isHash(sibling)) return failed('hash_length');
    if (isOdd(fn) || fn === sn) {
      node = hashNode(sibling, node);
      // At the right edge a node without a sibling moves up unhashed.
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      node = hashNode(node, sibling);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  if (sn !== 0) return failed('proof_too_short');
  return isEqual(node, claim.root) ? VERIFIED : failed('root_mismatch');
}

/** Is the tree with `root1` a prefix of the tree with `root2`? */
export function verifyConsistency({ size1, size2, ...claim }: ConsistencyClaim): ProofResult {
  // Every tree continues the empty one, so such a proof could only seem to say something.
  if (size1 === 0) return failed(isSize(size2) ? 'empty_tree' : 'not_a_size');
  return verifySubtreeConsistency({ ...claim, start: 0, end: size1, size: size2 });
}

/**
 * Is the subtree [start, end) with `root1` part of the tree with `root2`? An empty subtree is part of
 * every tree: then only `root1` is looked at, and success says nothing about `root2`.
 */
export function verifySubtreeConsistency(claim: SubtreeConsistencyClaim): ProofResult {
  const { start, end, size, root1, root2, proof } = claim;
  if (!isSize(start) || !isSize(end) || !isSize(size)) return failed('not_a_size');
  if (end > size) return failed('size_order');
  if (!isSubtree(start, end)) return failed('not_a_subtree');
  if (start === end) {
    if (proof.length > 0) return failed('proof_too_long');
    return isEqual(root1, emptyRoot()) ? VERIFIED : failed('old_root_mismatch');
  }
  if (start === 0 && end === size) {
    // Nothing is hashed, so the roots' length does not matter: they are the same bytes or they are not.
    if (proof.length > 0) return failed('proof_too_long');
    return isEqual(root1, root2) ? VERIFIED : failed('root_mismatch');
  }
  return climbSubtree(claim);
}

/**
 * RFC 9162 section 2.1.4.2, widened to subtrees: fn and sn are the places of the subtree's first and
 * last node at a level, tn the tree's last place. One proof rebuilds both roots.
 */
function climbSubtree({
  start,
  end,
  size,
  root1,
  root2,
  proof,
}: SubtreeConsistencyClaim): ProofResult {
  let [fn, sn, tn] = [start, end - 1, size - 1];
  // Begin at the largest node that ends the subtree. Where both end together it is the whole subtree,
  // although it may be incomplete: it looks the same in both.
  while (fn !== sn && (sn === tn || isOdd(sn))) [fn, sn, tn] = [half(fn), half(sn), half(tn)];
  const seed = fn === sn ? root1 : proof[0];
  if (seed === undefined) return failed('proof_too_short');
  if (!isHash(seed)) return failed('hash_length');
  let subtreeNode = seed;
  let treeNode = seed;
  for (let i = fn === sn ? 0 : 1; i < proof.length; i++) {
    const sibling = proof[i];
    if (tn === 0) return failed('proof_too_long');
    if (!isHash(sibling)) return failed('hash_length');
    if (isOdd(sn) || sn === tn) {
      // Left of the subtree's first node the siblings belong to the tree only.
      if (fn < sn) subtreeNode = hashNode(sibling, subtreeNode);
      treeNode = hashNode(sibling, treeNode);
      while (!isOdd(sn) && sn !== 0) [fn, sn, tn] = [half(fn), half(sn), half(tn)];
    } else {
      treeNode = hashNode(treeNode, sibling);
    }
    [fn, sn, tn] = [half(fn), half(sn), half(tn)];
  }
  if (tn !== 0) return failed('proof_too_short');
  if (!isEqual(subtreeNode, root1)) return failed('old_root_mismatch');
  return isEqual(treeNode, root2) ? VERIFIED : failed('root_mismatch');
}

/** The draft's rule: `start` is a multiple of the smallest power of two not below the length. */
function isSubtree(start: number, end: number): boolean {
  if (start > end) return false;
  let width = 1;
  while (width < end - start) width *= 2;
  return start % width === 0;
}

function failed(reason: ProofFailure): ProofResult {
  return { ok: false, reason };
}

// Numbers instead of BigInt, and no bit operations: those wrap at 32 bits.
function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isHash(value: Uint8Array | undefined): value is Uint8Array {
  return value instanceof Uint8Array && value.length === HASH_BYTES;
}

/** Not in constant time: hashes of a public log are not secret. */
function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}
