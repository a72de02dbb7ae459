/** The ports that validation needs. */
import { readPattern } from '../../diagnose/index.ts';
import type { Dossier } from '../../proposal/index.ts';
import type { ValidatePorts } from '../../validate/index.ts';
import type { Moment } from '../moment.ts';
import { textOf } from './target.ts';

export function validatePorts(moment: Moment): ValidatePorts {
  const { store, repository, replay, clock, config, nowMs } = moment;
  return {
    repository,
    diffText: (digest) => textOf(store, digest),
    replay,
    agentFiles: config.target.agentFiles,
    sessions: (dossier) => sessionsFor(dossier, moment),
    nowMs,
    clock,
    settings: config.validate,
  };
}

/** Recorded sessions that used what the change is about. */
async function sessionsFor(
  { content }: Dossier,
  { store, telemetry, config, nowMs }: Moment,
): Promise<readonly string[]> {
  const pattern =
    content.patternId === null ? undefined : await readPattern(store, content.patternId);
  if (pattern === undefined) return [];
  // A failure found by a longer look back is replayed on those days too.
  const fromMs = Math.min(nowMs - config.diagnose.window, pattern.firstAtMs);
  const { agent, tool } = pattern;
  return telemetry.sessions({ fromMs, toMs: nowMs }, { agent, tool }, config.validate.sessions);
}
