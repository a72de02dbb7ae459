/** Which pull requests were opened when. */
import { deployedSince, PULL_REQUESTS } from '../deploy/index.ts';
import { effectsSince } from '../outbox/index.ts';
import type { Store } from '../store/index.ts';

/** `pull/<proposal>/<version>/pending` (`adapters/notify.ts`). */
const KEY = /^pull\/([^/]+)\/\d+\/pending$/;

interface OpenedPull {
  readonly proposalId: string;
  readonly atMs: number;
}

/** Since then, the oldest first, one for each proposal. Those that are about to be opened count. */
export async function openedPulls(store: Store, sinceMs: number): Promise<OpenedPull[]> {
  const shown = (await effectsSince(store, PULL_REQUESTS, sinceMs)).flatMap(({ key, atMs }) => {
    const proposalId = KEY.exec(key)?.[1];
    return proposalId === undefined ? [] : [{ proposalId, atMs }];
  });
  const opened = new Map<string, number>();
  for (const { proposalId, atMs } of [...shown, ...(await deployedSince(store, 'github', sinceMs))])
    opened.set(proposalId, Math.min(atMs, opened.get(proposalId) ?? atMs));
  return [...opened]
    .map(([proposalId, atMs]) => ({ proposalId, atMs }))
    .sort((a, b) => a.atMs - b.atMs);
}
