/**
 * Plays recorded sessions again on other files: the same draws as live, one session at a time, each with
 * the tools to itself. What agents do to each other does not show here, and that is the point: it is
 * what a replay of real sessions sees, too.
 */
import { nextTurn } from '../src/base/index.ts';
import { findSession, type Run } from './arrivals.ts';
import type { Failure } from './call-answer.ts';
import { AgentFiles, type TargetFiles } from './fleet.ts';
import type { Recording } from './recording.ts';
import type { Scenario } from './scenario-schema.ts';
import { NOT_RECORDED, SessionPlay } from './session-play.ts';
import { NO_LIMITS } from './shared-limits.ts';

/** Others get their turn after so many sessions. */
const SESSIONS_PER_TURN = 200;

interface ReplayedSession {
  readonly session: string;
  /** Whether every call of the task succeeded, retries included; null where the recording does not say. */
  readonly ok: boolean | null;
  readonly error: string | null;
}

export interface FleetReplay {
  /** None: the fleet is played in this process, by no file of the target. */
  readonly commands: readonly (readonly string[])[];
  /** In the order given. Rejects with the signal's reason when it aborts. */
  run(commit: string, sessions: readonly string[], signal: AbortSignal): Promise<ReplayedSession[]>;
}

export interface FleetReplayOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly readFiles: (commit: string) => Promise<TargetFiles>;
  /** All that it knows of what happened; without one it knows what would have happened. */
  readonly recording?: Recording | undefined;
}

export function fleetReplay(options: FleetReplayOptions): FleetReplay {
  const { scenario, seed, readFiles, recording } = options;
  return {
    commands: [],
    async run(commit, sessions, signal) {
      signal.throwIfAborted();
      const files = await readFiles(commit);
      const settings = new AgentFiles();
      const replayed: ReplayedSession[] = [];
      for (const [index, session] of sessions.entries()) {
        if (index % SESSIONS_PER_TURN === 0) await nextTurn();
        signal.throwIfAborted();
        const failure = replay({ scenario, seed }, session, { files, settings, recording });
        const ok = failure?.code === NOT_RECORDED ? null : failure === undefined;
        replayed.push({ session, ok, error: failure?.message ?? null });
      }
      return replayed;
    },
  };
}

function replay(
  run: Run,
  id: string,
  known: {
    readonly files: TargetFiles;
    readonly settings: AgentFiles;
    readonly recording: Recording | undefined;
  },
): Failure | undefined {
  const session = findSession(run, id);
  if (session === undefined) return { code: 'unknown', message: 'unknown session' };
  const play = new SessionPlay({
    run,
    session,
    files: known.files,
    settings: known.settings.read(known.files, session.traffic),
    limits: NO_LIMITS,
    recording: known.recording && { is: 'read', of: known.recording },
    emit: () => {},
  });
  let nowMs: number | undefined = session.startMs;
  while (nowMs !== undefined && !play.isTaskDone) nowMs = play.step(nowMs);
  return play.failure;
}
