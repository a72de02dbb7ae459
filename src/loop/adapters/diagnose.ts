/** The ports that diagnosis needs, and a diagnosis of this moment of which nothing is kept. */
import {
  type DiagnosePorts,
  type Diagnosis,
  diagnose,
  ignoredPatterns,
  knownPatterns,
  mergedPatterns,
} from '../../diagnose/index.ts';
import type { Window } from '../../facts/index.ts';
import { ownOutcomes, stayedFixes } from '../../learn/index.ts';
import { OWN_SOURCE, Telemetry } from '../../observe/index.ts';
import { processesOf } from '../../process/index.ts';
import type { Moment } from '../moment.ts';
import type { LoopPorts } from '../types.ts';
import { commitsSince } from './commits.ts';
import { headOf } from './target.ts';

type Ports = Pick<Moment, 'store' | 'repository' | 'telemetry' | 'config'>;

export function diagnosePorts(moment: Ports): DiagnosePorts {
  const { store, repository, telemetry, config } = moment;
  return {
    telemetry,
    known: () => knownPatterns(store),
    ignored: () => ignoredPatterns(store),
    merged: () => mergedPatterns(store),
    fixed: () => stayedFixes(store),
    outcomes: async () => ownOutcomes(store, await store.nowMs()),
    repository,
    branch: config.deploy.branch,
    head: () => headOf(moment),
    commitsSince: (fromMs) => commitsSince(moment, fromMs),
    agentFiles: config.target.agentFiles,
    gates: {
      source: OWN_SOURCE,
      needs: gateNeeds(config),
      texts: config.prompt.files,
    },
    limits: config.diagnose,
  };
}

function gateNeeds({ process }: Ports['config']): NonNullable<DiagnosePorts['gates']>['needs'] {
  return processesOf(process.own).flatMap(({ phases }) =>
    phases.flatMap((phase) =>
      phase.gates.flatMap(({ needs }) =>
        needs.map(({ evidence, name, own }) => ({
          ...{ phase: phase.name, evidence, name, own: own === true },
        })),
      ),
    ),
  );
}

export async function diagnoseNow(
  ports: Pick<LoopPorts, 'store' | 'repository' | 'telemetry' | 'config'>,
): Promise<{ readonly window: Window; readonly diagnosis: Diagnosis }> {
  const nowMs = await ports.store.nowMs();
  const window = { fromMs: nowMs - ports.config.diagnose.window, toMs: nowMs };
  const telemetry = new Telemetry(ports.telemetry);
  return {
    window,
    diagnosis: await diagnose(window, 'causes', diagnosePorts({ ...ports, telemetry })),
  };
}
