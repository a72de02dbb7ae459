/**
 * A small ledger on a real SQLite file, with checkpoints in the database and at a witness, and
 * somebody who changes single bytes of it past every guard and puts them back.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type CleanText, ManualClock, type Random, randomInt } from '../../src/base/index.ts';
import { type EntryDraft, SYSTEM } from '../../src/facts/index.ts';
import { witnessFile } from '../../src/home/index.ts';
import {
  entryWriter,
  generateKey,
  knownRoots,
  makeCheckpoint,
  type SigningKey,
  verifyLedger,
  type Witness,
} from '../../src/ledger/index.ts';
import { effectWriter } from '../../src/outbox/index.ts';
import { controlMigrations, openSqlite, type Store } from '../../src/store/index.ts';

export const SIZE = 96;
export const CHECKPOINTS = [32, 64, 96] as const;

export interface Ledger {
  readonly store: Store;
  readonly path: string;
  readonly witness: Witness;
  readonly witnessPath: string;
  readonly key: SigningKey;
}

const KEY = generateKey('chaos.example/tamper');

export async function openLedger(folder: string): Promise<Ledger> {
  const path = join(folder, 'control.db');
  const witnessPath = join(folder, 'witness');
  const store = await openSqlite({
    path,
    synchronous: 'normal',
    migrations: controlMigrations,
    parts: { entries: entryWriter, effects: effectWriter },
    clock: new ManualClock(),
  });
  return { store, path, witness: witnessFile(witnessPath), witnessPath, key: KEY };
}

/** Short and long, plain and not: also U+FFFD, which broken bytes can be read as. */
export function draft(at: number, word = 'entry'): EntryDraft {
  const reason = `${word} ${at} ${['', 'ü', '\ufffd', '"\\', '\u{1F600}'][at % 5]}`;
  return {
    type: 'policy.resumed',
    actor: SYSTEM,
    subject: `hone:s${at % 7}\ufffd`,
    data: { reason: reason as CleanText },
  };
}

export async function fill(ledger: Ledger): Promise<void> {
  let at = 0;
  for (const size of CHECKPOINTS) {
    for (; at < size; at++) await ledger.store.commit({ entries: [draft(at)] });
    await makeCheckpoint(ledger.store, ledger.key, ledger.witness);
  }
}

/** What verification says, in one line: `ok`, or what it names. */
export type Verify = (ledger: Ledger) => Promise<string>;

export const verify: Verify = async ({ store, witness, key }) => {
  const known = await knownRoots(store, [key], witness);
  if (!known.ok) return known.source;
  const result = await verifyLedger(store, { known: known.roots });
  return result.ok ? 'ok' : `${result.problem.kind} ${result.problem.index}`;
};

/** One byte at one place, and what verification must name when it is changed. */
export interface Position {
  readonly field: string;
  change(mask: number): { readonly expected: string; undo(): void } | undefined;
}

const GUARDS = ['ledger_entries_dense', 'ledger_entries_no_update', 'ledger_entries_no_delete'];
const NOTE_GUARDS = ['grow', 'no_update', 'no_delete'].map((name) => `ledger_checkpoints_${name}`);

export function breakIn(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec('PRAGMA synchronous = OFF');
  for (const guard of [...GUARDS, ...NOTE_GUARDS]) database.exec(`DROP TRIGGER IF EXISTS ${guard}`);
  return database;
}

/** Every byte there is: of each column of each row, of the stored notes, of the witness's file. */
export function* positions(ledger: Ledger, database: DatabaseSync): Generator<Position> {
  for (let idx = 0; idx < SIZE; idx++) {
    for (const column of ['body', 'subject', 'hashes']) {
      const place = { table: 'ledger_entries', key: 'idx', row: idx, column };
      yield* columnBytes(database, place, `entry ${idx}`);
    }
    const place = { table: 'ledger_entries', key: 'idx', row: idx };
    yield* numberBytes(database, place, (to) => movedEntry(idx, to));
  }
  for (const size of CHECKPOINTS) {
    const place = { table: 'ledger_checkpoints', key: 'size', row: size, column: 'note' };
    yield* columnBytes(database, place, `the stored checkpoint of ${size} entries`);
    yield* numberBytes(
      database,
      { table: 'ledger_checkpoints', key: 'size', row: size },
      (to) => `the stored checkpoint of ${to} entries`,
    );
  }
  yield* fileBytes(ledger);
}

/** The last entry, moved before the first, leaves no gap: it is named where it is, if that has a name. */
function movedEntry(from: number, to: bigint): string {
  if (to >= 0n || from < SIZE - 1) return `missing ${from}`;
  return `entry ${to >= Number.MIN_SAFE_INTEGER ? to : from}`;
}

interface Place {
  readonly table: string;
  readonly key: string;
  readonly row: number;
}

function* columnBytes(
  database: DatabaseSync,
  { table, key, row, column }: Place & { column: string },
  expected: string,
): Generator<Position> {
  const select = `SELECT CAST(${column} AS BLOB) AS bytes FROM ${table} WHERE ${key} = ?`;
  const { bytes } = database.prepare(select).get(row) as { bytes: Uint8Array };
  const type = column === 'hashes' ? 'BLOB' : 'TEXT';
  const update = database.prepare(
    `UPDATE ${table} SET ${column} = CAST(? AS ${type}) WHERE ${key} = ?`,
  );
  for (let at = 0; at < bytes.length; at++) {
    const change = (mask: number) => {
      const changed = Uint8Array.from(bytes);
      changed[at]! ^= mask;
      update.run(changed, row);
      return { expected, undo: () => void update.run(bytes, row) };
    };
    yield { field: `${table}.${column}`, change };
  }
}

/** The eight bytes of a row's number; a change that meets another row's number cannot be stored. */
function* numberBytes(
  database: DatabaseSync,
  { table, key, row }: Place,
  expected: (to: bigint) => string,
): Generator<Position> {
  const taken = database.prepare(`SELECT 1 FROM ${table} WHERE ${key} = ?`);
  const update = database.prepare(`UPDATE ${table} SET ${key} = ? WHERE ${key} = ?`);
  for (let byte = 0; byte < 8; byte++) {
    const change = (mask: number) => {
      const to = BigInt.asIntN(64, BigInt(row) ^ (BigInt(mask) << BigInt(8 * byte)));
      if (taken.get(to) !== undefined) return undefined;
      update.run(to, row);
      return { expected: expected(to), undo: () => void update.run(row as SQLInputValue, to) };
    };
    yield { field: `${table}.${key}`, change };
  }
}

function* fileBytes({ witnessPath }: Ledger): Generator<Position> {
  const bytes = readFileSync(witnessPath);
  const ends: number[] = [];
  for (let at = bytes.indexOf('====\n'); at >= 0; at = bytes.indexOf('====\n', at + 1)) {
    ends.push(at + '====\n'.length);
  }
  for (let at = 0; at < bytes.length; at++) {
    const note = ends.findIndex((end) => at < end) + 1;
    const change = (mask: number) => {
      const changed = Buffer.from(bytes);
      changed[at]! ^= mask;
      writeFileSync(witnessPath, changed);
      const expected = `checkpoint ${note} in ${witnessPath}`;
      return { expected, undo: () => writeFileSync(witnessPath, bytes) };
    };
    yield { field: 'witness', change };
  }
}

/** Any change but none. */
export const anyMask = (random: Random): number => 1 + randomInt(random, 255);
