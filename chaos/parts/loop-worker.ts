/**
 * One worker of the loop as a process of its own: does what is due at the given time, and kills itself before or after
 * the first step's commit. Its order is one JSON document. Exit 0: nothing more is due.
 */

import { openLab } from '../../lab/installation.ts';
import type { Scenario } from '../../lab/scenario.ts';
import type { Opened } from '../../src/app/context.ts';
import type { Plan, Store } from '../../src/store/index.ts';

export interface LoopOrder {
  readonly scenario: Scenario;
  readonly folder: string;
  readonly nowMs: number;
  readonly postgresUrl?: string;
  readonly cycle: boolean;
  readonly kill?: 'before' | 'after';
  /** For the control: a step's rows are committed without their entries, and then it is killed. */
  readonly removed?: 'one commit';
}

const isStep = (plan: Plan) => plan.expect?.some(({ name }) => name === 'work') === true;

function killedAt(store: Store, { kill, removed }: LoopOrder): Store {
  const die = () => process.kill(process.pid, 'SIGKILL');
  return new Proxy(store, {
    get(target, key) {
      if (key !== 'commit') {
        const value = Reflect.get(target, key, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async (plan: Plan) => {
        if (!isStep(plan)) return target.commit(plan);
        // Without entries there is nothing to tear apart.
        if (removed !== undefined && (plan.entries ?? []).length === 0) return target.commit(plan);
        if (kill === 'before') die();
        const { entries: _, ...rows } = plan;
        const result = await target.commit(removed === undefined ? plan : rows);
        if (kill === 'after') die();
        return result;
      };
    },
  });
}

async function main(order: LoopOrder): Promise<void> {
  const { scenario, folder, nowMs: startMs, postgresUrl } = order;
  const place = postgresUrl === undefined ? {} : { postgresUrl };
  const lab = await openLab({ scenario, seed: 1, folder, startMs, ...place });
  const context = lab.context();
  const plain = await context.open();
  const opened: Opened =
    order.kill === undefined ? plain : { ...plain, store: killedAt(plain.store, order) };
  const open = await context.openLoop(opened, { tell: () => {} });
  if (order.cycle) await open.loop.startCycle('periodic');
  await open.loop.run(new AbortController().signal);
  await open.deliver();
  await open[Symbol.asyncDispose]();
  await plain.close();
  await lab.leave();
}

if (import.meta.main) await main(JSON.parse(process.argv[2]!) as LoopOrder);
