/** Logs on a real disk, rotated in the ways there are: everything is counted once, and what is lost is said. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  collectorOf,
  SETTINGS,
  START_MS,
  telemetryPerTest,
  toolCall,
} from '../telemetry.test-support.ts';
import { FileNames } from './file-names.ts';
import { nodeSourceFiles } from './node-files.ts';

describe('rotation', () => {
  const open = telemetryPerTest('memory');
  let root: string;
  let made = 0;
  let closing: AsyncDisposableStack;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hone-rotation-'));
    mkdirSync(join(root, 'logs'));
    mkdirSync(join(root, 'archive'));
    made = 0;
    closing = new AsyncDisposableStack();
  });
  afterEach(async () => {
    await closing.disposeAsync();
    rmSync(root, { recursive: true, force: true });
  });

  const at = (name: string) => join(root, name);
  /** New events, each with a session of its own. */
  const events = (count: number) =>
    Array.from({ length: count }, () =>
      toolCall(START_MS + made, { session_id: `s${made++}` }),
    ).join('');
  const write = (name: string, count: number) => appendFileSync(at(name), events(count));

  /** A process that lives on: `collect` reads as often as it is called. */
  function started(path = 'logs') {
    const settings = { ...SETTINGS, sources: [{ name: 'agents', kind: 'jsonl', path }] };
    const files = closing.use(nodeSourceFiles(root));
    const collector = collectorOf(open().store, files, { settings });
    return { collect: () => collector.collect() };
  }

  /** A process for one run. */
  const collectOnce = (path = 'logs') => started(path).collect();

  /** Everything that was ever written is there once. */
  async function expectAllOnce(): Promise<void> {
    const rows = await open().store.all('SELECT session FROM observe_events');
    const sessions = rows.map((row) => row['session'] as string).sort();
    expect(sessions).toEqual(Array.from({ length: made }, (_, number) => `s${number}`).sort());
  }

  /** `logrotate` with `copytruncate`. */
  function copyTruncate(from: string, to: string): void {
    copyFileSync(at(from), at(to));
    truncateSync(at(from), 0);
  }

  describe.each([
    ['a folder', 'logs'],
    ['a single file', 'logs/a.jsonl'],
  ])('of %s', (_, path) => {
    test.each(['a.jsonl.1', 'a.jsonl-20260302', 'a-2026-03-02.jsonl', 'a.1.jsonl', 'a.jsonl.old'])(
      'renaming to %s loses nothing, also over restarts',
      async (name) => {
        write('logs/a.jsonl', 3);
        await collectOnce(path);
        write('logs/a.jsonl', 2);
        renameSync(at('logs/a.jsonl'), at(`logs/${name}`));
        write('logs/a.jsonl', 4);
        await collectOnce(path);
        write(`logs/${name}`, 1);
        await collectOnce(path);
        await expectAllOnce();
      },
    );

    test('copying and cutting counts nothing twice and loses nothing, also over restarts', async () => {
      write('logs/a.jsonl', 5);
      await collectOnce(path);
      for (let round = 0; round < 3; round++) {
        write('logs/a.jsonl', 2);
        if (round > 0) renameSync(at('logs/a.jsonl.1'), at(`logs/a.jsonl.${round + 1}`));
        copyTruncate('logs/a.jsonl', 'logs/a.jsonl.1');
        if (round === 1) await collectOnce(path);
        write('logs/a.jsonl', 3 + round);
        await collectOnce(path);
        await collectOnce(path);
      }
      await expectAllOnce();
    });

    test('read between copying and cutting, it is counted once', async () => {
      write('logs/a.jsonl', 2);
      await collectOnce(path);
      write('logs/a.jsonl', 3);
      copyFileSync(at('logs/a.jsonl'), at('logs/a.jsonl.1'));
      write('logs/a.jsonl', 1);
      await collectOnce(path);
      truncateSync(at('logs/a.jsonl'), 0);
      write('logs/a.jsonl', 1);
      await collectOnce(path);
      await expectAllOnce();
    });

    test('moved out of the folder, its end is read by a process that lives on', async () => {
      const { collect } = started(path);
      write('logs/a.jsonl', 3);
      await collect();
      write('logs/a.jsonl', 2);
      renameSync(at('logs/a.jsonl'), at('archive/a.jsonl'));
      expect(await collect()).toMatchObject({ events: 2 });
      write('archive/a.jsonl', 1);
      write('logs/a.jsonl', 2);
      expect(await collect()).toMatchObject({ events: 3 });
      await expectAllOnce();
    });

    test('deleted, its end is read by a process that lives on, and then it is let go', async () => {
      const { collect } = started(path);
      write('logs/a.jsonl', 3);
      await collect();
      write('logs/a.jsonl', 2);
      unlinkSync(at('logs/a.jsonl'));
      expect(await collect()).toMatchObject({ events: 2 });
      await collect();
      write('logs/a.jsonl', 1);
      await collect();
      await expectAllOnce();
    });

    test.each([
      ['gz', gzipSync],
      ['zst', zstdCompressSync],
    ])(
      'OBS-3 compressed as .%s at once, what was not read before is read now',
      async (end, pack) => {
        write('logs/a.jsonl', 30);
        await collectOnce(path);
        write('logs/a.jsonl', 20);
        writeFileSync(at(`logs/a.jsonl.1.${end}`), pack(readFileSync(at('logs/a.jsonl'))));
        truncateSync(at('logs/a.jsonl'), 0);
        write('logs/a.jsonl', 1);
        expect(await collectOnce(path)).toMatchObject({ events: 21 });
        expect(await collectOnce(path)).toMatchObject({ events: 0, notes: [] });
        await expectAllOnce();
      },
    );

    test('OBS-3 compressed after it was read, it is known, also while it is being compressed', async () => {
      write('logs/a.jsonl', 3000);
      await collectOnce(path);
      renameSync(at('logs/a.jsonl'), at('logs/a.jsonl.1'));
      write('logs/a.jsonl', 1);
      const packed = gzipSync(readFileSync(at('logs/a.jsonl.1')));
      for (const share of [0.2, 0.5, 0.9, 1]) {
        writeFileSync(
          at('logs/a.jsonl.1.gz'),
          packed.subarray(0, Math.floor(packed.length * share)),
        );
        await collectOnce(path);
      }
      unlinkSync(at('logs/a.jsonl.1'));
      renameSync(at('logs/a.jsonl.1.gz'), at('logs/a.jsonl.2.gz'));
      await collectOnce(path);
      await expectAllOnce();
    });

    test('compressed in a way that Hone does not read, it is left out, and that is said once', async () => {
      write('logs/a.jsonl', 3);
      writeFileSync(at('logs/a.jsonl.1.xz'), 'anything');
      const { collect } = started(path);
      expect((await collect()).notes).toEqual([
        'agents: Compressed files left out: 1. Of compressed ones, .gz and .zst are read.',
      ]);
      expect((await collect()).notes).toEqual([]);
    });

    test.each([
      ['shorter', 2],
      ['longer', 9],
    ])(
      'cut and written anew within one interval, %s, it begins at its start',
      async (__, count) => {
        write('logs/a.jsonl', 5);
        await collectOnce(path);
        truncateSync(at('logs/a.jsonl'), 0);
        write('logs/a.jsonl', count);
        const { notes } = await collectOnce(path);
        expect(notes).toHaveLength(1);
        await expectAllOnce();
      },
    );

    test('cut and written anew with the same first line, it begins at its start', async () => {
      const first = `${JSON.stringify({ note: 'x'.repeat(400) })}\n`;
      appendFileSync(at('logs/a.jsonl'), first);
      write('logs/a.jsonl', 4);
      await collectOnce(path);
      writeFileSync(at('logs/a.jsonl'), first);
      write('logs/a.jsonl', 6);
      await collectOnce(path);
      await expectAllOnce();
    });
  });

  test('a copy under any name, once enough was read to know it, is not counted again', async () => {
    write('logs/a.jsonl', 4);
    await collectOnce();
    copyFileSync(at('logs/a.jsonl'), at('logs/backup.jsonl'));
    write('logs/backup.jsonl', 1);
    await collectOnce();
    await expectAllOnce();
  });

  test('a single file does not draw in old files that were never read', async () => {
    appendFileSync(at('logs/a.jsonl.1'), toolCall(START_MS, { session_id: 'old' }));
    write('logs/a.jsonl', 1);
    await collectOnce('logs/a.jsonl');
    await collectOnce('logs/a.jsonl');
    await expectAllOnce();
  });

  test('a link that is moved on to the next file loses nothing', async () => {
    write('logs/app-2026-03-01.jsonl', 2);
    symlinkSync(at('logs/app-2026-03-01.jsonl'), at('logs/current.jsonl'));
    const { collect } = started('logs/current.jsonl');
    await collect();
    write('logs/app-2026-03-01.jsonl', 1);
    write('logs/app-2026-03-02.jsonl', 2);
    unlinkSync(at('logs/current.jsonl'));
    symlinkSync(at('logs/app-2026-03-02.jsonl'), at('logs/current.jsonl'));
    await collect();
    await expectAllOnce();
  });

  test('another file with the identity of one that was deleted begins at its start', async () => {
    const { store } = open();
    const first = events(3);
    const second = events(4);
    const settings = { ...SETTINGS, sources: [{ name: 'agents', kind: 'jsonl', path: 'logs' }] };
    const files = (bytes: Buffer, name: string) => ({
      list: async () => ({ exists: true, files: [{ name, kind: 'jsonl', path: name }], notes: [] }),
      open: async () => ({
        identity: '1:4711',
        sizeBytes: bytes.length,
        revision: name,
        modifiedMs: null,
        read: async (from: number, length: number) => bytes.subarray(from, from + length),
        [Symbol.asyncDispose]: async () => {},
      }),
    });
    for (const [text, name] of [
      [first, 'a.jsonl'],
      [second, 'b.jsonl'],
    ] as const) {
      await collectorOf(store, files(Buffer.from(text), name), { settings }).collect();
    }
    await expectAllOnce();
  });

  test('a file cut while it is read ends there, and nothing of it is taken for something else', async () => {
    write('logs/a.jsonl', 1200);
    const files = closing.use(nodeSourceFiles(root));
    let reads = 0;
    const cutting = {
      list: files.list,
      open: async (path: string) => {
        const opened = await files.open(path);
        if (opened === undefined) return undefined;
        return {
          identity: opened.identity,
          sizeBytes: opened.sizeBytes,
          revision: opened.revision,
          modifiedMs: opened.modifiedMs,
          read: (from: number, length: number) => {
            reads += 1;
            if (reads === 3)
              writeFileSync(
                at('logs/a.jsonl'),
                `${'x'.repeat(statSync(at('logs/a.jsonl')).size)}\n`,
              );
            return opened.read(from, length);
          },
          [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
        };
      },
    };
    const settings = { ...SETTINGS, sources: [{ name: 'agents', kind: 'jsonl', path: 'logs' }] };
    const { events: taken, aside } = await collectorOf(open().store, cutting, {
      settings,
    }).collect();
    expect(taken).toBe(500);
    expect(aside).toBe(0);
  });

  test('however writing, rotating and reading alternate, everything is counted once', async () => {
    const step = fc.constantFrom('write', 'rename', 'copy', 'gzip', 'zstd', 'read', 'restart');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const folder = `logs-${made}-${steps.length}`;
        mkdirSync(at(folder), { recursive: true });
        const first = made;
        let rotations = 0;
        let process = started(folder);
        const log = `${folder}/a.jsonl`;
        write(log, 1);
        await process.collect();
        for (const one of steps) {
          if (one === 'write') write(log, 1 + (made % 3));
          if (one === 'rename') renameSync(at(log), at(`${folder}/a.jsonl.${900 - ++rotations}`));
          if (one === 'copy') copyTruncate(log, `${folder}/a.jsonl.${900 - ++rotations}`);
          if (one === 'rename') writeFileSync(at(log), '');
          if (one === 'gzip') compress(at(`${folder}/a.jsonl.${900 - rotations}`), '.gz', gzipSync);
          if (one === 'zstd')
            compress(at(`${folder}/a.jsonl.${900 - rotations}`), '.zst', zstdCompressSync);
          if (one === 'read') await process.collect();
          if (one === 'restart') process = started(folder);
        }
        await process.collect();
        const rows = await open().store.all('SELECT session FROM observe_events ORDER BY session');
        const counted = rows.filter((row) => Number((row['session'] as string).slice(1)) >= first);
        expect(counted).toHaveLength(made - first);
      }),
      { numRuns: 60 },
    );
  });
});

/** As `logrotate` does: the file is gone when its compressed form is complete. */
function compress(path: string, end: string, pack: (bytes: Buffer) => Buffer): void {
  if (!existsSync(path)) return;
  writeFileSync(path + end, pack(readFileSync(path)));
  unlinkSync(path);
}

test('of one log, what was rotated is read before what took its place, the oldest first', () => {
  const names = ['b.jsonl', 'a.jsonl', 'a.jsonl.1', 'a.jsonl.10', 'a.jsonl.2', 'a.jsonl-20260301'];
  expect(names.sort((a, b) => new FileNames(['jsonl']).inReadingOrder(a, b))).toEqual([
    'a.jsonl.10',
    'a.jsonl.2',
    'a.jsonl.1',
    'a.jsonl-20260301',
    'a.jsonl',
    'b.jsonl',
  ]);
});
