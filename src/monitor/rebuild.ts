/** The watches from the ledger alone: what each entry did to the rows (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { changeWrites } from './change-store.ts';
import { CHANGES } from './probation-rows.ts';
import { extendedWrite, startedWrite, WATCHES } from './watch-store.ts';

export const PROJECTED_TABLES = [WATCHES, CHANGES] as const;

export function projectEntry(entry: Entry): Write[] {
  const proposalId = entry.subject.slice('proposal:'.length);
  switch (entry.type) {
    case 'monitor.started':
      return [startedWrite({ proposalId, ...(entry.data as EntryPayload<'monitor.started'>) })];
    case 'monitor.extended': {
      const { untilMs } = entry.data as EntryPayload<'monitor.extended'>;
      return [extendedWrite(proposalId, untilMs)];
    }
    default:
      return changeWrites(proposalId, entry.type, entry.data, Date.parse(entry.at));
  }
}
