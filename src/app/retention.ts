/** How long telemetry is kept: what would go now, or what went. */
import { isoTime } from '../base/index.ts';
import { formatDuration } from '../config/index.ts';
import type { RetentionAnswer } from '../contracts/retention.ts';
import { dryRetention, runRetention } from '../loop/index.ts';
import { scheduleStates } from '../schedule/index.ts';
import { type AppContext, type Opened, withLoop } from './context.ts';

const NEVER = new AbortController().signal;

/** `run`: deletes it now, as the schedule does. */
export function retention(
  context: AppContext,
  { run }: { readonly run: boolean },
): Promise<RetentionAnswer> {
  return withLoop(context, {}, async (opened, { ports }) => {
    const rows = run
      ? { ...(await runRetention(ports, NEVER)), named: null }
      : await dryRetention(ports);
    const { events, counts } = opened.config.observe.retention;
    return {
      keep: { events: formatDuration(events), counts: formatDuration(counts) },
      deleted: run,
      ...rows,
      ...(await runsOf(opened)),
    };
  });
}

async function runsOf({
  store,
  config,
}: Opened): Promise<{ nextAt: string; lastAt: string | null }> {
  const { cron, timezone: timeZone } = config.schedules.retention;
  const [state] = await scheduleStates([{ name: 'retention', cron, timeZone }], store);
  const { nextDueMs, lastDueMs } = state!;
  return { nextAt: isoTime(nextDueMs), lastAt: lastDueMs === null ? null : isoTime(lastDueMs) };
}
