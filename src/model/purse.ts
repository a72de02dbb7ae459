/**
 * What is left for a model, kept in the store: a validation has one purse for all of its runs and repetitions. What a request may cost
 * at most is taken out before it is sent, and what it did not cost is put back after it. Whoever is killed in between has spent all of
 * it, so nothing is ever spent twice.
 */
import type { Store } from '../store/index.ts';

const TABLE = 'model_spending';
/** Millionths of a dollar: prices are for a million tokens, so a token costs whole ones or is rounded up. */
const MICROS = 1_000_000;

export class Purse {
  readonly #store: Pick<Store, 'all' | 'commit'>;
  readonly #account: string;
  readonly #capMicros: number;

  constructor(store: Pick<Store, 'all' | 'commit'>, account: string, capUsd: number) {
    this.#store = store;
    this.#account = account;
    this.#capMicros = Math.floor(capUsd * MICROS);
  }

  /** False where too little is left. */
  async take(usd: number): Promise<boolean> {
    const micros = Math.ceil(usd * MICROS);
    const where = { account: this.#account };
    for (;;) {
      const spent = await this.#spentMicros();
      if ((spent ?? 0) + micros > this.#capMicros) return false;
      const taken = await this.#store.commit(
        spent === undefined
          ? {
              expect: [{ table: TABLE, where, exists: false }],
              writes: [{ insert: TABLE, row: { ...where, spent_micros: micros } }],
            }
          : {
              expect: [{ table: TABLE, where: { ...where, spent_micros: spent } }],
              writes: [{ update: TABLE, where, set: { spent_micros: { add: micros } } }],
            },
      );
      // Another request was faster: what is left now is looked up again.
      if (taken.committed) return true;
    }
  }

  /** Of what was taken. */
  async putBack(usd: number): Promise<void> {
    const micros = Math.floor(usd * MICROS);
    if (micros === 0) return;
    const where = { account: this.#account };
    await this.#store.commit({
      writes: [{ update: TABLE, where, set: { spent_micros: { add: -micros } } }],
    });
  }

  async #spentMicros(): Promise<number | undefined> {
    const [row] = await this.#store.all(`SELECT spent_micros FROM ${TABLE} WHERE account = ?`, [
      this.#account,
    ]);
    return row === undefined ? undefined : Number(row['spent_micros']);
  }
}

/** Who has spent something. */
export async function purses(store: Pick<Store, 'all'>): Promise<string[]> {
  const rows = await store.all(`SELECT account FROM ${TABLE} ORDER BY account`);
  return rows.map((row) => row['account'] as string);
}

/** Of those who will never ask again: for anybody else it would be money to spend twice. */
export async function forgetPurses(
  store: Pick<Store, 'commit'>,
  accounts: readonly string[],
): Promise<void> {
  if (accounts.length === 0) return;
  await store.commit({
    writes: accounts.map((account) => ({ delete: TABLE, where: { account } })),
  });
}
