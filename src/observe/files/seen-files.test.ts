import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SeenFiles } from './seen-files.ts';

describe('the state of files', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hone-seen-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function made(count: number) {
    return Array.from({ length: count }, (_, at) => {
      const path = join(root, `${at}.jsonl`);
      writeFileSync(path, 'x\n');
      return { name: `${at}.jsonl`, path };
    });
  }
  const revisionOf = async (seen: SeenFiles, files: ReturnType<typeof made>) =>
    (await seen.look(files))[0]!.seen?.revision;

  test('of a few files a change is seen at once, however long they were idle', async () => {
    const files = made(20);
    const seen = new SeenFiles();
    for (let listing = 0; listing < 130; listing++) await seen.look(files);
    const before = await revisionOf(seen, files);
    appendFileSync(files[0]!.path, 'y\n');
    expect(await revisionOf(seen, files)).not.toBe(before);
  });

  test('of many files that were idle for long a change is seen within twelve listings, then at once', async () => {
    const files = made(501);
    const seen = new SeenFiles();
    for (let listing = 0; listing < 102; listing++) await seen.look(files);
    const before = await revisionOf(seen, files);
    appendFileSync(files[0]!.path, 'y\n');
    let listings = 1;
    while ((await revisionOf(seen, files)) === before) listings += 1;
    expect(listings).toBeLessThanOrEqual(12);
    appendFileSync(files[0]!.path, 'z\n');
    const first = await revisionOf(seen, files);
    appendFileSync(files[0]!.path, 'z\n');
    expect(await revisionOf(seen, files)).not.toBe(first);
  });

  test('a file that is gone has none, and a new one has its own', async () => {
    const files = made(2);
    const seen = new SeenFiles();
    await seen.look(files);
    rmSync(files[0]!.path);
    expect((await seen.look(files)).map((file) => file.seen === undefined)).toEqual([true, false]);
  });
});
