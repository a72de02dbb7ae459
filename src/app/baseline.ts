/** The fleet's baseline, from the telemetry of the last two weeks. */
import { type Baseline, judgeBaseline } from '../health/at-start.ts';
import type { HoneConfig } from '../loop/index.ts';
import { fleetHours } from '../observe/at-start.ts';
import type { Store } from '../store/index.ts';

const DAY_MS = 86_400_000;
const LOOK_BACK_MS = 15 * DAY_MS;

export async function fleetBaseline(
  telemetry: Store,
  { approve, monitor }: Pick<HoneConfig, 'approve' | 'monitor'>,
): Promise<Baseline> {
  const nowMs = await telemetry.nowMs();
  const hours = await fleetHours(telemetry, { fromMs: nowMs - LOOK_BACK_MS, toMs: nowMs });
  return judgeBaseline(hours, {
    nowMs,
    days: Math.round(approve.baseline / DAY_MS),
    // What the watch of a change goes by.
    callsMin: monitor.minEvents,
    tolerance: monitor.errorRate,
  });
}
