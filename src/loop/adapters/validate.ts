/** The ports that validation needs. */
import type { Json } from '../../base/index.ts';
import { readPattern } from '../../diagnose/index.ts';
import { wireOf } from '../../observe/index.ts';
import type { Dossier } from '../../proposal/index.ts';
import type { ReplayCase, ValidatePorts } from '../../validate/index.ts';
import type { Moment } from '../moment.ts';
import { textOf } from './target.ts';

export function validatePorts(moment: Moment): ValidatePorts {
  const { store, repository, replay, runner, clock, config, nowMs } = moment;
  return {
    repository,
    diffText: (digest) => textOf(store, digest),
    replay,
    runner,
    agentFiles: config.target.agentFiles,
    sessions: (dossier) => sessionsFor(dossier, moment),
    cases: (sessions) => casesOf(sessions, moment),
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

/** What a session did, for a replay; a session that goes on for days is replayed by its beginning. */
const EVENTS_OF_CASE = 200;

async function casesOf(
  sessions: readonly string[],
  { telemetry, nowMs }: Moment,
): Promise<readonly ReplayCase[]> {
  // Since ever: what a failure's longer look back found is among them.
  const found = await telemetry.sessionEvents({ fromMs: 0, toMs: nowMs }, sessions, EVENTS_OF_CASE);
  return sessions.map((id) => {
    const { events = [], more: cut = false } = found.get(id) ?? {};
    const named = <F extends 'agent' | 'task'>(field: F) =>
      (events.find((event) => field in event) as Partial<Record<F, string>> | undefined)?.[field] ??
      null;
    return {
      ...{ id, cut, agent: named('agent'), task: named('task') },
      events: events.map((event) => wireOf(event) as unknown as Json),
    };
  });
}
