/**
 * What begins a cycle between the scheduled ones: a failure that recurs and that no cycle has looked at
 * for a while. It is the same diagnosis that the cycle makes, without the target's settings.
 */
import { diagnose, knownPatterns, listPatterns } from '../diagnose/index.ts';
import { judgeTelemetry } from './gates.ts';
import type { Rooms } from './rooms.ts';

/** With four cycles a day that begin by themselves: one look at the same failure in a quarter of a day. */
const LOOK_AGAIN_MS = 6 * 3_600_000;

/** The title of a pattern that waits to be looked at. */
export async function newPattern(rooms: Rooms): Promise<string | undefined> {
  const { nowMs, config, store, telemetry } = rooms;
  const window = { fromMs: nowMs - config.diagnose.window, toMs: nowMs };
  const { groups } = await telemetry.failures(window, config.diagnose.failureShare);
  if (groups.length === 0) return undefined;
  const limits = config.diagnose;
  const known = await knownPatterns(store);
  const { patterns } = diagnose({ window, groups, settings: [], commit: '', limits, known });
  if (patterns.length === 0) return undefined;
  const seen = new Map((await listPatterns(store)).map(({ id, foundAtMs }) => [id, foundAtMs]));
  return patterns.find(({ id }) => (seen.get(id) ?? 0) <= nowMs - LOOK_AGAIN_MS)?.title;
}

/**
 * Why a cycle would not act on what came in. Asked before one begins: it would find nothing, leave the
 * failure unlooked at, and so be begun again until the day's cycles are used up.
 */
export async function unfitTelemetry(rooms: Rooms): Promise<string | undefined> {
  const { nowMs, config } = rooms;
  const window = { fromMs: nowMs - config.diagnose.window, toMs: nowMs };
  const fit = await judgeTelemetry(rooms, window);
  return 'refused' in fit ? fit.refused : undefined;
}
