/**
 * The one way into this room: which failures recur, and, where asked, what causes them. A trigger asks every few
 * minutes for the counts alone; a cycle asks for the causes, and acts on the very failures that the counts name.
 */
import type { CountedFailure, Event, FailureGroup, Failures, Window } from '../facts/index.ts';
import { fitLine } from '../stats/index.ts';
import { courseOf } from './course.ts';
import { kindWithoutExamples } from './failure-kind.ts';
import { seenWords } from './files-seen.ts';
import { findPatterns } from './find-patterns.ts';
import { withLikeNames } from './like-names.ts';
import { readEdits } from './read-edits.ts';
import { readSettings } from './read-settings.ts';
import { recurringFailures } from './recurring.ts';
import { findShifts } from './shifts/find-shifts.ts';
import type { Depth, DiagnosePorts, Diagnosis, Recurring, TargetCommit } from './types.ts';
import { count } from './wording.ts';

const PROBLEMS_MAX = 20;
/**
 * How far an installation is from the worlds that clues were weighed in, before it shows: slope 1 ± ¼, intercept 0 ± ½. A single
 * outcome moves what is stated by some percent, twenty that all say the same by half.
 */
const HERE = { slope: 16, intercept: 4 };

export async function diagnose(
  window: Window,
  depth: 'counts',
  ports: DiagnosePorts,
): Promise<Recurring>;
export async function diagnose(
  window: Window,
  depth: 'causes',
  ports: DiagnosePorts,
): Promise<Diagnosis>;
export async function diagnose(
  window: Window,
  depth: Depth,
  ports: DiagnosePorts,
): Promise<Recurring | Diagnosis> {
  if (depth === 'counts') return recurringByCounts(window, ports);
  const { groups, folded } = await ports.telemetry.failures(window);
  const known = await ports.known();
  const commit = await ports.head();
  const { settings, problems, seen, texts, words } = await readSettings(
    ports.repository,
    commit,
    ports.agentFiles,
  );
  const { limits } = ports;
  const commits = await ports.commitsSince(recordFrom(groups, window));
  const edits = await readEdits(ports.repository, commitsNear(groups, commits, limits));
  const { patterns, passedOver, weighed } = findPatterns({
    window,
    groups,
    settings: withLikeNames(settings, groups),
    commit,
    commits,
    edits,
    limits,
    known,
    ignored: await ports.ignored(),
    merged: await ports.merged(),
    fixed: await ports.fixed(),
    texts,
    words,
    learnt: fitLine(await ports.outcomes(), HERE),
    ...(ports.gates === undefined ? {} : { gates: ports.gates }),
    calls: await ports.telemetry.recentCalls(window, askedCalls(window, groups, limits)),
    sessions: await failedSessions(groups, ports),
  });
  const shifts = await findShifts(window, ports.telemetry);
  return {
    ids: patterns.map(({ id }) => id),
    patterns,
    weighed,
    told: shifts.told,
    passedOver: [...passedOver, ...shifts.passedOver],
    notes: [
      ...foldedWords(folded),
      ...shifts.notes,
      ...seenWords(seen, ports.branch),
      ...problems.slice(0, PROBLEMS_MAX),
    ],
    summary: summaryOf(patterns.length, groups.length) + toldWords(shifts.told.length),
  };
}

/** A change before the record cannot be told from none. */
function recordFrom(groups: readonly FailureGroup[], { fromMs }: Window): number {
  return Math.min(fromMs, ...groups.map(({ history }) => history[0]?.atMs ?? fromMs));
}

/** What comes long after a commit is not read for it. */
const HOUR_MS = 3_600_000;
const NEAR_MS = 12 * HOUR_MS;

/** Those after which something began to fail, soon enough. */
function commitsNear(
  groups: readonly FailureGroup[],
  commits: readonly TargetCommit[],
  { failureShare }: DiagnosePorts['limits'],
): readonly TargetCommit[] {
  if (commits.length === 0) return [];
  const recordMs = Math.min(...groups.map(({ history }) => history[0]?.atMs ?? Infinity));
  const begun = groups.flatMap(({ history }) => {
    const { episode } = courseOf(history, failureShare);
    if (episode !== null) return [episode];
    // A place that was never seen before, such as a tool with a new name, began when it was seen first.
    const firstMs = history[0]?.atMs ?? recordMs;
    return firstMs - recordMs < HOUR_MS
      ? []
      : [{ fromLowMs: firstMs, fromHighMs: firstMs + HOUR_MS }];
  });
  return commits.filter(({ atMs }) =>
    begun.some(({ fromLowMs, fromHighMs }) => atMs <= fromHighMs && atMs >= fromLowMs - NEAR_MS),
  );
}

const ASKED_MAX = 8;

