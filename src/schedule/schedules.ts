/**
 * Work at set times: cron expressions with a time zone. Rooms register theirs as data.
 *
 *   due ──► running, under a lease ──┬─ done, failed, timed_out, skipped: recorded ─► its next time
 *                                    └─ postponed: nothing recorded ─► a little later
 *
 * A run that is due is done once under a lease, so two never overlap, on any machine. Times that
 * passed while nothing ran are caught up by one run, and counted. The next time is committed with the
 * run's outcome; a process that dies in between leaves the time as it was, and the run is done again.
 * The clock may jump either way: a next time that a clock ahead has left is brought back.
 */
import { Cron } from 'croner';
import { type CleanText, type Clock, errorMessage, withTimeout } from '../base/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { type Lease, releaseWrite } from '../lease/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Row, Store, Write } from '../store/index.ts';
import { listSchedules, TABLE } from './schedule-view.ts';
import type {
  RunOutcome,
  RunParts,
  RunResult,
  Schedule,
  SchedulePorts,
  ScheduleRun,
  ScheduleState,
} from './types.ts';

/** Enough to say "many": a schedule of every minute, off for a week, missed ten thousand. */
const MISSED_MAX = 1000;
const LEASE_SLACK_MS = 30_000;

interface Expression {
  readonly cron: Cron;
  /** No time lies between these two. */
  fromMs: number;
  nextMs: number;
}

/**
 * Read once: a few dozen expressions at most are configured, and reading one takes longer than using it. The
 * answer is kept too: it is asked for every second, and stays the same until that time comes.
 */
const expressions = new Map<string, Expression>();
const EXPRESSIONS_MAX = 100;

type Schedulable = Pick<Schedule, 'cron' | 'timeZone'>;

/** The first time after `afterMs`. */
export function nextTime(schedule: Schedulable, afterMs: number): number {
  const text = cronOf(schedule);
  let expression = expressions.get(text);
  if (expression === undefined) {
    const cron = new Cron(schedule.cron, { timezone: schedule.timeZone });
    expression = { cron, fromMs: 0, nextMs: 0 };
    if (expressions.size < EXPRESSIONS_MAX) expressions.set(text, expression);
  }
  if (afterMs < expression.fromMs || afterMs >= expression.nextMs) {
    const next = expression.cron.nextRun(new Date(afterMs));
    expression.fromMs = afterMs;
    expression.nextMs = next?.getTime() ?? Number.MAX_SAFE_INTEGER;
  }
  return expression.nextMs;
}

/** Runs it if it is due. */
export async function runIfDue(schedule: Schedule, ports: SchedulePorts): Promise<ScheduleRun> {
  const { dueAtMs, nowMs } = await dueTime(schedule, ports.store);
  if (dueAtMs > nowMs) return { ran: false, why: 'not_due', dueAtMs };
  if (!(await ports.allowedSteps()).includes(schedule.step)) {
    return { ran: false, why: 'stopped', dueAtMs };
  }
  const leaseMs = schedule.timeoutMs + LEASE_SLACK_MS;
  const got = await ports.leases.acquire(`schedule/${schedule.name}`, ports.holder, leaseMs);
  if (!got.acquired) return { ran: false, why: 'running', dueAtMs };
  let run: ScheduleRun | undefined;
  try {
    // Read again: who held the lease before us may have done this run.
    const again = await dueTime(schedule, ports.store);
    if (again.dueAtMs !== dueAtMs) return { ran: false, why: 'not_due', dueAtMs: again.dueAtMs };
    run = await runUnder(got.lease, schedule, dueAtMs, ports);
    return run;
  } finally {
    // A run that was recorded gave it back in the same commit.
    if (run?.ran !== true) await ports.leases.release(got.lease);
  }
}

async function runUnder(
  lease: Lease,
  schedule: Schedule,
  dueAtMs: number,
  ports: SchedulePorts,
): Promise<ScheduleRun> {
  const { name, step } = schedule;
  const startedMs = await ports.store.nowMs();
  const missed = missedTimes(schedule, dueAtMs, startedMs);
  const ended = await runOnce(schedule, dueAtMs, ports.clock);
  const nowMs = await ports.store.nowMs();
  const move = (set: Row): Write => ({ update: TABLE, where: { name }, set });
  if (ended.outcome === 'postponed') {
    const nextMs = Math.min(nowMs + ended.againInMs, nextTime(schedule, nowMs));
    await ports.store.commit({ expect: [lease.fence], writes: [move({ next_due_ms: nextMs })] });
    return { ran: false, why: 'postponed', dueAtMs: nextMs };
  }
  const { outcome, error, parts = {} } = ended;
  const run = { name, dueAtMs, outcome, missed, lateMs: startedMs - dueAtMs, error };
  const set = {
    next_due_ms: nextTime(schedule, nowMs),
    last_due_ms: dueAtMs,
    last_outcome: outcome,
    last_finished_ms: nowMs,
  };
  const data = { schedule: name, dueAtMs, outcome, missed, step, error };
  const entry = { type: 'schedule.ran', actor: SYSTEM, subject: `schedule:${name}`, data } as const;
  const result = await ports.store.commit({
    expect: [lease.fence],
    writes: [move(set), ...(parts.writes ?? []), releaseWrite(lease)],
    effects: [...(parts.effects ?? []), ...(schedule.notices?.(run) ?? [])],
    entries: [...(parts.entries ?? []), ...(ended.quiet && missed === 0 ? [] : [entry])],
  });
  // Refused: it slept through its lease, and this run is somebody else's to record.
  return result.committed
    ? { ran: true, outcome, missed }
    : { ran: false, why: 'running', dueAtMs };
}

