/** What a power cut does with what was not synced. All of one cut follows from its manner and seed. */
import { type Random, randomInt } from '../../src/base/index.ts';

export const SECTOR_BYTES = 512;
const PREFIX_BYTES_MAX = 4096;

export const MANNERS = [
  /** All of it is gone. */
  'nothing',
  /** All of it arrived. */
  'everything',
  /** It arrived in the order of the calls, up to some byte inside one of them. */
  'prefix',
  /** Some writes arrived, some not. */
  'writes',
  /** Some sectors arrived, some not; where a file grew, the rest is zeros or what was there before. */
  'sectors',
] as const;
export type Manner = (typeof MANNERS)[number];

export interface Range {
  readonly from: number;
  readonly to: number;
}

export class PowerCut {
  readonly #manner: Manner;
  readonly #random: Random;
  /** How much of what is on its way arrives, where that is left to chance. */
  readonly #share: number;
  /** The call at which `prefix` ends. */
  readonly #stop: number;

  /** `orders`: of the oldest call that was not synced, and of the next one that would have come. */
  constructor(manner: Manner, random: Random, orders: Range) {
    this.#manner = manner;
    this.#random = random;
    this.#share = random.next();
    this.#stop = orders.from + randomInt(random, Math.max(1, orders.to - orders.from + 1));
  }

  /** Whether a change that cannot be torn (a size) arrives. */
  arrives(order: number): boolean {
    if (this.#manner === 'nothing') return false;
    if (this.#manner === 'everything') return true;
    return this.#manner === 'prefix' ? order < this.#stop : this.#survives();
  }

  /** The parts of a write that arrive, as ranges of its data. Sectors are the disk's, not the write's. */
  pieces(order: number, at: number, length: number): Range[] {
    if (this.#manner === 'prefix' && order === this.#stop)
      return [{ from: 0, to: Math.min(length, randomInt(this.#random, PREFIX_BYTES_MAX)) }];
    if (this.#manner !== 'sectors') return this.arrives(order) ? [{ from: 0, to: length }] : [];
    const ranges: Range[] = [];
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + SECTOR_BYTES - ((at + from) % SECTOR_BYTES));
      if (this.#survives()) ranges.push({ from, to });
      from = to;
    }
    return ranges;
  }

  /** An area for a file: what its new sectors hold before anything is written there. */
  area(sizeBytes: number): Buffer {
    const old = this.#manner === 'sectors' && this.#random.next() < 0.5;
    return Buffer.alloc(sizeBytes, old ? this.#random.bytes(SECTOR_BYTES - 1) : 0);
  }

  /** How many of the changes of one name arrived. */
  names(orders: readonly number[]): number {
    if (this.#manner === 'nothing') return 0;
    if (this.#manner === 'everything') return orders.length;
    if (this.#manner === 'prefix') return orders.filter((order) => order < this.#stop).length;
    return randomInt(this.#random, orders.length + 1);
  }

  #survives(): boolean {
    return this.#random.next() < this.#share;
  }
}
