/**
 * Shadow replay (VAL-3): recorded sessions on the base, once more on the base, then on the candidate.
 * The replay is the target's own code and may throw, hang or lie: whatever is not a clean answer is
 * inconclusive, with the reason. Before it is believed, it has to fail the sessions that failed for real.
 */
import { type Clock, type Digest, digestOf, errorMessage, withTimeout } from '../base/index.ts';
import { formatDuration } from '../config/index.ts';
import { type CommitId, shownPath } from '../git/index.ts';
import { guardRails, type Rail, railWords } from './replay-rails.ts';
import {
  answerProblem,
  baseProblem,
  type CannotJudge,
  countReplay,
  flakySessions,
  judgeReplay,
  type Outcomes,
  type ReplayCounts,
  type ReplayVerdict,
  type Reproduced,
  reproduced,
  type Unjudged,
} from './replay-verdict.ts';
import { NotRunnable } from './target-runner/index.ts';
import type { CheckResult, DrawnSessions, Replay, ValidateSettings } from './types.ts';

export type ReplayResult = CheckResult & {
  /** Null when nothing was measured. */
  readonly improvesTarget: boolean | null;
  readonly sessions: Digest | null;
  readonly counts: ReplayCounts | null;
  readonly reproduced: Reproduced | null;
  /** What kept it from judging; undefined where it looked. */
  readonly unjudged: Unjudged | undefined;
  /** So many sessions would settle it; undefined where it is settled, or more would not. */
  readonly settledBy: number | undefined;
  /** What it costs beside, where the replay says so. */
  readonly rails: readonly Rail[];
};

export interface ReplayRequest {
  readonly base: CommitId;
  readonly candidate: CommitId;
  /** Why the evidence would prove nothing; undefined when the change leaves its judges alone. */
  readonly judging: string | undefined;
  readonly drawn: DrawnSessions;
  /** The change tries less often or waits less long. */
  readonly givesUpSooner: boolean;
  readonly replay: Replay;
  readonly settings: ValidateSettings;
  readonly clock: Clock;
  /** The caller's: it ends the replay, and then asks for no verdict. */
  readonly signal: AbortSignal;
}

/** Left by throwing inside this file only: why nothing can be said. */
class NoAnswer extends Error {
  readonly problem: CannotJudge;
  readonly lines: readonly string[];

  constructor(problem: CannotJudge, lines: readonly string[] = []) {
    super(problem.reason);
    this.problem = problem;
    this.lines = lines;
  }
}

export async function shadowReplay(request: ReplayRequest): Promise<ReplayResult> {
  const { settings, clock, signal } = request;
  // Names without a JSON form could not be in a report.
  const named = request.drawn.sessions.filter(({ id }) => id.isWellFormed());
  const sessions = [...new Set(named.map(({ id }) => id))].slice(0, settings.sessions);
  const failed = new Set(named.filter((one) => one.failed).map(({ id }) => id));
  const digest = sessions.length === 0 ? null : digestOf([...sessions].sort());
  const nothing = (
    { unjudged, reason, settledBy }: CannotJudge,
    lines: readonly string[] = [],
  ): ReplayResult => ({
    outcome: 'inconclusive',
    reasons: [reason, ...lines].map((why) => why.toWellFormed()),
    improvesTarget: null,
    sessions: digest,
    ...{ counts: null, reproduced: null, unjudged, settledBy },
    rails: [],
  });
  const { judging } = request;
  if (judging !== undefined) return nothing({ unjudged: 'touches_judge', reason: judging });
  const few = baseProblem(sessions.length, 0, settings);
  if (few !== undefined) return nothing(few);
  try {
    const { counts, rails, ...compared } = await withTimeout(clock, settings.timeout, (timeout) =>
      compareRuns({ ...request, sessions, failed, signal: AbortSignal.any([signal, timeout]) }),
    );
    const { overdrawn } = request.drawn;
    const live = { ...compared, overdrawn, givesUpSooner: request.givesUpSooner };
    const judged = withRails(judgeReplay(counts, settings, live), rails);
    return { ...judged, sessions: digest, counts, rails, ...compared };
  } catch (error) {
    if (error instanceof NoAnswer) return nothing(error.problem, error.lines);
    throw error;
  }
}

function withRails(
  { outcome, reason, improvesTarget, unjudged, settledBy }: ReplayVerdict,
  rails: readonly Rail[],
) {
  const beside = rails.length === 0 ? [] : [`Beside it: ${rails.map(railWords).join(', ')}.`];
  const harmed = rails.filter(({ isHarmed }) => isHarmed).map(({ metric }) => metric);
  if (harmed.length === 0 || outcome === 'failed')
    return { outcome, reasons: [reason, ...beside], improvesTarget, unjudged, settledBy };
  const why = `The sessions that work need more than is borne: ${harmed.join(' and ')}.`;
  return {
    ...{ outcome: 'failed' as const, reasons: [why, reason, ...beside] },
    ...{ improvesTarget: false, unjudged: undefined, settledBy: undefined },
  };
}

/** What is played, and which of it failed when it was recorded. */
type Runs = Omit<ReplayRequest, 'drawn'> & {
  readonly sessions: readonly string[];
  readonly failed: ReadonlySet<string>;
};

interface Compared {
  readonly counts: ReplayCounts;
  readonly reproduced: Reproduced;
  readonly rails: readonly Rail[];
}

async function compareRuns(runs: Runs): Promise<Compared> {
  const { base, candidate, sessions, failed, settings } = runs;
  const first = await run(runs, base, 'the base');
  const again = await run(runs, base, 'the base again');
  const flaky = flakySessions(first, again);
  const problem = baseProblem(sessions.length, flaky.size, settings);
  if (problem !== undefined) throw new NoAnswer(problem);
  const changed = await run(runs, candidate, 'the candidate');
  return {
    counts: countReplay(first, flaky, changed),
    reproduced: reproduced(first, flaky, failed),
    rails: guardRails({ base: first, again, candidate: changed }, settings),
  };
}

async function run(runs: Runs, commit: CommitId, what: string): Promise<Outcomes> {
  const { replay, sessions, signal, settings } = runs;
  let outcomes: Outcomes;
  try {
    outcomes = await untilAborted(signal, () => replay.run(commit, sessions, signal));
  } catch (error) {
    if (error instanceof NotRunnable) {
      const [why, ...lines] = error.reasons;
      throw noAnswer(`The replay of ${what} gave no answer: ${why}`, lines);
    }
    const why = signal.aborted
      ? `was not done after ${formatDuration(settings.timeout)}`
      : `stopped: ${shownPath(errorMessage(error))}`;
    throw noAnswer(`The replay of ${what} ${why}.`);
  }
  const problem = answerProblem(sessions, outcomes);
  if (problem !== undefined) throw noAnswer(`The replay of ${what} cannot be used: ${problem}.`);
  return outcomes;
}

function noAnswer(reason: string, lines?: readonly string[]): NoAnswer {
  return new NoAnswer({ unjudged: 'no_answer', reason }, lines);
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
