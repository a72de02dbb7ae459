/** The ports that diagnosis needs. */
import { type DiagnosePorts, knownPatterns } from '../../diagnose/index.ts';
import type { Moment } from '../moment.ts';
import { commitsSince } from './commits.ts';
import { headOf } from './target.ts';

export function diagnosePorts(moment: Moment): DiagnosePorts {
  const { store, repository, telemetry, config } = moment;
  return {
    telemetry,
    known: () => knownPatterns(store),
    repository,
    branch: config.deploy.branch,
    head: () => headOf(moment),
    commitsSince: (fromMs) => commitsSince(moment, fromMs),
    agentFiles: config.target.agentFiles,
    limits: config.diagnose,
  };
}
