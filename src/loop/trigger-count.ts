/** How much asks for a cycle. Apart from the queue, so that `hone status` loads little. */
import type { Store } from '../store/index.ts';

export const TRIGGERS = 'loop_triggers';

export async function countWaitingTriggers(store: Store): Promise<number> {
  const [row] = await store.all(`SELECT count(*) AS n FROM ${TRIGGERS} WHERE cycle_id IS NULL`);
  return Number(row!['n']);
}
