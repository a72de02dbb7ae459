/** The ports that a watch needs. */
import { arrivedAtMs, movedAtMs } from '../../deploy/index.ts';
import { readPattern } from '../../diagnose/index.ts';
import type { Window } from '../../facts/index.ts';
import type { Fate, MonitorPorts, Place } from '../../monitor/index.ts';
import {
  AT_THE_TARGET,
  type Dossier,
  readAttestations,
  readProposal,
  rollbackCall,
} from '../../proposal/index.ts';
import type { Store } from '../../store/index.ts';
import type { Moment } from '../moment.ts';
import { recordedBeforeMs } from '../recorded-before.ts';
import { peoplesCommits } from './commits.ts';

export function monitorPorts(moment: Moment): MonitorPorts {
  const { store, telemetry, config, nowMs } = moment;
  const patternOf = async ({ content }: Dossier) =>
    content.patternId === null ? undefined : readPattern(store, content.patternId);
  return {
    store,
    rates: (metric, window, scope) => telemetry.rates(metric, window, scope),
    agentOf: async (dossier) => (await patternOf(dossier))?.agent,
    toolOf: async (dossier) => (await patternOf(dossier))?.tool || undefined,
    callersOf: (tool, window) => telemetry.callersOf(tool, window),
    callsByTool: (window) => telemetry.callsByTool(window),
    callHours: (window) => telemetry.callHours(window),
    sessionHours: (window) => telemetry.sessionHours(window),
    recentCalls: (window, asked) => telemetry.recentCalls(window, asked),
    servedTools: () => telemetry.servedTools(),
    toolsAfter: (place, window) => toolsAfter(place, window, telemetry),
    answers: async (dossier) => {
      const pattern = await patternOf(dossier);
      if (pattern === undefined || pattern.agent === '') return undefined;
      const { agent, tool, firstAtMs, whyNow } = pattern;
      const sinceMs = whyNow?.since?.atMs ?? firstAtMs;
      return { agent, tool: tool || undefined, sinceMs, beganMs: whyNow?.since?.atMs };
    },
    arrivedAtMs: (dossier) => arrivedAtMs(dossier, store),
    movedAtMs: (dossier) => movedAtMs(dossier, store),
    recordedBeforeMs: (dossier) => recordedBeforeMs(dossier, store, nowMs),
    peoplesCommits: (fromMs) => peoplesCommits(moment, fromMs),
    fateOf: (id) => fateOf(store, id),
    nowMs,
    settings: config.monitor,
  };
}

/** Sessions that show in which order tools are called. */
const SESSIONS = 40;
const EVENTS_PER_SESSION = 100;
/** Of a tool that followed in fewer of them it is not known that it does. */
const FOLLOWS_MIN = 0.05;

/** Of the newest tasks that called the tool: what they called after it. */
async function toolsAfter(
  { agent, tool }: Place,
  window: Window,
  telemetry: Moment['telemetry'],
): Promise<string[]> {
  const sessions = await telemetry.sessions(window, { agent, tool }, SESSIONS);
  const events = await telemetry.sessionEvents(window, sessions, EVENTS_PER_SESSION);
  const followed = new Map<string, number>();
  for (const { events: own } of events.values()) {
    const calls = own.flatMap((event) => (event.kind === 'tool_call' ? [event.tool] : []));
    const first = calls.indexOf(tool);
    for (const after of new Set(first < 0 ? [] : calls.slice(first + 1)))
      if (after !== tool) followed.set(after, (followed.get(after) ?? 0) + 1);
  }
  return [...followed]
    .filter(([, times]) => times >= FOLLOWS_MIN * sessions.length)
    .map(([name]) => name)
    .sort();
}

async function fateOf(store: Store, id: string): Promise<Fate> {
  // Not the content: another change that cannot be read must not delay this rollback.
  const proposal = await readProposal(store, id);
  const attestations = await readAttestations(store, id);
  return {
    isWatched: proposal.state === 'monitoring',
    isAtTarget: AT_THE_TARGET.includes(proposal.state),
    calledBackAtMs: rollbackCall(attestations, proposal.digest)?.atMs ?? null,
  };
}
