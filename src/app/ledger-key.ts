/** The key at hand, if it is this ledger's. */
import { type Home, HomeError, readKey } from '../home/index.ts';
import { formatVerifier, parseVerifier, recordedKeys, type SigningKey } from '../ledger/index.ts';
import type { Store } from '../store/index.ts';

/**
 * Throws on a key the ledger does not name as its newest: signing with it would only confuse. A ledger that
 * names none was emptied or begun again by something other than Hone, and a signature would make it look genuine.
 */
export async function ledgerKey(store: Store, home: Home): Promise<SigningKey> {
  const newest = (await recordedKeys(store)).at(-1);
  if (newest === undefined) {
    throw new HomeError('key', 'This ledger names no key, so it is not the one created here.', {
      hint: 'Run "hone ledger verify", and restore a backup of the database.',
    });
  }
  const key = readKey(home, parseVerifier(newest).name);
  if (newest === formatVerifier(key)) return key;
  throw new HomeError('key', `The key in ${home.keyFile} is not the one this ledger names.`, {
    hint: 'Restore the right key from a backup, or check that the state folder is the right one.',
  });
}
