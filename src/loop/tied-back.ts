/**
 * Before a fix is made for a failure: which change of the last two weeks may have done this? If one is the likely cause,
 * its rollback is proposed and no setting is blamed; while one is under suspicion, nothing is proposed for its victims.
 */
import type { Pattern } from '../facts/index.ts';
import { proposeRollback, suspectOf } from '../monitor/index.ts';
import type { Plan } from '../store/index.ts';
import { monitorPorts } from './adapters/monitor.ts';
import { tellLateHarm } from './adapters/notify.ts';
import type { Moment } from './moment.ts';

export interface TiedBack {
  readonly declined: string;
  readonly plan: Plan;
}

/** Undefined where no change is suspected. */
export async function tiedBack(
  { agent, tool }: Pattern,
  moment: Moment,
): Promise<TiedBack | undefined> {
  if (agent === '') return undefined;
  const ports = monitorPorts(moment);
  const suspect = await suspectOf({ agent, tool: tool || undefined }, ports);
  if (suspect === undefined) return undefined;
  const { proposalId, why, isLikely } = suspect;
  if (!isLikely) {
    const declined = `The change ${proposalId} is under suspicion, and as long as that is so nothing is proposed for what may be its doing. ${why}`;
    return { declined, plan: {} };
  }
  const declined = `The change ${proposalId} is the likely cause, so no setting is blamed. ${why}`;
  const proposed = await proposeRollback(suspect, ports);
  if (proposed === undefined) return { declined, plan: {} };
  const told = tellLateHarm(suspect, moment);
  return {
    declined,
    plan: {
      writes: [...proposed.writes, ...told.writes],
      entries: proposed.entries,
      effects: told.effects,
    },
  };
}
