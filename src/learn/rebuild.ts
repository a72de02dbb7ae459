/** The room's tables from the ledger alone (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { CYCLES, FIXES, fixWrite } from './learn.ts';

export const PROJECTED_TABLES = [FIXES, CYCLES] as const;

export function projectEntry(entry: Entry): Write[] {
  const at_ms = Date.parse(entry.at);
  if (entry.type === 'learn.fix_recorded') {
    const proposalId = entry.subject.slice('proposal:'.length);
    return [fixWrite(proposalId, entry.data as EntryPayload<'learn.fix_recorded'>, at_ms)];
  }
  if (entry.type === 'learn.cycle_recorded') {
    const data = entry.data as EntryPayload<'learn.cycle_recorded'>;
    const cycle_id = entry.subject.slice('cycle:'.length);
    return [{ upsert: CYCLES, key: { cycle_id }, row: { ...data, at_ms } }];
  }
  return [];
}
