import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Context, type Figure, makeContext } from '../tools/measure.ts';
import { decideVectors, measurement } from './merkle.ts';

const dir = makeContext({ quiet: true }).dataDir('merkle');
const missing = !existsSync(dir);
if (missing) process.stderr.write(`Skipped: no Merkle vectors in ${dir}; set HONE_DATA.\n`);

const folders = ['consistency', 'inclusion', 'subtreeconsistency', 'subtreeinclusion'];

describe('the published Merkle vectors', () => {
  test.skipIf(missing)('are all decided as they say', () => {
    const outcomes = decideVectors(dir);
    expect(outcomes.filter((outcome) => !outcome.passed)).toEqual([]);
    expect(outcomes).toHaveLength(518);
  });

  test.skipIf(missing)('are scored per folder and in total', async () => {
    const figures = await figuresOf(makeContext({ quiet: true }));
    expect(figures.map((figure) => figure.set).sort()).toEqual([...folders, 'total'].sort());
    expect(figures.at(-1)).toEqual({ metric: 'passed_share', set: 'total', value: 1, n: 518 });
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
