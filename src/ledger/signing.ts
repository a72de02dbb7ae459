/**
 * Checkpoints of this ledger: made, kept in the database and at a witness, and read back as roots
 * that `verify` compares the ledger with. A witness is wherever whoever can change the database
 * cannot write: another machine, a mail, a printed page; here, a file that only grows.
 */
import type { Actor } from '../facts/index.ts';
import type { Plan, Store } from '../store/index.ts';
import { type CheckpointFailure, openCheckpoint, signCheckpoint } from './checkpoint.ts';
import { LedgerView } from './ledger-view.ts';
import { formatVerifier, type SigningKey, type Verifier } from './note-key.ts';
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
  if (existing !== undefined) {
    // Whoever made it may have died before the witness heard of it.
    if (witness !== undefined && !(await witness.read()).includes(existing)) {
      await witness.append(existing);
    }
    return { size, note: existing, isNew: false };
  }
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

/** What the entries about the ledger's own keys are about; the only ones with an index by subject. */
const OWN_SUBJECT = 'hone:ledger';

/** The first entry of a ledger, or the record that its key was replaced. */
export function planKey(key: SigningKey, actor: Actor, replaces: boolean): Plan {
  const subject = OWN_SUBJECT;
  const verifierKey = formatVerifier(key);
  if (replaces) {
    const data = { verifierKey, reason: 'the key file was missing' };
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
 * The keys this ledger was signed with, oldest first, by its own record; at most a hundred. Their name
 * is the ledger's, also on a machine that joined later.
 */
export async function recordedKeys(store: Store): Promise<string[]> {
  const rows = await store.all(
    `SELECT body FROM ledger_entries WHERE subject = '${OWN_SUBJECT}' ORDER BY idx LIMIT 100`,
  );
  const { parseBody } = await import('./entry-body.ts');
  return rows.map((row) => {
    const { data } = parseBody(row['body'] as string);
    return (data as { verifierKey: string }).verifierKey;
  });
}

/**
 * As somebody may have left them: a size that no number holds, bytes that are no text. The size comes
 * as text, the note as bytes, and what does not decode is `undefined`.
 */
async function storedNotes(store: Store): Promise<{ size: string; note: string | undefined }[]> {
  const bytes = store.engine === 'sqlite' ? 'CAST(note AS BLOB)' : `convert_to(note, 'UTF8')`;
  const rows = await store.all(
    `SELECT CAST(size AS TEXT) AS size, ${bytes} AS note FROM ledger_checkpoints
     ORDER BY ledger_checkpoints.size`,
  );
  return rows.map((row) => ({
    size: row['size'] as string,
    note: decoded(row['note'] as Uint8Array),
  }));
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
