/**
 * Work at set times: cron expressions with a time zone. Rooms register theirs as data.
 *
 * A run that is due is done once under a lease, so two never overlap, on any machine. Times that
 * passed while nothing ran are caught up by one run, and counted. The next time is committed with the
 * run's outcome; a process that dies in between leaves the time as it was, and the run is done again.
 */
import { Cron } from 'croner';
import { type Clock, errorMessage, isoTime, withTimeout } from '../base/index.ts';
import { type EffectDraft, type StepKind, SYSTEM } from '../facts/index.ts';
import type { Lease, Leases } from '../lease/index.ts';
import type { Store } from '../store/index.ts';

const TABLE = 'schedule_schedules';
/** Enough to say "many": a schedule of every minute, off for a week, missed ten thousand. */
const MISSED_MAX = 1000;
const LEASE_SLACK_MS = 30_000;

export interface Schedule {
  readonly name: string;
  readonly cron: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  readonly timeoutMs: number;
  /** Checked against the kill switch before each run. */
  readonly step: StepKind;
  run(signal: AbortSignal): Promise<void>;
  /** Who is told what about a run: effects that commit with its outcome. */
  notices?(run: FinishedRun): readonly EffectDraft[];
}

export interface FinishedRun {
  readonly name: string;
  readonly dueAtMs: number;
  readonly outcome: RunOutcome;
  /** How many more times had passed while nothing ran. */
  readonly missed: number;
  readonly error: string | null;
}

export type RunOutcome = 'done' | 'failed' | 'timed_out';

export interface SchedulePorts {
  readonly store: Store;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly holder: string;
  readonly allowedSteps: () => Promise<readonly StepKind[]>;
}

export type ScheduleRun =
  | {
      readonly ran: false;
      readonly why: 'not_due' | 'stopped' | 'running';
      readonly dueAtMs: number;
    }
  | { readonly ran: true; readonly outcome: RunOutcome; readonly missed: number };

export interface ScheduleState {
  readonly name: string;
  readonly nextDueMs: number;
  readonly lastDueMs: number | null;
  readonly lastOutcome: string | null;
  readonly lastFinishedMs: number | null;
}

/** The first time after `afterMs`. */
export function nextTime(schedule: Pick<Schedule, 'cron' | 'timeZone'>, afterMs: number): number {
  const next = new Cron(schedule.cron, { timezone: schedule.timeZone }).nextRun(new Date(afterMs));
  return next === null ? Number.MAX_SAFE_INTEGER : next.getTime();
}

/** Runs it if it is due. */
export async function runIfDue(schedule: Schedule, ports: SchedulePorts): Promise<ScheduleRun> {
  const dueAtMs = await dueTime(schedule, ports.store);
  if (dueAtMs > (await ports.store.nowMs())) return { ran: false, why: 'not_due', dueAtMs };
  if (!(await ports.allowedSteps()).includes(schedule.step)) {
    return { ran: false, why: 'stopped', dueAtMs };
  }
  const leaseMs = schedule.timeoutMs + LEASE_SLACK_MS;
  const got = await ports.leases.acquire(`schedule/${schedule.name}`, ports.holder, leaseMs);
  if (!got.acquired) return { ran: false, why: 'running', dueAtMs };
  try {
    // Read again: who held the lease before us may have done this run.
    const stillDueMs = await dueTime(schedule, ports.store);
    if (stillDueMs !== dueAtMs) return { ran: false, why: 'not_due', dueAtMs: stillDueMs };
    return await runUnder(got.lease, schedule, dueAtMs, ports);
  } finally {
    await ports.leases.release(got.lease);
  }
}

async function runUnder(
  lease: Lease,
  schedule: Schedule,
  dueAtMs: number,
  ports: SchedulePorts,
): Promise<ScheduleRun> {
  const missed = missedTimes(schedule, dueAtMs, await ports.store.nowMs());
  const { outcome, error } = await runOnce(schedule, ports.clock);
  const finishedMs = await ports.store.nowMs();
  const result = await ports.store.commit({
    expect: [lease.fence],
    writes: [
      {
        update: TABLE,
        where: { name: schedule.name },
        set: {
          next_due_ms: nextTime(schedule, finishedMs),
          last_due_ms: dueAtMs,
          last_outcome: outcome,
          last_finished_ms: finishedMs,
        },
      },
    ],
    effects: schedule.notices?.({ name: schedule.name, dueAtMs, outcome, missed, error }) ?? [],
    entries: [
      {
        type: 'schedule.ran',
        actor: SYSTEM,
        subject: `schedule:${schedule.name}`,
        data: {
          schedule: schedule.name,
          dueAt: isoTime(dueAtMs),
          outcome,
          missed,
          step: schedule.step,
          error,
        },
      },
    ],
  });
  // Refused: it slept through its lease, and this run is somebody else's to record.
  return result.committed
    ? { ran: true, outcome, missed }
    : { ran: false, why: 'running', dueAtMs };
}

async function runOnce(
  schedule: Schedule,
  clock: Clock,
): Promise<{ outcome: RunOutcome; error: string | null }> {
  let timedOut = false;
  try {
    await withTimeout(clock, schedule.timeoutMs, async (signal) => {
      const overdue = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          timedOut = true;
          reject(signal.reason);
        });
      });
      await Promise.race([schedule.run(signal), overdue]);
    });
    return { outcome: 'done', error: null };
  } catch (error) {
    const text = errorMessage(error).slice(0, 1000).toWellFormed();
    return { outcome: timedOut ? 'timed_out' : 'failed', error: text };
  }
}

/** How many times besides the due one passed while nothing ran. */
function missedTimes(schedule: Schedule, dueAtMs: number, nowMs: number): number {
  let missed = 0;
  for (let at = nextTime(schedule, dueAtMs); at <= nowMs && missed < MISSED_MAX; missed++) {
    at = nextTime(schedule, at);
  }
  return missed;
}

/** When it is due. A schedule that is new, or whose expression changed, starts from now. */
async function dueTime(schedule: Schedule, store: Store): Promise<number> {
  const { name } = schedule;
  const cron = `${schedule.cron} ${schedule.timeZone}`;
  for (;;) {
    const [row] = await store.all(`SELECT next_due_ms, cron FROM ${TABLE} WHERE name = ?`, [name]);
    if (row?.['cron'] === cron) return row['next_due_ms'] as number;
    const set = { next_due_ms: nextTime(schedule, await store.nowMs()), cron };
    // Refused: another runner was first, and may already have run it. Read what it wrote.
    await store.commit(
      row === undefined
        ? {
            expect: [{ table: TABLE, where: { name }, exists: false }],
            writes: [{ insert: TABLE, row: { name, ...set } }],
          }
        : {
            expect: [{ table: TABLE, where: { name, cron: row['cron']! } }],
            writes: [{ update: TABLE, where: { name }, set }],
          },
    );
  }
}

export async function listSchedules(store: Store): Promise<ScheduleState[]> {
  const rows = await store.all(
    `SELECT name, next_due_ms, last_due_ms, last_outcome, last_finished_ms FROM ${TABLE} ORDER BY name`,
  );
  return rows.map((row) => ({
    name: row['name'] as string,
    nextDueMs: row['next_due_ms'] as number,
    lastDueMs: row['last_due_ms'] as number | null,
    lastOutcome: row['last_outcome'] as string | null,
    lastFinishedMs: row['last_finished_ms'] as number | null,
  }));
}
