/** What a look found in one project: what recurs, since when, where it begins, and what people corrected. */
import { isoTime } from '../base/index.ts';
import type { LookedFailure, LookedProject } from '../contracts/look.ts';
import { findShifts } from '../diagnose/index.ts';
import type { FailureGroup, Window } from '../facts/index.ts';
import {
  asideGroups,
  correctionCounts,
  failuresByDay,
  firstFailure,
  placeOfEvent,
  quantile,
  Telemetry,
  toolCounts,
} from '../observe/index.ts';
import type { Store } from '../store/index.ts';
import { eventWords } from './event-words.ts';

/** What is not slow for a person is not worth a line. */
const SLOW_MS = 1000;
const SLOW_CALLS_MIN = 5;
const SLOW_MAX = 5;
const ASIDE_MAX = 5;
/** Of a group's examples: enough to tell what its sessions have in common. */
const BEGINNINGS = 5;

export interface ReportInput {
  readonly window: Window;
  readonly top: number;
  readonly examples: number;
}

type Report = Pick<
  LookedProject,
  | 'events'
  | 'firstAt'
  | 'lastAt'
  | 'failures'
  | 'moreFailures'
  | 'corrections'
  | 'slow'
  | 'shifts'
  | 'aside'
>;

export async function reportOn(store: Store, input: ReportInput): Promise<Report> {
  const telemetry = new Telemetry(store);
  const { window, top } = input;
  const { events, firstAtMs, lastAtMs } = await telemetry.totals(window);
  const { groups, folded } = await telemetry.failures(window);
  const shown = groups.slice(0, top);
  const failures: LookedFailure[] = [];
  for (const group of shown) failures.push(await failureOf(store, group, { ...input, groups }));
  return {
    events,
    firstAt: firstAtMs === null ? null : isoTime(firstAtMs),
    lastAt: lastAtMs === null ? null : isoTime(lastAtMs),
    failures,
    moreFailures: groups.length - shown.length + folded.groups,
    corrections: await correctionCounts(store, window),
    slow: await slowTools(store, window),
    shifts: lastAtMs === null ? [] : await shiftsOf(telemetry, { ...window, toMs: lastAtMs }),
    aside: (await asideGroups(store))
      .slice(0, ASIDE_MAX)
      .map(({ reason, detail, lines }) => ({ reason, detail, lines })),
  };
}

async function failureOf(
  store: Store,
  group: FailureGroup,
  { window, examples, groups }: ReportInput & { readonly groups: readonly FailureGroup[] },
): Promise<LookedFailure> {
  const { template, agent, tool, errorCode, failures, calls, sessions } = group;
  // Days are counted by place and code: with several groups there, they would be of all of them.
  const isAlone = groups.filter((one) => isSamePlace(one, group)).length === 1;
  const days = isAlone ? await failuresByDay(store, window, group) : [];
  return {
    template,
    event: group.event ?? 'tool_call',
    agent,
    tool,
    errorCode,
    failures,
    calls,
    share: calls === 0 ? 0 : Math.min(1, failures / calls),
    sessions,
    firstAt: isoTime(group.firstAtMs),
    lastAt: isoTime(group.lastAtMs),
    days: days.map(({ dayMs, failures: count }) => ({
      day: isoTime(dayMs).slice(0, 10),
      failures: count,
    })),
    begins: await beginningOf(store, group),
    examples: spread(group.examples, examples).map(({ atMs, session, message }) => ({
      at: isoTime(atMs),
      session,
      message,
    })),
  };
}

type Place = Pick<FailureGroup, 'agent' | 'tool' | 'errorCode'>;

const isSamePlace = (one: Place, other: Place) =>
  one.agent === other.agent && one.tool === other.tool && one.errorCode === other.errorCode;

/** Evenly spread, with the first and the last. */
function spread<T>(all: readonly T[], max: number): readonly T[] {
  if (all.length <= max) return all;
  if (max === 1) return all.slice(-1);
  return Array.from(
    { length: max },
    (_, at) => all[Math.round((at * (all.length - 1)) / (max - 1))]!,
  );
}

/** What most of its sessions failed at first, if that is something else. */
async function beginningOf(store: Store, group: FailureGroup): Promise<string | null> {
  // Lines of a log belong to no session: what came before is not what it began with.
  if (group.event === 'log_line') return null;
  const examples = spread(group.examples, BEGINNINGS);
  const counts = new Map<string, number>();
  for (const example of examples) {
    const first = await firstFailure(store, example);
    if (first === undefined || first.id === example.id) continue;
    const { event } = first;
    const place = placeOfEvent(event);
    if (place.agent === group.agent && place.tool === group.tool) continue;
    const { what } = eventWords(event);
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most !== undefined && most[1] * 2 > examples.length ? most[0] : null;
}

async function shiftsOf(telemetry: Telemetry, window: Window): Promise<LookedProject['shifts']> {
  const { told } = await findShifts(window, telemetry);
  return told.map(({ title, reasons }) => ({ title, why: reasons.join(' ') }));
}

async function slowTools(store: Store, window: Window): Promise<LookedProject['slow']> {
  const tools = await toolCounts(store, window);
  return tools
    .flatMap(({ agent, tool, calls, latency }) => {
      if (latency === null || latency.count < SLOW_CALLS_MIN) return [];
      const [p50Ms, p95Ms] = [quantile(latency, 0.5), quantile(latency, 0.95)];
      return [{ agent, tool, calls, p50Ms: Math.round(p50Ms), p95Ms: Math.round(p95Ms) }];
    })
    .filter(({ p95Ms }) => p95Ms >= SLOW_MS)
    .sort((a, b) => b.p95Ms - a.p95Ms)
    .slice(0, SLOW_MAX);
}
