/**
 * The ledger's one error class. Only faults are thrown: a proof or a checkpoint that does not verify
 * is an answer, and comes back as a tagged result.
 */
import { HoneError } from '../base/index.ts';

export type LedgerErrorCode =
  /** A payload that its schema does not allow. */
  | 'bad_payload'
  | 'too_large'
  /** An entry, size or proof outside the ledger. */
  | 'out_of_range'
  /** A key's name is empty, holds a space, a plus or an invisible character, or is too long. */
  | 'key_name'
  /** The text is not a PKCS#8 private key that can be read without a passphrase. */
  | 'key_unreadable'
  /** The key can be read, but it is not an Ed25519 key. */
  | 'key_type'
  /** The text is not `<name>+<key id>+<key>`. */
  | 'verifier_malformed'
  /** The key id in a verifier text is not the one of its name and key: mistyped or tampered with. */
  | 'verifier_key_id'
  /** An entry that this build cannot read, or one that should name the ledger's key and does not. */
  | 'unreadable_entry'
  /** Entries or hashes are missing, or at impossible places: something other than Hone changed it. */
  | 'damaged'
  /** An entry was to be written at a time that could not be read back. */
  | 'bad_time'
  /** An entry that does not follow from those before it, so that no tables come from this ledger. */
  | 'unfoldable'
  /** A checkpoint was to be signed for an origin that is not the key's name. */
  | 'checkpoint_origin';

export class LedgerError extends HoneError<LedgerErrorCode> {}

export function damaged(what: string): LedgerError {
  return new LedgerError('damaged', what, {
    hint: 'Run "hone ledger verify": something other than Hone changed the record.',
  });
}
