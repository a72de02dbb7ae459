/** The ports that validation needs. */
import type { Json } from '../../base/index.ts';
import { hookPaths } from '../../deploy/index.ts';
import { readPattern } from '../../diagnose/index.ts';
import type { Pattern, RecentCall, Window } from '../../facts/index.ts';
import { wireOf } from '../../observe/index.ts';
import type { Dossier } from '../../proposal/index.ts';
import type { DrawnSessions, ReplayCase, ValidatePorts } from '../../validate/index.ts';
import type { Moment } from '../moment.ts';
import { textOf } from './target.ts';

export function validatePorts(moment: Moment): ValidatePorts {
  const { store, repository, replay, runner, clock, config, nowMs, targetFolder } = moment;
  const forbiddenPaths = [
    ...config.validate.forbiddenPaths,
    ...hookPaths(config.deploy, targetFolder),
  ];
  return {
    repository,
    diffText: (digest) => textOf(store, digest),
    replay,
    runner,
    agentFiles: config.target.agentFiles,
    sessions: (dossier) => sessionsFor(dossier, moment),
    cases: (dossier, sessions) => casesOf(dossier, sessions, moment),
    calls: (dossier, tools) => callsOf(dossier, tools, moment),
    nowMs,
    clock,
    settings: { ...config.validate, forbiddenPaths },
  };
}

/** Recorded sessions that used what the change is about. */
async function sessionsFor(dossier: Dossier, moment: Moment): Promise<DrawnSessions> {
  const pattern = await patternOf(dossier, moment);
  if (pattern === undefined) return { sessions: [], overdrawn: 1, perHour: 0 };
  const { telemetry, config } = moment;
  const { agent, tool } = pattern;
  // Without a code of its own a failure may be any of them.
  const errorCode = pattern.errorCode === '' ? null : pattern.errorCode;
  const { sessions: limit, minSessions: failedMin } = config.validate;
  const window = replayedWindow(pattern, windowOf(pattern, moment));
  return telemetry.recordedSessions(window, { agent, tool, errorCode, limit, failedMin });
}

/**
 * What changed outside makes sessions from before it those of another world: a name that a tool takes since then would fail in
 * each of them.
 */
export function replayedWindow(
  { whyNow }: Pick<Pattern, 'whyNow'>,
  { fromMs, toMs }: Window,
): Window {
  const isOutside = whyNow?.trigger === 'outside' || whyNow?.trigger === 'load';
  return { fromMs: isOutside ? Math.max(fromMs, whyNow.since?.highMs ?? 0) : fromMs, toMs };
}

/** A session that goes on for days is replayed by its beginning. */
const EVENTS_OF_CASE = 200;

async function casesOf(
  dossier: Dossier,
  sessions: readonly string[],
  moment: Moment,
): Promise<readonly ReplayCase[]> {
  const pattern = await patternOf(dossier, moment);
  if (pattern === undefined) return [];
  const window = windowOf(pattern, moment);
  const found = await moment.telemetry.sessionEvents(window, sessions, EVENTS_OF_CASE);
  return sessions.map((id) => {
    const { events = [], more: cut = false } = found.get(id) ?? {};
    const named = (field: 'agent' | 'task') =>
      events
        .map((event) => (event as Partial<Record<typeof field, string>>)[field])
        .find(Boolean) ?? null;
    return {
      ...{ id, cut, agent: named('agent'), task: named('task') },
      events: events.map((event) => wireOf(event) as unknown as Json),
    };
  });
}

async function callsOf(
  dossier: Dossier,
  tools: readonly string[],
  moment: Moment,
): Promise<readonly RecentCall[]> {
  const pattern = await patternOf(dossier, moment);
  if (pattern === undefined) return [];
  const { telemetry } = moment;
  const window = windowOf(pattern, moment);
  const hours = await telemetry.callHours(window);
  // What the tool at which it fails takes, the files need not say.
  const asked = [...new Set([...tools, ...(pattern.tool === '' ? [] : [pattern.tool])])].map(
    (tool) => ({
      tool,
      calls: hours
        .flatMap((one) => (one.tool === tool ? one.hours : []))
        .reduce((sum, { calls }) => sum + calls, 0),
    }),
  );
  return [...(await telemetry.recentCalls(window, asked)).values()].flat();
}

async function patternOf({ content }: Dossier, { store }: Moment) {
  return content.patternId === null ? undefined : readPattern(store, content.patternId);
}

/** A failure found by a longer look back is replayed on those days too. */
function windowOf({ firstAtMs }: { readonly firstAtMs: number }, { config, nowMs }: Moment) {
  return { fromMs: Math.min(nowMs - config.diagnose.window, firstAtMs), toMs: nowMs };
}
