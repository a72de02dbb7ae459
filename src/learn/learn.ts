/**
 * What is remembered of every fix and every cycle: which change helped against which pattern, which did
 * not, which a person or a check refused. Proposals ask here before they try something again.
 */
import {
  type Actor,
  type EntryDraft,
  type EntryPayload,
  recordedReason,
  SYSTEM,
} from '../facts/index.ts';
import { type Dossier, latest, type ProposalStep } from '../proposal/index.ts';
import type { Store, Write } from '../store/index.ts';

export const FIXES = 'learn_fixes';
export const CYCLES = 'learn_cycles';

export type FixOutcome = EntryPayload<'learn.fix_recorded'>['outcome'];

export interface Fix {
  readonly proposalId: string;
  readonly pattern: string | null;
  readonly change: string;
  readonly outcome: FixOutcome;
  readonly reason: string;
  readonly atMs: number;
}

/** States in which a proposal has taught what it can teach. */
const OUTCOMES: Readonly<Partial<Record<Dossier['proposal']['state'], FixOutcome>>> = {
  implemented: 'proven',
  reverted: 'failed',
  rejected: 'refused',
  failed: 'refused',
  aborted: 'refused',
};

const EXCUSED = { doubt: 'doubtful', overtaken: 'overtaken' } as const;

/**
 * Why a change is not to blame for its end: it was taken back in doubt, or somebody else moved the branch
 * before it got there.
 */
export type Excuse = 'doubt' | 'overtaken';

/**
 * Records how a proposal ended. A fix that was proven and is taken back later is recorded again: the
 * newest outcome counts.
 */
export function recordFix(
  dossier: Dossier,
  { reason, nowMs, excuse }: { reason: string; nowMs: number; excuse?: Excuse | undefined },
): ProposalStep {
  const { proposal, content } = dossier;
  const outcome = excuse === undefined ? outcomeOf(dossier) : EXCUSED[excuse];
  if (outcome === undefined) return { did: `nothing to learn from ${proposal.state}` };
  const data = {
    pattern: content.pattern,
    change: content.change,
    outcome,
    reason: recordedReason(reason),
  };
  const { pattern, change, ...rest } = data;
  const row = { pattern, change, ...rest, at_ms: nowMs };
  return {
    did: outcome === 'overtaken' ? 'remembered as not tried' : `remembered as a ${outcome} fix`,
    writes: [{ upsert: FIXES, key: { proposal_id: proposal.id }, row }],
    entries: [
      {
        type: 'learn.fix_recorded',
        actor: SYSTEM,
        subject: `proposal:${proposal.id}`,
        data,
        atMs: nowMs,
      },
    ],
  };
}

/** What a person kept was not proven, wherever it ended: it failed if it had been called back. */
function outcomeOf({ proposal, attestations }: Dossier): FixOutcome | undefined {
  const rollback = latest(attestations, 'rollback', proposal.digest);
  const kept = proposal.state === 'implemented' && rollback?.verdict === 'waived';
  if (!kept) return OUTCOMES[proposal.state];
  const tried = attestations.some(
    ({ kind, verdict }) => kind === 'rollback' && verdict === 'failed',
  );
  return tried ? 'failed' : 'doubtful';
}

/** Every finished cycle leaves a record, also one that found nothing (V8). */
export function cycleParts(options: {
  cycle: string;
  patterns: number;
  proposals: number;
  lesson: string;
  actor?: Actor;
  nowMs: number;
}): { writes: Write[]; entries: EntryDraft[] } {
  const { cycle, patterns, proposals, nowMs } = options;
  const lesson = options.lesson.slice(0, 1000).toWellFormed();
  return {
    writes: [
      { upsert: CYCLES, key: { cycle }, row: { patterns, proposals, lesson, at_ms: nowMs } },
    ],
    entries: [
      {
        type: 'learn.cycle_recorded',
        actor: options.actor ?? SYSTEM,
        subject: `cycle:${cycle}`,
        data: { cycle, patterns, proposals, lesson },
        atMs: nowMs,
      },
    ],
  };
}

/** How often a pattern's fixes ended well: knowledge after three. */
export async function listFixes(store: Store, pattern: string): Promise<Fix[]> {
  const rows = await store.all(
    `SELECT proposal_id, pattern, change, outcome, reason, at_ms FROM ${FIXES}
     WHERE pattern = ? ORDER BY at_ms DESC LIMIT 1000`,
    [pattern],
  );
  return rows.map((row) => ({
    proposalId: row['proposal_id'] as string,
    pattern: row['pattern'] as string | null,
    change: row['change'] as string,
    outcome: row['outcome'] as FixOutcome,
    reason: row['reason'] as string,
    atMs: row['at_ms'] as number,
  }));
}

const HELD: readonly FixOutcome[] = ['refused', 'doubtful'];

/**
 * Changes that are not tried again for a pattern: those that failed or were taken back in doubt twice, for
 * good; those that were refused or taken back in doubt, for as long as a refusal holds.
 */
export async function closedChanges(
  store: Store,
  pattern: string,
  { nowMs, refusalHoldsMs }: { nowMs: number; refusalHoldsMs: number },
): Promise<string[]> {
  const fixes = await listFixes(store, pattern);
  const doubts = (of: string) =>
    fixes.filter(({ change, outcome }) => change === of && outcome === 'doubtful').length;
  const isClosed = ({ change, outcome, atMs }: Fix) =>
    outcome === 'failed' ||
    (HELD.includes(outcome) && nowMs - atMs < refusalHoldsMs) ||
    (outcome === 'doubtful' && doubts(change) > 1);
  return [...new Set(fixes.filter(isClosed).map(({ change }) => change))];
}
