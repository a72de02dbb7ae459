/** What was read from each source, and why lines were set aside: for people who ask why nothing happens. */
import type { Row, Store } from '../store/index.ts';
import { overheadShare } from './overhead.ts';
import type { AsideReason } from './types.ts';

export interface SourceCounts {
  readonly source: string;
  readonly events: number;
  /** All that were ever set aside. */
  readonly aside: number;
  /** Events that were counted under `(other)`, because the source gave too many different names. */
  readonly folded: number;
  /** Events that were counted and not kept, because observing cost too much. */
  readonly sampled: number;
  /** What observing cost lately, of what was observed; null where that is not known. */
  readonly overheadShare: number | null;
  readonly lastEventMs: number | null;
  readonly lastReadMs: number;
}

/** Lines that were set aside for one reason, of the newest that are kept. */
export interface AsideGroup {
  readonly source: string;
  readonly reason: AsideReason;
  /** One plain sentence, sanitised. Never the line itself. */
  readonly detail: string;
  readonly lines: number;
  /** Where the newest of them stands. */
  readonly file: string;
  /** From 1; null if an earlier build read it. */
  readonly line: number | null;
  readonly byteOffset: number;
  readonly seenAtMs: number;
}

const GROUPS_MAX = 500;

export async function readSources(store: Store): Promise<SourceCounts[]> {
  const rows = await store.all(
    `SELECT source, events, aside, folded, sampled, cost_ms, observed_ms, last_event_ms, last_read_ms
     FROM observe_sources
     WHERE batch > 0 ORDER BY source`,
  );
  return rows.map((row) => ({
    source: row['source'] as string,
    events: row['events'] as number,
    aside: row['aside'] as number,
    folded: row['folded'] as number,
    sampled: row['sampled'] as number,
    overheadShare: overheadShare({
      costMs: row['cost_ms'] as number,
      observedMs: row['observed_ms'] as number,
    }),
    lastEventMs: row['last_event_ms'] as number | null,
    lastReadMs: row['last_read_ms'] as number,
  }));
}

/** Most lines first, at most 500 groups. */
export async function asideGroups(store: Store): Promise<AsideGroup[]> {
  const rows = await store.all(
    `SELECT a.source, a.reason, a.detail, g.total, a.file, a.line, a.byte_offset, a.seen_at_ms
     FROM (
       SELECT COUNT(*) AS total, MAX(id) AS newest FROM observe_aside
       GROUP BY source, reason, detail ORDER BY COUNT(*) DESC, MAX(id) DESC LIMIT ${GROUPS_MAX}
     ) g JOIN observe_aside a ON a.id = g.newest
     ORDER BY g.total DESC, a.id DESC`,
  );
  return rows.map(groupOf);
}

function groupOf(row: Row): AsideGroup {
  return {
    source: row['source'] as string,
    reason: row['reason'] as AsideReason,
    detail: row['detail'] as string,
    lines: row['total'] as number,
    file: row['file'] as string,
    line: row['line'] as number | null,
    byteOffset: row['byte_offset'] as number,
    seenAtMs: row['seen_at_ms'] as number,
  };
}
