/**
 * One worker of the loop as a process of its own, for runs in which workers are killed: does what is due
 * at the given time, and kills itself (SIGKILL) before or after a step is committed.
 *
 * Arguments, as one JSON document: see `WorkerOrder`. Exit 0: nothing more is due.
 */
import { flushCompileCache } from 'node:module';
import type { Opened } from '../src/app/context.ts';
import type { Plan, Store } from '../src/store/index.ts';
import { openLab } from './installation.ts';
import type { Scenario } from './scenario.ts';

/** Before or after the commit of the first step that it does, or before that of the second. */
export type Kill = 'before' | 'after' | 'before second';

export interface WorkerOrder {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly folder: string;
  readonly nowMs: number;
  readonly postgresUrl?: string;
  /** Begin a cycle first, if none is running. */
  readonly cycle: boolean;
  readonly kill?: Kill;
}

/** A step's commit expects the unit of work it began with. */
function isStep(plan: Plan): boolean {
  return plan.expect?.some(({ name }) => name === 'work') === true;
}

function killedAt(store: Store, kill: Kill): Store {
  let steps = 0;
  const die = () => {
    // A killed process leaves its successors no compiled code unless it does so before.
    flushCompileCache();
    process.kill(process.pid, 'SIGKILL');
  };
  return new Proxy(store, {
    get(target, key) {
      if (key !== 'commit') {
        const value = Reflect.get(target, key, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async (plan: Plan) => {
        if (!isStep(plan)) return target.commit(plan);
        steps += 1;
        if (kill === 'before' || (kill === 'before second' && steps === 2)) die();
        const result = await target.commit(plan);
        if (kill === 'after') die();
        return result;
      };
    },
  });
}

async function main(order: WorkerOrder): Promise<void> {
  const { scenario, seed, folder, nowMs: startMs, postgresUrl } = order;
  const lab = await openLab({
    scenario,
    seed,
    folder,
    startMs,
    ...(postgresUrl === undefined ? {} : { postgresUrl }),
  });
  const context = lab.context();
  const plain = await context.open();
  const opened: Opened =
    order.kill === undefined ? plain : { ...plain, store: killedAt(plain.store, order.kill) };
  const open = await context.openLoop(opened, { tell: () => {} });
  if (order.cycle) await open.loop.startCycle('periodic');
  const steps = await open.loop.run(new AbortController().signal);
  await open.deliver();
  process.stdout.write(`${JSON.stringify(steps)}\n`);
  await open[Symbol.asyncDispose]();
  await plain.close();
  await lab.leave();
}

if (import.meta.main) await main(JSON.parse(process.argv[2]!) as WorkerOrder);
