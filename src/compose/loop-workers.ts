/** What `hone up` does all the time: reads telemetry, takes the loop's steps, sends effects, starts cycles. */

import type { OpenLoop } from '../app/context.ts';
import type { Clock, Log } from '../base/index.ts';
import { LANES } from '../facts/index.ts';
import type { Worker } from '../http/index.ts';

/** The channel that announces new cycles and decisions (`src/loop`). */
const LOOP_CHANNEL = 'loop';
/** How long new work waits at most if it was not announced; a step that is due earlier runs earlier. */
const POLL_MS = 1_000;
const COLLECT_MS = 5_000;
/** How soon a failure that begins to recur is noticed between the scheduled cycles. */
export const TRIGGER_MS = 15 * 60_000;
/** How soon a limit is noticed whose trigger is urgent. */
export const URGENT_MS = 60_000;

export function loopWorkers(open: OpenLoop, ports: { clock: Clock; log: Log }): Worker[] {
  /** The notes of the last time; only new ones are logged. */
  let told: ReadonlySet<string> = new Set();
  return [
    {
      name: 'loop',
      wokenBy: LOOP_CHANNEL,
      run: async (signal) => {
        await open.loop.run(signal);
        const dueMs = (await open.loop.nextDueMs()) ?? Number.MAX_SAFE_INTEGER;
        const waitMs = dueMs - (await open.ports.store.nowMs());
        // What is due and was left is stopped, or held by another process: asking it again at once
        // would only keep the store busy.
        return { againInMs: waitMs <= 0 ? POLL_MS : Math.max(50, Math.min(POLL_MS, waitMs)) };
      },
    },
    {
      // Separate: a validation that takes hours must not delay a watch or a rollback.
      name: 'watch',
      wokenBy: LOOP_CHANNEL,
      run: async (signal) => {
        await open.loop.run(signal, 'watching');
        return { againInMs: POLL_MS };
      },
    },
    // Separate: a receiver that hangs must not delay a rollback, or the notice of one.
    ...LANES.map((lane) => ({
      name: `outbox ${lane}`,
      wokenBy: LOOP_CHANNEL,
      run: async () => {
        await open.deliver([lane]);
        return { againInMs: POLL_MS };
      },
    })),
    {
      name: 'collector',
      run: async (signal) => {
        const { events, aside, notes } = await open.loop.collect(signal);
        if (events + aside > 0) ports.log.info('events read', { events, aside });
        for (const note of notes) if (!told.has(note)) ports.log.warn('a source', { note });
        told = new Set(notes);
        return { againInMs: COLLECT_MS };
      },
    },
    {
      name: 'trigger',
      run: async (signal) => {
        if ((await open.ports.killSwitch.allowedSteps()).includes('diagnose')) {
          await open.loop.startIfAsked(signal);
        }
        return { againInMs: TRIGGER_MS };
      },
    },
    {
      name: 'urgent trigger',
      // A person's request is announced there.
      wokenBy: LOOP_CHANNEL,
      run: async () => {
        if ((await open.ports.killSwitch.allowedSteps()).includes('diagnose')) {
          await open.loop.startIfUrgent();
        }
        return { againInMs: URGENT_MS };
      },
    },
  ];
}
