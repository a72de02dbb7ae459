/**
 * Checkpoints of this ledger: made, kept in the database and at a witness, and read back as roots
 * that `verify` compares the ledger with. A witness is wherever whoever can change the database
 * cannot write: another machine, a mail, a printed page; here, a file that only grows.
 */
import { ownWords } from '../base/index.ts';
import type { Actor } from '../facts/index.ts';
import type { Plan, Store } from '../store/index.ts';
import { OWN_SUBJECT } from './beginning.ts';
import { type CheckpointFailure, openCheckpoint, signCheckpoint } from './checkpoint.ts';
import { damaged } from './errors.ts';
import { LedgerView } from './ledger-view.ts';
import { formatVerifier, type SigningKey, type Verifier } from './note-key.ts';
import { bytesText, textOfBytes } from './stored-bytes.ts';
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

/** How often somebody else may come first; the ledger has a newer checkpoint each time. */
const ATTEMPTS_MAX = 5;

/**
 * Signs the present ledger. Nothing new since the last one: returns that one. Somebody else may sign
 * it, or a longer one, between our look and our commit, as `hone ledger checkpoint` does beside `hone up`:
 * then we look again.
 */
export async function makeCheckpoint(
  store: Store,
  key: SigningKey,
  witness: Witness | undefined,
): Promise<SignedCheckpoint> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const { size, root } = await new LedgerView(store).head();
    const existing = await storedNote(store, size);
    if (existing !== undefined) return kept(size, existing, witness);
    const note = signCheckpoint(key, { origin: key.name, size, root, extensions: [] });
    if (await insertNote(store, size, note)) {
      await witness?.append(note);
      return { size, note, isNew: true };
    }
  }
  // Every time somebody else's covers more than ours would have.
  const latest = (await latestCheckpoint(store))!;
  return kept(latest.size, latest.note, witness);
}

/** Whoever made it may have died before the witness heard of it. */
async function kept(
  size: number,
  note: string,
  witness: Witness | undefined,
): Promise<SignedCheckpoint> {
  if (witness !== undefined && !(await witness.read()).includes(note)) await witness.append(note);
  return { size, note, isNew: false };
}

/** False when somebody else was first, with this size or a larger one. */
async function insertNote(store: Store, size: number, note: string): Promise<boolean> {
  const table = 'ledger_checkpoints';
  try {
    const result = await store.commit({
      expect: [{ table, where: { size }, exists: false, name: 'signed' }],
      writes: [{ insert: table, row: { size, note } }],
    });
    return result.committed;
  } catch (error) {
    // The table refuses a size that is not its largest. Each engine says so in its own words, so we look.
    const latest = await latestCheckpoint(store);
    if (latest !== undefined && latest.size >= size) return false;
    const [larger] = await store.all('SELECT 1 AS one FROM ledger_checkpoints WHERE size > ?', [
      size,
    ]);
    throw larger === undefined ? error : damaged('There is a checkpoint of an impossible size.');
  }
}

async function storedNote(store: Store, size: number): Promise<string | undefined> {
  const [row] = await store.all('SELECT note FROM ledger_checkpoints WHERE size = ?', [size]);
  return row?.['note'] as string | undefined;
}

/** One of a size beyond counting is left to `verify`. */
export async function latestCheckpoint(
  store: Store,
): Promise<{ size: number; note: string } | undefined> {
  const [row] = await store.all(
    `SELECT size, note FROM ledger_checkpoints
     WHERE size <= ${Number.MAX_SAFE_INTEGER} ORDER BY size DESC LIMIT 1`,
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

/** A root from a note that somebody kept, signed by any of the keys. */
export function knownRoot(
  note: string,
  source: string,
  verifiers: readonly Verifier[],
): KnownRoots {
  let reason: CheckpointFailure = 'note_not_signed_by_key';
  for (const verifier of verifiers) {
    const opened = openCheckpoint(note, verifier);
    if (opened.ok) {
      const { size, root } = opened.checkpoint;
      return { ok: true, roots: [{ size, root, source }] };
    }
    // Another key's note says nothing; a broken one of this key does.
    if (opened.reason !== 'note_not_signed_by_key') reason = opened.reason;
  }
  return { ok: false, source, reason };
}

/** Every checkpoint in the database and at the witness. One that does not open is a finding. */
export async function knownRoots(
  store: Store,
  verifiers: readonly Verifier[],
  witness: Witness | undefined,
): Promise<KnownRoots> {
  const roots: KnownRoot[] = [];
  for (const { size, note } of await storedNotes(store)) {
    const source = `the stored checkpoint of ${size} entries`;
    if (note === undefined) return { ok: false, source, reason: 'note_characters' };
    const known = knownRoot(note, source, verifiers);
    if (!known.ok) return known;
    if (String(known.roots[0]!.size) !== size) return { ok: false, source, reason: 'wrong_size' };
    roots.push(...known.roots);
  }
  for (const [at, note] of ((await witness?.read()) ?? []).entries()) {
    const known = knownRoot(note, `checkpoint ${at + 1} in ${witness!.name}`, verifiers);
    if (!known.ok) return known;
    roots.push(...known.roots);
  }
  return { ok: true, roots };
}

/** The first entry of a ledger, or the record that its key was replaced. */
export function planKey(key: SigningKey, actor: Actor, replaces: boolean): Plan {
  const subject = OWN_SUBJECT;
  const verifierKey = formatVerifier(key);
  if (replaces) {
    const data = { verifierKey, reason: ownWords('the key file was missing') };
    return { entries: [{ type: 'ledger.key_changed', actor, subject, data }] };
  }
  return {
    expect: [{ table: 'ledger_entries', where: { subject }, exists: false, name: 'created' }],
    // On PostgreSQL nothing locks an entry that is not there: of two at once the second must collide.
    writes: [{ insert: 'ledger_cursors', row: { consumer: subject, position: 0 } }],
    entries: [{ type: 'ledger.created', actor, subject, data: { origin: key.name, verifierKey } }],
  };
}

/**
 * As somebody may have left them: a size that no number holds, bytes that are no text. The size comes
 * as text, the note as bytes, and what does not decode is `undefined`.
 */
async function storedNotes(store: Store): Promise<{ size: string; note: string | undefined }[]> {
  const bytes = bytesText('note', store.engine);
  const rows = await store.all(
    `SELECT CAST(size AS TEXT) AS size, ${bytes} AS note FROM ledger_checkpoints
     ORDER BY ledger_checkpoints.size`,
  );
  return rows.map((row) => ({
    size: row['size'] as string,
    note: textOfBytes(row['note'] as Uint8Array),
  }));
}
