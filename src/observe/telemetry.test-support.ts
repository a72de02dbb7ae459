/** Telemetry stores of both engines, files in memory, and events as agents write them. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { freshDatabase } from '../../test/stores.ts';
import { digestOf, isoTime, ManualClock } from '../base/index.ts';
import {
  openSqlite,
  type Row,
  type Store,
  telemetryMigrations,
  withClock,
} from '../store/index.ts';
import { openPostgres } from '../store/postgres/store.ts';
import { Collector, type CollectorOptions } from './collector.ts';
import type { ObserveSettings, SourceFile, SourceFiles } from './types.ts';

export const START_MS = Date.UTC(2026, 0, 1, 12);

export interface TelemetryStore {
  readonly store: Store;
  readonly clock: ManualClock;
}

/** A new store for every test of the suite; one database, emptied in between, on PostgreSQL. */
export function telemetryPerTest(kind: 'memory' | 'postgres'): () => TelemetryStore {
  let clock = new ManualClock(START_MS);
  let store: Store | undefined;
  let database: { url: string; drop: () => Promise<void> } | undefined;
  beforeEach(async () => {
    clock = new ManualClock(START_MS);
    if (kind === 'memory') {
      store = await openSqlite({
        path: ':memory:',
        synchronous: 'off',
        migrations: telemetryMigrations,
      });
      return;
    }
    if (database === undefined) {
      database = await freshDatabase({ empty: true });
      store = await openPostgres({ url: database.url, migrations: telemetryMigrations });
    } else await empty(database.url);
  });
  afterEach(async () => {
    if (kind === 'memory') await store!.close();
  });
  afterAll(async () => {
    if (kind === 'memory') return;
    await store?.close();
    await database?.drop();
  });
  return () => ({ store: withClock(store!, clock), clock });
}

async function empty(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ tablename: string }>(
      `SELECT tablename FROM pg_tables WHERE tablename LIKE 'observe%'`,
    );
    await client.query(`TRUNCATE ${rows.map(({ tablename }) => tablename).join(', ')}`);
  } finally {
    await client.end();
  }
}

/** Files as a writer leaves them: appended to, moved, replaced, cut. */
export class MemoryFiles implements SourceFiles {
  readonly #files = new Map<string, { identity: string; revision: number; bytes: Buffer }>();
  readonly #folders = new Map<string, string[]>();
  /** Called before each read, with how many there were. */
  onRead: (reads: number) => void | Promise<void> = () => {};
  #reads = 0;
  #identities = 0;

