/** The policy tables from the ledger alone: what each entry did to the rows (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import {
  AUTOMATIC_SUBJECT,
  IDENTITY_SUBJECT,
  STOP_SUBJECT,
  type StateSubject,
  type StoredRow,
} from '../ledger/index.ts';
import type { Row, Store, Value, Write } from '../store/index.ts';
import { automaticRow } from './automatic.ts';

export const PROJECTED_TABLES = ['policy_stops', 'policy_switches', 'policy_automatic'] as const;

/** Rows that a deployment depends on, and the subjects of their entries. */
export const GATE_ROWS: readonly { subject: StateSubject; table: string; where: Row }[] = [
  { subject: STOP_SUBJECT, table: 'policy_stops', where: { id: 1 } },
  { subject: IDENTITY_SUBJECT, table: 'policy_switches', where: { gate: 'identity' } },
  { subject: AUTOMATIC_SUBJECT, table: 'policy_automatic', where: { id: 1 } },
];

/** From an entry in the ledger. Nothing if it is not an entry of this room. */
export function projectBody(body: string): Write[] {
  try {
    return projectEntry(JSON.parse(body) as Entry);
  } catch {
    return [];
  }
}

/** The whole row, to be compared with the one that its ledger entry gives. */
export async function readRow(store: Store, table: string, where: Row): Promise<StoredRow[]> {
  const [[column, value]] = Object.entries(where) as [[string, Value]];
  const rows = await store.all(`SELECT * FROM ${table} WHERE ${column} = ?`, [value]);
  return rows.map((row) => ({ table, row }));
}

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
    case 'policy.automatic_set': {
      const data = entry.data as EntryPayload<'policy.automatic_set'>;
      const row = automaticRow(data, { actor: entry.actor.id, atMs });
      return [{ upsert: 'policy_automatic', key: { id: 1 }, row }];
    }
    default:
      return [];
  }
}
