/**
 * Merkle proof vectors of our own, in the form of the published ones: every inclusion and consistency proof
 * of small trees, and each of them damaged in every way that a liar would try. Written down from RFC 6962
 * (and, for subtrees, its extension), by recursion over lists of leaves; it shares no code with what it tests.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The leaves of the test tree that Certificate Transparency implementations share. */
export const CT_LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => Buffer.from(hex, 'hex'));

const sha256 = (...parts: Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest();

export const leafHash = (leaf: Uint8Array) => sha256(Uint8Array.of(0), leaf);

/** MTH(D[n]), RFC 6962 section 2.1. */
export function rootOf(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leafHash(leaves[0]!);
  const k = split(leaves.length);
  return sha256(Uint8Array.of(1), rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
}

/** The largest power of two below n. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** PATH(m, D[n]), section 2.1.1. */
function path(m: number, leaves: readonly Uint8Array[]): Buffer[] {
  if (leaves.length <= 1) return [];
  const k = split(leaves.length);
  return m < k
    ? [...path(m, leaves.slice(0, k)), rootOf(leaves.slice(k))]
    : [...path(m - k, leaves.slice(k)), rootOf(leaves.slice(0, k))];
}

/** SUBPROOF of section 2.1.2, for the leaves from `start` to `end`; PROOF(m, D[n]) is that of 0 to m. */
function subproof(
  { start, end, known }: { start: number; end: number; known: boolean },
  leaves: readonly Uint8Array[],
): Buffer[] {
  if (start === 0 && end === leaves.length) return known ? [] : [rootOf(leaves)];
  const k = split(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  if (end <= k) return [...subproof({ start, end, known }, left), rootOf(right)];
  if (start >= k) {
    return [...subproof({ start: start - k, end: end - k, known }, right), rootOf(left)];
  }
  return [...subproof({ start: 0, end: end - k, known: false }, right), rootOf(left)];
}

interface Proven {
  readonly folder: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly hashes: Readonly<Record<string, Buffer>>;
  readonly proof: readonly Buffer[];
}

/** All proofs of trees of up to `sizeMax` leaves. */
export function* provenOf(leaves: readonly Uint8Array[], sizeMax: number): Generator<Proven> {
  for (let size = 1; size <= sizeMax; size++) {
    const tree = leaves.slice(0, size);
    const root = rootOf(tree);
    for (let leafIdx = 0; leafIdx < size; leafIdx++) {
      const hashes = { root, leafHash: leafHash(tree[leafIdx]!) };
      const numbers = { leafIdx, treeSize: size };
      yield { folder: 'inclusion', numbers, hashes, proof: path(leafIdx, tree) };
    }
    for (let size1 = 1; size1 <= size; size1++) {
      const hashes = { root1: rootOf(tree.slice(0, size1)), root2: root };
      const proof = subproof({ start: 0, end: size1, known: true }, tree);
      yield { folder: 'consistency', numbers: { size1, size2: size }, hashes, proof };
    }
    for (const [start, end] of subtrees(size)) {
      const part = tree.slice(start, end);
      const root1 = rootOf(part);
      const proof = subproof({ start, end, known: true }, tree);
      const numbers = { start, end, size };
      yield { folder: 'subtreeconsistency', numbers, hashes: { root1, root2: root }, proof };
      if (end !== size) continue;
      for (let leafIdx = start; leafIdx < end; leafIdx++) {
        yield {
          folder: 'subtreeinclusion',
          numbers: { leafIdx, start, end },
          hashes: { root: root1, leafHash: leafHash(tree[leafIdx]!) },
          proof: path(leafIdx - start, part),
        };
      }
    }
  }
}

/** Those that begin at a multiple of the least power of two that holds them. */
function* subtrees(size: number): Generator<[number, number]> {
  for (let start = 0; start < size; start++)
    for (let end = start + 1; end <= size; end++) {
      let width = 1;
      while (width < end - start) width *= 2;
      if (start % width === 0) yield [start, end];
    }
}

/** Damaged so that it proves nothing: a bit, a hash more or less, two swapped, a place that is not there. */
function* damaged({ numbers, hashes, proof, ...rest }: Proven): Generator<Proven> {
  const flipped = (hash: Buffer) =>
    Buffer.from(hash.map((byte, at) => (at === 0 ? byte ^ 1 : byte)));
  for (const name of Object.keys(hashes))
    yield { ...rest, numbers, proof, hashes: { ...hashes, [name]: flipped(hashes[name]!) } };
  for (const at of proof.keys()) {
    const some = proof.map((hash, n) => (n === at ? flipped(hash) : hash));
    yield { ...rest, numbers, hashes, proof: some };
    yield { ...rest, numbers, hashes, proof: proof.filter((_, n) => n !== at) };
    yield { ...rest, numbers, hashes, proof: proof.toSpliced(at, 0, proof[at]!) };
    yield { ...rest, numbers, hashes, proof: proof.toSpliced(at, 1, proof[at]!.subarray(1)) };
  }
  if (proof.length > 1) yield { ...rest, numbers, hashes, proof: proof.toReversed() };
  yield { ...rest, numbers, hashes, proof: [...proof, sha256()] };
  for (const one of outside(numbers)) yield { ...rest, numbers: one, hashes, proof };
}

function outside(numbers: Proven['numbers']): Proven['numbers'][] {
  const { leafIdx, treeSize, size1, size2, start, end, size } = numbers;
  if (treeSize !== undefined) return [-1, treeSize].map((at) => ({ ...numbers, leafIdx: at }));
  if (size1 !== undefined) return [{ ...numbers, size1: size2! + 1 }];
  if (leafIdx !== undefined) return [start! - 1, end!].map((at) => ({ ...numbers, leafIdx: at }));
  return [
    { ...numbers, end: size! + 1 },
    { ...numbers, start: end! },
  ];
}

/** Files as the published vectors are; says how many of each kind. */
export function writeVectors(folder: string, leaves: readonly Uint8Array[], sizeMax: number) {
  const written = { valid: 0, invalid: 0 };
  const write = ({ folder: kind, numbers, hashes, proof }: Proven, wantErr: boolean) => {
    const file = `${wantErr ? 'invalid' : 'valid'}-${written.valid}-${written.invalid}.json`;
    const base64 = (hash: Buffer) => hash.toString('base64');
    const named = Object.entries(hashes).map(([name, hash]) => [name, base64(hash)] as const);
    const fields = { ...numbers, ...Object.fromEntries(named), proof: proof.map(base64), wantErr };
    mkdirSync(join(folder, kind), { recursive: true });
    writeFileSync(join(folder, kind, file), JSON.stringify(fields));
    written[wantErr ? 'invalid' : 'valid'] += 1;
  };
  for (const one of provenOf(leaves, sizeMax)) {
    write(one, false);
    for (const wrong of damaged(one)) write(wrong, true);
  }
  return written;
}
