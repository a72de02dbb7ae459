/**
 * The ready replay (`validate.replay: recorded`): the recorded calls are made again under the time limits of a commit, and what
 * they call is a stub that answers from recordings. Nothing of the target is run, so no sandbox is needed. It plays changes of
 * time limits, and no others: what it does not know it says.
 *
 *   recorded                       under the new limit
 *   ended, in time for it      ──► as recorded
 *   ended, too late for it     ──► given up; whether another try would have worked is not recorded
 *   given up, no more time     ──► given up
 *   given up, more time        ──► as a recorded call of the same tool that lasted longer, of anybody; unknown where too few did
 *   failed in another way      ──► unknown, because what sessions share may have failed it; on the base as recorded
 */
import { digestOf, type Json } from '../../base/index.ts';
import type { RecentCall } from '../../facts/index.ts';
import type { CommitId } from '../../git/index.ts';
import type { Dossier } from '../../proposal/index.ts';
import { NotRunnable } from '../target-runner/index.ts';
import type {
  Replay,
  ReplayOutcome,
  TouchedFile,
  ValidatePorts,
  ValidateSettings,
} from '../types.ts';
import { type ChangedValue, changedValues } from './changed-values.ts';
import { type RecordedCall, type RecordedSession, recordedSessions } from './recorded-calls.ts';
import { isGivenUp, type TimeLimit, timeLimitOf } from './time-limits.ts';

export interface RecordedReplayPorts extends Pick<ValidatePorts, 'cases' | 'calls'> {
  readonly dossier: Dossier;
  readonly base: CommitId;
  readonly files: readonly TouchedFile[];
  readonly settings: Pick<ValidateSettings, 'minSessions' | 'significance'>;
}

export function recordedReplay(ports: RecordedReplayPorts): Replay {
  let world: Promise<World> | undefined;
  let told: Told | undefined;
  return {
    commands: [],
    async run(commit, sessions, signal) {
      world ??= readWorld(ports, sessions);
      const known = await world;
      signal.throwIfAborted();
      if (commit === ports.base) return known.sessions.map((one) => played(one, known, 'base'));
      told = { ...NOTHING_TOLD };
      const noted = told;
      return known.sessions.map((one) => played(one, known, noted));
    },
    evidence: () => ({ kind: 'recorded', told: (told ?? null) as Json }),
    notes: () => (told === undefined ? [] : [wordsOf(told)]),
  };
}

/** What became of the calls that were given up when they were recorded, and of those that the change gives up. */
interface Told {
  givenUp: number;
  /** They got an end that was recorded of another call. */
  answered: number;
  unknown: number;
  nowGivenUp: number;
  failedOtherwise: number;
}
const NOTHING_TOLD: Told = {
  ...{ givenUp: 0, answered: 0, unknown: 0, nowGivenUp: 0, failedOtherwise: 0 },
};

function wordsOf({ givenUp, answered, unknown, nowGivenUp, failedOtherwise }: Told): string {
  const also = [
    ...(nowGivenUp === 0 ? [] : [`${nowGivenUp} that ended are given up now`]),
    ...(failedOtherwise === 0
      ? []
      : [`of ${failedOtherwise} that failed in another way no end is known`]),
  ];
  return `Of ${givenUp} calls that were given up when they were recorded, ${answered} end here as calls of the same tool that were waited for longer, and of ${unknown} no end is known${also.map((words) => `; ${words}`).join('')}.`;
}

interface World {
  readonly sessions: readonly RecordedSession[];
  limitOf(call: RecordedCall): TimeLimit | undefined;
  /** Recorded calls of the tool that lasted longer than this limit, of anybody; none where there are too few. */
  longerThan(tool: string, limit: TimeLimit): readonly RecentCall[];
  /** Tools whose calls were tried again. */
  readonly triedAgain: ReadonlySet<string>;
}

async function readWorld(
  { dossier, files, settings, ...ports }: RecordedReplayPorts,
  ids: readonly string[],
): Promise<World> {
  const changed = changedValues(files);
  const cannot = (why: string) =>
    new NotRunnable(`The ready replay cannot play this change: ${why}`);
  if (!changed.ok) throw cannot(changed.why);
  const sessions = recordedSessions(await ports.cases(dossier, ids));
  const calls = sessions.flatMap((one) => one.calls.flat());
  const limits = changed.values.map((value) => {
    const found = timeLimitOf(value, calls, settings);
    if (found === undefined) throw cannot(notShown(value));
    return found;
  });
  const limitOf = (call: RecordedCall) => limits.find(({ applies }) => applies(call))?.limit;
  const tools = [...new Set(calls.filter(limitOf).map(({ tool }) => tool))];
  const recent = Map.groupBy(await ports.calls(dossier, tools), ({ tool }) => tool);
  return {
    sessions,
    limitOf,
    longerThan(tool, { fromMs, lateBy }) {
      const longer = (recent.get(tool) ?? []).filter(
        (one) => lastedMs(one) > fromMs * lateBy && !isGivenUp(asRecorded(one), fromMs),
      );
      return longer.length < settings.minSessions ? [] : longer;
    },
    triedAgain: new Set(
      sessions.flatMap((one) =>
        one.calls.flatMap((tries) => (tries.length > 1 ? [tries[0]!.tool] : [])),
      ),
    ),
  };
}

