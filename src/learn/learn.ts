/**
 * What is remembered of every fix and every cycle: which change helped against which pattern, which did
 * not, which a person or a check refused. Proposals ask here before they try something again.
 */
import {
  type Actor,
  changeKey,
  type EntryDraft,
  type EntryPayload,
  type FixOutcome,
  type MadeBy,
  type ProposalContent,
  type Step,
  SYSTEM,
  stepOf,
} from '../facts/index.ts';
import {
  type Dossier,
  latestDecision,
  type ProposalStep,
  rollbackCall,
  rollbackOutcome,
} from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Row, Store, Value, Write } from '../store/index.ts';

export const FIXES = 'learn_fixes';
export const CYCLES = 'learn_cycles';

export interface Fix {
  readonly proposalId: string;
  readonly patternId: string | null;
  readonly changeKey: string;
  /** From and to which amount it moved a value; undefined where it moved none, or nobody wrote it down. */
  readonly step: Step | undefined;
  readonly outcome: FixOutcome;
  readonly reason: string;
  /** Which kind of change it is, by both. */
  readonly proposalType: ProposalContent['type'];
  readonly category: ProposalContent['category'];
  /** Undefined where no generator made it, or nobody wrote it down. */
  readonly madeBy: MadeBy | undefined;
  readonly decidedAtMs: number | null;
  readonly atMs: number;
}

/** States in which a proposal has taught what it can teach. */
const OUTCOMES: Readonly<Partial<Record<Dossier['proposal']['state'], FixOutcome>>> = {
  implemented: 'held',
  reverted: 'failed',
  rejected: 'rejected',
  failed: 'unproven',
  aborted: 'aborted',
};

const REMEMBERED: Readonly<Record<FixOutcome, string>> = {
  proven: 'remembered as a proven fix',
  held: 'remembered as harmless; that it helped was not shown',
  inconclusive: 'remembered as not judged: too little was seen',
  failed: 'remembered as a fix that did harm',
  rejected: 'remembered as rejected by a person',
  withdrawn: 'remembered as taken back by a person',
  unproven: 'remembered as not accepted by the checks',
  aborted: 'remembered as given up',
  undeployed: 'remembered as a deployment that failed',
  doubtful: 'remembered as taken back in doubt',
  cleared: 'remembered as taken back for what was not its doing',
  overtaken: 'remembered as not tried',
  vain: 'remembered as tried, and of no use',
};

/** What the state of a proposal does not say: what was measured, or why it is not to blame for its end. */
export interface Seen {
  readonly outcome: FixOutcome;
  /** In place of what its last step said. */
  readonly reason?: string;
  /** The same is remembered already, and for how long it counts runs from then. */
  readonly isKnown?: boolean;
}

/**
 * Records how a proposal ended, once for each outcome that was measured again. A fix that was proven and is taken back later is recorded again: the
 * newest outcome counts.
 */
