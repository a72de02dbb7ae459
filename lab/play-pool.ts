/**
 * Plays many runs on several cores, each in a process of its own, which is used again for the next one. A run that
 * takes too long is ended with its process and counts as missed; when all the time is up, no further run begins.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoryFolder } from '../test/memory-folder.ts';
import { mainOutcome } from './expected.ts';
import type { Played } from './play.ts';
import { type PlayAnswer, type PlayOrder, scenarioOf } from './play-worker.ts';

export interface PoolOptions {
  readonly workers: number;
  readonly runMinutesMax: number;
  readonly minutesMax: number;
  readonly onDay?: (order: PlayOrder, day: number) => void;
  readonly onPlayed: (done: Done) => void;
}

export interface Done extends Took {
  readonly title: string;
  /** One for each approver. */
  readonly played: readonly Played[];
}

interface Took {
  readonly seconds: number;
  /** Of Hone and the fleet together, without git's own processes. */
  readonly cpuSeconds: number | null;
}

/** Returns how many were not begun for want of time. */
export async function playAll(orders: readonly PlayOrder[], options: PoolOptions): Promise<number> {
  const queue = [...orders];
  const endMs = performance.now() + options.minutesMax * 60_000;
  const folder = mkdtempSync(join(memoryFolder(), 'hone-lab-pool-'));
  const work = async () => {
    let worker: ChildProcess | undefined;
    try {
      while (queue.length > 0 && performance.now() < endMs) {
        const order = queue.shift()!;
        worker = worker?.connected === true ? worker : startWorker(folder);
        const startMs = performance.now();
        const done = await playIn(worker, order, options);
        const seconds = Math.round((performance.now() - startMs) / 100) / 10;
        options.onPlayed({ ...done, seconds });
      }
    } finally {
      worker?.disconnect();
    }
  };
  try {
    await Promise.all(Array.from({ length: options.workers }, work));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return queue.length;
}

/** Its temporary files are in a folder that is removed also when it is killed, in memory: a seventh of a run was waiting for the disk. */
function startWorker(folder: string): ChildProcess {
  return fork(new URL('./play-worker.ts', import.meta.url), {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

function playIn(
  worker: ChildProcess,
  order: PlayOrder,
  { runMinutesMax, onDay }: PoolOptions,
): Promise<Omit<Done, 'seconds'>> {
  const { promise, resolve } = Promise.withResolvers<Omit<Done, 'seconds'>>();
  const miss = (why: string) => resolve(notFinished(order, why));
  const onMessage = (answer: PlayAnswer) => {
    if (answer.kind === 'day') onDay?.(order, answer.day);
    else if (answer.kind === 'played') resolve(answer);
    else miss(answer.why);
  };
  const onExit = () => miss('its process ended');
  worker.on('message', onMessage);
  worker.once('exit', onExit);
  const timer = setTimeout(() => {
    worker.kill('SIGKILL');
    miss(`it took more than ${runMinutesMax} minutes`);
  }, runMinutesMax * 60_000);
  worker.send(order);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', onMessage);
    worker.off('exit', onExit);
  });
}

function notFinished(order: PlayOrder, why: string): Omit<Done, 'seconds'> {
  const scenario = scenarioOf(order);
  const played = order.approvers.map((approver) => ({
    scenario: scenario.name,
    seed: order.seed,
    approver,
    expected: mainOutcome(scenario),
    ok: false,
    why,
    label: 'not finished' as const,
    harmLeft: false,
    hoursToImprovement: null,
    hoursToDetection: null,
    hoursToRollback: [],
    changes: 0,
    proposals: [],
    right: { deployed: 0, takenBack: 0 },
    harmed: null,
    told: 0,
    stated: [],
    events: 0,
    days: [],
    violations: [],
    isAlikeForAll: false,
  }));
  return { title: scenario.title, played, cpuSeconds: null };
}
