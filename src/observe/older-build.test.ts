/** A store of the build before rotation was understood, and such a build that still runs beside this one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase } from '../../test/stores.ts';
import { sha256Hex } from '../base/index.ts';
import { openSqlite, type Store, telemetryMigrations } from '../store/index.ts';
import { openPostgres } from '../store/postgres/store.ts';
import { readSources } from './sources-view.ts';
import { collectorOf, MemoryFiles, START_MS, toolCall } from './telemetry.test-support.ts';

const FILE = 'events.jsonl';
const OLDER = { ...telemetryMigrations, migrations: telemetryMigrations.migrations.slice(0, 1) };

describe.each(['sqlite', 'postgres'] as const)('an older build on %s', (engine) => {
  let place: { path: string; drop: () => unknown };
  let opened: Store[];
  let made: number;
  beforeEach(async () => {
    opened = [];
    made = 0;
    if (engine === 'postgres') {
      const { url, drop } = await freshDatabase({ empty: true });
      place = { path: url, drop };
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), 'hone-older-'));
    const drop = () => rmSync(folder, { recursive: true, force: true });
    place = { path: join(folder, 'telemetry.db'), drop };
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
    await place.drop();
  });

  async function open(migrations = telemetryMigrations): Promise<Store> {
    const { path } = place;
    const store =
      engine === 'sqlite'
        ? await openSqlite({ path, synchronous: 'off', migrations })
        : await openPostgres({ url: path, migrations, connectionsMax: 2 });
    opened.push(store);
    return store;
  }

  const events = (count: number) =>
    Array.from({ length: count }, () =>
      toolCall(START_MS + made, { session_id: `s${made++}` }),
    ).join('');

  /** What such a build writes when it reads `text` to its end: it knows of no tail and of no lines. */
  async function olderReads(store: Store, text: string): Promise<void> {
    const [cursor] = await store.all('SELECT byte_offset, born FROM observe_cursors');
    const [progress] = await store.all('SELECT * FROM observe_progress');
    const from = (cursor?.['byte_offset'] as number | undefined) ?? 0;
    const lines = text.slice(from).trimEnd().split('\n');
    const first = (progress?.['next_event'] as number | undefined) ?? 1;
    const batch = ((progress?.['batch'] as number | undefined) ?? 0) + 1;
    const others = { next_series: progress?.['next_series'] ?? 2, next_aside: 1 };
    const next = { batch, next_event: first + lines.length, ...others };
    const head = Buffer.from(text).subarray(0, 256);
    const read = { file: FILE, byte_offset: text.length, skipping: 0, read_at_ms: START_MS };
    await store.commit({
      writes: [
        { upsert: 'observe_progress', key: { id: 1 }, row: next },
        {
          upsert: 'observe_cursors',
          key: { source: 'agents', file_id: 'i1', born: cursor?.['born'] ?? batch },
          row: { ...read, head: sha256Hex(head), head_bytes: head.length },
        },
        ...lines.map((body, at) => ({
          insert: 'observe_events',
          row: {
            id: first + at,
            at_ms: START_MS,
            series: 1,
            session: JSON.parse(body).session_id as string,
            body,
            sanitiser: 1,
            source: 'agents',
            byte_offset: from,
          },
        })),
      ],
    });
  }

  async function expectAllOnce(store: Store): Promise<void> {
    const rows = await store.all('SELECT session FROM observe_events ORDER BY id');
    expect(rows.map((row) => row['session'])).toEqual(
      Array.from({ length: made }, (_, number) => `s${number}`),
    );
  }

  test('what it read stays, and this build goes on behind it', async () => {
    let text = events(3);
    await olderReads(await open(OLDER), text);
    const store = await open();
    expect(await readSources(store)).toMatchObject([{ source: 'agents', events: 3, aside: 0 }]);
    text += events(2);
    const files = new MemoryFiles().append(FILE, text);
    expect(await collectorOf(store, files).collect()).toMatchObject({ events: 2, notes: [] });
    await expectAllOnce(store);
  });

  test('while one still runs, both read on, and nothing is counted twice', async () => {
    const older = await open(OLDER);
    const files = new MemoryFiles();
    let text = '';
    const write = (count: number) => {
      const more = events(count);
      text += more;
      files.append(FILE, more);
    };
    write(3);
    await olderReads(older, text);
    const store = await open();
    for (let round = 0; round < 3; round++) {
      write(2);
      expect(await collectorOf(store, files).collect()).toMatchObject({ events: 2, notes: [] });
      write(1);
      await olderReads(older, text);
    }
    files.append(FILE, 'no event\n');
    expect(await collectorOf(store, files).collect()).toMatchObject({ events: 0, aside: 1 });
    await expectAllOnce(store);
    // It counted no lines: a number counted on from before it would be wrong.
    expect((await store.all('SELECT line FROM observe_aside'))[0]).toMatchObject({ line: null });
  });

  test('it can be started again on what this build wrote', async () => {
    const files = new MemoryFiles().append(FILE, events(2));
    const store = await open();
    await collectorOf(store, files).collect();
    await expect(open(OLDER)).resolves.toBeDefined();
  });
});
