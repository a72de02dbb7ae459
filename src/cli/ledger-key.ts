/** The key at hand, if it is this ledger's. */
import { type Home, HomeError, newOrigin, readKey } from '../home/index.ts';
import { formatVerifier, parseVerifier, recordedKeys, type SigningKey } from '../ledger/index.ts';
import type { Store } from '../store/index.ts';

/** Throws on a key the ledger does not name as its newest: signing with it would only confuse. */
export async function ledgerKey(store: Store, home: Home): Promise<SigningKey> {
  const newest = (await recordedKeys(store)).at(-1);
  const origin = newest === undefined ? newOrigin(home) : parseVerifier(newest).name;
  const key = readKey(home, origin);
  if (newest === undefined || newest === formatVerifier(key)) return key;
  throw new HomeError('key', `The key in ${home.keyFile} is not the one this ledger names.`, {
    hint: 'Restore the right key from a backup, or check that the state folder is the right one.',
  });
}
