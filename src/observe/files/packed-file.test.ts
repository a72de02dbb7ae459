import { randomBytes } from 'node:crypto';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpenFile } from '../types.ts';
import { packed } from './packed-file.ts';

function fileOf(bytes: Uint8Array): OpenFile {
  return {
    identity: 'i',
    revision: 'r',
    sizeBytes: bytes.length,
    modifiedMs: null,
    read: async (from, length) => bytes.subarray(from, from + length),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function open(bytes: Uint8Array, freeBytes?: number): Promise<OpenFile> {
  return (await packed(fileOf(bytes), bytes.subarray(0, 8192), 'a.gz', freeBytes))!.file;
}

/** All of it, in pieces, and how it ended. */
async function readAll(file: OpenFile) {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (;;) {
    const piece = await file.read(at, 50_000);
    if (piece.length === 0) break;
    pieces.push(Uint8Array.from(piece));
    at += piece.length;
    file.letGo!(at);
  }
  return { bytes: Buffer.concat(pieces), isFinal: file.isFinal, notes: file.takeNotes!() };
}

const text = Buffer.from(
  Array.from({ length: 20_000 }, (_, at) => `line ${at} ${randomBytes(3).toString('hex')}\n`).join(
    '',
  ),
);
const PACKINGS = [
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const;

describe.each(PACKINGS)('OBS-3 a file compressed by %s', (_, pack) => {
  const whole = pack(text);

  test('is what it unpacks to, also when it has several parts', async () => {
    expect(await readAll(await open(whole))).toEqual({ bytes: text, isFinal: true, notes: [] });
    const twice = await readAll(await open(Buffer.concat([whole, whole])));
    expect(twice.bytes.equals(Buffer.concat([text, text]))).toBe(true);
  });

  test('is read at any place, also backwards', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(text.length), fc.nat(100_000), fc.boolean()), { maxLength: 6 }),
        async (reads) => {
          await using file = await open(whole);
          for (const [from, length, isLetGo] of reads) {
            const bytes = await file.read(from, length);
            expect(Buffer.compare(bytes, text.subarray(from, from + length))).toBe(0);
            if (isLetGo) file.letGo!(from);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  test('cut anywhere, what is whole of it is read, every time the same', async () => {
    const cut = fc.integer({ min: 20, max: whole.length - 1 });
    await fc.assert(
      fc.asyncProperty(cut, async (length) => {
        const one = await readAll(await open(whole.subarray(0, length)));
        const other = await readAll(await open(whole.subarray(0, length)));
        expect(one.bytes.equals(text.subarray(0, one.bytes.length))).toBe(true);
        expect(other.bytes.equals(one.bytes)).toBe(true);
        expect(one.isFinal).toBe(false);
        expect(one.notes).toEqual(['a.gz is not complete: what is whole of it is read.']);
      }),
      { numRuns: 30 },
    );
    const half = await readAll(await open(whole.subarray(0, whole.length >> 1)));
    expect(half.bytes.length).toBeGreaterThan(text.length / 4);
  });

  test('with any bytes damaged, it ends, and nothing is thrown', async () => {
    const damage = fc.array(fc.tuple(fc.integer({ min: 4, max: whole.length - 1 }), fc.nat(255)), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(damage, async (places) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of places) bytes[at] = byte;
        const one = await readAll(await open(bytes));
        const other = await readAll(await open(bytes));
        expect(other).toEqual(one);
      }),
      { numRuns: 40 },
    );
  });

  test('that unpacks to far more than it is ends at a limit, and that is said', async () => {
    const bomb = pack(Buffer.alloc(50 * 1024 * 1024, 'a'));
    const { bytes, isFinal, notes } = await readAll(await open(bomb, 2_000_000));
    // Up to the limit it is read: 200 times what was unpacked from.
    expect(bytes.length).toBeLessThan(Math.max(2_000_000, 200 * bomb.length) + 100_000);
    expect(isFinal).toBe(false);
    expect(notes[0]).toContain('unpacks to more than 200 times its size');
  });
});

test('what begins like neither is no compressed file', async () => {
  const bytes = Buffer.from('{"a":1}\n');
  expect(await packed(fileOf(bytes), bytes, 'a.jsonl.gz')).toBeUndefined();
});

test('a copy is known by its key, another file is not', async () => {
  const key = async (bytes: Uint8Array) =>
    (await packed(fileOf(bytes), bytes.subarray(0, 8192), 'a'))!.key;
  const one = gzipSync(text);
  const other = gzipSync(Buffer.concat([text, Buffer.from('x')]));
  expect(await key(one)).toBe(await key(Buffer.from(one)));
  expect(await key(one)).not.toBe(await key(other));
  expect(await key(one)).not.toBe(await key(gzipSync(text, { level: constants.Z_BEST_SPEED })));
});
