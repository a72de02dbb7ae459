/** What nobody should write into a log, and somebody does: a clear count, never a crash, a hang or lost memory. */

import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  anyKey,
  collectorOf,
  everything,
  MemoryFiles,
  SETTINGS,
  START_MS,
  TABLES,
  telemetryPerTest,
  toolCall,
} from '../telemetry.test-support.ts';
import type { Decoder, OpenFile, SourceFiles, SourceKind } from '../types.ts';
import { fileSource, pathKey } from './file-source.ts';
import { nodeSourceFiles } from './node-files.ts';

const open = telemetryPerTest('memory');
const one = (number: number, fields = {}) =>
  toolCall(START_MS + number, { session_id: `s${number}`, ...fields });
const collect = (files: SourceFiles) => collectorOf(open().store, files).collect();
const asFile = (bytes: string | Buffer) => new MemoryFiles().append('events.jsonl', bytes);
const sessions = async () =>
  (await open().store.all('SELECT session FROM observe_events ORDER BY id')).map(
    (row) => row['session'] as string,
  );

/** A file that is made up as it is read, of any size. */
function generated(
  sizeBytes: number,
  byteAt: (at: number) => number,
  onRead: (bytes: number) => void,
) {
  const file: OpenFile = {
    identity: 'generated',
    revision: '1',
    sizeBytes,
    modifiedMs: null,
    read: async (from, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, sizeBytes - from)), 'x');
      onRead(bytes.length);
      for (const at of [0, sizeBytes - 1]) {
        if (at >= from && at < from + bytes.length) bytes[at - from] = byteAt(at);
      }
      return bytes;
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return {
    list: async () => ({ exists: true, files: [{ name: 'a.jsonl', path: 'a' }], notes: [] }),
    open: async () => file,
  } satisfies SourceFiles;
}

