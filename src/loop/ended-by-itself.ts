/** A change for a failure that is over answers nothing: it is withdrawn before anybody is asked, or anything is deployed. */
import { isoTime } from '../base/index.ts';
import { endedAt, readPattern } from '../diagnose/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { diagnosePorts } from './adapters/diagnose.ts';
import type { Moment } from './moment.ts';

/** A look reads new events, but not so many that a decision waits for them. */
const EVENTS_PER_LOOK = 20_000;

export async function withdrawnIfEnded(
  { content }: Dossier,
  moment: Moment,
  signal: AbortSignal,
): Promise<ProposalStep | undefined> {
  if (content.patternId === null) return undefined;
  const pattern = await readPattern(moment.store, content.patternId);
  if (pattern === undefined) return undefined;
  await moment.collect(signal, EVENTS_PER_LOOK);
  signal.throwIfAborted();
  const endedAtMs = await endedAt(pattern, moment.nowMs, diagnosePorts(moment));
  if (endedAtMs === null) return undefined;
  return {
    did: `The failure it answers ended by itself at ${isoTime(endedAtMs)}: it is withdrawn`,
    to: 'superseded',
  };
}