type Ended =
  | { readonly outcome: 'postponed'; readonly againInMs: number }
  | {
      readonly outcome: RunOutcome;
      readonly error: CleanText | null;
      readonly parts?: RunParts;
      readonly quiet: boolean;
    };

async function runOnce(schedule: Schedule, dueAtMs: number, clock: Clock): Promise<Ended> {
  let timedOut = false;
  try {
    const result = await withTimeout(clock, schedule.timeoutMs, async (signal) => {
      const overdue = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          timedOut = true;
          reject(signal.reason);
        });
      });
      return await Promise.race([schedule.run(signal, dueAtMs), overdue]);
    });
    return endOf(result);
  } catch (error) {
    const outcome = timedOut ? 'timed_out' : 'failed';
    return { outcome, error: recordedText(errorMessage(error)), quiet: false };
  }
}

function endOf(result: RunResult | undefined): Ended {
  if (result?.outcome === 'postponed') return result;
  if (result?.outcome === 'skipped') {
    return { outcome: 'skipped', error: recordedText(result.why), quiet: false };
  }
  const { parts, quiet = false } = result ?? {};
  return { outcome: 'done', error: null, quiet, ...(parts === undefined ? {} : { parts }) };
}

function cronOf({ cron, timeZone }: Schedulable): string {
  return `${cron} ${timeZone}`;
}

/** How many times besides the due one passed while nothing ran. */
function missedTimes(schedule: Schedule, dueAtMs: number, nowMs: number): number {
  let missed = 0;
  for (let at = nextTime(schedule, dueAtMs); at <= nowMs && missed < MISSED_MAX; missed++) {
    at = nextTime(schedule, at);
  }
  return missed;
}

/** What is kept of a schedule's times. */
interface Kept {
  readonly nextDueMs: number;
  readonly lastDueMs: number | null;
}

/**
 * The time that is kept; or, where that is later than the one that follows from now, this one: the clock was
 * ahead when it was written, and nothing waits for that time to come. What was just done does not follow
 * again when the clock is set back by a moment.
 */
function dueFrom(schedule: Schedulable, { nextDueMs, lastDueMs }: Kept, nowMs: number): number {
  if (nextDueMs <= nowMs) return nextDueMs;
  const following = nextTime(schedule, nowMs);
  const undone = following === lastDueMs ? nextTime(schedule, following) : following;
  return Math.min(nextDueMs, undone);
}

function keptOf(row: Row): Kept {
  return {
    nextDueMs: row['next_due_ms'] as number,
    lastDueMs: row['last_due_ms'] as number | null,
  };
}

/** When it is due. A schedule that is new, or whose expression changed, starts from now. */
async function dueTime(
  schedule: Schedule,
  store: Store,
): Promise<{ readonly dueAtMs: number; readonly nowMs: number }> {
  const { name } = schedule;
  const cron = cronOf(schedule);
  for (;;) {
    const [row] = await store.all(
      `SELECT next_due_ms, last_due_ms, cron FROM ${TABLE} WHERE name = ?`,
      [name],
    );
    // After the row: a time that another runner wrote just now would look like that of a clock ahead.
    const nowMs = await store.nowMs();
    const kept = row?.['cron'] === cron ? keptOf(row) : undefined;
    const dueAtMs = kept === undefined ? nextTime(schedule, nowMs) : dueFrom(schedule, kept, nowMs);
    if (dueAtMs === kept?.nextDueMs) return { dueAtMs, nowMs };
    const set = { next_due_ms: dueAtMs, cron };
    // Refused: another runner was first, and may already have run it. Read what it wrote.
    await store.commit(
      row === undefined
        ? {
            expect: [{ table: TABLE, where: { name }, exists: false }],
            writes: [{ insert: TABLE, row: { name, ...set } }],
          }
        : {
            expect: [{ table: TABLE, where: { ...row, name } }],
            writes: [{ update: TABLE, where: { name }, set }],
          },
    );
  }
}

/** Those that are configured, in that order, also before their first run. */
export async function scheduleStates(
  configured: readonly Pick<Schedule, 'name' | 'cron' | 'timeZone'>[],
  store: Store,
): Promise<ScheduleState[]> {
  const nowMs = await store.nowMs();
  const known = new Map((await listSchedules(store)).map((one) => [one.name, one]));
  return configured.map((schedule) => {
    const { name } = schedule;
    const state = known.get(name);
    const nextDueMs =
      state?.cron === cronOf(schedule)
        ? dueFrom(schedule, state, nowMs)
        : nextTime(schedule, nowMs);
    const last = { lastDueMs: null, lastOutcome: null, lastFinishedMs: null };
    return { ...last, ...state, name, cron: cronOf(schedule), nextDueMs };
  });
}
