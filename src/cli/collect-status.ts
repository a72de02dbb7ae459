/** How things stand, for the command line and for HTTP. */
import { LedgerView, latestCheckpoint } from '../ledger/index.ts';
import { countEffects } from '../outbox/index.ts';
import { countProposals } from '../proposal/proposal-counts.ts';
import type { Opened } from './context.ts';

export async function collectStatus({ store, killSwitch, configuration, home }: Opened) {
  const view = new LedgerView(store);
  const [stop, entries, unplaced, checkpoint, proposals, effects] = await Promise.all([
    killSwitch.state(),
    view.size(),
    view.unplaced(),
    latestCheckpoint(store),
    countProposals(store),
    countEffects(store),
  ]);
  return {
    root: home.root,
    engine: store.engine,
    store: store.location,
    stopped: stop.stopped,
    stopReason: stop.stopped ? stop.reason : null,
    configuration,
    ledger: { entries, unplaced, checkpointSize: checkpoint?.size ?? null },
    proposals,
    effects,
  };
}