/** What is really held: what the collector only has not met yet differs from run to run. */
function memoryHeld(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('long lines', () => {
  /** Each line is its own length, as the name of a test. */
  const decoder: Decoder<null> = {
    start: null,
    decode: (payload, state, { name, modifiedMs }) => ({
      records: [
        {
          ok: true,
          event: {
            ...{ kind: 'test_result', atMs: START_MS, session: `${name} ${modifiedMs}` },
            ...{ test: `${payload.length}`, status: 'passed' },
          },
        },
      ],
      state,
    }),
  };
  const keys = { path: pathKey };
  const LONG = 3_000_000;
  const lengths = {
    kind: 'lengths',
    about: 'lines of any length',
    keys,
    place: ({ path }) => path,
    open: ({ path }, ports) =>
      fileSource(path, { wanted: { extensions: ['txt'] }, decoder, payloadBytesMax: LONG }, ports),
  } satisfies SourceKind<typeof keys>;
  const settings = { ...SETTINGS, sources: [{ name: 'a', kind: 'lengths', path: 'a.txt' }] };
  const options = { settings, kinds: [lengths as unknown as SourceKind] };

  test('are read whole up to what the format allows, one byte more is set aside', async () => {
    const all = [5, 70_000, 300_000, LONG, LONG + 1, 7, 1_000_000, 9];
    const text = all.map((length) => `${'y'.repeat(length)}\n`).join('');
    for (const bytes of [text, gzipSync(text)]) {
      const files = new MemoryFiles().append('a.txt', bytes);
      const { events, aside } = await collectorOf(open().store, files, options).collect();
      if (bytes === text) expect({ events, aside }).toEqual({ events: 7, aside: 1 });
      else expect(events + aside).toBe(0);
    }
    const rows = await open().store.all('SELECT body FROM observe_events ORDER BY id');
    const tests = rows.map((row) => JSON.parse(row['body'] as string));
    expect(tests.map((event) => Number(event.test))).toEqual(all.filter((one) => one !== LONG + 1));
    expect(tests[0].session).toBe(`a.txt ${START_MS}`);
    const [row] = await open().store.all('SELECT detail FROM observe_aside');
    expect(row).toEqual({ detail: `The line is longer than ${LONG} bytes.` });
  });

  test('OBS-3 of a gigabyte cost neither memory nor the square of their length', async () => {
    let read = 0;
    const size = 1024 ** 3;
    const before = memoryHeld();
    let most = before;
    const files = generated(
      size,
      (at) => (at === size - 1 ? 10 : 120),
      (bytes) => {
        const isNext = Math.floor((read + bytes) / (size / 8)) > Math.floor(read / (size / 8));
        read += bytes;
        if (isNext) most = Math.max(most, memoryHeld());
      },
    );
    expect(await collectorOf(open().store, files, options).collect()).toMatchObject({
      events: 0,
      aside: 1,
      bytes: size,
    });
    expect(read).toBeLessThan(size * 1.1);
    expect(most - before).toBeLessThan(100 * 1024 * 1024);
    const [row] = await open().store.all('SELECT batch FROM observe_sources');
    expect(row!['batch']).toBeLessThan(50);
  }, 20_000);

  test('that only consist of zeros are passed over: a hole before the next line', async () => {
    const hole = Buffer.alloc(5_000_000);
    const files = asFile(Buffer.concat([hole, Buffer.from(one(1)), hole, Buffer.from(one(2))]));
    expect(await collect(files)).toMatchObject({ events: 2, aside: 0, notes: [] });
  });
});

describe('odd bytes', () => {
  test('invalid UTF-8 is replaced, and its lines are counted', async () => {
    const bad = Buffer.from(one(1, { tool: 'XX' }));
    bad[bad.indexOf('XX')] = 0xff;
    const files = asFile(Buffer.concat([Buffer.from(one(0)), bad, bad, Buffer.from(one(2))]));
    expect(await collect(files)).toMatchObject({
      events: 4,
      notes: ['agents: events.jsonl: lines that are not valid UTF-8: 2.'],
    });
    const rows = await open().store.all('SELECT body FROM observe_events ORDER BY id');
    expect(JSON.parse(rows[1]!['body'] as string)).toMatchObject({ tool: '\ufffdX' });
  });

  test.each([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452000003e8000002', 'hex')],
    ['an archive', Buffer.from('504b0304140000000800', 'hex')],
    ['a database', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(80, 1)])],
    ['a program', Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(300, 2)])],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n')],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * at * 31 + at) >> 3)),
    ],
  ])('%s is left out with one note instead of thousands of lines', async (_, bytes) => {
    const files = asFile(Buffer.concat([bytes, Buffer.from('\n\x01\n'.repeat(2000))]));
    const collector = collectorOf(open().store, files);
    const notes = ['agents: events.jsonl is binary, not text: it is left out.'];
    expect(await collector.collect()).toMatchObject({ events: 0, aside: 0, notes });
    expect(await collector.collect()).toMatchObject({ notes: [] });
  });

  test.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${one(1)}${one(2)}`)],
    ['UTF-8 and \\r\\n', Buffer.from((one(1) + one(2)).replaceAll('\n', '\r\n'))],
    ['UTF-16, low byte first', Buffer.from(`\ufeff${one(1)}${one(2)}`, 'utf16le')],
    ['UTF-16, high byte first', Buffer.from(`\ufeff${one(1)}${one(2)}`, 'utf16le').swap16()],
  ])('%s is read as it comes', async (_, bytes) => {
    // U+0A0A holds the byte of a line break twice.
    const files = asFile(bytes.subarray(0, 101));
    await collect(files);
    for (let at = 101; at < bytes.length; at += 97) {
      files.append('events.jsonl', bytes.subarray(at, at + 97));
      await collect(files);
    }
    expect(await sessions()).toEqual(['s1', 's2']);
    const [row] = await open().store.all('SELECT count(*) AS count FROM observe_aside');
    expect(row).toEqual({ count: 0 });
  });

  test('in UTF-16, a character that holds the byte of a line break ends no line', async () => {
    const text = `\ufeff${one(1, { agent: 'ਊ੊Ċ' })}${one(2)}`;
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
      const { events, aside } = await collect(asFile(bytes));
      expect({ events, aside }).toEqual({ events: 2, aside: 0 });
    }
  });
});

describe('odd files', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hone-bad-'));
    mkdirSync(join(root, 'logs'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const settings = { ...SETTINGS, sources: [{ name: 'agents', kind: 'jsonl', path: 'logs' }] };
  const collectNode = async () => {
    await using files = nodeSourceFiles(root);
    return await collectorOf(open().store, files, { settings }).collect();
  };

  test('half a gzip gives what is whole, and the rest when it is there', async () => {
    const text = Array.from({ length: 3000 }, (_, at) => one(at)).join('');
    const packed = gzipSync(text);
    const path = join(root, 'logs', 'a.jsonl.gz');
    writeFileSync(path, packed.subarray(0, packed.length >> 1));
    const { events, notes } = await collectNode();
    expect(events).toBeGreaterThan(500);
    expect(notes).toContain('agents: a.jsonl.gz is not complete: what is whole of it is read.');
    writeFileSync(path, packed);
    expect((await collectNode()).events).toBe(3000 - events);
    expect(await collectNode()).toMatchObject({ events: 0, aside: 0, notes: [] });
  });

  test('half a line waits, unless nobody writes any more', async () => {
    const half = one(2).slice(0, -20);
    writeFileSync(join(root, 'logs', 'a.jsonl'), one(1) + half);
    const waits = { aside: 0, notes: ['agents: a.jsonl: its last line has no end yet.'] };
    expect(await collectNode()).toMatchObject({ events: 1, ...waits });
    appendFileSync(join(root, 'logs', 'a.jsonl'), one(2).slice(half.length) + half);
    expect(await collectNode()).toMatchObject({ events: 1, ...waits });
    await using files = nodeSourceFiles(root, { isFinal: true });
    const final = collectorOf(open().store, files, { settings });
    expect(await final.collect()).toMatchObject({ events: 0, aside: 1, notes: [] });
    expect(await final.collect()).toMatchObject({ events: 0, aside: 0, notes: [] });
  });

  test('a last line that is whole by itself is read at once, and once, whatever comes behind it', async () => {
    const path = join(root, 'logs', 'a.jsonl');
    writeFileSync(path, one(1) + one(2).trimEnd());
    expect(await collectNode()).toMatchObject({ events: 2, notes: [] });
    expect(await collectNode()).toMatchObject({ events: 0, aside: 0, notes: [] });
    appendFileSync(path, '\n');
    expect(await collectNode()).toMatchObject({ events: 0, aside: 0, notes: [] });
    appendFileSync(path, one(3).trimEnd());
    expect(await collectNode()).toMatchObject({ events: 1, aside: 0, notes: [] });
    appendFileSync(path, `\n${one(4)}`);
    expect(await collectNode()).toMatchObject({ events: 1, aside: 0, notes: [] });
  });

  test('a compressed file that is read in several turns is unpacked once', async () => {
    const text = Array.from({ length: 3000 }, (_, at) => one(at)).join('');
    writeFileSync(join(root, 'logs', 'a.jsonl.gz'), gzipSync(text));
    await using files = nodeSourceFiles(root);
    let opens = 0;
    let read = 0;
    const counting: SourceFiles = {
      list: files.list,
      open: async (path) => {
        opens += 1;
        const opened = (await files.open(path))!;
        return {
          ...opened,
          read: (from, length) => {
            read += length;
            return opened.read(from, length);
          },
        };
      },
    };
    const collector = collectorOf(open().store, counting, { settings });
    for (let more = true; more; ) ({ more } = await collector.collect({ budgetEvents: 500 }));
    expect(opens).toBeGreaterThan(5);
    expect(read).toBeLessThan(2 * gzipSync(text).length + opens * 9000);
    expect(await sessions()).toHaveLength(3000);
  });

  test('sockets are left out; names with line breaks and secrets are told on one line, without them', async () => {
    const server = createServer().listen(join(root, 'logs', 'socket.jsonl'));
    const key = anyKey();
    writeFileSync(join(root, 'logs', `a\n${key}\u202e.jsonl`), 'no\n'.repeat(2));
    writeFileSync(join(root, 'logs', `b\n${key}.jsonl`), '');
    const { events, aside, notes } = await collectNode();
    expect({ events, aside }).toEqual({ events: 0, aside: 2 });
    expect(notes).toHaveLength(2);
    expect(notes[0]).toBe('agents: Pipes, sockets and devices left out: 1.');
    const told = notes.join('') + (await everything(open().store, TABLES));
    expect(told).not.toContain(key.slice(0, 24));
    const [row] = await open().store.all('SELECT file FROM observe_aside');
    expect(`${row!['file']} ${notes[1]}`).not.toMatch(/[\n\u202e]/);
    server.close();
  });

  test('a file that may not be read is told once, and the others are read', async () => {
    for (const name of ['a', 'b', 'c']) writeFileSync(join(root, 'logs', `${name}.jsonl`), one(1));
    await using files = nodeSourceFiles(root);
    const refusing: SourceFiles = {
      list: files.list,
      open: (path) => {
        if (!path.endsWith('b.jsonl')) return files.open(path);
        throw Object.assign(new Error('no'), { code: 'EACCES', syscall: 'open' });
      },
    };
    const collector = collectorOf(open().store, refusing, { settings });
    const notes = ['agents: b.jsonl could not be read (EACCES).'];
    const first = await collector.collect();
    // Two copies of one line are one.
    expect(first).toMatchObject({ events: 2, notes });
    expect(await collector.collect()).toMatchObject({ events: 0, notes: [] });
  });

  test('a folder in the place of a file, and a file that shrinks while it is read, end the reading', async () => {
    const path = join(root, 'logs', 'a.jsonl');
    writeFileSync(path, Array.from({ length: 4000 }, (_, at) => one(at)).join(''));
    await using files = nodeSourceFiles(root);
    const collector = collectorOf(open().store, files, { settings });
    await collector.collect({ budgetEvents: 500 });
    truncateSync(path, 100);
    expect((await collector.collect()).events).toBe(0);
    appendFileSync(path, `\n${one(9000)}`);
    await collector.collect();
    expect((await sessions()).filter((name) => name === 's9000')).toHaveLength(1);
    rmSync(path);
    mkdirSync(path);
    chmodSync(path, 0o755);
    expect(await collector.collect()).toMatchObject({ events: 0 });
  });
});
