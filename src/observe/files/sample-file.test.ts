import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampleFile } from './sample-file.ts';

/** From coreutils. */
const MKFIFO = 'mkfifo';

describe('files of which nobody has said what they are', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'hone-sample-')));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function make(path: string, bytes: string | Buffer, seconds = 1000): string {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
    utimesSync(join(root, path), seconds, seconds);
    return join(root, path);
  }

  test('begin with 64 KiB of text at most, unpacked and without a mark', async () => {
    const long = 'ü'.repeat(100_000);
    for (const bytes of [Buffer.from(long), gzipSync(long), zstdCompressSync(long)]) {
      const sampled = await sampleFile(make('a', bytes));
      expect(sampled).toMatchObject({ sample: { path: join(root, 'a'), isWhole: false } });
      expect('sample' in sampled && sampled.sample.head).toBe('ü'.repeat(32_768));
    }
    const odd = await sampleFile(make('a', `x${long}`));
    expect('sample' in odd && odd.sample.head).toBe(`x${'ü'.repeat(32_767)}`);
    const marked = Buffer.from('\ufeff{"a":1}\n', 'utf16le');
    for (const bytes of [marked, gzipSync(marked), Buffer.from('\ufeff{"a":1}\n')])
      expect(await sampleFile(make('b', bytes))).toEqual({
        sample: { path: join(root, 'b'), head: '{"a":1}\n', isWhole: true },
      });
  });

  test('what is no text, no file or not there says why', async () => {
    expect(await sampleFile(join(root, 'nothing'))).toEqual({ why: 'gone' });
    expect(await sampleFile(root)).toEqual({ why: 'gone' });
    expect(await sampleFile(make('e', ''))).toEqual({ why: 'empty' });
    expect(await sampleFile(make('p', Buffer.from('89504e470d0a1a0a00000000', 'hex')))).toEqual({
      why: 'binary',
    });
    expect(spawnSync(MKFIFO, [join(root, 'fifo')]).status).toBe(0);
    expect(await sampleFile(join(root, 'fifo'))).toEqual({ why: 'gone' });
    const half = gzipSync('a line\n'.repeat(10_000)).subarray(0, 60);
    expect(await sampleFile(make('h.gz', half))).toHaveProperty('sample');
    expect(await sampleFile(make('d.gz', Buffer.from('1f8b0800ffffffffffffffff', 'hex')))).toEqual({
      why: 'empty',
    });
  });
});
