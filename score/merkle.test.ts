import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Context, type Figure, makeContext } from '../tools/measure.ts';
import { decideVectors, measurement } from './merkle.ts';
import { CT_LEAVES, rootOf, writeVectors } from './merkle-vectors.test-support.ts';

const folders = ['consistency', 'inclusion', 'subtreeconsistency', 'subtreeinclusion'];

describe('LEDGER-3 Merkle proofs', () => {
  /** Known to everybody who implements RFC 6962: the roots of the shared test tree at each of its sizes. */
  const ROOTS = [
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

  test('the roots that the vectors are made from are the known ones', () => {
    const roots = ROOTS.map((_, size) => rootOf(CT_LEAVES.slice(0, size)).toString('hex'));
    expect(roots).toEqual(ROOTS);
  });

  test('all proofs of trees of up to eight leaves are accepted, and none that was damaged', () => {
    const data = mkdtempSync(join(tmpdir(), 'hone-merkle-'));
    const { valid, invalid } = writeVectors(data, CT_LEAVES, CT_LEAVES.length);
    const outcomes = decideVectors(data);
    rmSync(data, { recursive: true });
    expect(outcomes.filter((outcome) => !outcome.passed)).toEqual([]);
    expect([...new Set(outcomes.map(({ folder }) => folder))].sort()).toEqual(folders);
    expect({ valid, invalid }).toEqual({ valid: 204, invalid: 2847 });
  });
});

describe('the scorer', () => {
  const right = { leafIdx: 0, treeSize: 1, size1: 1, size2: 1, start: 0, end: 1, size: 1 };
  const hash = Buffer.alloc(32, 7).toString('base64');
  const vector = { ...right, root: hash, root1: hash, root2: hash, leafHash: hash, proof: null };
  let data: string;

  const write = (folder: string, content: object) =>
    writeFileSync(join(data, folder, 'vector.json'), JSON.stringify(content));

  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'hone-merkle-'));
    for (const folder of folders) {
      mkdirSync(join(data, folder));
      write(folder, { ...vector, wantErr: false });
    }
  });
  afterEach(() => rmSync(data, { recursive: true }));

  test('counts a wrong decision against the share', async () => {
    write('inclusion', { ...vector, wantErr: true });
    const figures = await figuresOf(makeContext({ data, quiet: true }));
    expect(figures.find((figure) => figure.set === 'inclusion')?.value).toBe(0);
    expect(figures.at(-1)).toEqual({ metric: 'passed_share', set: 'total', value: 0.75, n: 4 });
  });

  test('fails on a missing folder, an empty folder and a vector that expects nothing', () => {
    expect(decideVectors(data)).toHaveLength(4);
    write('inclusion', vector);
    expect(() => decideVectors(data)).toThrow('wantErr');
    rmSync(join(data, 'inclusion', 'vector.json'));
    expect(() => decideVectors(data)).toThrow('No vectors');
    rmSync(join(data, 'inclusion'), { recursive: true });
    expect(() => decideVectors(data)).toThrow('ENOENT');
  });
});

async function figuresOf(context: Context): Promise<Figure[]> {
  const figures: Figure[] = [];
  for await (const figure of measurement.run(context)) figures.push(figure);
  return figures;
}
