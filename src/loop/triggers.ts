/**
 * What begins a cycle between the scheduled ones: a limit that telemetry passes, a recurring failure that no cycle has
 * examined for a while, a person's request, and Hone's own state. Each puts itself into the queue
 * (`trigger-store.ts`); the next cycle, whoever begins it, takes everything that waits.
 */
import { diagnose, listPatterns } from '../diagnose/index.ts';
import { ownHealth } from '../health/index.ts';
import { Thresholds, type Urgency } from '../observe/index.ts';
import { diagnosePorts } from './adapters/diagnose.ts';
import { listCycles } from './cycle-store.ts';
import { judgeTelemetry } from './gates.ts';
import type { Moment } from './moment.ts';
import { queueTrigger } from './trigger-store.ts';
import type { LoopPorts } from './types.ts';

/** With four automatic cycles a day: one look at the same thing every six hours. */
const LOOK_AGAIN_MS = 6 * 3_600_000;

/** Queues the limits of these urgencies that are passed now. */
export async function queueThresholds(
  moment: Moment,
  { telemetry }: Pick<LoopPorts, 'telemetry'>,
  urgencies: readonly Urgency[],
): Promise<void> {
  const { nowMs, config, store } = moment;
  const triggers = config.observe.triggers.filter(({ urgency }) => urgencies.includes(urgency));
  if (triggers.length === 0) return;
  const thresholds = new Thresholds(telemetry, moment.telemetry);
  for (const { name, urgency, detail } of await thresholds.passed(triggers, nowMs)) {
    const asked = { key: `threshold:${name}`, kind: 'threshold', urgency, detail } as const;
    await queueTrigger(store, asked, { nowMs, againAfterMs: LOOK_AGAIN_MS });
  }
}

/** It uses the cycle's own diagnosis, on the counts alone. */
export async function queuePatterns(moment: Moment): Promise<void> {
  const { nowMs, config, store } = moment;
  const window = { fromMs: nowMs - config.diagnose.window, toMs: nowMs };
  const { ids } = await diagnose(window, 'counts', diagnosePorts(moment));
  if (ids.length === 0) return;
  const seen = new Map((await listPatterns(store)).map(({ id, foundAtMs }) => [id, foundAtMs]));
  const fresh = ids.filter((id) => (seen.get(id) ?? 0) <= nowMs - LOOK_AGAIN_MS).length;
  if (fresh === 0) return;
  const detail =
    fresh === 1
      ? 'A failure recurs that no cycle has examined lately.'
      : `${fresh} failures recur that no cycle has examined lately.`;
  const asked = { key: 'pattern', kind: 'pattern', urgency: 'normal', detail } as const;
  // Which failures were examined is known by themselves: a new one does not wait for another's pause.
  await queueTrigger(store, asked, { nowMs, againAfterMs: 0 });
}

/** M1: if no cycle ran for a day, the schedules do not work as they should. Nothing else of Hone's state asks for one. */
export async function queueMeta({ store, nowMs }: Moment): Promise<void> {
  const [last] = await listCycles(store, 1);
  const figures = { nowMs, lastCycleMs: last?.startedAtMs ?? null, queue: 0, cycleActiveMs: [] };
  const m1 = ownHealth(figures).find(({ id }) => id === 'M1')!;
  if (m1.state !== 'error') return;
  const detail = `Hone checks itself: ${m1.text}, and there should be one every day.`;
  const asked = { key: 'meta:M1', kind: 'meta', urgency: 'normal', detail } as const;
  await queueTrigger(store, asked, { nowMs, againAfterMs: LOOK_AGAIN_MS });
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