/** Tools at which something else than time runs out: most failures first, and only so many. */
function askedCalls(
  { fromMs }: Window,
  groups: readonly FailureGroup[],
  { minOccurrences, failureShare }: DiagnosePorts['limits'],
): { tool: string; calls: number; untilMs: number | undefined }[] {
  const tools = new Map<string, { calls: number; failures: number; code: string }>();
  // One failure may have several wordings, each of them rare.
  const asked = groups.filter(
    (group) => isCallAt(group) && kindWithoutExamples(group) !== 'timeout',
  );
  for (const alike of Map.groupBy(asked, alikeKey).values()) {
    const { tool, calls, errorCode } = alike[0]!;
    const failures = alike.reduce((sum, one) => sum + one.failures, 0);
    if (failures < minOccurrences || failures <= failureShare * calls) continue;
    const before = tools.get(tool) ?? { calls: 0, failures: 0, code: errorCode };
    const sum = { calls: before.calls + calls, failures: before.failures + failures };
    tools.set(tool, { ...before, ...sum });
  }
  return [...tools]
    .sort(([a, one], [b, other]) => other.failures - one.failures || (a < b ? -1 : 1))
    .slice(0, ASKED_MAX)
    .map(([tool, { calls, code }]) => ({ tool, calls, untilMs: worstUntil(groups, code, fromMs) }));
}

const isCallAt = ({ event = 'tool_call', tool }: FailureGroup) =>
  event === 'tool_call' && tool !== '';

const alikeKey = (group: FailureGroup) =>
  JSON.stringify([group.agent, group.tool, group.errorCode, kindWithoutExamples(group)]);

/** Of the failures of the worst hour an hour has this share. */
const AS_BAD = 0.5;

/**
 * The end of the newest hour that is about as bad as the worst: at night a limit on load is not met, and its calls show nothing. Of
 * all tools that fail alike, because they may share one limit. Undefined where the newest hour will do.
 */
function worstUntil(
  groups: readonly FailureGroup[],
  code: string,
  fromMs: number,
): number | undefined {
  const hours = new Map<number, number>();
  for (const { event = 'tool_call', errorCode, history } of groups) {
    if (event !== 'tool_call' || errorCode !== code) continue;
    for (const { atMs, bad } of history) {
      if (atMs < fromMs) continue;
      const hour = Math.floor(atMs / HOUR_MS);
      hours.set(hour, (hours.get(hour) ?? 0) + bad);
    }
  }
  const worst = Math.max(0, ...hours.values());
  const newest = Math.max(...hours.keys());
  const bad = [...hours].filter(([, failures]) => failures >= AS_BAD * worst).map(([hour]) => hour);
  const until = Math.max(...bad);
  return worst === 0 || until >= newest - 1 ? undefined : (until + 1) * HOUR_MS;
}

/** The newest of each, and of so many kinds: an hour of events is looked through for each session. */
const SESSIONS_EACH = 5;
const TASKS_MAX = 3;
const EVENTS_MAX = 200;

/** What happened in sessions whose task failed for no call's reason. */
async function failedSessions(
  groups: readonly FailureGroup[],
  { telemetry, limits }: DiagnosePorts,
): Promise<ReadonlyMap<string, readonly Event[]>> {
  const codes = new Set(
    groups.flatMap(({ event, agent, errorCode }) =>
      event === 'tool_call' ? [`${agent}\n${errorCode}`] : [],
    ),
  );
  const tasks = groups.filter(
    ({ event, agent, errorCode, failures }) =>
      event === 'task_failure' &&
      failures >= limits.minOccurrences &&
      !codes.has(`${agent}\n${errorCode}`),
  );
  const found = new Map<string, readonly Event[]>();
  for (const { examples } of tasks.slice(0, TASKS_MAX))
    for (const { session, atMs } of examples.slice(-SESSIONS_EACH)) {
      const around = { fromMs: atMs - HOUR_MS, toMs: atMs + 1 };
      const events = await telemetry.sessionEvents(around, [session], EVENTS_MAX);
      found.set(session, events.get(session)?.events ?? []);
    }
  return found;
}

/** Examples and known patterns are read only if a failure's code and template do not say what it is. */
async function recurringByCounts(window: Window, ports: DiagnosePorts): Promise<Recurring> {
  const { telemetry, limits } = ports;
  const counted = await telemetry.failureCounts(window, limits.failureShare);
  const groups: FailureGroup[] = [];
  let areAllTold = true;
  for (const failure of counted) {
    const isTold = kindWithoutExamples(failure) !== 'other';
    areAllTold &&= isTold;
    groups.push(await groupOf(failure, isTold));
  }
  const known = areAllTold ? [] : await ports.known();
  const { acting, passedOver } = recurringFailures(groups, limits, {
    known,
    ignored: await ports.ignored(),
    merged: await ports.merged(),
  });
  return { ids: acting.map(({ id }) => id), passedOver };
}

/** Neither the id nor the decision to act depends on what is left out. */
async function groupOf(failure: CountedFailure, isTold: boolean): Promise<FailureGroup> {
  const unread = { sessions: 0, failedLatency: null, succeededLatency: null, history: [] };
  return { ...failure, ...unread, examples: isTold ? [] : await failure.examples() };
}

/** Always reported: somebody may invent failures to hide others behind them. */
function foldedWords({ groups, failures }: Failures['folded']): string[] {
  if (groups === 0) return [];
  return [
    `${many(groups, 'more kind')} of failure (${many(failures, 'failure')}) occurred than one cycle examines. Each source and agent had its share; see "hone sources list" for where they come from.`,
  ];
}

function summaryOf(patterns: number, groups: number): string {
  if (patterns > 0) return `found ${many(patterns, 'recurring failure')}`;
  return groups === 0
    ? 'nothing failed'
    : `nothing to act on among ${many(groups, 'kind')} of failures`;
}

function toldWords(shifts: number): string {
  return shifts === 0 ? '' : `, and ${many(shifts, 'measure')} at another level than before`;
}

const many = (number: number, noun: string) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
