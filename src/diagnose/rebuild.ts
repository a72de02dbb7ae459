/** The patterns' rows from the ledger alone. */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { PATTERNS, patternWrite } from './pattern-store.ts';

export const PROJECTED_TABLES = [PATTERNS] as const;

export function projectEntry(entry: Entry): Write[] {
  if (entry.type !== 'diagnose.pattern_found') return [];
  const data = entry.data as EntryPayload<'diagnose.pattern_found'>;
  return [patternWrite(entry.subject.slice('pattern:'.length), data, Date.parse(entry.at))];
}
