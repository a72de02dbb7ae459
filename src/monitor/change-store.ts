/**
 * Changes after their close watch: how long each is on probation, and whether its rollback is proposed. Rows, and the
 * entries that they can be folded from. What a look at probation finds is not kept: it is counted anew each time.
 */
import { type EntryDraft, type EntryPayload, SYSTEM } from '../facts/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Row, Store, Write } from '../store/index.ts';
import type { Recorded } from './watch-store.ts';

export const CHANGES = 'monitor_changes';

export interface ProposedRollback {
  /** With its numbers. */
  readonly why: string;
  readonly sinceMs: number;
}

/** A change on probation, or after it. */
export interface Probation {
  readonly proposalId: string;
  /** The deployment. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly endedAtMs: number | null;
  readonly rollback: ProposedRollback | null;
}

const READ = `SELECT proposal_id, from_ms, until_ms, ended_at_ms, rollback_why, rollback_since_ms FROM ${CHANGES}`;

export async function readProbation(
  store: Store,
  proposalId: string,
): Promise<Probation | undefined> {
  const [row] = await store.all(`${READ} WHERE proposal_id = ?`, [proposalId]);
  return row === undefined ? undefined : probationOf(row);
}

/** Deployed since then, the newest first. */
export async function listProbations(store: Store, sinceMs: number): Promise<Probation[]> {
  const rows = await store.all(
    `${READ} WHERE from_ms >= ? ORDER BY from_ms DESC, proposal_id LIMIT 1000`,
    [sinceMs],
  );
  return rows.map(probationOf);
}

/** Changes whose rollback is proposed, the longest waiting first. */
export async function proposedRollbacks(store: Store, limit: number): Promise<Probation[]> {
  const rows = await store.all(
    `${READ} WHERE rollback_since_ms IS NOT NULL ORDER BY rollback_since_ms, proposal_id LIMIT ?`,
    [limit],
  );
  return rows.map(probationOf);
}

export function recordBegan(
  proposalId: string,
  data: EntryPayload<'monitor.probation_began'>,
  atMs: number,
): Recorded {
  return recorded(proposalId, 'monitor.probation_began', data, atMs);
}

export function recordRollbackProposed(
  proposalId: string,
  { why, probability }: { why: string; probability: number },
  atMs: number,
): Recorded {
  const data = { why: recordedText(why), probability };
  return recorded(proposalId, 'monitor.rollback_proposed', data, atMs);
}

export function recordRollbackWithdrawn(proposalId: string, why: string, atMs: number): Recorded {
  const data = { why: recordedText(why) };
  return recorded(proposalId, 'monitor.rollback_withdrawn', data, atMs);
}

export function recordEnded(proposalId: string, why: string, atMs: number): Recorded {
  return recorded(proposalId, 'monitor.probation_ended', { why: recordedText(why) }, atMs);
}

type ChangeType =
  | 'monitor.probation_began'
  | 'monitor.rollback_proposed'
  | 'monitor.rollback_withdrawn'
  | 'monitor.probation_ended';

function recorded<T extends ChangeType>(
  proposalId: string,
  type: T,
  data: EntryPayload<T>,
  atMs: number,
): Recorded {
  const subject = `proposal:${proposalId}`;
  const entry = { type, actor: SYSTEM, subject, data, atMs } as EntryDraft;
  return { writes: changeWrites(proposalId, type, data, atMs), entries: [entry] };
}

/** The one way from an entry to the row, so that a rebuilt row is the same. */
export function changeWrites(
  proposalId: string,
  type: string,
  data: unknown,
  atMs: number,
): Write[] {
  const set = (row: Record<string, string | number | null>): Write[] => [
    { update: CHANGES, where: { proposal_id: proposalId }, set: row },
  ];
  switch (type) {
    case 'monitor.probation_began': {
      const { fromMs, untilMs } = data as EntryPayload<'monitor.probation_began'>;
      return [
        {
          upsert: CHANGES,
          key: { proposal_id: proposalId },
          row: {
            from_ms: fromMs,
            until_ms: untilMs,
            ended_at_ms: null,
            rollback_why: null,
            rollback_since_ms: null,
          },
        },
      ];
    }
    case 'monitor.rollback_proposed': {
      const { why } = data as EntryPayload<'monitor.rollback_proposed'>;
      return set({ rollback_why: why, rollback_since_ms: atMs });
    }
    case 'monitor.rollback_withdrawn':
      return set({ rollback_why: null, rollback_since_ms: null });
    case 'monitor.probation_ended':
      return set({ ended_at_ms: atMs, rollback_why: null, rollback_since_ms: null });
    default:
      return [];
  }
}

function probationOf(row: Row): Probation {
  const sinceMs = row['rollback_since_ms'] as number | null;
  return {
    proposalId: row['proposal_id'] as string,
    fromMs: row['from_ms'] as number,
    untilMs: row['until_ms'] as number,
    endedAtMs: row['ended_at_ms'] as number | null,
    rollback: sinceMs === null ? null : { why: row['rollback_why'] as string, sinceMs },
  };
}
