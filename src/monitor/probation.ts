/**
 * One look at a change on probation: every hour, at the hours that are over, from their counts. It costs little, and it
 * ends by itself.
 *
 *   on probation ──looks──► harm, and this change is the likely cause ─► its rollback is proposed, told once
 *        │                  │                                            (or taken back, where an operator allowed it)
 *        │                  └► harm, and something else is likelier ─► said, and nothing of the same kind is proposed
 *        ├─ a week, two weeks: what it brought is measured and recorded
 *        └─ the end ─► over
 */
import { isoTime } from '../base/index.ts';
import { EFFECT_TIMES, type EffectTime } from '../facts/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { changesAtTarget, footingIn } from './at-target.ts';
import { readBaseline } from './baseline.ts';
import {
  recordEffect,
  recordEnded,
  recordRollbackProposed,
  recordRollbackWithdrawn,
} from './change-store.ts';
import { EFFECT_AFTER_MS, type Effect, effectOf } from './effect.ts';
import { MonitorError } from './errors.ts';
import { harmSentence, lateReport } from './late-words.ts';
import { type Probation, readProbation } from './probation-rows.ts';
import type { MonitorPorts } from './types.ts';
import { readWatch } from './watch-store.ts';
import { type AtTarget, type Harmed, LATE_MS, lookWide, suspicionOf } from './wide-look.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** From here on a change is taken for the cause, and from here on it is under suspicion. */
export const LIKELY = 0.8;
export const SUSPECTED = 0.3;
/** Taken back without a person only where failures at least doubled. */
const LARGE_INCREASE = 1;
/** And where every other change is as unlikely as this. */
const UNLIKELY = 0.1;
/** Harm that was not seen again for so long is over: each hour of the day came three times. */
const FORGOTTEN_MS = 3 * DAY_MS;

/** For a proposal that is implemented. */
export async function lookAfter(dossier: Dossier, ports: MonitorPorts): Promise<ProposalStep> {
  const { proposal } = dossier;
  const { store, nowMs } = ports;
  const probation = await readProbation(store, proposal.id);
  const watch = await readWatch(store, proposal.id);
  if (probation === undefined || watch === undefined)
    throw new MonitorError('not_deployed', `The proposal ${proposal.id} is not on probation.`);
  const footing = footingIn(await readBaseline(store, watch.baselineDigest));
  const change = { proposalId: proposal.id, startedAtMs: probation.fromMs, footing };
  const others = await changesAtTarget(nowMs, ports, proposal.id);
  const [harmed] = await lookWide(change, others, ports);
  const step = judged(probation, harmed, ports);
  const effect = await dueEffect(dossier, probation, change, ports);
  const measured =
    effect === undefined ? { writes: [], entries: [] } : recordEffect(proposal.id, effect, nowMs);
  const isOver = nowMs >= probation.untilMs && step.attestations === undefined;
  const ended = isOver
    ? recordEnded(proposal.id, `Its probation is over. ${step.did}`, nowMs)
    : { writes: [], entries: [] };
  const { dueAtMs, ...said } = step;
  return {
    ...said,
    writes: [...(step.writes ?? []), ...measured.writes, ...ended.writes],
    entries: [...(step.entries ?? []), ...measured.entries, ...ended.entries],
    ...(isOver ? {} : { dueAtMs: dueAtMs! }),
  };
}

function judged(
  probation: Probation,
  harmed: Harmed | undefined,
  { nowMs, settings }: Pick<MonitorPorts, 'nowMs' | 'settings'>,
): ProposalStep {
  const { proposalId, untilMs, rollback } = probation;
  const dueAtMs = nextLookMs(nowMs, untilMs);
  const until = `It is on probation until ${isoTime(untilMs)}.`;
  if (harmed === undefined) {
    const did = `Nothing got worse that may be its doing. ${until}`;
    if (rollback === null || nowMs - rollback.sinceMs < FORGOTTEN_MS) return { did, dueAtMs };
    const why = 'The harm was not seen again.';
    return { did: `${why} ${until}`, dueAtMs, ...recordRollbackWithdrawn(proposalId, why, nowMs) };
  }
  const probability = suspicionOf(harmed.suspicions, proposalId);
  const why = harmSentence(harmed, probation);
  if (probability >= LIKELY) {
    if (settings.lateHarm === 'take_back' && isPlain(harmed, proposalId)) {
      const files = [lateReport(harmed, probation, nowMs)];
      const attestation = { kind: 'monitoring', verdict: 'degraded', files } as const;
      return { did: `${why} It will be taken back.`, attestations: [attestation], dueAtMs: nowMs };
    }
    const did = `${why} A person should take it back: hone rollback ${proposalId} --reason "it does harm"`;
    if (rollback !== null) return { did, dueAtMs };
    return { did, dueAtMs, ...recordRollbackProposed(proposalId, { why, probability }, nowMs) };
  }
  if (probability >= SUSPECTED)
    return { did: `${why} That is not enough to take it back. ${until}`, dueAtMs };
  const did = `Something got worse, and this change is not the likely cause. ${why} ${until}`;
  if (rollback === null) return { did, dueAtMs };
  return { did, dueAtMs, ...recordRollbackWithdrawn(proposalId, why, nowMs) };
}

/** Large, and nothing else fits. */
function isPlain({ finding, suspicions }: Harmed, proposalId: string): boolean {
  const others = suspicions.filter((one) => one.proposalId !== proposalId);
  return (
    finding.increase >= LARGE_INCREASE && others.every(({ probability }) => probability < UNLIKELY)
  );
}

/** What is to be measured now: each time once, the latest that has passed. */
async function dueEffect(
  dossier: Dossier,
  { benefit, fromMs }: Probation,
  change: AtTarget,
  ports: MonitorPorts,
): Promise<Effect | undefined> {
  const last = benefit === null ? -1 : EFFECT_TIMES.indexOf(benefit.after);
  const passed = EFFECT_TIMES.filter(
    (after, at) => at > last && ports.nowMs >= fromMs + EFFECT_AFTER_MS[after],
  ).at(-1);
  return passed === undefined ? undefined : measureEffect(passed, dossier, change, ports);
}

/** Undefined where it is not known which failure it answers, or nothing can be compared. */
export async function measureEffect(
  after: EffectTime,
  dossier: Dossier,
  { startedAtMs, footing }: AtTarget,
  ports: Pick<MonitorPorts, 'callHours' | 'answers' | 'nowMs'>,
): Promise<Effect | undefined> {
  const answered = await ports.answers(dossier);
  if (answered === undefined) return undefined;
  const toMs = Math.floor(ports.nowMs / HOUR_MS) * HOUR_MS;
  const fromMs = startedAtMs - EFFECT_AFTER_MS.two_weeks;
  const calls = await ports.callHours({ fromMs, toMs });
  return effectOf(after, {
    calls,
    footing,
    place: answered,
    failsSinceMs: Math.max(answered.sinceMs, fromMs),
    proposedAtMs: dossier.proposal.createdAtMs,
    startedAtMs,
    nowMs: toMs,
  });
}

/** After the end of the next hour. */
function nextLookMs(nowMs: number, untilMs: number): number {
  const hour = Math.floor((nowMs - LATE_MS) / HOUR_MS) + 1;
  return Math.min(hour * HOUR_MS + LATE_MS, Math.max(nowMs, untilMs));
}
