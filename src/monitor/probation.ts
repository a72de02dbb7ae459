/**
 * One look at a change on probation: every hour, at the hours that are over, from their counts. It costs little, and it
 * ends by itself.
 *
 *   on probation ──looks──► harm, and this change is the likely cause ─► its rollback is proposed, told once
 *        │                  │                                            (or taken back, where an operator allowed it)
 *        │                  ├► harm, and it is likelier than all else ─► the same, as an experiment
 *        │                  └► harm, and something else is likelier ─► said
 *        ├─ harm that may be its doing was not seen for three days ─► its rollback is no longer proposed
 *        ├─ a week, two weeks: what it brought is measured and recorded
 *        └─ the end ─► over, unless its rollback is proposed: then it goes on until that is settled
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
import { AS_EXPERIMENT, harmSentence, lateReport } from './late-words.ts';
import { type Probation, readProbation } from './probation-rows.ts';
import { LIKELY, SUSPECTED, WORTH_TRYING } from './tie-back.ts';
import type { MonitorPorts } from './types.ts';
import { readWatch } from './watch-store.ts';
import {
  type AtTarget,
  type Harmed,
  LATE_MS,
  lastSeenMs,
  lookWide,
  suspicionOf,
} from './wide-look.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
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
  const baseline = await readBaseline(store, watch.baselineDigest);
  const change = {
    proposalId: proposal.id,
    startedAtMs: probation.fromMs,
    footing: footingIn(baseline),
    expected: baseline.expected,
  };
  const others = await changesAtTarget(nowMs, ports, proposal.id);
  const [harmed] = await lookWide(change, others, ports);
  const isQuiet = suspicionOf(harmed?.suspicions ?? [], proposal.id) < SUSPECTED;
  const seenMs =
    probation.rollback !== null && isQuiet ? await lastSeenMs(change, others, ports) : undefined;
  const step = judged(probation, { harmed, seenMs }, ports);
  const effect = await dueEffect(dossier, probation, change, ports);
  const measured =
    effect === undefined ? { writes: [], entries: [] } : recordEffect(proposal.id, effect, nowMs);
  const isOver =
    nowMs >= probation.untilMs &&
    step.attestations === undefined &&
    !isProposedAfter(probation, step);
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

/** Whether its rollback is proposed after this step. A proposal that is open must not vanish with the probation. */
function isProposedAfter({ rollback }: Probation, { entries = [] }: ProposalStep): boolean {
  if (entries.some(({ type }) => type === 'monitor.rollback_proposed')) return true;
  return rollback !== null && !entries.some(({ type }) => type === 'monitor.rollback_withdrawn');
}

interface Seen {
  readonly harmed: Harmed | undefined;
  /** Until when harm was seen that may be its doing, asked where its rollback is proposed and none is seen now. */
  readonly seenMs: number | undefined;
}

/** What follows from a look. */
export function judged(
  probation: Probation,
  { harmed, seenMs }: Seen,
  { nowMs, settings }: Pick<MonitorPorts, 'nowMs' | 'settings'>,
): ProposalStep {
  const { proposalId, untilMs, rollback } = probation;
  const dueAtMs = nextLookMs(nowMs, untilMs);
  const until =
    nowMs < untilMs || rollback === null
      ? `It is on probation until ${isoTime(untilMs)}.`
      : 'It stays on probation while its rollback is proposed.';
  const probability = suspicionOf(harmed?.suspicions ?? [], proposalId);
  if (harmed === undefined || probability < SUSPECTED) {
    const did =
      harmed === undefined
        ? 'Nothing got worse that may be its doing.'
        : `Something got worse, and this change is not the likely cause. ${harmSentence(harmed, probation)}`;
    const lastMs = Math.max(seenMs ?? 0, rollback?.sinceMs ?? 0);
    if (rollback === null || nowMs - lastMs < FORGOTTEN_MS)
      return { did: `${did} ${until}`, dueAtMs };
    const why = `The harm was not seen again since ${isoTime(lastMs)}.`;
    return { did: `${did} ${why}`, dueAtMs, ...recordRollbackWithdrawn(proposalId, why, nowMs) };
  }
  const why = harmSentence(harmed, probation);
  if (probability < WORTH_TRYING)
    return { did: `${why} That is not enough to take it back. ${until}`, dueAtMs };
  const isLikely = probability >= LIKELY;
  if (isLikely && settings.lateHarm === 'take_back' && isPlain(harmed, proposalId)) {
    const files = [lateReport(harmed, probation, nowMs)];
    const attestation = { kind: 'monitoring', verdict: 'degraded', files } as const;
    return { did: `${why} It will be taken back.`, attestations: [attestation], dueAtMs: nowMs };
  }
  const said = isLikely ? why : `${why} ${AS_EXPERIMENT}`;
  const did = `${said} ${isLikely ? 'A person should' : 'A person may'} take it back: hone rollback ${proposalId} --reason "${isLikely ? 'it does harm' : 'to see whether it does harm'}"`;
  if (rollback !== null) return { did, dueAtMs };
  return { did, dueAtMs, ...recordRollbackProposed(proposalId, { why: said, probability }, nowMs) };
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

/** After the end of the next hour, and at the end of the probation. */
function nextLookMs(nowMs: number, untilMs: number): number {
  const hour = Math.floor((nowMs - LATE_MS) / HOUR_MS) + 1;
  const nextMs = hour * HOUR_MS + LATE_MS;
  return nowMs < untilMs ? Math.min(nextMs, untilMs) : nextMs;
}
