/**
 * What tells sessions apart whose ids must not stay. An id may be a telephone number: all of them would
 * become one mark, and a fleet one session. So a changed id gets a short hash behind it, made with a key
 * that only this store has: without the key, trying all telephone numbers finds nothing.
 */
import { nodeCrypto, type Random } from '../base/index.ts';
import type { Store } from '../store/index.ts';

const TABLE = 'observe_session_key';
const KEY_BYTES = 32;
/** Of 64 bits: among a hundred million sessions one chance in three thousand that two are one. */
const HASH_BYTES = 8;

export type SessionKey = string;

/** The store's key, made at its first use. Of two that make one at once, both get the first. */
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

/** `clean` as it is when nothing of `raw` had to go. */
export function toldApart(raw: string, clean: string, key: SessionKey): string {
  if (clean === raw) return clean;
  const hmac = nodeCrypto().createHmac('sha256', Buffer.from(key, 'hex')).update(raw).digest();
  return `${clean}~${letters(hmac.subarray(0, HASH_BYTES))}`;
}

/** Without digits, so that no rule of the sanitiser takes the hash for a number or a key. */
function letters(bytes: Uint8Array): string {
  const letter = (half: number) => String.fromCharCode(97 + half);
  return Array.from(bytes, (byte) => letter(byte >> 4) + letter(byte & 15)).join('');
}
