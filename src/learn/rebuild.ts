/** The room's tables from the ledger alone (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { CYCLES, FIXES } from './learn.ts';

export const PROJECTED_TABLES = [FIXES, CYCLES] as const;

export function projectEntry(entry: Entry): Write[] {
  const at_ms = Date.parse(entry.at);
  if (entry.type === 'learn.fix_recorded') {
    const { decidedAtMs, ...data } = entry.data as EntryPayload<'learn.fix_recorded'>;
    const proposal_id = entry.subject.slice('proposal:'.length);
    const row = { ...data, decided_at_ms: decidedAtMs, at_ms };
    return [{ upsert: FIXES, key: { proposal_id }, row }];
  }
  if (entry.type === 'learn.cycle_recorded') {
    const { cycle, ...data } = entry.data as EntryPayload<'learn.cycle_recorded'>;
    return [{ upsert: CYCLES, key: { cycle }, row: { ...data, at_ms } }];
  }
  return [];
}
