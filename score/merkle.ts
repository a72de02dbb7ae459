/**
 * How many of the published Merkle proof vectors (transparency-dev/merkle) are decided as they say:
 * accepted where `wantErr` is false, refused where it is true. Each folder is one kind of proof. A
 * missing or empty folder is an error, never a smaller total.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ProofResult,
  verifyConsistency,
  verifyInclusion,
  verifySubtreeConsistency,
  verifySubtreeInclusion,
} from '../src/ledger/merkle-verify.ts';
import type { Measurement } from '../tools/measure.ts';

export interface Outcome {
  readonly folder: string;
  readonly file: string;
  readonly passed: boolean;
}

/** The files' fields; which of them are there depends on the folder. Hashes are base64. */
interface Vector {
  readonly leafIdx: number;
  readonly treeSize: number;
  readonly size1: number;
  readonly size2: number;
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly leafHash: string;
  readonly root: string;
  readonly root1: string;
  readonly root2: string;
  readonly proof: readonly string[] | null;
  readonly wantErr: boolean;
}

const verifiers: Readonly<Record<string, (vector: Vector) => ProofResult>> = {
  inclusion: (v) =>
    verifyInclusion({
      index: v.leafIdx,
      size: v.treeSize,
      leafHash: bytes(v.leafHash),
      root: bytes(v.root),
      proof: proofOf(v),
    }),
  consistency: (v) =>
    verifyConsistency({
      size1: v.size1,
      size2: v.size2,
      root1: bytes(v.root1),
      root2: bytes(v.root2),
      proof: proofOf(v),
    }),
  subtreeinclusion: (v) =>
    verifySubtreeInclusion({
      index: v.leafIdx,
      start: v.start,
      end: v.end,
      leafHash: bytes(v.leafHash),
      root: bytes(v.root),
      proof: proofOf(v),
    }),
  subtreeconsistency: (v) =>
    verifySubtreeConsistency({
      start: v.start,
      end: v.end,
      size: v.size,
      root1: bytes(v.root1),
      root2: bytes(v.root2),
      proof: proofOf(v),
    }),
};

/** Decides every vector below `dir`. */
export function decideVectors(dir: string): Outcome[] {
  return Object.entries(verifiers).flatMap(([folder, verify]) => {
    const files = readdirSync(join(dir, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .sort();
    if (files.length === 0) throw new Error(`No vectors in ${join(dir, folder)}.`);
    return files.map((file) => {
      const vector = readVector(join(dir, folder, file));
      return { folder, file, passed: verify(vector).ok === !vector.wantErr };
    });
  });
}

export const measurement: Measurement = {
  what: 'published Merkle proof vectors decided as they say',
  aims: { passed_share: '>=1' },
  async *run(context) {
    const outcomes = decideVectors(context.dataDir('merkle'));
    for (const { folder, file, passed } of outcomes)
      if (!passed) context.progress(`decided wrongly: ${folder}/${file}`);
    const folders = Map.groupBy(outcomes, (outcome) => outcome.folder);
    for (const [set, members] of [...folders, ['total', outcomes] as const])
      yield {
        metric: 'passed_share',
        set,
        value: members.filter((member) => member.passed).length / members.length,
        n: members.length,
      };
  },
};

function readVector(path: string): Vector {
  const vector = JSON.parse(readFileSync(path, 'utf8')) as Vector;
  // Without it every refusal would count as right.
  if (typeof vector.wantErr !== 'boolean') throw new Error(`${path} does not say wantErr.`);
  return vector;
}

function proofOf(vector: Vector): Uint8Array[] {
  return (vector.proof ?? []).map(bytes);
}

function bytes(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64');
}
