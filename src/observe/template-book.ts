/**
 * What template ids mean today. Events keep the id that their source's miner gave them; templates may have merged
 * since, so whoever groups by template asks here first. Sources have miners of their own, so the same words are the
 * same template, whatever their source.
 */
import type { Store } from '../store/index.ts';
import { type KeptMiner, loadMiner } from './miner-store.ts';

/** More are loaded again when they are asked for. */
const MINERS_KEPT_MAX = 32;

/** With what its templates say, as far as somebody asked. */
interface Kept extends KeptMiner {
  readonly texts: Map<string, string | undefined>;
}

export class TemplateBook {
  readonly #store: Store;
  readonly #kept = new Map<string, Kept>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** What the given templates of a source say: the message with `<*>` where it varies. Forgotten ones are left out. */
  async texts(source: string, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const { miner, texts } = await this.#miner(source);
    const found = new Map<string, string>();
    for (const id of ids) {
      if (id === '') continue;
      if (!texts.has(id)) texts.set(id, miner.template(id)?.text);
      const text = texts.get(id);
      if (text !== undefined) found.set(id, text);
    }
    return found;
  }

  /** Loaded again if a batch saved a newer one. */
  async #miner(source: string): Promise<Kept> {
    const [row] = await this.#store.all(
      `SELECT s.number, COALESCE(m.batch, 0) AS batch
       FROM observe_sources s LEFT JOIN observe_miner m ON m.source = s.number WHERE s.source = ?`,
      [source],
    );
    const { number, batch } = row as unknown as { number: number; batch: number };
    const kept = this.#kept.get(source);
    if (kept !== undefined && kept.batch === batch) return kept;
    const loaded = { ...(await loadMiner(this.#store, number)), texts: new Map() };
    if (this.#kept.size >= MINERS_KEPT_MAX) this.#kept.clear();
    this.#kept.set(source, loaded);
    return loaded;
  }
}
