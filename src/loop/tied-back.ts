/**
 * Before a fix is made for a failure: which change of the last two weeks may have done this? If one is the likely cause,
 * its rollback is proposed and no setting is blamed; if it is likelier than everything else, the same, as an experiment;
 * while one is only under suspicion, nothing is proposed for its victims for some hours.
 */
import type { Pattern } from '../facts/index.ts';
import { askRollback, suspectOf } from '../monitor/index.ts';
import type { Plan } from '../store/index.ts';
import { monitorPorts } from './adapters/monitor.ts';
import { tellLateHarm } from './adapters/notify.ts';
import type { Moment } from './moment.ts';

export interface TiedBack {
  readonly declined: string;
  readonly plan: Plan;
}

/** Undefined where no change is suspected, and where the failure is at no tool: calls of tools are what is compared. */
export async function tiedBack(
  { agent, tool }: Pattern,
  moment: Moment,
): Promise<TiedBack | undefined> {
  if (agent === '' || tool === '') return undefined;
  const ports = monitorPorts(moment);
  const suspect = await suspectOf({ agent, tool }, ports);
  if (suspect === undefined) return undefined;
  const { proposalId, why, verdict } = suspect;
  if (verdict === 'suspicion') {
    const declined = `The change ${proposalId} is under suspicion, and for some hours nothing is proposed for what may be its doing. ${why}`;
    return { declined, plan: {} };
  }
  const cause =
    verdict === 'cause'
      ? `The change ${proposalId} is the likely cause, so no setting is blamed.`
      : `The change ${proposalId} may be the cause, so no setting is blamed before that is known.`;
  const asked = await askRollback(suspect, ports);
  switch (asked.by) {
    case 'watch':
      return { declined: `${cause} ${why} Its close watch decides on its rollback.`, plan: {} };
    case 'proposal': {
      const declined = `${cause} ${why} Its rollback is proposed.`;
      if (asked.recorded === undefined) return { declined, plan: {} };
      const { writes, effects } = tellLateHarm({ ...suspect, sinceMs: moment.nowMs }, moment);
      const { entries } = asked.recorded;
      return {
        declined,
        plan: { writes: [...asked.recorded.writes, ...writes], entries, effects },
      };
    }
    case 'notice': {
      const { writes, effects } = tellLateHarm(suspect, moment);
      const declined = `${cause} ${why} It is not on probation, so only a person can take it back: hone rollback ${proposalId} --reason "it does harm"`;
      return { declined, plan: { writes, effects } };
    }
  }
}
