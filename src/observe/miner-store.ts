/** The miner's state in its one row. */
import type { Store, Write } from '../store/index.ts';
import { Miner, type MinerState, TextError } from '../text/index.ts';

export interface KeptMiner {
  readonly miner: Miner;
  /** The batch that saved it; 0 when none did. */
  readonly batch: number;
  /** The state was there and could not be read: templates are learnt anew, old ids stay unresolved. */
  readonly lost: boolean;
}

export async function loadMiner(store: Store): Promise<KeptMiner> {
  const [row] = await store.all('SELECT batch, state FROM observe_miner WHERE id = 1');
  if (row === undefined) return { miner: new Miner(), batch: 0, lost: false };
  const batch = row['batch'] as number;
  try {
    const state = JSON.parse(row['state'] as string) as MinerState;
    return { miner: Miner.load(state), batch, lost: false };
  } catch (error) {
    if (!(error instanceof TextError) && !(error instanceof SyntaxError)) throw error;
    return { miner: new Miner(), batch, lost: true };
  }
}

export function saveMiner(miner: Miner, batch: number): Write {
  const state = JSON.stringify(miner.save());
  return { upsert: 'observe_miner', key: { id: 1 }, row: { batch, state } };
}

/** Mines messages and tells whether the state must be saved. Counts alone are not worth a write. */
export class Learning {
  readonly #miner: Miner;
  #learnt = false;

  constructor(miner: Miner) {
    this.#miner = miner;
  }

  get learnt(): boolean {
    return this.#learnt;
  }

  templateOf(message: string): string {
    if (message === '') return '';
    const before = this.#miner.size;
    const { templateId, isNew } = this.#miner.add(message);
    if (isNew || this.#miner.size !== before) this.#learnt = true;
    return templateId;
  }
}
