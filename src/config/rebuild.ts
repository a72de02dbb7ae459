/** What was accepted last, from the ledger alone (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { PINS } from './pin.ts';

export const PROJECTED_TABLES = [PINS] as const;

export function projectEntry(entry: Entry): Write[] {
  if (entry.type !== 'config.accepted') return [];
  const { configDigest: digest } = entry.data as EntryPayload<'config.accepted'>;
  const row = { digest, accepted_at_ms: Date.parse(entry.at) };
  return [{ upsert: PINS, key: { id: 1 }, row }];
}
