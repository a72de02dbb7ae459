import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LedgerError } from './errors.ts';
import { hashLeaf, type ReadNode } from './merkle.ts';
import {
  consistencyProof,
  inclusionProof,
  nodesForConsistency,
  nodesForInclusion,
} from './merkle-proof.ts';
import { referenceRoot, referenceSubtreeProof } from './merkle-reference.ts';
import {
  verifyConsistency,
  verifyInclusion,
  verifySubtreeConsistency,
  verifySubtreeInclusion,
} from './merkle-verify.ts';

const leaves = Array.from({ length: 130 }, (_, i) => hashLeaf(Uint8Array.of(i)));
const roots = new Map<string, Uint8Array>();

/** MTH(D[start:end]), remembered: the tests ask for the same few thousand again and again. */
function rootOf(start: number, end: number): Uint8Array {
  const key = `${start},${end}`;
  const known = roots.get(key) ?? referenceRoot(leaves, start, end);
  roots.set(key, known);
  return known;
}

/** Gives out complete nodes of a tree of `size` leaves only, as the store does. */
function readerOf(size: number): ReadNode {
  return (level, index) => {
    const end = (index + 1) * 2 ** level;
    if (end > size) throw new Error(`node (${level}, ${index}) is not complete at size ${size}`);
    return rootOf(index * 2 ** level, end);
  };
}

function flipBit(proof: readonly Uint8Array[], at: number): Uint8Array[] {
  const copy = proof.map((hash) => Uint8Array.from(hash));
  const hash = copy[Math.floor(at / 256) % copy.length]!;
  hash[Math.floor(at / 8) % 32]! ^= 1 << (at % 8);
  return copy;
}

const treeAndTwo = fc
  .integer({ min: 1, max: leaves.length })
  .chain((size) => fc.tuple(fc.constant(size), fc.integer({ min: 0, max: size - 1 }), fc.nat(1e6)));

describe('inclusion', () => {
  test('every proof verifies, and no other leaf does with it', () => {
    for (let size = 1; size <= 70; size++)
      for (let index = 0; index < size; index++) {
        const claim = { index, size, leafHash: leaves[index]!, root: rootOf(0, size) };
        const proof = inclusionProof(index, size, readerOf(size));
        expect(verifyInclusion({ ...claim, proof })).toEqual({ ok: true });
        const other = leaves[(index + 1) % leaves.length]!;
        expect(verifyInclusion({ ...claim, proof, leafHash: other }).ok).toBe(false);
      }
  });

  test('a proof with any bit flipped, one hash more or one less fails', () => {
    fc.assert(
      fc.property(treeAndTwo, ([size, index, at]) => {
        const proof = inclusionProof(index, size, readerOf(size));
        const claim = { index, size, leafHash: leaves[index]!, root: rootOf(0, size) };
        const reasonOf = (changed: Uint8Array[]) => {
          const result = verifyInclusion({ ...claim, proof: changed });
          return result.ok ? 'verified' : result.reason;
        };
        expect(reasonOf([...proof, proof[0] ?? leaves[0]!])).toBe('proof_too_long');
        if (proof.length === 0) return;
        expect(reasonOf(flipBit(proof, at))).toBe('root_mismatch');
        expect(reasonOf(proof.slice(1))).toBe('proof_too_short');
      }),
    );
  });

  test('inside a subtree the proof is that of a tree of its own', () => {
    for (const [start, end] of [
      [8, 16],
      [8, 13],
      [64, 127],
      [128, 130],
      [5, 6],
    ] as const)
      for (let index = start; index < end; index++) {
        const own: ReadNode = (level, i) =>
          rootOf(start + i * 2 ** level, start + (i + 1) * 2 ** level);
        const proof = inclusionProof(index - start, end - start, own);
        const claim = { index, start, end, leafHash: leaves[index]!, root: rootOf(start, end) };
        expect(verifySubtreeInclusion({ ...claim, proof })).toEqual({ ok: true });
      }
  });
});

