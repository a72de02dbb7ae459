/** Draws for random worlds. Each part of a world has dice of its own, so that one part can change without the others. */
import type { Random } from '../../src/base/index.ts';
import { streamOf } from '../draws.ts';

export class Dice {
  readonly #seed: number;
  readonly #name: string;
  readonly #random: Random;

  constructor(seed: number, name: string) {
    this.#seed = seed;
    this.#name = name;
    this.#random = streamOf(seed, `world ${name}`);
  }

  /** Others, by name; always the same for the same name. */
  of(name: string): Dice {
    return new Dice(this.#seed, `${this.#name} ${name}`);
  }

  chance(share: number): boolean {
    return this.#random.next() < share;
  }

  /** A whole number, both ends included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.#random.next() * (max - min + 1));
  }

  between(min: number, max: number): number {
    return min + this.#random.next() * (max - min);
  }

  /** Every order of magnitude is as likely. */
  magnitude(min: number, max: number): number {
    return Math.exp(this.between(Math.log(min), Math.log(max)));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.whole(0, items.length - 1)]!;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    return items.map(() => left.splice(this.whole(0, left.length - 1), 1)[0]!);
  }
}
