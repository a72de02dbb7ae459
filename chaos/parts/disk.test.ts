import { expect, test } from 'vitest';
import { seededRandom } from '../../src/base/index.ts';
import { Disk, type DiskFile, type DiskFolder } from './disk.ts';
import { MANNERS, SECTOR_BYTES } from './power-cut.ts';

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

/** A file whose name is durable. */
function diskWithFile(): { disk: Disk; file: DiskFile } {
  const disk = new Disk();
  const file = disk.makeFile('a');
  disk.find('')!.sync();
  return { disk, file };
}

test('what was synced is there after every cut', () => {
  const { disk, file } = diskWithFile();
  disk.write(file, 0, bytes(2000, 1));
  file.sync();
  disk.write(file, 2000, bytes(5000, 2));
  for (const manner of MANNERS)
    for (let seed = 0; seed < 20; seed++) {
      const left = disk.cut(manner, seededRandom(seed)).get('a')!;
      expect(left.subarray(0, 2000)).toEqual(Buffer.from(bytes(2000, 1)));
    }
});

test('what was not synced is gone, or there, or torn at the sectors of the disk', () => {
  const { disk, file } = diskWithFile();
  disk.write(file, 100, bytes(3 * SECTOR_BYTES, 7));
  expect(disk.cut('nothing', seededRandom(1)).get('a')).toHaveLength(0);
  expect(disk.cut('everything', seededRandom(1)).get('a')).toHaveLength(100 + 3 * SECTOR_BYTES);
  const shapes = new Set<string>();
  for (let seed = 0; seed < 200; seed++) {
    const left = disk.cut('sectors', seededRandom(seed)).get('a')!;
    const sectors = [100, 512, 1024, 1536].map((from, at) =>
      left.subarray(from, Math.min((at + 1) * SECTOR_BYTES, 100 + 3 * SECTOR_BYTES)),
    );
    for (const sector of sectors) expect([0, sector.length]).toContain(count(sector, 7));
    shapes.add(sectors.map((sector) => (count(sector, 7) > 0 ? 'x' : '-')).join(''));
  }
  expect(shapes.size).toBe(16);
});

/** How many bytes have the value; by chance a sector of old bytes has a few, so few are none. */
function count(sector: Uint8Array, value: number): number {
  const found = sector.filter((byte) => byte === value).length;
  return found < sector.length / 4 ? 0 : found;
}

test('a prefix keeps the order of the calls over all files', () => {
  const { disk, file } = diskWithFile();
  const other = disk.makeFile('b');
  disk.find('')!.sync();
  disk.write(file, 0, bytes(10, 1));
  disk.write(other, 0, bytes(10, 2));
  for (let seed = 0; seed < 100; seed++) {
    const left = disk.cut('prefix', seededRandom(seed));
    if (left.get('b')!.length > 0) expect(left.get('a')).toHaveLength(10);
  }
});

test('a name is durable when its folder was synced, not when the file was', () => {
  const disk = new Disk();
  disk.makeFolder('f');
  const file = disk.makeFile('f/a');
  disk.write(file, 0, bytes(1, 1));
  file.sync();
  (disk.find('f') as DiskFolder).sync();
  expect(disk.cut('nothing', seededRandom(1)).size).toBe(0);
  disk.find('')!.sync();
  expect([...disk.cut('nothing', seededRandom(1)).keys()]).toEqual(['f/a']);
  disk.unlink('f/a');
  expect([...disk.cut('nothing', seededRandom(1)).keys()]).toEqual(['f/a']);
  expect(disk.cut('everything', seededRandom(1)).size).toBe(0);
});

test('a file made again under the same name is another file', () => {
  const { disk, file } = diskWithFile();
  disk.write(file, 0, bytes(3, 1));
  file.sync();
  disk.unlink('a');
  disk.write(disk.makeFile('a'), 0, bytes(5, 2));
  expect(disk.cut('nothing', seededRandom(1)).get('a')).toEqual(Buffer.from(bytes(3, 1)));
  expect(disk.cut('everything', seededRandom(1)).get('a')).toEqual(Buffer.from(bytes(5, 2)));
});

test('a truncation that arrives takes what was behind it', () => {
  const { disk, file } = diskWithFile();
  disk.write(file, 0, bytes(1000, 1));
  file.sync();
  disk.truncate(file, 10);
  disk.write(file, 20, bytes(1, 2));
  const left = disk.cut('everything', seededRandom(1)).get('a')!;
  expect([...left]).toEqual([...bytes(10, 1), ...bytes(10, 0), 2]);
  expect(disk.cut('nothing', seededRandom(1)).get('a')).toHaveLength(1000);
});
