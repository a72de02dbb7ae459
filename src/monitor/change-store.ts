/**
 * Changes after their close watch: how long each is on probation, and whether its rollback is proposed. Rows, and the
 * entries that they can be folded from. What a look at probation finds is not kept: it is counted anew each time.
 */
import { type Actor, type EntryDraft, type EntryPayload, SYSTEM } from '../facts/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Write } from '../store/index.ts';
import { CHANGES } from './probation-rows.ts';
import type { Recorded } from './watch-store.ts';

export function recordBegan(
  proposalId: string,
  data: EntryPayload<'monitor.probation_began'>,
  atMs: number,
): Recorded {
  return recorded(proposalId, 'monitor.probation_began', data, atMs);
}

export function recordEffect(
  proposalId: string,
  data: EntryPayload<'monitor.effect_measured'>,
  atMs: number,
): Recorded {
  return recorded(proposalId, 'monitor.effect_measured', data, atMs);
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

export function recordEnded(
  proposalId: string,
  why: string,
  atMs: number,
  actor: Actor = SYSTEM,
): Recorded {
  const { writes, entries } = recorded(
    proposalId,
    'monitor.probation_ended',
    { why: recordedText(why) },
    atMs,
  );
  return { writes, entries: entries.map((entry) => ({ ...entry, actor })) };
}

type ChangeType =
  | 'monitor.probation_began'
  | 'monitor.effect_measured'
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
            measured: null,
            benefit: null,
            benefit_low: null,
            benefit_high: null,
            rollback_why: null,
            rollback_since_ms: null,
          },
        },
      ];
    }
    case 'monitor.effect_measured': {
      const { after, benefit, low, high } = data as EntryPayload<'monitor.effect_measured'>;
      return set({ measured: after, benefit, benefit_low: low, benefit_high: high });
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
