/** How things stand, for the command line and for HTTP. */

import { ownHealth } from '../health/health.ts';
import { LedgerView, latestCheckpoint } from '../ledger/index.ts';
import { listCycles } from '../loop/cycle-store.ts';
import { countDue, troubledWorks } from '../loop/works.ts';
import { countEffects } from '../outbox/index.ts';
import { countProposals } from '../proposal/proposal-counts.ts';
import type { Opened } from './context.ts';

/** Enough for a percentile, little enough for a second. */
const HEALTH_CYCLES = 100;

export async function collectStatus({ store, killSwitch, configuration, home }: Opened) {
  const view = new LedgerView(store);
  const nowMs = await store.nowMs();
  const [stop, entries, unplaced, checkpoint, proposals, effects, cycles, queue, troubled] =
    await Promise.all([
      killSwitch.state(),
      view.size(),
      view.unplaced(),
      latestCheckpoint(store),
      countProposals(store),
      countEffects(store),
      listCycles(store, HEALTH_CYCLES),
      countDue(store, nowMs),
      troubledWorks(store),
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
    health: ownHealth({
      nowMs,
      lastCycleMs: cycles[0]?.startedAtMs ?? null,
      queue,
      cycleActiveMs: cycles.flatMap(({ activeMs, outcome }) =>
        outcome === null ? [] : [activeMs],
      ),
    }),
    troubles: troubled.map(({ id, attempts, error }) => ({ work: id, attempts, error: error! })),
  };
}
