/**
 * Shadow replay (VAL-3): recorded sessions on the base, once more on the base, then on the candidate.
 * The replay is the target's own code and may throw, hang or lie: whatever is not a clean answer is
 * inconclusive, with the reason.
 */
import { type Clock, type Digest, digestOf, errorMessage, withTimeout } from '../base/index.ts';
import { formatDuration } from '../config/index.ts';
import { type CommitId, shownPath } from '../git/index.ts';
import {
  answerProblem,
  baseProblem,
  countReplay,
  flakySessions,
  judgeReplay,
  type Outcomes,
  type ReplayCounts,
} from './replay-verdict.ts';
import type { CheckResult, Replay, ValidateSettings } from './types.ts';

export type ReplayResult = CheckResult & {
  /** Null when nothing was measured. */
  readonly improvesTarget: boolean | null;
  readonly sessions: Digest | null;
  readonly counts: ReplayCounts | null;
};

export interface ReplayRequest {
  readonly base: CommitId;
  readonly candidate: CommitId;
  /** Why the evidence would prove nothing; undefined when the change leaves its judges alone. */
  readonly judging: string | undefined;
  readonly sessions: readonly string[];
  readonly replay: Replay | undefined;
  readonly settings: ValidateSettings;
  readonly clock: Clock;
  /** The caller's: it ends the replay, and then asks for no verdict. */
  readonly signal: AbortSignal;
}

/** Left by throwing inside this file only: why nothing can be said. */
class NoAnswer extends Error {}

export async function shadowReplay(request: ReplayRequest): Promise<ReplayResult> {
  const { replay, settings, clock, signal } = request;
  // Names without a JSON form could not be in a report.
  const named = request.sessions.filter((session) => session.isWellFormed());
  const sessions = [...new Set(named)].slice(0, settings.sessions);
  const digest = sessions.length === 0 ? null : digestOf([...sessions].sort());
  const nothing = (why: string): ReplayResult => ({
    outcome: 'inconclusive',
    reasons: [why.toWellFormed()],
    improvesTarget: null,
    sessions: digest,
    counts: null,
  });
  if (request.judging !== undefined) return nothing(request.judging);
  if (replay === undefined) return nothing('The target has no replay.');
  const few = baseProblem(sessions.length, 0, settings);
  if (few !== undefined) return nothing(few);
  try {
    const counts = await withTimeout(clock, settings.timeout, (timeout) =>
      compareRuns({ ...request, sessions, replay, signal: AbortSignal.any([signal, timeout]) }),
    );
    const { outcome, reason, improvesTarget } = judgeReplay(counts, settings);
    return { outcome, reasons: [reason], improvesTarget, sessions: digest, counts };
  } catch (error) {
    if (error instanceof NoAnswer) return nothing(error.message);
    throw error;
  }
}

type Runs = ReplayRequest & { readonly replay: Replay };

async function compareRuns(runs: Runs): Promise<ReplayCounts> {
  const { base, candidate, sessions, settings } = runs;
  const first = await run(runs, base, 'the base');
  const flaky = flakySessions(first, await run(runs, base, 'the base again'));
  const problem = baseProblem(sessions.length, flaky.size, settings);
  if (problem !== undefined) throw new NoAnswer(problem);
  return countReplay(first, flaky, await run(runs, candidate, 'the candidate'));
}

async function run(runs: Runs, commit: CommitId, what: string): Promise<Outcomes> {
  const { replay, sessions, signal, settings } = runs;
  let outcomes: Outcomes;
  try {
    outcomes = await untilAborted(signal, () => replay.run(commit, sessions, signal));
  } catch (error) {
    const why = signal.aborted
      ? `was not done after ${formatDuration(settings.timeout)}`
      : `stopped: ${shownPath(errorMessage(error))}`;
    throw new NoAnswer(`The replay of ${what} ${why}.`);
  }
  const problem = answerProblem(sessions, outcomes);
  if (problem !== undefined)
    throw new NoAnswer(`The replay of ${what} cannot be used: ${problem}.`);
  return outcomes;
}

/** Ends with the signal even when the work does not. */
async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
