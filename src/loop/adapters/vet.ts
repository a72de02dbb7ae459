/** The ports that vetting needs. */
import { readPattern } from '../../diagnose/index.ts';
import type { ProposalState } from '../../facts/index.ts';
import { countProposals, isReleased, OPEN_STATES, readAttestations } from '../../proposal/index.ts';
import type { Store } from '../../store/index.ts';
import type { VetPorts } from '../../vet/index.ts';
import type { Moment } from '../moment.ts';
import { textOf } from './target.ts';

export async function vetPorts({
  store,
  telemetry,
  switches,
  config,
  nowMs,
}: Moment): Promise<VetPorts> {
  return {
    diffText: (digest) => textOf(store, digest),
    limits: config.vet,
    agentFiles: config.target.agentFiles,
    openProposals: await openProposals(store),
    openProposalsMax: config.limits.openProposals,
    switches: {
      vetting: await switches.read('vetting'),
      limits: await switches.read('limits'),
    },
    eventExists: async (id) => (await telemetry.event(id)) !== undefined,
    patternOf: (id) => readPattern(store, id),
    releasedByPerson: async (id, digest) => isReleased(await readAttestations(store, id), digest),
    nowMs,
  };
}

async function openProposals(store: Store): Promise<number> {
  const counts = await countProposals(store);
  let open = 0;
  for (const [state, count] of Object.entries(counts))
    if (OPEN_STATES.includes(state as ProposalState)) open += count;
  return open;
}
