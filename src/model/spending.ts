/**
 * What a run spends, in dollars. A request is let through only if what it can cost at most is left in the purse; what it did cost
 * takes the place of that when the answer says so. Requests at the same time cannot spend the same money twice.
 */
import type { Purse } from './purse.ts';
import type { Usage } from './types.ts';

export interface Prices {
  /** Dollars for a million tokens. */
  readonly inputPrice: number;
  readonly outputPrice: number;
}

const MILLION = 1_000_000;
/** What a provider adds to a request of its own accord, such as how tools are used. */
const ADDED_TOKENS = 1000;

export class Spending {
  readonly #prices: Prices;
  readonly #purse: Purse;
  #spent = 0;

  constructor(purse: Purse, prices: Prices) {
    this.#purse = purse;
    this.#prices = prices;
  }

  get spentUsd(): number {
    return this.#spent;
  }

  /** No token is shorter than a byte. Undefined where too little is left. */
  async reserve(bytes: number, outputTokens: number): Promise<number | undefined> {
    const most = this.#cost({ inputTokens: bytes + ADDED_TOKENS, outputTokens });
    return (await this.#purse.take(most)) ? most : undefined;
  }

  /** `usage` undefined: nobody knows, so all of it counts as spent. Null: nothing was answered for, so it cost nothing. */
  async settle(reserved: number, usage: Usage | undefined | null): Promise<void> {
    const cost = usage === undefined ? reserved : usage === null ? 0 : this.#cost(usage);
    this.#spent += cost;
    await this.#purse.putBack(reserved - cost);
  }

  #cost({ inputTokens, outputTokens }: Usage): number {
    const { inputPrice, outputPrice } = this.#prices;
    return (inputTokens * inputPrice + outputTokens * outputPrice) / MILLION;
  }
}