describe('consistency', () => {
  test('every proof verifies and is the one of the recursive definition', () => {
    for (let size2 = 1; size2 <= 70; size2++)
      for (let size1 = 1; size1 <= size2; size1++) {
        const proof = consistencyProof(size1, size2, readerOf(size2));
        expect(proof).toEqual(
          referenceSubtreeProof(0, size1, size2).map(([start, end]) => rootOf(start, end)),
        );
        const claim = { size1, size2, root1: rootOf(0, size1), root2: rootOf(0, size2), proof };
        expect(verifyConsistency(claim)).toEqual({ ok: true });
      }
  });

  test('a proof with any bit flipped, one hash more, one less, or a root changed fails', () => {
    fc.assert(
      fc.property(treeAndTwo, ([size2, before, at]) => {
        const size1 = before + 1;
        const proof = consistencyProof(size1, size2, readerOf(size2));
        const claim = { size1, size2, root1: rootOf(0, size1), root2: rootOf(0, size2), proof };
        const ok = (change: Partial<typeof claim>) => verifyConsistency({ ...claim, ...change }).ok;
        expect(ok({ root1: flipBit([claim.root1], at)[0]! })).toBe(false);
        expect(ok({ root2: flipBit([claim.root2], at)[0]! })).toBe(false);
        expect(ok({ proof: [...proof, leaves[0]!] })).toBe(false);
        if (proof.length === 0) return;
        expect(ok({ proof: flipBit(proof, at) })).toBe(false);
        expect(ok({ proof: proof.slice(1) })).toBe(false);
        expect(ok({ proof: proof.slice(0, -1) })).toBe(false);
      }),
    );
  });

  // The value is the draft's own, from its appendix on subtree consistency proofs: every subtree of
  // every tree up to 130 leaves, leaf i being the byte i, one line each into one SHA-256.
  test('the proofs of all subtrees are those of the draft, and verify', () => {
    const lines = createHash('sha256');
    for (let size = 1; size <= 130; size++)
      for (const [start, end] of subtreesUpTo(size)) {
        const proof = referenceSubtreeProof(start, end, size).map((range) => rootOf(...range));
        const hashes = proof.map((hash) => ` ${Buffer.from(hash).toString('hex')}`);
        lines.update(`[${start}, ${end}) ${size}${hashes.join('')}\n`);
        const claim = { start, end, size, root1: rootOf(start, end), root2: rootOf(0, size) };
        if (!verifySubtreeConsistency({ ...claim, proof }).ok) expect.fail(JSON.stringify(claim));
      }
    expect(lines.digest('hex')).toBe(
      'c586ebbb73a5621baf2140095d87dde934e3b6503a562a1a5215b8209edd083d',
    );
  });

  test('a subtree proof with any bit flipped fails', () => {
    const subtrees = subtreesUpTo(130);
    fc.assert(
      fc.property(fc.nat(subtrees.length - 1), fc.nat(1e6), (which, at) => {
        const [start, end] = subtrees[which]!;
        const proof = referenceSubtreeProof(start, end, 130).map((range) => rootOf(...range));
        fc.pre(proof.length > 0);
        const claim = { start, end, size: 130, root1: rootOf(start, end), root2: rootOf(0, 130) };
        expect(verifySubtreeConsistency({ ...claim, proof: flipBit(proof, at) }).ok).toBe(false);
      }),
    );
  });
});

describe('building', () => {
  test('reads exactly the nodes that were announced, in that order, and few of them', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (a, b) => {
        const [small, large] = a < b ? [a, b] : [b, a + 1];
        fc.pre(small > 0 && Number.isSafeInteger(large));
        const read: { level: number; index: number }[] = [];
        const readNode: ReadNode = (level, index) => {
          expect((index + 1) * 2 ** level).toBeLessThanOrEqual(large);
          read.push({ level, index });
          return leaves[0]!;
        };
        inclusionProof(small, large, readNode);
        expect(read.splice(0)).toEqual(nodesForInclusion(small, large));
        consistencyProof(small, large, readNode);
        expect(read).toEqual(nodesForConsistency(small, large));
        expect(read.length).toBeLessThan(2 * 53);
      }),
    );
  });

  test('refuses what lies outside the tree, and proofs from the empty tree', () => {
    const refused = (call: () => unknown) =>
      expect(call).toThrow(
        expect.objectContaining({ name: LedgerError.name, code: 'out_of_range' }),
      );
    for (const [index, size] of [
      [0, 0],
      [5, 5],
      [-1, 5],
      [0.5, 5],
      [0, 2 ** 53],
      [Number.NaN, 5],
    ])
      refused(() => nodesForInclusion(index!, size!));
    for (const [size1, size2] of [
      [0, 0],
      [0, 5],
      [6, 5],
      [-1, 5],
      [1.5, 5],
      [1, 2 ** 53],
    ])
      refused(() => nodesForConsistency(size1!, size2!));
  });
});

/** [start, end) with `start` a multiple of the smallest power of two not below the length. */
function subtreesUpTo(size: number): [number, number][] {
  const subtrees: [number, number][] = [];
  for (let end = 1; end <= size; end++)
    for (let start = 0; start < end; start++)
      if (start % 2 ** Math.ceil(Math.log2(end - start)) === 0) subtrees.push([start, end]);
  return subtrees;
}
