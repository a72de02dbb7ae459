/** The checks of claims from the ledger alone (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { CHECKS, checkWrite } from './check-store.ts';

export const PROJECTED_TABLES = [CHECKS] as const;

export function projectEntry(entry: Entry): Write[] {
  if (entry.type !== 'claim.checked') return [];
  const data = entry.data as EntryPayload<'claim.checked'>;
  return [checkWrite(entry.subject.slice('task:'.length), data, Date.parse(entry.at))];
}
