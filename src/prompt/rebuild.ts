/** What was attested, from the ledger alone (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { ATTESTED, attestedWrite } from './attestation.ts';

export const PROJECTED_TABLES = [ATTESTED] as const;

export function projectEntry(entry: Entry): Write[] {
  if (entry.type !== 'prompt.attested') return [];
  const data = entry.data as EntryPayload<'prompt.attested'>;
  return [attestedWrite(entry.subject.slice('task:'.length), data)];
}
