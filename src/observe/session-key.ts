/**
 * Distinguishes sessions whose ids must not be kept. An id may be a telephone number: all of them would
 * become one mark, and a fleet one session. So a sanitised id gets a short hash appended, made with a key
 * that only this store has: without the key, trying all telephone numbers finds nothing.
 */
import { nodeCrypto, type Random } from '../base/index.ts';
import type { Store } from '../store/index.ts';

const TABLE = 'observe_session_key';
const KEY_BYTES = 32;
/** 64 bits: among a hundred million sessions, the chance of one collision is one in three thousand. */
const HASH_BYTES = 8;

export type SessionKey = string;

/** The store's key, made at its first use. If two make one at once, both get the first. */
export async function sessionKey(store: Store, random: Random): Promise<SessionKey> {
  const known = await readKey(store);
  if (known !== undefined) return known;
  const row = { id: 1, secret: Buffer.from(random.bytes(KEY_BYTES)).toString('hex') };
  await store.commit({ writes: [{ insert: TABLE, row, onConflict: 'ignore' }] });
  return (await readKey(store))!;
}

async function readKey(store: Store): Promise<SessionKey | undefined> {
  const [row] = await store.all(`SELECT secret FROM ${TABLE} WHERE id = 1`);
  return row?.['secret'] as SessionKey | undefined;
}

/** `clean` unchanged if nothing was removed from `raw`. */
export function toldApart(raw: string, clean: string, key: SessionKey): string {
  return clean === raw ? clean : `${clean}~${keyedHash(raw, key)}`;
}

/** By which equal texts are recognised in this store, and nowhere else. */
export function keyedHash(raw: string, key: SessionKey): string {
  const hmac = nodeCrypto().createHmac('sha256', Buffer.from(key, 'hex')).update(raw).digest();
  return letters(hmac.subarray(0, HASH_BYTES));
}

/** Without digits, so that no rule of the sanitiser takes the hash for a number or a key. */
function letters(bytes: Uint8Array): string {
  const letter = (half: number) => String.fromCharCode(97 + half);
  return Array.from(bytes, (byte) => letter(byte >> 4) + letter(byte & 15)).join('');
}
