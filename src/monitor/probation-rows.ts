/** Rows of changes after their close watch. A file of its own, so that `hone status` loads no sanitiser. */
import type { EffectTime } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';

export const CHANGES = 'monitor_changes';

interface ProposedRollback {
  /** With its numbers. */
  readonly why: string;
  readonly sinceMs: number;
}

/** How it did on the failures that it answers, when that was last measured. */
export interface Benefit {
  readonly after: EffectTime;
  /** How much smaller the share of failures is than it would be without the change, with its 95 % interval. */
  readonly benefit: number;
  readonly low: number;
  readonly high: number;
}

/** A change on probation, or after it. */
export interface Probation {
  readonly proposalId: string;
  /** The deployment. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly endedAtMs: number | null;
  readonly benefit: Benefit | null;
  readonly rollback: ProposedRollback | null;
}

const READ = `SELECT proposal_id, from_ms, until_ms, ended_at_ms, measured, benefit, benefit_low,
  benefit_high, rollback_why, rollback_since_ms FROM ${CHANGES}`;

export async function readProbation(
  store: Store,
  proposalId: string,
): Promise<Probation | undefined> {
  const [row] = await store.all(`${READ} WHERE proposal_id = ?`, [proposalId]);
  return row === undefined ? undefined : probationOf(row);
}

/** Changes whose rollback is proposed, the longest waiting first. */
export async function proposedRollbacks(store: Store, limit: number): Promise<Probation[]> {
  const rows = await store.all(
    `${READ} WHERE rollback_since_ms IS NOT NULL ORDER BY rollback_since_ms, proposal_id LIMIT ?`,
    [limit],
  );
  return rows.map(probationOf);
}

function probationOf(row: Row): Probation {
  const sinceMs = row['rollback_since_ms'] as number | null;
  const after = row['measured'] as EffectTime | null;
  return {
    proposalId: row['proposal_id'] as string,
    fromMs: row['from_ms'] as number,
    untilMs: row['until_ms'] as number,
    endedAtMs: row['ended_at_ms'] as number | null,
    benefit:
      after === null
        ? null
        : {
            after,
            benefit: row['benefit'] as number,
            low: row['benefit_low'] as number,
            high: row['benefit_high'] as number,
          },
    rollback: sinceMs === null ? null : { why: row['rollback_why'] as string, sinceMs },
  };
}