function notShown({ file, path }: ChangedValue): string {
  return `nothing recorded shows that ${path.join('.')} in ${file} is a time limit that calls ran into, and it plays no other values.`;
}

const lastedMs = ({ startMs, endMs }: RecentCall) => endMs - startMs;
const asRecorded = (one: RecentCall): RecordedCall => ({
  ...{ agent: one.agent, tool: one.tool, code: one.failedWith },
  ...{ ok: one.failedWith === null, latencyMs: lastedMs(one) },
});

type End =
  | { readonly is: 'ok' | 'failed'; readonly latencyMs: number }
  | { readonly is: 'unknown' };

/** `told` of the candidate; the base is played as it was recorded, without a guess. */
function played(session: RecordedSession, world: World, told: Told | 'base'): ReplayOutcome {
  // A call that failed in a session that came through did not matter, whatever becomes of it.
  const mattering = session.calls.filter((tries) => session.failed || tries.at(-1)!.ok);
  const ends = mattering.map((tries, at) => callEnd(tries, { session, at, world, told }));
  const known = ends.flatMap((end) => (end.is === 'unknown' ? [] : [end]));
  const isFailed = known.some(({ is }) => is === 'failed');
  const isKnown = !session.isCut && known.length === ends.length;
  const latencyMs = known.reduce((sum, end) => sum + end.latencyMs, 0);
  if (isFailed) return { session: session.id, ok: false, error: 'a call failed' };
  return isKnown
    ? { session: session.id, ok: true, error: null, latencyMs }
    : { session: session.id, ok: null, error: null };
}

interface Playing {
  readonly session: RecordedSession;
  readonly at: number;
  readonly world: World;
  readonly told: Told | 'base';
}

function callEnd(tries: readonly RecordedCall[], playing: Playing): End {
  let latencyMs = 0;
  for (const [index, call] of tries.entries()) {
    const end = tryEnd(call, index, playing);
    if (end.is === 'unknown') return end;
    latencyMs += end.latencyMs;
    if (end.is === 'ok') return { is: 'ok', latencyMs };
  }
  // It ended well when it was recorded, and would be tried again now.
  const [last, { triedAgain }] = [tries.at(-1)!, playing.world];
  return last.ok && triedAgain.has(last.tool) ? { is: 'unknown' } : { is: 'failed', latencyMs };
}

function tryEnd(call: RecordedCall, index: number, { session, at, world, told }: Playing): End {
  const asItWas: End = { is: call.ok ? 'ok' : 'failed', latencyMs: call.latencyMs ?? 0 };
  if (told === 'base') return asItWas;
  const limit = world.limitOf(call);
  if (call.ok) {
    const isLate = limit !== undefined && (call.latencyMs ?? 0) > limit.toMs * limit.lateBy;
    if (!isLate || limit.toMs >= limit.fromMs) return asItWas;
    told.nowGivenUp += 1;
    return { is: 'failed', latencyMs: limit.toMs };
  }
  if (limit === undefined || !isGivenUp(call, limit.fromMs)) {
    told.failedOtherwise += 1;
    return { is: 'unknown' };
  }
  told.givenUp += 1;
  if (limit.toMs <= limit.fromMs) return { is: 'failed', latencyMs: limit.toMs };
  const longer = world.longerThan(call.tool, limit);
  const end = longer.length === 0 ? UNKNOWN : stubEnd(longer, [session.id, at, index], limit);
  told[end.is === 'unknown' ? 'unknown' : 'answered'] += 1;
  return end;
}

const UNKNOWN: End = { is: 'unknown' };

/** One of the recorded calls that lasted longer, the same one each time. One that failed meanwhile says nothing. */
function stubEnd(
  longer: readonly RecentCall[],
  key: readonly [string, number, number],
  { toMs, lateBy }: TimeLimit,
): End {
  const drawn = Number.parseInt(digestOf([...key]).slice(-8), 16) % longer.length;
  const answer = longer[drawn]!;
  const tookMs = lastedMs(answer);
  if (tookMs > toMs * lateBy) return { is: 'failed', latencyMs: toMs };
  return answer.failedWith === null ? { is: 'ok', latencyMs: tookMs } : UNKNOWN;
}
