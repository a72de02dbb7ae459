/** Whether the key at hand is this ledger's. */
import { type Home, HomeError } from '../home/index.ts';
import { formatVerifier, recordedKeys, type SigningKey } from '../ledger/index.ts';
import type { Store } from '../store/index.ts';

/** Throws on a key the ledger does not name as its newest: signing with it would only confuse. */
export async function checkKey(store: Store, key: SigningKey, home: Home): Promise<void> {
  const newest = (await recordedKeys(store, key.name)).at(-1);
  if (newest === undefined || newest === formatVerifier(key)) return;
  throw new HomeError('key', `The key in ${home.keyFile} is not the one this ledger names.`, {
    hint: 'Restore the right key from a backup, or check that the state folder is the right one.',
  });
}
