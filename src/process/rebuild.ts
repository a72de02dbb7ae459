/** The tasks from the ledger alone: what each entry did to the rows (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Row, Write } from '../store/index.ts';
import {
  advancedSet,
  backtrackedSet,
  escalatedSet,
  evidenceSet,
  refusedSet,
  releasedSet,
  SESSIONS,
  sessionWrite,
  startedRow,
  TASKS,
} from './task-rows.ts';

export const PROJECTED_TABLES = [TASKS, SESSIONS] as const;

/** Of every task, what a change of it is made from, while folding. */
export type Folded = Map<string, Row>;

export function projectEntry(entry: Entry, folded: Folded): Write[] {
  const [kind, id = ''] = entry.subject.split(/:(.*)/s);
  if (kind !== 'task') return [];
  const atMs = Date.parse(entry.at);
  if (entry.type === 'process.task_started') {
    const row = startedRow(id, entry.data as EntryPayload<'process.task_started'>, atMs);
    folded.set(id, row);
    return [{ insert: TASKS, row }];
  }
  const row = folded.get(id);
  const change = row === undefined ? undefined : changeOf(entry, row, atMs);
  if (row === undefined || change === undefined) return [];
  const set = { ...change, version: (row['version'] as number) + 1, changed_at_ms: atMs };
  folded.set(id, { ...row, ...(set as Row) });
  const update: Write = { update: TASKS, where: { id }, set };
  if (entry.type !== 'process.session_bound') return [update];
  return [update, sessionWrite(id, entry.data as EntryPayload<'process.session_bound'>, atMs)];
}

const jsonOf = (row: Row, column: string) => JSON.parse(row[column] as string);

function changeOf({ type, data }: Entry, row: Row, atMs: number) {
  switch (type) {
    case 'process.advanced':
      return advancedSet(data as EntryPayload<'process.advanced'>, atMs);
    case 'process.backtracked':
      return backtrackedSet(
        data as EntryPayload<'process.backtracked'>,
        jsonOf(row, 'fresh_from'),
        atMs,
      );
    case 'process.refused':
      return refusedSet(data as EntryPayload<'process.refused'>, jsonOf(row, 'violations'));
    case 'process.commit_moved':
      return { current_commit: (data as EntryPayload<'process.commit_moved'>).toCommit };
    case 'process.escalated':
      return escalatedSet(data as EntryPayload<'process.escalated'>);
    case 'process.released':
      return releasedSet(atMs);
    case 'process.session_bound':
      return {};
    case 'evidence.added':
      return evidenceSet(data as EntryPayload<'evidence.added'>, atMs);
    default:
      return undefined;
  }
}
