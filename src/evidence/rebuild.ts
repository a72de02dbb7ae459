/** The evidence from the ledger alone (LEDGER-4). Its position is how many entries its task had. */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { ITEMS, itemRow } from './item-rows.ts';

export const PROJECTED_TABLES = [ITEMS] as const;

/** Entries that are a version of a task, while folding. */
export type Versions = Map<string, number>;

export function projectEntry(entry: Entry, versions: Versions): Write[] {
  if (!entry.subject.startsWith('task:') || !/^(?:process|evidence)\./.test(entry.type)) return [];
  const taskId = entry.subject.slice('task:'.length);
  const position = versions.get(taskId) ?? 0;
  versions.set(taskId, position + 1);
  if (entry.type !== 'evidence.added') return [];
  const data = entry.data as EntryPayload<'evidence.added'>;
  return [
    { insert: ITEMS, row: itemRow({ taskId, position }, data, entry.actor, Date.parse(entry.at)) },
  ];
}
