import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  append,
  bitLength,
  emptyFrontier,
  type Frontier,
  frontierNodes,
  HASH_BYTES,
  hashLeaf,
  hashNode,
  nodeAddress,
  root,
} from './merkle.ts';
import { referenceRoot } from './merkle-reference.ts';

const MAX = Number.MAX_SAFE_INTEGER;

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function leafHashes(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => hashLeaf(Buffer.from(`entry ${i}`)));
}

function grow(leaves: readonly Uint8Array[]): Frontier {
  return leaves.reduce((frontier, leaf) => append(frontier, leaf).frontier, emptyFrontier());
}

describe('the reference tree of Certificate Transparency', () => {
  const entries = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
  entries.push('606162636465666768696a6b6c6d6e6f');
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];

  test('has the known root at every size from 0 to 8', () => {
    const leaves = entries.map((entry) => hashLeaf(Buffer.from(entry, 'hex')));
    expect(roots.map((_, size) => hex(root(grow(leaves.slice(0, size)))))).toEqual(roots);
  });
});

describe('growing', () => {
  test('gives the root of the recursive definition at every size', () => {
    const leaves = leafHashes(300);
    let frontier = emptyFrontier();
    for (const [i, leaf] of leaves.entries()) {
      frontier = append(frontier, leaf).frontier;
      expect(hex(root(frontier))).toBe(hex(referenceRoot(leaves, 0, i + 1)));
    }
  });

  test('completes one node for each trailing one bit, each the hash over its leaves', () => {
    const leaves = leafHashes(256);
    let frontier = emptyFrontier();
    for (const [n, leaf] of leaves.entries()) {
      const grown = append(frontier, leaf);
      const trailingOnes = /1*$/.exec(n.toString(2))![0].length;
      expect(grown.completed.map(hex)).toEqual(
        Array.from({ length: trailingOnes }, (_, i) =>
          hex(referenceRoot(leaves, n + 1 - 2 ** (i + 1), n + 1)),
        ),
      );
      frontier = grown.frontier;
    }
  });

  test('leaves the frontier it was given as it was', () => {
    const before = grow(leafHashes(7));
    const copy = { size: before.size, peaks: [...before.peaks] };
    append(before, hashLeaf(Buffer.from('one more')));
    expect(before).toEqual(copy);
  });

  test('goes on at sizes beyond 32 bits', () => {
    const leaf = hashLeaf(Buffer.from('x'));
    const size = 2 ** 40 - 1;
    const peaks = frontierNodes(size).map(() => leaf);
    const { frontier, completed } = append({ size, peaks }, leaf);
    expect(completed).toHaveLength(40);
    expect(frontier).toEqual({ size: 2 ** 40, peaks: [completed.at(-1)] });
  });

  test('refuses a full tree, a frontier that lacks peaks and hashes of another length', () => {
    const leaf = hashLeaf(Buffer.from('x'));
    expect(() => append({ size: MAX, peaks: [] }, leaf)).toThrow('full');
    expect(() => append({ size: 3, peaks: [leaf] }, leaf)).toThrow('one peak');
    expect(() => append(emptyFrontier(), leaf.subarray(1))).toThrow('32 bytes');
    expect(() => hashNode(leaf, leaf.subarray(1))).toThrow('32-byte');
  });
});

describe('where nodes are kept', () => {
  test('a row holds its leaf hash and the nodes that it completed, at their addresses', () => {
    const leaves = leafHashes(130);
    const rows: Buffer[] = [];
    let frontier = emptyFrontier();
    for (const leaf of leaves) {
      const grown = append(frontier, leaf);
      rows.push(Buffer.concat([leaf, ...grown.completed]));
      frontier = grown.frontier;
    }
    for (let level = 0; level <= 7; level++)
      for (let index = 0; (index + 1) * 2 ** level <= leaves.length; index++) {
        const { row, offset } = nodeAddress(level, index);
        const node = rows[row]!.subarray(offset, offset + HASH_BYTES);
        const width = 2 ** level;
        expect(hex(node)).toBe(hex(referenceRoot(leaves, index * width, (index + 1) * width)));
      }
  });

  test('an address leads back to its node', () => {
    fc.assert(
      fc.property(fc.nat(52), fc.maxSafeNat(), (level, seed) => {
        const index = seed % 2 ** (53 - level);
        fc.pre((index + 1) * 2 ** level <= MAX);
        const { row, offset } = nodeAddress(level, index);
        expect(offset / HASH_BYTES).toBe(level);
        expect((row + 1) / 2 ** level - 1).toBe(index);
      }),
    );
  });

  test('refuses what is no node', () => {
    for (const [level, index] of [
      [0, -1],
      [-1, 0],
      [0.5, 1],
      [53, 1],
      [0, MAX + 1],
      [Number.NaN, 0],
    ])
      expect(() => nodeAddress(level!, index!)).toThrow();
    for (const size of [-1, 0.5, Number.NaN, MAX + 1]) expect(() => frontierNodes(size)).toThrow();
  });

  test('the nodes of a frontier cover every leaf once, largest first', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (size) => {
        const nodes = frontierNodes(size);
        let covered = 0;
        for (const { level, index } of nodes) {
          expect(index * 2 ** level).toBe(covered);
          covered += 2 ** level;
        }
        expect(covered).toBe(size);
        const levels = nodes.map((node) => node.level);
        expect(levels).toEqual([...new Set(levels)].sort((a, b) => b - a));
      }),
    );
  });

  test('bitLength is exact up to 2^53 - 1', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(bitLength(value)).toBe(value === 0 ? 0 : value.toString(2).length);
      }),
      { examples: [[0], [1], [2 ** 31], [2 ** 32 - 1], [2 ** 32], [2 ** 52 - 1], [MAX]] },
    );
  });
});
