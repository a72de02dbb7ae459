/**
 * What template ids mean today. Events keep the id they were given; templates may have joined since, so
 * whoever groups by template asks here first.
 */
import type { Store } from '../store/index.ts';
import { type KeptMiner, loadMiner } from './miner-store.ts';

export class TemplateBook {
  readonly #store: Store;
  #kept: KeptMiner | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads the miner's state again if a batch saved a newer one. */
  async refresh(): Promise<void> {
    const [row] = await this.#store.all('SELECT batch FROM observe_miner WHERE id = 1');
    if (this.#kept !== undefined && this.#kept.batch === ((row?.['batch'] as number) ?? 0)) return;
    this.#kept = await loadMiner(this.#store);
  }

  /** The id itself where its template was forgotten for lack of room. */
  currentId(id: string): string {
    return this.#kept?.miner.currentId(id) ?? id;
  }

  /** The message with `<*>` where it varies; undefined where it was forgotten, or nothing was said. */
  text(id: string): string | undefined {
    return this.#kept?.miner.template(id)?.text;
  }
}
