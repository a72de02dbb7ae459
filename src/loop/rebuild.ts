/** The record of cycles from the ledger alone (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { CYCLES } from './cycle-store.ts';

export const PROJECTED_TABLES = [CYCLES] as const;

export function projectEntry(entry: Entry): Write[] {
  const atMs = Date.parse(entry.at);
  const id = entry.subject.slice('cycle:'.length);
  if (entry.type === 'loop.cycle_started') {
    return [cycleInsert(id, (entry.data as EntryPayload<'loop.cycle_started'>).trigger, atMs)];
  }
  if (entry.type === 'loop.cycle_finished') {
    return [cycleFinish(id, entry.data as EntryPayload<'loop.cycle_finished'>, atMs)];
  }
  return [];
}

export function cycleInsert(id: string, trigger: string, atMs: number): Write {
  return {
    insert: CYCLES,
    row: {
      id,
      trigger_by: trigger,
      outcome: null,
      report_digest: null,
      patterns: 0,
      proposals: 0,
      active_ms: 0,
      started_at_ms: atMs,
      finished_at_ms: null,
    },
  };
}

export function cycleFinish(
  id: string,
  data: EntryPayload<'loop.cycle_finished'>,
  atMs: number,
): Write {
  const { outcome, reportDigest, patterns, proposals, activeMs } = data;
  return {
    update: CYCLES,
    where: { id },
    set: {
      outcome,
      report_digest: reportDigest,
      patterns,
      proposals,
      active_ms: activeMs,
      finished_at_ms: atMs,
    },
  };
}
