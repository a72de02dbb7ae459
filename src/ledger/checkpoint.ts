/**
 * Checkpoints (c2sp.org/tlog-checkpoint): what the ledger was at some size, as a signed note that
 * people keep elsewhere. The origin is the key's name, so a checkpoint says which ledger it is of.
 * Promises: what `signCheckpoint` wrote, `openCheckpoint` reads back; anything changed, another
 * ledger's or another key's checkpoint is refused with a reason.
 */
import { assert } from '../base/index.ts';
import { LedgerError } from './errors.ts';
import { emptyRoot, HASH_BYTES } from './merkle.ts';
import { type NoteFailure, openNote, signNote } from './note.ts';
import type { SigningKey, Verifier } from './note-key.ts';
import { decodeBase64, parseNote } from './note-syntax.ts';

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** Further lines, opaque; ours have none, others' are kept. */
  readonly extensions: readonly string[];
}

type CheckpointSyntaxFailure =
  /** Fewer than three lines, or an empty one. */
  | 'checkpoint_lines'
  /** Not a decimal number without leading zeros, or beyond 2^53 - 1. */
  | 'checkpoint_size'
  /** Not the base64 of 32 bytes. */
  | 'checkpoint_root'
  /** Size 0 with another root than the empty tree's (ADR 010). */
  | 'checkpoint_empty_root';

export type CheckpointFailure =
  | NoteFailure
  | CheckpointSyntaxFailure
  /** Signed by the trusted key, for a log of another name. */
  | 'checkpoint_origin';

export type CheckpointResult =
  | { readonly ok: true; readonly checkpoint: Checkpoint }
  | { readonly ok: false; readonly reason: CheckpointFailure };

export type CheckpointParseResult =
  | { readonly ok: true; readonly checkpoint: Checkpoint }
  | { readonly ok: false; readonly reason: CheckpointSyntaxFailure };

export function signCheckpoint(key: SigningKey, checkpoint: Checkpoint): string {
  if (checkpoint.origin !== key.name)
    throw new LedgerError(
      'checkpoint_origin',
      `The key ${key.name} cannot sign a checkpoint of ${checkpoint.origin}.`,
      { hint: 'Sign with the key that was made for this ledger.' },
    );
  return signNote(key, formatCheckpoint(checkpoint));
}

export function openCheckpoint(input: string, verifier: Verifier): CheckpointResult {
  const note = openNote(input, verifier);
  if (!note.ok) return note;
  const parsed = parseCheckpoint(note.text);
  if (!parsed.ok) return parsed;
  return parsed.checkpoint.origin === verifier.name ? parsed : failed('checkpoint_origin');
}

/** The ledger that a note claims to belong to, unproven; undefined if it is not a signed note. */
export function claimedOrigin(input: string): string | undefined {
  const parsed = parseNote(input);
  return parsed.ok ? parsed.note.text.slice(0, parsed.note.text.indexOf('\n')) : undefined;
}

/** The note text, without signatures. */
function formatCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  const lines = [origin, String(size), Buffer.from(root).toString('base64'), ...extensions];
  const text = `${lines.join('\n')}\n`;
  const parsed = parseCheckpoint(text);
  // Also catches a line break smuggled into a field, which would shift the lines below it.
  assert(
    parsed.ok && parsed.checkpoint.extensions.length === extensions.length,
    'not a checkpoint',
  );
  return text;
}

/** Reads a note text whose signature was verified, or says what is wrong with it. */
export function parseCheckpoint(text: string): CheckpointParseResult {
  const lines = text.split('\n');
  const last = lines.pop();
  const [origin, sizeText, rootText, ...extensions] = lines;
  if (last !== '' || rootText === undefined || lines.includes(''))
    return failed('checkpoint_lines');
  const size = parseSize(sizeText!);
  if (size === undefined) return failed('checkpoint_size');
  const root = decodeBase64(rootText);
  if (root?.length !== HASH_BYTES) return failed('checkpoint_root');
  if (size === 0 && Buffer.compare(root, emptyRoot()) !== 0) return failed('checkpoint_empty_root');
  return { ok: true, checkpoint: { origin: origin!, size, root, extensions } };
}

function parseSize(text: string): number | undefined {
  // The length is checked before the value: a number of a million digits is not worth reading.
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
  const size = Number(text);
  return Number.isSafeInteger(size) ? size : undefined;
}

function failed<Reason extends CheckpointFailure>(reason: Reason): { ok: false; reason: Reason } {
  return { ok: false, reason };
}
