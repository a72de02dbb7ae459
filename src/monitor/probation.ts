/**
 * One look at a change on probation: every hour, at the hours that are over, from their counts. It ends by itself.
 */
import { isoTime } from '../base/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { readProbation, recordEnded } from './change-store.ts';
import { MonitorError } from './errors.ts';
import type { MonitorPorts } from './types.ts';

const HOUR_MS = 3_600_000;
/** Telemetry of an hour may come a little later. */
const LATE_MS = 5 * 60_000;

/** For a proposal that is implemented. */
export async function lookAfter(
  { proposal }: Dossier,
  { store, nowMs }: MonitorPorts,
): Promise<ProposalStep> {
  const probation = await readProbation(store, proposal.id);
  if (probation === undefined)
    throw new MonitorError('not_deployed', `The proposal ${proposal.id} is not on probation.`);
  const { untilMs } = probation;
  if (nowMs >= untilMs) {
    const did = 'Its probation is over.';
    return { did, ...recordEnded(proposal.id, did, nowMs) };
  }
  return {
    did: `On probation until ${isoTime(untilMs)}.`,
    dueAtMs: nextLookMs(nowMs, untilMs),
  };
}

/** After the end of the next hour. */
function nextLookMs(nowMs: number, untilMs: number): number {
  const hour = Math.floor((nowMs - LATE_MS) / HOUR_MS) + 1;
  return Math.min(hour * HOUR_MS + LATE_MS, Math.max(nowMs, untilMs));
}
