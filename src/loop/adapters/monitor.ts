/** The ports that a watch needs. */
import { movedAtMs } from '../../deploy/index.ts';
import { readPattern } from '../../diagnose/index.ts';
import type { Fate, MonitorPorts } from '../../monitor/index.ts';
import { readAttestations, readProposal, rollbackCall } from '../../proposal/index.ts';
import type { Store } from '../../store/index.ts';
import type { Moment } from '../moment.ts';
import { recordedBeforeMs } from '../recorded-before.ts';

export function monitorPorts({ store, telemetry, config, nowMs }: Moment): MonitorPorts {
  return {
    store,
    rates: (metric, window, scope) => telemetry.rates(metric, window, scope),
    agentOf: async ({ content }) =>
      content.patternId === null ? undefined : (await readPattern(store, content.patternId))?.agent,
    sharedWith: async ({ content }, window) => {
      const pattern =
        content.patternId === null ? undefined : await readPattern(store, content.patternId);
      const { tool = '' } = pattern ?? {};
      return tool === '' ? undefined : { tool, agents: await telemetry.callersOf(tool, window) };
    },
    movedAtMs: (dossier) => movedAtMs(dossier, store),
    recordedBeforeMs: (dossier) => recordedBeforeMs(dossier, store, nowMs),
    fateOf: (id) => fateOf(store, id),
    nowMs,
    settings: config.monitor,
  };
}

async function fateOf(store: Store, id: string): Promise<Fate> {
  // Not the content: another change that cannot be read must not delay this rollback.
  const proposal = await readProposal(store, id);
  const attestations = await readAttestations(store, id);
  return {
    isWatched: proposal.state === 'monitoring',
    calledBackAtMs: rollbackCall(attestations, proposal.digest)?.atMs ?? null,
  };
}
