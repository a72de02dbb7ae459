/** Single events of the telemetry, as Hone keeps them: everything in them was sanitised when it came in. */
import { isoTime } from '../base/index.ts';
import type { EventShown, EventsList, EventsListInput, ShownEvent } from '../contracts/event.ts';
import { findEvents, isFailed, type StoredEvent, Telemetry } from '../observe/index.ts';
import { type AppContext, withLoop } from './context.ts';
import { eventWords } from './event-words.ts';
import { windowOf } from './instant.ts';
import { isRefusal, type Refusal, unknown } from './refusal.ts';

const DAY_MS = 86_400_000;

export function listEvents(
  context: AppContext,
  input: EventsListInput,
): Promise<EventsList | Refusal> {
  return withLoop(context, {}, async (_, { ports }): Promise<EventsList | Refusal> => {
    const { telemetry } = ports;
    const nowMs = await telemetry.nowMs();
    const { since, until, ...filter } = input;
    const window = windowOf({ since, until }, nowMs, nowMs - DAY_MS);
    if (isRefusal(window)) return window;
    const { events, more } = await findEvents(telemetry, { ...filter, window });
    return { events: events.map(shownEvent), more };
  });
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
