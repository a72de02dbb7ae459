/**
 * What runs at set times, each as `schedules` in the configuration says: when, for how long at most, and who is
 * notified of what. Cycles are only begun here; the loop takes their steps.
 */
import type { Severity, StepKind } from '../facts/index.ts';
import { channelsOf, pendingBatch, scheduleNotices } from '../notify/index.ts';
import { Tasks } from '../process/index.ts';
import type { RunResult, Schedule } from '../schedule/index.ts';
import type { Loop } from './loop.ts';
import { reminders } from './reminders.ts';
import { runRetention } from './retention.ts';
import type { HoneConfig } from './sections.ts';
import { escalationNotice } from './task-notices.ts';
import type { LoopPorts } from './types.ts';

export type ScheduleName = keyof HoneConfig['schedules'];

/** A cycle takes seconds to minutes; then this one can start. */
const CYCLE_RUNS_MS = 60_000;
/** A nightly cycle finds what recurs in a day; a weekly one finds what recurs more rarely. */
const SCAN_WINDOW_MS = 7 * 86_400_000;

/** Which news wait for which schedule. */
export const TOLD_BY = { highNotices: ['high'], digest: ['low', 'medium'] } as const;

/** What schedules work on. */
export interface Scheduled {
  readonly loop: Loop;
  readonly ports: LoopPorts;
}

interface Work {
  /** Asked of the kill switch. */
  readonly step: StepKind;
  readonly run: (open: Scheduled, given: Given) => Promise<RunResult | undefined>;
}

interface Given {
  readonly signal: AbortSignal;
  readonly name: ScheduleName;
  readonly dueAtMs: number;
}

const WORK: Readonly<Record<ScheduleName, Work>> = {
  telemetry: {
    step: 'observe',
    run: async ({ loop }, { signal }) => {
      await loop.collect(signal);
      return undefined;
    },
  },
  retention: {
    step: 'observe',
    run: async ({ ports }, { signal }) => {
      const { events, activeMinutes, counts } = await runRetention(ports, signal);
      return events + activeMinutes + counts === 0 ? NOTHING : undefined;
    },
  },
  selfEvaluation: { step: 'diagnose', run: (open, given) => beginCycle(open, given) },
  // Never stopped: it also reminds people of a harmful change that could not be taken back.
  criticalNotices: { step: 'monitor', run: (open) => remind(open) },
  highNotices: { step: 'notify', run: (open, given) => tell(open, given, TOLD_BY.highNotices) },
  digest: { step: 'notify', run: (open, given) => tell(open, given, TOLD_BY.digest) },
  stalledTasks: { step: 'notify', run: (open) => askAboutStalled(open) },
  enhancementScan: {
    step: 'diagnose',
    run: (open, given) => beginCycle(open, given, SCAN_WINDOW_MS),
  },
};

export function loopSchedules(open: Scheduled): Schedule[] {
  const { config } = open.ports;
  return configuredSchedules(config).map(({ name, ...when }) => {
    const { step, run } = WORK[name];
    const rules = config.schedules[name].notify;
    return {
      name,
      ...when,
      step,
      run: (signal, dueAtMs) => run(open, { signal, name, dueAtMs }),
      notices: (finished) =>
        scheduleNotices(finished, { rules, step, channels: channelsOf(config.notify) }),
    };
  });
}

/** When they run, without what they do. */
function configuredSchedules({ schedules }: HoneConfig) {
  return (Object.keys(schedules) as ScheduleName[]).map((name) => {
    const { cron, timezone, timeout } = schedules[name];
    return { name, cron, timeZone: timezone, timeoutMs: timeout };
  });
}

async function beginCycle(
  { loop }: Scheduled,
  { name }: Given,
  windowMs?: number,
): Promise<RunResult | undefined> {
  const options = { schedule: name, ...(windowMs === undefined ? {} : { windowMs }) };
  const started = await loop.startCycle('periodic', options);
  if (started.started) return undefined;
  if (started.limited === true) return { outcome: 'skipped', why: started.why };
  return { outcome: 'postponed', againInMs: CYCLE_RUNS_MS };
}

async function tell(
  { ports }: Scheduled,
  { name, dueAtMs }: Given,
  severities: readonly Severity[],
): Promise<RunResult> {
  const channels = channelsOf(ports.config.notify);
  const batch = await pendingBatch(ports.store, { severities, schedule: name, dueAtMs, channels });
  return batch === undefined ? NOTHING : { outcome: 'done', parts: batch };
}

async function remind({ ports }: Scheduled): Promise<RunResult> {
  const { store, killSwitch, config } = ports;
  const [nowMs, allowed] = [await store.nowMs(), await killSwitch.allowedSteps()];
  const effects = await reminders(store, { nowMs, allowed, channels: channelsOf(config.notify) });
  return effects.length === 0 ? NOTHING : { outcome: 'done', parts: { effects } };
}

async function askAboutStalled({ ports }: Scheduled): Promise<RunResult | undefined> {
  const { store, newId, config } = ports;
  const tasks = new Tasks({ store, newId, settings: config.process });
  const channels = channelsOf(config.notify);
  const asked = await tasks.escalateStalled((task, why) => ({
    effects: escalationNotice(task, why, channels),
  }));
  return asked === 0 ? NOTHING : undefined;
}

const NOTHING: RunResult = { outcome: 'done', quiet: true };
