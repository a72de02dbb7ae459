/** The policy tables from the ledger alone: what each entry did to the rows (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';

export const PROJECTED_TABLES = ['policy_stops', 'policy_switches'] as const;

export function projectEntry(entry: Entry): Write[] {
  const atMs = Date.parse(entry.at);
  switch (entry.type) {
    case 'policy.stopped':
    case 'policy.resumed': {
      const { reason } = entry.data as EntryPayload<'policy.resumed'>;
      const stopped = entry.type === 'policy.stopped' ? 1 : 0;
      const row = { stopped, reason, actor: entry.actor.id, changed_at_ms: atMs };
      return [{ upsert: 'policy_stops', key: { id: 1 }, row }];
    }
    case 'policy.switch_set': {
      const { gate, mode, reason } = entry.data as EntryPayload<'policy.switch_set'>;
      return [
        { upsert: 'policy_switches', key: { gate }, row: { mode, reason, changed_at_ms: atMs } },
      ];
    }
    default:
      return [];
  }
}
