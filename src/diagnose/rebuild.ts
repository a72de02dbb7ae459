/** The rows of this room from the ledger alone. */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { forgetWrites, IGNORED, ignoreWrite } from './ignored-patterns.ts';
import { MERGED, mergeWrites } from './merged-patterns.ts';
import { PATTERNS, patternWrite } from './pattern-store.ts';

export const PROJECTED_TABLES = [PATTERNS, IGNORED, MERGED] as const;

export function projectEntry(entry: Entry): Write[] {
  const id = entry.subject.slice('pattern:'.length);
  const atMs = Date.parse(entry.at);
  switch (entry.type) {
    case 'diagnose.pattern_found':
      return [patternWrite(id, entry.data as EntryPayload<'diagnose.pattern_found'>, atMs)];
    case 'diagnose.pattern_ignored': {
      const { reason } = entry.data as EntryPayload<'diagnose.pattern_ignored'>;
      return [ignoreWrite(id, { reason, actor: entry.actor.id, atMs })];
    }
    case 'diagnose.pattern_merged': {
      const { into, reason } = entry.data as EntryPayload<'diagnose.pattern_merged'>;
      return mergeWrites(id, { into, reason, actor: entry.actor.id, atMs });
    }
    case 'diagnose.pattern_forgotten':
      return forgetWrites(id);
    default:
      return [];
  }
}
