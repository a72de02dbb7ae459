/** The workers that run beside the routes of `hone up`. */

import { clockDoubts, clockWords } from '../app/clock-doubts.ts';
import type { Opened } from '../app/context.ts';
import { ledgerKey } from '../app/ledger-key.ts';
import { CLOCK_SLACK_MS, type Clock, isoTime, type Log } from '../base/index.ts';
import { UNSTOPPABLE_STEPS } from '../facts/index.ts';
import { hasKey } from '../home/index.ts';
import type { Worker } from '../http/index.ts';
import { Leases } from '../lease/index.ts';
import { makeCheckpoint } from '../ledger/index.ts';
import { runIfDue, type Schedule } from '../schedule/index.ts';
import { placePending } from './place-pending.ts';

/** PostgreSQL's entries get their place within a second. */
const PLACE_MS = 250;
const SCHEDULE_POLL_MS = 1_000;
const CLOCK_LOOK_MS = 60_000;
const PROBE_MS = 86_400_000;

export interface WorkerPorts {
  readonly opened: Opened;
  readonly clock: Clock;
  readonly log: Log;
  /** Unique to this process; shown as the holder of its leases. */
  readonly holder: string;
  readonly schedules: readonly Schedule[];
}

export function foundationWorkers(ports: WorkerPorts): Worker[] {
  const { store } = ports.opened;
  return [
    ...(store.engine === 'postgres' ? [sequencer(ports)] : []),
    checkpointer(ports),
    clockWatcher(ports),
    ...schedulers(ports),
  ];
}

function sequencer({ opened, holder }: WorkerPorts): Worker {
  const { ttl } = opened.config.lease;
  return {
    name: 'sequencer',
    run: async (signal) => {
      // Another process that does it may be a command that ends before the next entry: we look again just as soon.
      await placePending(opened.store, holder, ttl, signal);
      return { againInMs: PLACE_MS };
    },
  };
}

function checkpointer({ opened, log }: WorkerPorts): Worker {
  return {
    name: 'checkpointer',
    run: async () => {
      // A machine without the key leaves the signing to the one that has it.
      if (!hasKey(opened.home)) return { againInMs: opened.config.ledger.checkpointInterval };
      const key = await ledgerKey(opened.store, opened.home);
      const { size, isNew } = await makeCheckpoint(opened.store, key, opened.witness);
      if (isNew) log.info('checkpoint signed', { size });
      return { againInMs: opened.config.ledger.checkpointInterval };
    },
  };
}

/** Each new doubt is logged; a jump even if nothing was recorded around it. */
function clockWatcher({ opened, clock, log }: WorkerPorts): Worker {
  let told: ReadonlySet<string> = new Set();
  let before = { nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
  return {
    name: 'clock',
    run: async () => {
      const now = { nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
      const expectedMs = before.nowMs + now.monotonicMs - before.monotonicMs;
      before = now;
      if (Math.abs(now.nowMs - expectedMs) > CLOCK_SLACK_MS) {
        log.warn('the clock jumped', { from: isoTime(expectedMs), to: isoTime(now.nowMs) });
      }
      const doubts = await clockDoubts(opened.store, clock);
      for (const doubt of doubts)
        if (!told.has(`${doubt.kind}/${doubt.entry}`))
          log.warn('the clock is in doubt', { why: clockWords(doubt) });
      told = new Set(doubts.map(({ kind, entry }) => `${kind}/${entry}`));
      return { againInMs: CLOCK_LOOK_MS };
    },
  };
}

/** At the start, and every day. Settings are files of this machine, so that each process looks at its own. */
export function hookProber(probe: () => Promise<number>, log: Log): Worker {
  return {
    name: 'hook-prober',
    run: async () => {
      const tried = await probe();
      if (tried > 0) log.info('hooks of coding agents tried', { tried });
      return { againInMs: PROBE_MS };
    },
  };
}

/** Separate: a backlog of telemetry must not delay the reminder of harm. */
function schedulers(ports: WorkerPorts): Worker[] {
  const isWatching = ({ step }: Schedule) => UNSTOPPABLE_STEPS.includes(step);
  const { schedules } = ports;
  const parts = [
    { name: 'scheduler', schedules: schedules.filter((one) => !isWatching(one)) },
    { name: 'watch-scheduler', schedules: schedules.filter(isWatching) },
  ];
  return parts
    .filter((part) => part.schedules.length > 0)
    .map((part) => scheduler({ ...ports, schedules: part.schedules }, part.name));
}

function scheduler(ports: WorkerPorts, name: string): Worker {
  const { opened, clock, holder, log } = ports;
  const leases = new Leases(opened.store);
  const allowedSteps = () => opened.killSwitch.allowedSteps();
  return {
    name,
    run: async (signal) => {
      for (const schedule of ports.schedules) {
        if (signal.aborted) break;
        const run = await runIfDue(schedule, {
          store: opened.store,
          leases,
          clock,
          holder,
          allowedSteps,
        });
        if (run.ran) {
          log.info('schedule ran', {
            schedule: schedule.name,
            outcome: run.outcome,
            at: isoTime(clock.nowMs()),
          });
        }
      }
      return { againInMs: SCHEDULE_POLL_MS };
    },
  };
}
