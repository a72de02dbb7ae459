/**
 * Telemetry that Hone makes itself while it governs agents: taken in as any other is, sanitised and counted, under a source
 * of its own. No configured source can have that name: it has a colon.
 */
import type { Random } from '../base/index.ts';
import type { Event } from '../facts/index.ts';
import { sanitise } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { Batch } from './batch.ts';
import { Cleaner } from './clean-event.ts';
import { sessionKey } from './session-key.ts';
import { loadSource } from './source-state.ts';
import type { ObserveSettings } from './types.ts';

export const OWN_SOURCE = 'hone:work';
/** Others write to the same source; each is only a moment faster. */
const TRIES_MAX = 20;

export interface OwnEventsPorts {
  /** The telemetry store. */
  readonly store: Store;
  readonly settings: ObserveSettings;
  readonly random: Random;
}

/** False if others were always faster. */
export async function storeOwnEvents(
  events: readonly Event[],
  { store, settings, random }: OwnEventsPorts,
): Promise<boolean> {
  const cleaner = new Cleaner(sanitise, settings);
  const records = events.map((event, offset) => ({
    ok: true as const,
    event,
    text: '',
    offset,
    line: null,
  }));
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const state = await loadSource(store, OWN_SOURCE);
    const batch = new Batch(cleaner, state, {
      stream: 'work',
      records,
      position: { stream: 'work', marks: [], value: null },
      nowMs: await store.nowMs(),
      sessionKey: await sessionKey(store, random),
      costMs: 0,
      overheadMax: settings.overhead,
    });
    if ((await store.commit((await batch.plan()).plan)).committed) return true;
  }
  return false;
}
