/**
 * The Ed25519 keys of signed notes (c2sp.org/signed-note): making them, and their texts. Strings in,
 * strings out; where a private key lies and who may read it is the caller's business. Whatever is
 * wrong with a key throws a `LedgerError` with its own code. No message contains the private key.
 */
import type { KeyObject } from 'node:crypto';
import { errorMessage, nodeCrypto, sha256 } from '../base/index.ts';
import { LedgerError } from './errors.ts';
import { decodeBase64, isKeyName } from './note-syntax.ts';

/** Who is trusted: the name and the public key, never one without the other. */
export interface Verifier {
  readonly name: string;
  /** Four bytes, the first of a hash over name and key. Tells keys apart; trust comes from the key. */
  readonly keyId: Uint8Array;
  readonly publicKey: KeyObject;
}

export interface SigningKey extends Verifier {
  readonly privateKey: KeyObject;
}

export const KEY_ID_BYTES = 4;
/** The signature type byte of plain Ed25519, in front of the public key. */
const ED25519_TYPE = 0x01;
const PUBLIC_KEY_BYTES = 32;
const NAME_CHARS_MAX = 256;
/** A PKCS#8 Ed25519 key is 119 characters; more room is for comments around it. */
const PEM_CHARS_MAX = 16_384;

export function generateKey(name: string): SigningKey {
  checkName(name);
  const { privateKey, publicKey } = nodeCrypto().generateKeyPairSync('ed25519');
  return { ...makeVerifier(name, publicKey), privateKey };
}

/** The private key as PKCS#8 PEM; the name is not in it. */
export function formatPrivateKey(key: SigningKey): string {
  return key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function parsePrivateKey(name: string, pem: string): SigningKey {
  checkName(name);
  const privateKey = readPem(pem);
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new LedgerError(
      'key_type',
      `The private key is of type ${privateKey.asymmetricKeyType ?? 'unknown'}; an Ed25519 key was expected.`,
      { hint: 'Point to the key that made this ledger; another one cannot continue it.' },
    );
  return { ...makeVerifier(name, nodeCrypto().createPublicKey(privateKey)), privateKey };
}

/** The text that others are given to check this key's notes: `<name>+<key id>+<type and key>`. */
export function formatVerifier(verifier: Verifier): string {
  const key = typedKey(rawPublicKey(verifier.publicKey)).toString('base64');
  return `${verifier.name}+${Buffer.from(verifier.keyId).toString('hex')}+${key}`;
}

export function parseVerifier(text: string): Verifier {
  // Base64 may hold a plus, names never do: the first two separate.
  const match = /^([^+\n]{1,256})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]{1,128})$/.exec(text);
  if (match === null) throw malformedVerifier('does not have three parts');
  const [, name = '', keyId = '', base64 = ''] = match;
  checkName(name);
  const typed = decodeBase64(base64);
  if (typed === undefined) throw malformedVerifier('has a third part that is not base64');
  if (typed[0] !== ED25519_TYPE || typed.length !== 1 + PUBLIC_KEY_BYTES)
    throw new LedgerError('key_type', 'The verifier key is not an Ed25519 key.');
  const verifier = makeVerifier(name, importPublicKey(typed.subarray(1)));
  if (Buffer.from(verifier.keyId).toString('hex') !== keyId)
    throw new LedgerError(
      'verifier_key_id',
      `The verifier key of ${name} does not belong to its key id ${keyId}.`,
      {
        hint: 'Copy the text again, from its first to its last character.',
      },
    );
  return verifier;
}

function readPem(pem: string): KeyObject {
  try {
    if (pem.length > PEM_CHARS_MAX) throw new Error(`longer than ${PEM_CHARS_MAX} characters`);
    return nodeCrypto().createPrivateKey({ key: pem, format: 'pem' });
  } catch (cause) {
    throw new LedgerError(
      'key_unreadable',
      `The private key cannot be read: ${errorMessage(cause)}.`,
      {
        hint: 'A PKCS#8 PEM file without a passphrase is expected ("BEGIN PRIVATE KEY").',
        cause,
      },
    );
  }
}

function makeVerifier(name: string, publicKey: KeyObject): Verifier {
  const input = Buffer.concat([Buffer.from(`${name}\n`), typedKey(rawPublicKey(publicKey))]);
  return { name, keyId: sha256(input).subarray(0, KEY_ID_BYTES), publicKey };
}

function typedKey(raw: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(ED25519_TYPE), raw]);
}

function rawPublicKey(publicKey: KeyObject): Buffer {
  return Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
}

function importPublicKey(raw: Uint8Array): KeyObject {
  const x = Buffer.from(raw).toString('base64url');
  return nodeCrypto().createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/**
 * Stricter than the format, which forbids spaces and plus only: characters that cannot be seen would
 * let two names look the same.
 */
function checkName(name: string): void {
  if (isKeyName(name) && !/\p{C}/u.test(name) && name.length <= NAME_CHARS_MAX) return;
  throw new LedgerError(
    'key_name',
    `${JSON.stringify(name.slice(0, NAME_CHARS_MAX))} cannot name a key.`,
    {
      hint: `Use 1 to ${NAME_CHARS_MAX} visible characters without spaces or "+", such as example.com/hone.`,
    },
  );
}

function malformedVerifier(what: string): LedgerError {
  return new LedgerError('verifier_malformed', `The verifier key ${what}.`, {
    hint: 'Expected: <name>+<8 hex digits>+<base64>, on one line.',
  });
}
