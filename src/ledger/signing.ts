/**
 * Checkpoints of this ledger: made, kept in the database and at a witness, and read back as roots
 * that `verify` compares the ledger with. A witness is wherever whoever can change the database
 * cannot write: another machine, a mail, a printed page; here, a file that only grows.
 */
import type { Store } from '../store/index.ts';
import { type CheckpointFailure, openCheckpoint, signCheckpoint } from './checkpoint.ts';
import { LedgerView } from './ledger-view.ts';
import type { SigningKey, Verifier } from './note-key.ts';
import type { KnownRoot } from './verify.ts';

/** Notes, oldest first, kept outside the store. */
export interface Witness {
  readonly name: string;
  append(note: string): Promise<void>;
  read(): Promise<readonly string[]>;
}

export interface SignedCheckpoint {
  readonly size: number;
  readonly note: string;
  /** False when a checkpoint of this size was there already. */
  readonly isNew: boolean;
}

/** Signs the ledger as it stands. Nothing new since the last one: returns that one. */
export async function makeCheckpoint(
  store: Store,
  key: SigningKey,
  witness: Witness | undefined,
): Promise<SignedCheckpoint> {
  const { size, root } = await new LedgerView(store).head();
  const existing = await storedNote(store, size);
  if (existing !== undefined) return { size, note: existing, isNew: false };
  const note = signCheckpoint(key, { origin: key.name, size, root, extensions: [] });
  await store.commit({
    writes: [{ insert: 'ledger_checkpoints', row: { size, note }, onConflict: 'ignore' }],
  });
  await witness?.append(note);
  return { size, note, isNew: true };
}

async function storedNote(store: Store, size: number): Promise<string | undefined> {
  const [row] = await store.all('SELECT note FROM ledger_checkpoints WHERE size = ?', [size]);
  return row?.['note'] as string | undefined;
}

export async function latestCheckpoint(
  store: Store,
): Promise<{ size: number; note: string } | undefined> {
  const [row] = await store.all(
    'SELECT size, note FROM ledger_checkpoints ORDER BY size DESC LIMIT 1',
  );
  if (row === undefined) return undefined;
  return { size: row['size'] as number, note: row['note'] as string };
}

export type KnownRoots =
  | { readonly ok: true; readonly roots: KnownRoot[] }
  | {
      readonly ok: false;
      readonly source: string;
      readonly reason: CheckpointFailure | 'wrong_size';
    };

/** A root from a note that somebody kept. */
export function knownRoot(note: string, source: string, verifier: Verifier): KnownRoots {
  const opened = openCheckpoint(note, verifier);
  if (!opened.ok) return { ok: false, source, reason: opened.reason };
  const { size, root } = opened.checkpoint;
  return { ok: true, roots: [{ size, root, source }] };
}

/** Every checkpoint in the database and at the witness. One that does not open is a finding. */
export async function knownRoots(
  store: Store,
  verifier: Verifier,
  witness: Witness | undefined,
): Promise<KnownRoots> {
  const roots: KnownRoot[] = [];
  const rows = await store.all('SELECT size, note FROM ledger_checkpoints ORDER BY size');
  for (const row of rows) {
    const source = `the stored checkpoint of ${row['size']} entries`;
    const known = knownRoot(row['note'] as string, source, verifier);
    if (!known.ok) return known;
    if (known.roots[0]!.size !== row['size']) return { ok: false, source, reason: 'wrong_size' };
    roots.push(...known.roots);
  }
  for (const [at, note] of ((await witness?.read()) ?? []).entries()) {
    const known = knownRoot(note, `checkpoint ${at + 1} in ${witness!.name}`, verifier);
    if (!known.ok) return known;
    roots.push(...known.roots);
  }
  return { ok: true, roots };
}
