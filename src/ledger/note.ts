/**
 * Signs and opens notes (c2sp.org/signed-note) with Ed25519 (RFC 8032). The text of a note means
 * nothing until the signature of the key that the caller trusts was verified, so `openNote` gives it
 * out only then. Signatures of other keys are ignored, as the format demands: witnesses and rotated
 * keys may add theirs.
 */
import { assert, nodeCrypto } from '../base/index.ts';
import { KEY_ID_BYTES, type SigningKey, type Verifier } from './note-key.ts';
import {
  formatNote,
  type NoteSyntaxFailure,
  parseNote,
  type SignatureLine,
} from './note-syntax.ts';

export type NoteFailure =
  | NoteSyntaxFailure
  /** No signature carries the trusted key's name and id. */
  | 'note_not_signed_by_key'
  /** The trusted key's signature is there and wrong: the text or the signature was changed. */
  | 'note_signature_wrong'
  /** The trusted key signed twice; no signer does that. */
  | 'note_signed_twice';

export type NoteResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: NoteFailure };

export function signNote(key: SigningKey, text: string): string {
  const bytes = Buffer.concat([
    key.keyId,
    nodeCrypto().sign(null, Buffer.from(text), key.privateKey),
  ]);
  const note = formatNote({ text, signatures: [{ name: key.name, bytes }] });
  const parsed = parseNote(note);
  assert(parsed.ok && parsed.note.text === text, 'this text cannot be the text of a note');
  return note;
}

export function openNote(input: string, verifier: Verifier): NoteResult {
  const parsed = parseNote(input);
  if (!parsed.ok) return parsed;
  const { text, signatures } = parsed.note;
  const ours = signatures.filter((signature) => isBy(signature, verifier));
  const [signature] = ours;
  if (signature === undefined) return failed('note_not_signed_by_key');
  if (ours.length > 1) return failed('note_signed_twice');
  // A signature of the wrong length is not an error for `verify`, it is simply wrong.
  const valid = nodeCrypto().verify(
    null,
    Buffer.from(text),
    verifier.publicKey,
    signature.bytes.subarray(KEY_ID_BYTES),
  );
  return valid ? { ok: true, text } : failed('note_signature_wrong');
}

/** Name and id together: an id has four bytes only, anybody can make a key that shares it. */
function isBy({ name, bytes }: SignatureLine, verifier: Verifier): boolean {
  return (
    name === verifier.name && Buffer.compare(bytes.subarray(0, KEY_ID_BYTES), verifier.keyId) === 0
  );
}

function failed(reason: NoteFailure): NoteResult {
  return { ok: false, reason };
}
