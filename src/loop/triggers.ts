/**
 * What begins a cycle between the scheduled ones: a failure that recurs and that no cycle has looked at
 * for a while. It asks the cycle's own diagnosis, for the counts alone.
 */
import { diagnose, listPatterns } from '../diagnose/index.ts';
import { diagnosePorts } from './adapters/diagnose.ts';
import { judgeTelemetry } from './gates.ts';
import type { Moment } from './moment.ts';

/** With four cycles a day that begin by themselves: one look at the same failure in a quarter of a day. */
const LOOK_AGAIN_MS = 6 * 3_600_000;

/** Whether a failure recurs that waits to be looked at. */
export async function hasNewPattern(moment: Moment): Promise<boolean> {
  const { nowMs, config, store } = moment;
  const window = { fromMs: nowMs - config.diagnose.window, toMs: nowMs };
  const { ids } = await diagnose(window, 'counts', diagnosePorts(moment));
  if (ids.length === 0) return false;
  const seen = new Map((await listPatterns(store)).map(({ id, foundAtMs }) => [id, foundAtMs]));
  return ids.some((id) => (seen.get(id) ?? 0) <= nowMs - LOOK_AGAIN_MS);
}

/**
 * Why a cycle would not act on what came in. Asked before one begins: it would find nothing, leave the
 * failure unlooked at, and so be begun again until the day's cycles are used up.
 */
export async function unfitTelemetry(moment: Moment): Promise<string | undefined> {
  const { nowMs, config } = moment;
  const window = { fromMs: nowMs - config.diagnose.window, toMs: nowMs };
  const fit = await judgeTelemetry(moment, window);
  return 'refused' in fit ? fit.refused : undefined;
}
