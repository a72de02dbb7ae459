/**
 * Sessions for a replay, with how each went: the newest that used a tool, and where too few of these failed, older ones that did. A
 * replay that meets none of the failures can say nothing about their cure.
 *
 * Telemetry reports failed tasks, not all tasks. A session failed if it has one; where an agent reports none at all, if its last call
 * failed. A call that failed and worked when it was tried again is no failed session. Where a failure is named, only those count as
 * failed that ended by it: others, which fail for reasons of their own, say nothing of its cure.
 */
import type { Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { eventsOfHour, hoursIn } from './event-hours.ts';
import { type SessionEvents, sessionEvents } from './session-events.ts';
import { HOUR_MS } from './units.ts';

export interface SessionsAsked {
  readonly agent: string;
  /** Empty: any. */
  readonly tool: string;
  /** The failure that is to be mended, by the code of the tool's calls; null: any. */
  readonly errorCode: string | null;
  readonly limit: number;
  /** So many failed ones, where there are. */
  readonly failedMin: number;
}

export interface RecordedSessions {
  /** By when they ended. */
  readonly sessions: readonly { readonly id: string; readonly failed: boolean }[];
  /** How many times more of them failed than of the newest. */
  readonly overdrawn: number;
  /** How many used the tool in an hour since the oldest of the newest did, up to the end of the window. */
  readonly perHour: number;
}

/** When a session was last seen using the tool. */
type Seen = readonly [session: string, atMs: number];

/** Of one session its end counts; long ones are read to here. */
const EVENTS_READ = 1000;

/** Sessions that called the tool, or any tool where none is named; the newest `limit` of them, oldest first. */
export async function newestSessions(
  store: Store,
  window: Window,
  { agent, tool, limit }: Pick<SessionsAsked, 'agent' | 'tool' | 'limit'>,
): Promise<Seen[]> {
  const latest = new Map<string, number>();
  for (const hourMs of (await hoursIn(store, window)).reverse()) {
    if (latest.size >= limit) break; // what is older is not among the newest
    const rows = await eventsOfHour(store, hourMs, {
      window,
      columns: 'e.session, MAX(e.at_ms) AS at_ms',
      rest: `AND e.series IN (${callsOf(tool)}) GROUP BY e.session`,
      values: tool === '' ? [agent] : [agent, tool],
    });
    for (const row of rows) {
      const session = row['session'] as string;
      latest.set(session, Math.max(latest.get(session) ?? 0, row['at_ms'] as number));
    }
  }
  return ascending(latest).slice(-limit);
}

export async function recordedSessions(
  store: Store,
  window: Window,
  asked: SessionsAsked,
): Promise<RecordedSessions> {
  const { limit, failedMin } = asked;
  const newest = await newestSessions(store, window, asked);
  const met = (await sessionsThatMet(store, window, asked)).filter(
    ([session]) => !newest.some(([one]) => one === session),
  );
  const failed = await failedOf(store, window, { seen: [...newest, ...met], asked });
  const isFailed = ([session]: Seen) => failed.has(session);
  const fair = newest.filter(isFailed).length;
  const older = met.filter(isFailed).slice(-Math.max(0, failedMin - fair));
  const more = fair >= failedMin ? [] : older;
  // Those that worked make room, the oldest first.
  let room = limit - newest.length - more.length;
  const kept = newest.filter((one) => isFailed(one) || room++ >= 0);
  return {
    sessions: ascending(new Map([...more, ...kept])).map((one) => ({
      id: one[0],
      failed: isFailed(one),
    })),
    overdrawn: (fair + more.length) / Math.max(1, fair) || 1,
    perHour: rateOf(newest, window),
  };
}

/** The first only says when the time began. */
function rateOf(newest: readonly Seen[], { toMs }: Window): number {
  const [first] = newest;
  if (first === undefined || newest.length < 2) return 0;
  return ((newest.length - 1) * HOUR_MS) / Math.max(1, toMs - first[1]);
}

const callsOf = (tool: string) =>
  `SELECT id FROM observe_series WHERE type = 'tool_call' AND agent = ? ${tool === '' ? '' : 'AND tool = ?'}`;

/** The newest that met the failure of the tool, or of the task; not all of them failed. */
async function sessionsThatMet(
  store: Store,
  { fromMs, toMs }: Window,
  { agent, tool, errorCode, failedMin }: SessionsAsked,
): Promise<Seen[]> {
  const code = tool === '' || errorCode === null ? [] : [errorCode];
  const rows = await store.all(
    `SELECT session, MAX(at_ms) AS at_ms FROM observe_events
     WHERE failed = 1 AND series IN (${callsOf(tool)}${code.map(() => ' AND error_code = ?').join('')})
       AND at_ms >= ? AND at_ms < ?
     GROUP BY session ORDER BY 2 DESC, session LIMIT ?`,
    [...(tool === '' ? [agent] : [agent, tool]), ...code, fromMs, toMs, MET_FOR_EACH * failedMin],
  );
  return ascending(new Map(rows.map((row) => [row['session'] as string, row['at_ms'] as number])));
}

/** With retries most that meet a failure come through. */
const MET_FOR_EACH = 10;

function ascending(latest: ReadonlyMap<string, number>): Seen[] {
  return [...latest].sort(([a, atA], [b, atB]) => atA - atB || (a < b ? -1 : 1));
}

async function failedOf(
  store: Store,
  { toMs }: Window,
  { seen, asked }: { readonly seen: readonly Seen[]; readonly asked: SessionsAsked },
): Promise<ReadonlySet<string>> {
  if (seen.length === 0) return new Set();
  const window = { fromMs: Math.min(...seen.map(([, atMs]) => atMs)), toMs };
  const ids = seen.map(([session]) => session);
  const read = await sessionEvents(store, ids, { window, limit: EVENTS_READ });
  const saysTasks = [...read.values()].some(hasFailedTask);
  const isFailed = saysTasks ? hasFailedTask : endsWithFailure;
  const isOfThese = ([, events]: readonly [string, SessionEvents]) =>
    isFailed(events) && endsBy(events, asked);
  return new Set([...read].filter(isOfThese).map(([session]) => session));
}

/** Whether the last call of the tool failed that way: then no further try mended it. */
function endsBy(
  { events }: SessionEvents,
  { tool, errorCode }: Pick<SessionsAsked, 'tool' | 'errorCode'>,
): boolean {
  if (tool === '' || errorCode === null) return true;
  const last = events.findLast((event) => event.kind === 'tool_call' && event.tool === tool);
  return last?.kind === 'tool_call' && !last.success && (last.errorCode ?? '') === errorCode;
}

function hasFailedTask({ events }: SessionEvents): boolean {
  return events.some(({ kind }) => kind === 'task_failure');
}

function endsWithFailure({ events }: SessionEvents): boolean {
  const last = events.findLast(({ kind }) => kind === 'tool_call');
  return last?.kind === 'tool_call' && !last.success;
}