  append(path: string, text: string | Buffer): this {
    const file = this.#files.get(path) ?? {
      identity: `i${++this.#identities}`,
      revision: 0,
      bytes: Buffer.alloc(0),
    };
    const bytes = Buffer.concat([file.bytes, Buffer.from(text)]);
    this.#files.set(path, { ...file, revision: file.revision + 1, bytes });
    return this;
  }

  replace(path: string, text: string | Buffer): this {
    this.#files.delete(path);
    return this.append(path, text);
  }

  move(from: string, to: string): this {
    this.#files.set(to, this.#files.get(from)!);
    this.#files.delete(from);
    return this;
  }

  cut(path: string, sizeBytes: number): this {
    const file = this.#files.get(path)!;
    const bytes = file.bytes.subarray(0, sizeBytes);
    this.#files.set(path, { ...file, revision: file.revision + 1, bytes });
    return this;
  }

  folder(path: string, names: string[]): this {
    this.#folders.set(path, names);
    return this;
  }

  list: SourceFiles['list'] = async (path) => {
    const names = this.#folders.get(path);
    if (names !== undefined) {
      const files = names.toSorted().map((name) => this.#listed(name, `${path}/${name}`));
      return { exists: true, files, notes: [] };
    }
    const exists = this.#files.has(path);
    return { exists, files: exists ? [this.#listed(path, path)] : [], notes: [] };
  };

  #listed(name: string, path: string): SourceFile {
    const file = this.#files.get(path);
    if (file === undefined) return { name, path };
    return { name, path, seen: { identity: file.identity, revision: `${file.revision}` } };
  }

  open: SourceFiles['open'] = async (path) => {
    const file = this.#files.get(path);
    if (file === undefined) return undefined;
    const { identity, bytes } = file;
    return {
      identity,
      sizeBytes: bytes.length,
      revision: `${file.revision}`,
      modifiedMs: START_MS,
      read: async (from, length) => {
        await this.onRead(++this.#reads);
        return bytes.subarray(from, from + length);
      },
      [Symbol.asyncDispose]: async () => {},
    };
  };
}

export const SETTINGS: ObserveSettings = {
  sources: [{ name: 'agents', kind: 'jsonl', path: 'events.jsonl' }],
  allowedDomains: ['github.com'],
  allowedPaths: [],
  redactUuids: false,
  rules: [],
  keepKinds: [],
  markSuffix: false,
  // Tests give calls that take no time.
  overhead: Number.MAX_VALUE,
};

export function collectorOf(
  store: Store,
  files: SourceFiles,
  more: Partial<CollectorOptions> = {},
): Collector {
  return new Collector({ store, files, settings: SETTINGS, batchSteps: 500, ...more });
}

type Fields = Readonly<Record<string, unknown>>;

function line(atMs: number, fields: Fields): string {
  return `${JSON.stringify({ timestamp: isoTime(atMs), session_id: 's1', ...fields })}\n`;
}

export function toolCall(atMs: number, fields: Fields = {}): string {
  const call = { event_type: 'tool_call', agent: 'coder', tool: 'search', success: true };
  return line(atMs, { ...call, latency_ms: 120, ...fields });
}

export function failedCall(atMs: number, message: string, fields: Fields = {}): string {
  return toolCall(atMs, {
    success: false,
    error_code: 'E_TIMEOUT',
    error_message: message,
    latency_ms: 30_000,
    ...fields,
  });
}

export function taskFailure(atMs: number, fields: Fields = {}): string {
  const failure = { event_type: 'task_failure', agent: 'coder', task_name: 'fix' };
  const why = { error_category: 'timeout', retry_count: 2, final_status: 'gave up' };
  return line(atMs, { ...failure, ...why, ...fields });
}

export function feedback(
  atMs: number,
  rating: 'thumbs_up' | 'thumbs_down',
  fields: Fields = {},
): string {
  return line(atMs, { event_type: 'feedback', agent: 'coder', rating, ...fields });
}

/** As they were stored, each with its source. */
export async function storedEvents(store: Store): Promise<Record<string, unknown>[]> {
  const rows = await store.all('SELECT source, body FROM observe_events ORDER BY id');
  return rows.map((row) => ({
    source: row['source'],
    ...(JSON.parse(row['body'] as string) as object),
  }));
}

/** All rows of all the room's tables, for "nothing was kept" and "exactly the same was kept". */
export async function everything(store: Store, tables: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const table of tables) parts.push(JSON.stringify(await store.all(`SELECT * FROM ${table}`)));
  return parts.join('\n');
}

export const TABLES = [
  'observe_positions',
  'observe_marks',
  'observe_series',
  'observe_events',
  'observe_event_hours',
  'observe_rollups',
  'observe_spent',
  'observe_latencies',
  'observe_activity',
  'observe_miner',
  'observe_miner_forms',
  'observe_miner_aliases',
  'observe_aside',
  'observe_sources',
  'observe_session_key',
] as const;

export function anyKey(): string {
  return `sk-ant-api03-${randomBytes(24).toString('hex')}`;
}

/** What must be the same however the events came in. */
const COUNTED = [
  'observe_series',
  'observe_events',
  'observe_rollups',
  'observe_spent',
  'observe_latencies',
  'observe_activity',
  'observe_aside',
];

/** The rows without what depends on when and in which batch a line was read. */
export async function comparable(store: Store): Promise<string> {
  const nameOf = ({ id: _, created_ms: __, ...names }: Row) => JSON.stringify(names);
  const all = await store.all('SELECT * FROM observe_series');
  const series = new Map(all.map((row) => [row['id'], nameOf(row)]));
  const rows: string[] = [];
  for (const table of COUNTED) {
    for (const row of await store.all(`SELECT * FROM ${table}`)) {
      const { id: _, series: number, created_ms: __, file: ___, ...named } = row;
      const { byte_offset: ____, line: _____, ...rest } = named;
      rows.push(JSON.stringify([table, series.get(number) ?? '', rest]));
    }
  }
  return digestOf(rows.sort());
}

/** In memory; nobody closes it but whoever asked for it. */
export async function emptyStore(): Promise<Store> {
  const migrations = telemetryMigrations;
  const store = await openSqlite({ path: ':memory:', synchronous: 'off', migrations });
  return withClock(store, new ManualClock(START_MS));
}
