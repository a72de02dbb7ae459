/** The ledger's signing key: made by `hone init`, readable by its owner alone. */
import { errorMessage } from '../base/index.ts';
import {
  formatPrivateKey,
  generateKey,
  LedgerError,
  parsePrivateKey,
  type SigningKey,
} from '../ledger/index.ts';
import { HomeError } from './errors.ts';
import type { Home } from './home.ts';
import { isOpenToOthers, readPrivateFile, writePrivateFile } from './private-file.ts';

/** The name of this installation's ledger in checkpoints: its origin line and its key's name. */
export function ledgerOrigin(home: Home): string {
  return `hone.local/${home.id}`;
}

export function readKey(home: Home): SigningKey {
  const pem = readPrivateFile(home.keyFile);
  if (pem === undefined) {
    throw new HomeError('key', `There is no signing key at ${home.keyFile}.`, {
      hint: 'Restore it from a backup. "hone init" makes a new one, and records that it did.',
    });
  }
  if (isOpenToOthers(home.keyFile)) {
    throw new HomeError('key', `Others on this machine may read ${home.keyFile}.`, {
      hint: `Run: chmod 600 ${home.keyFile}`,
    });
  }
  try {
    return parsePrivateKey(ledgerOrigin(home), pem);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new HomeError('key', `${home.keyFile} holds no usable key: ${errorMessage(error)}`, {
      hint: 'Restore it from a backup.',
      cause: error,
    });
  }
}

/** The key that is there, or a new one. Of two that run at once, both end with the same key. */
export function readOrMakeKey(home: Home): { key: SigningKey; made: boolean } {
  const made = writePrivateFile(home.keyFile, formatPrivateKey(generateKey(ledgerOrigin(home))), {
    exclusive: true,
  });
  return { key: readKey(home), made };
}
