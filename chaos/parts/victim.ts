/** A worker that makes changes until it is killed, and the moment at which that happens. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, randomInt } from '../../src/base/index.ts';
import type { WorkerBundle } from './bundle.ts';
import { type Child, type Ended, start } from './child.ts';
import type { Hearing } from './said.ts';
import type { WorkerOptions } from './worker.ts';

const LIFE_MS_MAX = 60_000;

/** While it starts, makes or recovers the database; some time after; after so many changes more. */
export type Moment =
  | { readonly after: 'start'; readonly ms: number }
  | { readonly after: 'open'; readonly ms: number }
  | { readonly after: 'changes'; readonly count: number };

export function anyMoment(random: Random): Moment {
  const dice = random.next();
  if (dice < 0.2) return { after: 'start', ms: randomInt(random, 150) };
  if (dice < 0.6) return { after: 'open', ms: randomInt(random, 50) };
  return { after: 'changes', count: randomInt(random, 40) };
}

export class Victim {
  readonly #child: Child;
  #open = false;
  #changes = 0;
  #ended = false;
  #heard = Promise.withResolvers<void>();

  constructor(bundle: WorkerBundle, options: WorkerOptions, said: Hearing) {
    const [command, ...args] = bundle.command({ ...options, forever: true });
    const output = (line: string) => {
      said.hear(line);
      if (line === 'open') this.#open = true;
      if (line.startsWith('ack ')) this.#changes++;
      this.#wake();
    };
    this.#child = start({ command, args, env: bundle.env, limitMs: LIFE_MS_MAX, output });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    this.#child.ended.then(end, end);
  }

  /** Kills it at the moment, or finds that it ended before. */
  async kill(moment: Moment): Promise<Ended> {
    if (moment.after === 'start') await sleep(moment.ms);
    if (moment.after === 'open') {
      await this.#until(() => this.#open);
      await sleep(moment.ms);
    }
    if (moment.after === 'changes') {
      const enough = this.#changes + moment.count;
      await this.#until(() => this.#open && this.#changes >= enough);
    }
    this.#child.kill();
    return this.#child.ended;
  }

  async #until(isTime: () => boolean): Promise<void> {
    while (!isTime() && !this.#ended) await this.#heard.promise;
  }

  #wake(): void {
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
  }
}
