/**
 * Takes a backup while everything goes on. What is in it is a state that really was:
 *
 * - PostgreSQL: one snapshot of all tables.
 * - SQLite: one snapshot of each file, control first, telemetry after it. Control names events of telemetry as
 *   evidence, and never the other way round: so telemetry has to be as new as control. What it has beyond that was
 *   counted once and stays counted once, because events, counts and the place reading stopped at are one commit.
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Digest, isoTime } from '../base/index.ts';
import { acceptedLast } from '../config/index.ts';
import { type Home, readPrivateFile, writeNewFile } from '../home/index.ts';
import { type LedgerReads, LedgerView } from '../ledger/index.ts';
import { controlMigrations, type Engine, openSqlite } from '../store/index.ts';
import { copySqlite } from '../store/sqlite/index.ts';
import { BackupWriter, checkBackup } from './container.ts';
import { FORMAT, type Manifest } from './manifest.ts';

export interface TakeOptions {
  readonly home: Home;
  /** A new file. */
  readonly output: string;
  /** Where the store is: undefined for SQLite. */
  readonly databaseUrl: string | undefined;
  readonly build: string;
  readonly nowMs: number;
  readonly withKey: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

export interface Taken {
  readonly digest: Digest;
  readonly engine: Engine;
  readonly takenAt: string;
  readonly ledger: Manifest['ledger'];
  readonly sizeBytes: number;
  readonly withKey: boolean;
}

export async function takeBackup(
  options: TakeOptions,
): Promise<Taken | { readonly refused: string }> {
  const { home, output, build, nowMs, databaseUrl } = options;
  const takenAt = isoTime(nowMs);
  const engine: Engine = databaseUrl === undefined ? 'sqlite' : 'postgres';
  const written = await writeNewFile({
    path: output,
    work: async (write) => {
      const writer = new BackupWriter(write);
      await writer.begin();
      const before = readPrivateFile(home.acceptedFile);
      const { ledger, pinned } =
        databaseUrl === undefined
          ? await sqliteParts(writer, options)
          : await postgresParts(writer, databaseUrl, options);
      const texts = [before, readPrivateFile(home.acceptedFile)];
      await writeAccepted(writer, texts, pinned);
      const withKey = await writeKey(writer, options);
      const head = {
        format: FORMAT,
        build,
        engine,
        takenAt,
        installation: home.id,
        ledger,
      } as const;
      return { digest: await writer.end(head), engine, takenAt, ledger, withKey };
    },
    check: (path) =>
      checkBackup(path, (done) => {
        options.signal?.throwIfAborted();
        options.onProgress?.(`Checked ${megabytes(done)}`);
      }),
  });
  if ('refused' in written) return written;
  return { ...written, sizeBytes: (await stat(output)).size };
}

/** Read from what is in the backup, not from the store, which has gone on. */
interface InBackup {
  readonly ledger: Manifest['ledger'];
  readonly pinned: Digest | null;
}

async function sqliteParts(writer: BackupWriter, options: TakeOptions): Promise<InBackup> {
  const { home, output, signal, onProgress } = options;
  // Beside the backup: that is where there is room for it.
  const folder = await mkdtemp(join(dirname(output), '.hone-backup-'));
  try {
    const control = join(folder, 'control.db');
    const copy = async (name: string, from: string, to: string) =>
      copySqlite({
        from,
        to,
        signal,
        onProgress: (share) => onProgress?.(`Copied ${Math.round(share * 100)} % of ${name}`),
      });
    await copy('control.db', home.controlFile, control);
    const found = await lookAtCopy(control);
    await writer.part('control.db', readFile(control, signal));
    await rm(control);
    if (await isThere(home.telemetryFile)) {
      const telemetry = join(folder, 'telemetry.db');
      await copy('telemetry.db', home.telemetryFile, telemetry);
      await writer.part('telemetry.db', readFile(telemetry, signal));
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function lookAtCopy(path: string): Promise<InBackup> {
  const store = await openSqlite({ path, synchronous: 'off', migrations: controlMigrations });
  try {
    return await lookInto(store);
  } finally {
    await store.close();
  }
}

async function lookInto(store: LedgerReads): Promise<InBackup> {
  const { size, root } = await new LedgerView(store).head();
  const ledger = { size, root: Buffer.from(root).toString('hex') };
  const { pinned } = await acceptedLast(store);
  return { ledger, pinned };
}

async function postgresParts(
  writer: BackupWriter,
  url: string,
  { signal, onProgress }: TakeOptions,
): Promise<InBackup> {
  const { postgresSnapshot } = await import('../store/postgres/index.ts');
  await using snapshot = await postgresSnapshot(url);
  for (const table of snapshot.tables) {
    onProgress?.(`Copying ${table}`);
    await writer.part(`table/${table}`, interruptible(snapshot.rows(table), signal));
  }
  return await lookInto(snapshot); // before it is closed
}

/** Somebody may accept another configuration meanwhile: the one that the copied store has is taken. */
async function writeAccepted(
  writer: BackupWriter,
  texts: readonly (string | undefined)[],
  pinned: Digest | null,
): Promise<void> {
  const isPinned = (text: string | undefined) =>
    pinned !== null && text?.includes(JSON.stringify(pinned)) === true;
  const text = texts.find(isPinned) ?? texts.at(-1);
  if (text !== undefined) await writer.part('accepted.json', [Buffer.from(text)]);
}

/** Only where it was asked for: whoever has it signs in the ledger's name. */
async function writeKey(writer: BackupWriter, { home, withKey }: TakeOptions): Promise<boolean> {
  const pem = withKey ? readPrivateFile(home.keyFile) : undefined;
  if (pem === undefined) return false;
  await writer.part('ledger.key', [Buffer.from(pem)]);
  return true;
}

async function* interruptible(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

function readFile(path: string, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  return interruptible(createReadStream(path, { highWaterMark: 1_048_576 }), signal);
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
