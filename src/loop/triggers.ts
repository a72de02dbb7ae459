/**
 * What begins a cycle between the scheduled ones: a recurring failure that no cycle has examined for a while.
 * It uses the cycle's own diagnosis, on the counts alone.
 */
import { diagnose, listPatterns } from '../diagnose/index.ts';
import { diagnosePorts } from './adapters/diagnose.ts';
import { judgeTelemetry } from './gates.ts';
import type { Moment } from './moment.ts';

/** With four automatic cycles a day: one look at the same failure every six hours. */
const LOOK_AGAIN_MS = 6 * 3_600_000;

/** Whether a recurring failure waits to be examined. */
export async function hasNewPattern(moment: Moment): Promise<boolean> {
  const { nowMs, config, store } = moment;
  const window = { fromMs: nowMs - config.diagnose.window, toMs: nowMs };
  const { ids } = await diagnose(window, 'counts', diagnosePorts(moment));
  if (ids.length === 0) return false;
  const seen = new Map((await listPatterns(store)).map(({ id, foundAtMs }) => [id, foundAtMs]));
  return ids.some((id) => (seen.get(id) ?? 0) <= nowMs - LOOK_AGAIN_MS);
}

/**
 * Why a cycle would not act on the telemetry. Asked before one begins: it would find nothing, leave the
 * failure unexamined, and so begin again until the daily limit is reached.
 */
export async function unfitTelemetry(moment: Moment): Promise<string | undefined> {
  const { nowMs, config } = moment;
  const window = { fromMs: nowMs - config.diagnose.window, toMs: nowMs };
  const fit = await judgeTelemetry(moment, window);
  return 'refused' in fit ? fit.refused : undefined;
}
