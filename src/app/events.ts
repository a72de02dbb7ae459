/** Single events of the telemetry, as Hone keeps them: everything in them was sanitised when it came in. */
import { isoTime } from '../base/index.ts';
import type { EventShown, EventsList, EventsListInput, ShownEvent } from '../contracts/event.ts';
import { knownPatterns, mergedPatterns, seriesOf } from '../diagnose/index.ts';
import type { Window } from '../facts/index.ts';
import { findEvents, isFailed, type StoredEvent, Telemetry } from '../observe/index.ts';
import type { Store } from '../store/index.ts';
import { type AppContext, type OpenLoop, withLoop } from './context.ts';
import { eventWords } from './event-words.ts';
import { windowOf } from './instant.ts';
import { findOnePattern } from './patterns.ts';
import { isRefusal, type Refusal, unknown } from './refusal.ts';

const DAY_MS = 86_400_000;

export function listEvents(
  context: AppContext,
  input: EventsListInput,
): Promise<EventsList | Refusal> {
  return withLoop(context, {}, async ({ store }, { ports }): Promise<EventsList | Refusal> => {
    const { telemetry } = ports;
    const nowMs = await telemetry.nowMs();
    const { since, until, pattern, ...filter } = input;
    const seen = pattern === undefined ? undefined : await occurrences(store, pattern, ports);
    if (seen !== undefined && isRefusal(seen)) return seen;
    const given = windowOf({ since, until }, nowMs, nowMs - DAY_MS);
    if (isRefusal(given)) return given;
    const window = since === undefined && until === undefined ? (seen?.window ?? given) : given;
    const { events, more } = await findEvents(telemetry, {
      ...filter,
      window,
      ...(seen && { series: seen.series }),
    });
    return { events: events.map(shownEvent), more };
  });
}

/** Where the events of a pattern are, and between which times. */
async function occurrences(
  store: Store,
  given: string,
  { telemetry }: Pick<OpenLoop['ports'], 'telemetry'>,
): Promise<{ readonly series: readonly number[]; readonly window: Window } | Refusal> {
  const row = await findOnePattern(store, given);
  if (isRefusal(row)) return row;
  const window = { fromMs: row.firstAtMs, toMs: row.lastAtMs + 1 };
  const ports = {
    telemetry: new Telemetry(telemetry),
    known: () => knownPatterns(store),
    merged: () => mergedPatterns(store),
  };
  return { series: await seriesOf(row.id, window, ports), window };
}

export function showEvent(context: AppContext, id: string): Promise<EventShown | Refusal> {
  return withLoop(context, {}, async (_, { ports }): Promise<EventShown | Refusal> => {
    const stored = await new Telemetry(ports.telemetry).event(id);
    if (stored === undefined)
      return unknown(`There is no event ${id}. "hone events list" names those that are kept.`);
    return { ...shownEvent(stored), event: { ...stored.event } };
  });
}

export function shownEvent({ id, atMs, source, event }: StoredEvent): ShownEvent {
  return {
    id,
    at: isoTime(atMs),
    source,
    kind: event.kind,
    failed: isFailed(event),
    ...eventWords(event),
    session: event.session,
    traceId: event.traceId ?? null,
  };
}