export function recordFix(
  dossier: Dossier,
  { reason, nowMs, seen }: { reason: string; nowMs: number; seen?: Seen | undefined },
): ProposalStep {
  const { proposal, content, attestations } = dossier;
  const outcome = seen?.outcome ?? outcomeOf(dossier);
  if (outcome === undefined) return { did: `nothing to learn from ${proposal.state}` };
  if (seen?.isKnown === true) return { did: REMEMBERED[outcome] };
  const { patternId, byClues, madeBy, type: proposalType, category } = content;
  const key = recordedText(changeKey(content.change));
  const decidedAtMs = latestDecision(attestations, proposal.digest)?.atMs ?? null;
  const said = recordedText(seen?.reason ?? reason, {
    keep: attestations.map(({ actor }) => actor.id),
  });
  const step = stepOf(content.change);
  const data = {
    patternId,
    changeKey: key,
    ...(step && { step }),
    ...(byClues !== undefined && { byClues }),
    outcome,
    reason: said,
    proposalType,
    category,
    ...(madeBy !== undefined && { madeBy }),
    decidedAtMs,
  };
  return {
    did: REMEMBERED[outcome],
    writes: [fixWrite(proposal.id, data, nowMs)],
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

/** The one way from an entry's data to the row, so that a rebuilt row is the same. */
export function fixWrite(
  proposalId: string,
  data: EntryPayload<'learn.fix_recorded'>,
  atMs: number,
): Write {
  const {
    patternId,
    changeKey: change_key,
    step,
    byClues,
    madeBy,
    proposalType,
    decidedAtMs,
    ...rest
  } = data;
  const row = {
    ...rest,
    step_from: step?.from ?? null,
    step_to: step?.to ?? null,
    by_clues: byClues ?? null,
    generator: madeBy?.generator ?? null,
    failure: madeBy?.failure ?? null,
    layer: madeBy?.layer ?? null,
    pattern_id: patternId,
    change_key,
    proposal_type: proposalType,
    decided_at_ms: decidedAtMs,
    at_ms: atMs,
  };
  return { upsert: FIXES, key: { proposal_id: proposalId }, row };
}

/** A change that a person kept was not proven: it failed if a rollback had been requested. */
function outcomeOf({ proposal, attestations }: Dossier): FixOutcome | undefined {
  const { digest } = proposal;
  const kept =
    proposal.state === 'implemented' && rollbackOutcome(attestations, digest)?.verdict === 'waived';
  const isRequested = rollbackCall(attestations, digest)?.kind === 'rollback';
  if (proposal.state === 'reverted' && isRequested) return 'withdrawn';
  // Vetting also rejects, which is not a person's decision.
  const isDecided = latestDecision(attestations, proposal.digest) !== undefined;
  if (proposal.state === 'rejected' && !isDecided) return 'unproven';
  if (!kept) return OUTCOMES[proposal.state];
  const tried = attestations.some(
    ({ kind, verdict }) => kind === 'rollback' && verdict === 'failed',
  );
  return tried ? 'failed' : 'doubtful';
}

/** Every finished cycle leaves a record, even if it found nothing (V8). */
export function cycleParts(options: {
  cycleId: string;
  patterns: number;
  proposals: number;
  lesson: string;
  actor?: Actor;
  nowMs: number;
}): { writes: Write[]; entries: EntryDraft[] } {
  const { cycleId, patterns, proposals, nowMs } = options;
  const lesson = recordedText(options.lesson);
  return {
    writes: [
      {
        upsert: CYCLES,
        key: { cycle_id: cycleId },
        row: { patterns, proposals, lesson, at_ms: nowMs },
      },
    ],
    entries: [
      {
        type: 'learn.cycle_recorded',
        actor: options.actor ?? SYSTEM,
        subject: `cycle:${cycleId}`,
        data: { patterns, proposals, lesson },
        atMs: nowMs,
      },
    ],
  };
}

/** How a pattern's fixes ended, the newest first. */
export function listFixes(store: Store, patternId: string): Promise<Fix[]> {
  return readFixes(store, 'WHERE pattern_id = ?', [patternId]);
}

/** A fix that is at the target: the layer that it is of, and when it was decided on. */
export interface StayedFix {
  readonly proposalId: string;
  readonly layer: MadeBy['layer'];
  readonly atMs: number;
  /** The place (as `changePlace` names it) and the amount that it set, where it moved a value. */
  readonly set: { readonly place: string; readonly to: number } | undefined;
}

/** By pattern. */
export async function stayedFixes(
  store: Store,
): Promise<ReadonlyMap<string, readonly StayedFix[]>> {
  const fixes = await readFixes(
    store,
    "WHERE layer IS NOT NULL AND outcome IN ('proven', 'held', 'inconclusive')",
    [],
  );
  const byPattern = new Map<string, StayedFix[]>();
  for (const { patternId, proposalId, madeBy, changeKey: key, step, decidedAtMs, atMs } of fixes) {
    if (patternId === null || madeBy === undefined) continue;
    const set = step && { place: key.replace(/ \w+$/, ''), to: step.to };
    const fix = { proposalId, layer: madeBy.layer, atMs: decidedAtMs ?? atMs, set };
    byPattern.set(patternId, [...(byPattern.get(patternId) ?? []), fix]);
  }
  return byPattern;
}

/** How each of these proposals ended, as far as it is known. */
export async function fixesOf(
  store: Store,
  proposalIds: readonly string[],
): Promise<ReadonlyMap<string, Fix>> {
  if (proposalIds.length === 0) return new Map();
  const marks = proposalIds.map(() => '?').join(', ');
  const fixes = await readFixes(store, `WHERE proposal_id IN (${marks})`, proposalIds);
  return new Map(fixes.map((fix) => [fix.proposalId, fix]));
}

export async function readFixes(
  store: Store,
  where: string,
  values: readonly Value[],
): Promise<Fix[]> {
  const rows = await store.all(
    `SELECT proposal_id, pattern_id, change_key, step_from, step_to, outcome, reason, proposal_type, category, generator, failure,
       layer, decided_at_ms, at_ms
     FROM ${FIXES} ${where} ORDER BY at_ms DESC LIMIT 1000`,
    values,
  );
  return rows.map((row) => ({
    proposalId: row['proposal_id'] as string,
    patternId: row['pattern_id'] as string | null,
    changeKey: row['change_key'] as string,
    step:
      row['step_from'] === null || row['step_to'] === null
        ? undefined
        : { from: row['step_from'] as number, to: row['step_to'] as number },
    outcome: row['outcome'] as FixOutcome,
    reason: row['reason'] as string,
    proposalType: row['proposal_type'] as Fix['proposalType'],
    category: row['category'] as Fix['category'],
    madeBy: madeByOf(row),
    decidedAtMs: row['decided_at_ms'] as number | null,
    atMs: row['at_ms'] as number,
  }));
}

function madeByOf({ generator, failure, layer }: Row): MadeBy | undefined {
  if (generator === null || failure === null || layer === null) return undefined;
  return { generator, failure, layer } as MadeBy;
}
