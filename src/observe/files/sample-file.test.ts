import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sampleFile, walkPlace } from './sample-file.ts';

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

  test('are found in depth, those written last first, and may be passed over by name', async () => {
    make('home/.claude/projects/p/old.jsonl', 'x', 1000);
    make('home/.claude/projects/p/new.jsonl', 'xyz', 2000);
    make('home/.claude/.credentials.json', 'secret');
    make('home/.claude/history.jsonl', 'private');
    const home = join(root, 'home');
    const asked: string[] = [];
    const { exists, files } = await walkPlace('~/.claude', {
      root,
      home,
      wants: (below) => {
        asked.push(below);
        return below.startsWith('projects/');
      },
    });
    expect(exists).toBe(true);
    expect(files).toEqual([
      {
        path: join(home, '.claude/projects/p/new.jsonl'),
        below: 'projects/p/new.jsonl',
        sizeBytes: 3,
        modifiedMs: 2_000_000,
      },
      {
        path: join(home, '.claude/projects/p/old.jsonl'),
        below: 'projects/p/old.jsonl',
        sizeBytes: 1,
        modifiedMs: 1_000_000,
      },
    ]);
    expect(asked).toContain('history.jsonl');
  });

  test('may be a file, a pattern, a link or nothing', async () => {
    make('logs/a.log', 'x');
    make('logs/b.txt', 'x');
    symlinkSync(join(root, 'logs'), join(root, 'link'));
    symlinkSync(join(root, 'logs/a.log'), join(root, 'logs', 'link.log'));
    const found = async (path: string) =>
      (await walkPlace(path, { root })).files.map(({ below }) => below).sort();
    expect(await found('logs/a.log')).toEqual(['a.log']);
    expect(await found('logs/*.log')).toEqual(['a.log']);
    expect(await found('link')).toEqual(['a.log', 'b.txt']);
    expect(await walkPlace('nothing', { root })).toMatchObject({ exists: false, files: [] });
    expect((await walkPlace('logs', { root })).left).toMatchObject({ links: 1, tooMany: 0 });
  });

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
