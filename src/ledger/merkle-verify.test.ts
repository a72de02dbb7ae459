import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyRoot, hashLeaf, hashNode } from './merkle.ts';
import {
  type ProofResult,
  verifyConsistency,
  verifyInclusion,
  verifySubtreeConsistency,
  verifySubtreeInclusion,
} from './merkle-verify.ts';

const leaf = hashLeaf(Buffer.from('a'));
const other = hashLeaf(Buffer.from('b'));
const pair = hashNode(leaf, other);
const short = leaf.subarray(1);
const notSizes = [-1, 0.5, 2 ** 53, 2 ** 64, Number.NaN, Number.POSITIVE_INFINITY];

function reason(result: ProofResult): string {
  return result.ok ? 'verified' : result.reason;
}

describe('inclusion refuses', () => {
  const claim = { index: 0, size: 2, leafHash: leaf, root: pair, proof: [other] };
  const refusal = (change: Partial<typeof claim>) =>
    reason(verifyInclusion({ ...claim, ...change }));

  test('nothing when the proof is right', () => expect(refusal({})).toBe('verified'));
  test.each(notSizes)('%s as a size or an index', (value) => {
    expect(refusal({ size: value })).toBe('not_a_size');
    expect(refusal({ index: value })).toBe('not_a_size');
    const subtree = { ...claim, start: value, end: 2 };
    expect(reason(verifySubtreeInclusion(subtree))).toBe('not_a_size');
  });
  test('a leaf outside the tree, the empty tree included', () => {
    expect(refusal({ index: 2 })).toBe('index_outside');
    expect(refusal({ size: 0, root: emptyRoot(), proof: [] })).toBe('index_outside');
  });
  test('a root that would fit at another size', () => {
    expect(refusal({ root: hashNode(pair, pair), proof: [other, pair] })).toBe('proof_too_long');
    expect(refusal({ size: 4 })).toBe('proof_too_short');
  });
  test('hashes of another length', () => {
    expect(refusal({ leafHash: short })).toBe('hash_length');
    expect(refusal({ proof: [short] })).toBe('hash_length');
    expect(refusal({ root: short })).toBe('root_mismatch');
    expect(refusal({ root: new Uint8Array(0) })).toBe('root_mismatch');
  });
  test('a leaf of one subtree passed off as one of another', () => {
    const subtree = { ...claim, start: 1, end: 3, index: 1 };
    expect(reason(verifySubtreeInclusion(subtree))).toBe('not_a_subtree');
    expect(reason(verifySubtreeInclusion({ ...claim, start: 2, end: 4 }))).toBe('index_outside');
  });
  test('a proof of a million hashes without hashing them', () => {
    const proof = new Array<Uint8Array>(1_000_000).fill(other);
    expect(refusal({ proof })).toBe('proof_too_long');
    expect(refusal({ proof, size: Number.MAX_SAFE_INTEGER })).toBe('proof_too_long');
  });
});

describe('consistency refuses', () => {
  const claim = { size1: 1, size2: 2, root1: leaf, root2: pair, proof: [other] };
  const refusal = (change: Partial<typeof claim>) =>
    reason(verifyConsistency({ ...claim, ...change }));

  test('nothing when the proof is right', () => expect(refusal({})).toBe('verified'));
  test.each(notSizes)('%s as a size', (value) => {
    expect(refusal({ size1: value })).toBe('not_a_size');
    expect(refusal({ size2: value })).toBe('not_a_size');
    expect(refusal({ size1: 0, size2: value })).toBe('not_a_size');
  });
  test('the empty tree as the older one, even with the right roots (ADR 010)', () => {
    expect(refusal({ size1: 0, root1: emptyRoot(), proof: [] })).toBe('empty_tree');
    const both = { size1: 0, size2: 0, root1: emptyRoot(), root2: emptyRoot(), proof: [] };
    expect(refusal(both)).toBe('empty_tree');
  });
  test('a tree that shrinks', () => expect(refusal({ size1: 3 })).toBe('size_order'));
  test('another root on either side', () => {
    expect(refusal({ root2: leaf })).toBe('root_mismatch');
    const three = { size1: 3, size2: 4, root2: hashNode(pair, pair), proof: [leaf, other, pair] };
    expect(refusal({ ...three, root1: hashNode(pair, leaf) })).toBe('verified');
    expect(refusal({ ...three, root1: pair })).toBe('old_root_mismatch');
  });
  test('equal sizes with other roots or with a proof', () => {
    expect(refusal({ size2: 1, root2: leaf, proof: [] })).toBe('verified');
    expect(refusal({ size2: 1, proof: [] })).toBe('root_mismatch');
    expect(refusal({ size2: 1, root2: leaf })).toBe('proof_too_long');
  });
  test('a root that would fit at another size', () => {
    const grown = hashNode(pair, pair);
    expect(refusal({ root2: grown, proof: [other, pair] })).toBe('proof_too_long');
    expect(refusal({ size2: 4 })).toBe('proof_too_short');
    expect(refusal({ size2: 4, proof: [] })).toBe('proof_too_short');
    expect(refusal({ size1: 3, size2: 4, proof: [] })).toBe('proof_too_short');
  });
  test('a proof of a million hashes without hashing them', () => {
    const proof = new Array<Uint8Array>(1_000_000).fill(other);
    expect(refusal({ proof, size2: Number.MAX_SAFE_INTEGER })).toBe('proof_too_long');
  });
  test('hashes of another length', () => {
    expect(refusal({ root1: short })).toBe('hash_length');
    expect(refusal({ proof: [short] })).toBe('hash_length');
    expect(refusal({ root2: short })).toBe('root_mismatch');
  });
});

describe('an empty subtree (ADR 010)', () => {
  const claim = { start: 1, end: 1, size: 2, root1: emptyRoot(), root2: pair, proof: [] };

  test('is part of every tree', () =>
    expect(verifySubtreeConsistency(claim)).toEqual({ ok: true }));
  test('has the empty root, no proof, and lies inside the tree', () => {
    const refusal = (change: object) => reason(verifySubtreeConsistency({ ...claim, ...change }));
    expect(refusal({ root1: leaf })).toBe('old_root_mismatch');
    expect(refusal({ proof: [leaf] })).toBe('proof_too_long');
    expect(refusal({ start: 3, end: 3 })).toBe('size_order');
    expect(refusal({ start: 2, end: 1 })).toBe('not_a_subtree');
  });
});

test('nothing that can be passed makes verification throw', () => {
  const size = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.nat(40));
  const hash = fc.oneof(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array());
  const proof = fc.array(hash, { maxLength: 70 });
  fc.assert(
    fc.property(size, size, size, hash, hash, proof, (a, b, c, root1, root2, hashes) => {
      const common = { root1, root2, root: root2, leafHash: root1, proof: hashes };
      verifyInclusion({ ...common, index: a, size: b });
      verifyConsistency({ ...common, size1: a, size2: b });
      verifySubtreeInclusion({ ...common, index: a, start: b, end: c });
      verifySubtreeConsistency({ ...common, start: a, end: b, size: c });
    }),
    { numRuns: 2000 },
  );
});
