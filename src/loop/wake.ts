/** Somebody says that a look at a proposal is worth while now: its next step is due. Nothing else changes. */
import type { Store } from '../store/index.ts';
import { changeWork, readWork, unchanged, workId } from './works.ts';

/** False if there is nothing to look at, or a worker is at it. */
export async function wakeProposal(store: Store, id: string): Promise<boolean> {
  const work = await readWork(store, workId('proposal', id));
  if (work === undefined || work.dueAtMs === null) return false;
  const nowMs = await store.nowMs();
  if (work.dueAtMs <= nowMs) return true;
  const result = await store.commit({
    expect: [unchanged(work)],
    writes: [changeWork(work, { dueAtMs: nowMs }, nowMs)],
  });
  if (result.committed) await store.notify('loop');
  return result.committed;
}
