/** The ledger's signing key: made by `hone init`, readable by its owner alone. */
import { rmSync } from 'node:fs';
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

/** The name of a new ledger in checkpoints: its origin line and its key's name. */
export function newOrigin(home: Home): string {
  return `hone.local/${home.id}`;
}

export function hasKey(home: Home): boolean {
  return readPrivateFile(home.keyFile) !== undefined;
}

/** The key of the ledger of that name. */
export function readKey(home: Home, origin: string): SigningKey {
  const pem = readPrivateFile(home.keyFile);
  if (pem === undefined) {
    throw new HomeError('key', `There is no signing key at ${home.keyFile}.`, {
      hint: 'Restore it from a backup, or copy it from the machine that signs this ledger.',
    });
  }
  if (isOpenToOthers(home.keyFile)) {
    throw new HomeError('key', `Others on this machine may read ${home.keyFile}.`, {
      hint: `Run: chmod 600 ${home.keyFile}`,
    });
  }
  try {
    return parsePrivateKey(origin, pem);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new HomeError('key', `${home.keyFile} holds no usable key: ${errorMessage(error)}`, {
      hint: 'Restore it from a backup.',
      cause: error,
    });
  }
}

/** For whoever made a key and then found that the ledger has one elsewhere. */
export function dropKey(home: Home): void {
  rmSync(home.keyFile, { force: true });
}

/** The key that is there, or a new one. Of two that run at once, both end with the same key. */
export function readOrMakeKey(home: Home, origin: string): { key: SigningKey; made: boolean } {
  const made = writePrivateFile(home.keyFile, formatPrivateKey(generateKey(origin)), {
    exclusive: true,
  });
  return { key: readKey(home, origin), made };
}
