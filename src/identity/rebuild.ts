/** The tokens from the ledger alone: what each entry did to the rows (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { revokeWrite, TABLE } from './token-rows.ts';

export const PROJECTED_TABLES = [TABLE] as const;

export function projectEntry(entry: Entry): Write[] {
  const atMs = Date.parse(entry.at);
  switch (entry.type) {
    case 'identity.token_added': {
      const { tokenId, name, role, secretHash } =
        entry.data as EntryPayload<'identity.token_added'>;
      const times = { created_at_ms: atMs, revoked_at_ms: null };
      return [
        { insert: TABLE, row: { id: tokenId, name, role, secret_hash: secretHash, ...times } },
      ];
    }
    case 'identity.token_revoked': {
      const { tokenId } = entry.data as EntryPayload<'identity.token_revoked'>;
      return [revokeWrite(tokenId, atMs)];
    }
    default:
      return [];
  }
}
