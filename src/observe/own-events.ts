/**
 * Telemetry that Hone makes itself while it governs agents: taken in as any other is, sanitised and counted, under a source
 * of its own. No configured source can have that name: it has a colon.
 */
import type { Json, Random } from '../base/index.ts';
import type { Event } from '../facts/index.ts';
import { sanitise } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { Batch } from './batch.ts';
import { Cleaner } from './clean-event.ts';
import { storedPositions } from './position-store.ts';
import { sessionKey } from './session-key.ts';
import { loadSource } from './source-state.ts';
import type { ObserveSettings } from './types.ts';

export const OWN_SOURCE = 'hone:work';
const STREAM = 'work';
/** Others write to the same source; each is only a moment faster. */
const TRIES_MAX = 20;

export interface OwnEventsPorts {
  /** The telemetry store. */
  readonly store: Store;
  readonly settings: ObserveSettings;
  readonly random: Random;
}

/** False if others were always faster. */
export function storeOwnEvents(events: readonly Event[], ports: OwnEventsPorts): Promise<boolean> {
  return storeFrom(OWN_SOURCE, ports, async () => ({ events, value: null }));
}

/**
 * The same for what is read from somewhere, from the position that the last batch left: events and position are one commit, so
 * that each is stored once, whoever reads at the same moment. `read` is asked again where somebody was faster.
 */
export async function storeFrom(
  source: string,
  { store, settings, random }: OwnEventsPorts,
  read: (position: Json | undefined) => Promise<{ events: readonly Event[]; value: Json }>,
): Promise<boolean> {
  // Mostly there is nothing: then the source is not even made.
  const position = async (batch: number) =>
    (await storedPositions(store, source, batch).find([STREAM]))[0];
  if ((await read(await position(0))).events.length === 0) return true;
  const cleaner = new Cleaner(sanitise, settings);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const state = await loadSource(store, source);
    const { events, value } = await read(await position(state.batch));
    if (events.length === 0) return true;
    const records = events.map((event, offset) => ({
      ...{ ok: true as const, event, text: '', offset, line: null },
    }));
    const batch = new Batch(cleaner, state, {
      stream: STREAM,
      records,
      position: { stream: STREAM, marks: [STREAM], value },
      nowMs: await store.nowMs(),
      sessionKey: await sessionKey(store, random),
      costMs: 0,
      overheadMax: settings.overhead,
    });
    if ((await store.commit((await batch.plan()).plan)).committed) return true;
  }
  return false;
}
