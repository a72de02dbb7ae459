/** How schedules went. Reads rows only, without what understands cron expressions: `hone status` is quick. */
import type { Store } from '../store/index.ts';
import type { ScheduleState } from './types.ts';

export const TABLE = 'schedule_schedules';

/** Those that a runner has seen. */
export async function listSchedules(store: Store): Promise<ScheduleState[]> {
  const rows = await store.all(
    `SELECT name, cron, next_due_ms, last_due_ms, last_outcome, last_finished_ms FROM ${TABLE} ORDER BY name`,
  );
  return rows.map((row) => ({
    name: row['name'] as string,
    cron: row['cron'] as string,
    nextDueMs: row['next_due_ms'] as number,
    lastDueMs: row['last_due_ms'] as number | null,
    lastOutcome: row['last_outcome'] as string | null,
    lastFinishedMs: row['last_finished_ms'] as number | null,
  }));
}

/** The one of the given names whose last run went wrong, the newest of them; undefined when none did. */
export async function lastFailed(
  names: readonly string[],
  store: Store,
): Promise<ScheduleState | undefined> {
  const failed = (await listSchedules(store)).filter(
    ({ name, lastOutcome }) =>
      names.includes(name) && (lastOutcome === 'failed' || lastOutcome === 'timed_out'),
  );
  return failed.sort((one, other) => other.lastFinishedMs! - one.lastFinishedMs!)[0];
}
