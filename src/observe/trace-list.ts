/**
 * Traces of a window, the newest first, in pages. A page is found by walking back through the events from where the last
 * one ended: a trace belongs where its last event is. The walk goes on until the traces that are shown are whole, and no
 * page reads more than so many events: where that is not enough for a page, it is shorter, and the next one goes on.
 */
import type { Store } from '../store/index.ts';
import { type EventFilter, eventPages, eventsBackwards, isFailed } from './events-view.ts';
import type { StoredEvent } from './telemetry-view.ts';
import { HOUR_MS } from './units.ts';

export interface TraceSummary {
  /** The trace's id, or its session's where events name no trace. */
  readonly id: string;
  readonly isTrace: boolean;
  readonly session: string;
  readonly events: number;
  readonly failed: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly agents: readonly string[];
}

export interface TracePage {
  readonly traces: readonly TraceSummary[];
  /** Where the next page begins; null where the window ends here. */
  readonly next: string | null;
}

type TraceFilter = Omit<EventFilter, 'text' | 'kind' | 'failed'> & {
  readonly onlyFailed: boolean;
  /** The `next` of a page. */
  readonly before?: string | undefined;
  /** Events that are read for a page. */
  readonly readMax?: number;
};

/** Parsed and held at once: some tenths of a second. */
const READ_MAX = 20_000;
/** A trace in which nothing happened for so long is taken as whole; later events would be a trace of their own. */
const SILENT_MS = HOUR_MS;

export async function findTraces(store: Store, filter: TraceFilter): Promise<TracePage> {
  const { limit, onlyFailed, before, readMax = READ_MAX, ...rest } = filter;
  const from = before === undefined ? undefined : placeOf(before);
  const { window } = rest;
  const toMs = from === undefined ? window.toMs : Math.min(window.toMs, from.lastAtMs + 1);
  const shownBefore = await goingOn(store, { from: toMs, toMs: window.toMs, readMax });
  const byId = new Map<string, Walked>();
  const wanted = () =>
    [...byId.values()]
      .filter((one) => from === undefined || newestFirst(one, from) > 0)
      .filter(({ failed }) => !onlyFailed || failed > 0)
      .sort(newestFirst);
  let read = 0;
  let reached = { lastAtMs: toMs, id: '' };
  for await (const page of eventsBackwards(store, { ...rest, window: { ...window, toMs } })) {
    for (const one of page) {
      const id = one.event.traceId ?? one.event.session;
      if (!shownBefore.has(id)) add(byId, id, one);
    }
    read += page.length;
    reached = { lastAtMs: page.at(-1)!.atMs, id: '' };
    const found = wanted();
    const isEnough =
      found.length > limit && found.slice(0, limit).every((one) => isWhole(one, reached.lastAtMs));
    if (isEnough || (read >= readMax && found.length > 0) || read >= 10 * readMax)
      return cut(found, limit, reached);
  }
  const found = wanted();
  return found.length > limit
    ? cut(found, limit, reached)
    : { traces: found.map(summaryOf), next: null };
}

/** The walk has come so far back that nothing more of it is likely. */
const isWhole = ({ firstAtMs }: Walked, reachedMs: number) => firstAtMs - reachedMs >= SILENT_MS;

/** The next page begins behind the last trace that is shown, or where the walk ended. */
function cut(found: readonly Walked[], limit: number, reached: TracePlace): TracePage {
  const traces = found.slice(0, limit).map(summaryOf);
  const last = traces.at(-1);
  const isFull = found.length > limit || last?.lastAtMs === reached.lastAtMs;
  return { traces, next: placeText(isFull ? last! : reached) };
}

/** Traces that went on behind the place where a page begins: they stood on an earlier one. */
async function goingOn(
  store: Store,
  { from, toMs, readMax }: { readonly from: number; readonly toMs: number; readMax: number },
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let read = 0;
  for await (const page of eventPages(store, {
    fromMs: from,
    toMs: Math.min(toMs, from + SILENT_MS),
  })) {
    for (const { event } of page) ids.add(event.traceId ?? event.session);
    read += page.length;
    if (read >= readMax) break;
  }
  return ids;
}

/** What the walk has seen of a trace so far. */
type Walked = { -readonly [Key in keyof Omit<TraceSummary, 'agents'>]: TraceSummary[Key] } & {
  readonly names: Set<string>;
};

/** Events come the newest first. */
function add(byId: Map<string, Walked>, id: string, { event, atMs }: StoredEvent): void {
  const { session, traceId } = event;
  const one = byId.get(id) ?? {
    ...{ id, isTrace: traceId === id, session, events: 0, failed: 0 },
    ...{ firstAtMs: atMs, lastAtMs: atMs, names: new Set<string>() },
  };
  byId.set(id, one);
  one.events += 1;
  one.failed += isFailed(event) ? 1 : 0;
  one.firstAtMs = atMs;
  one.session = session;
  if ('agent' in event && event.agent !== undefined) one.names.add(event.agent);
}

const summaryOf = ({ names, ...rest }: Walked): TraceSummary => ({
  ...rest,
  agents: [...names].sort(),
});

type TracePlace = Pick<TraceSummary, 'id' | 'lastAtMs'>;

const newestFirst = (a: TracePlace, b: TracePlace) =>
  b.lastAtMs - a.lastAtMs || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);

const placeText = ({ lastAtMs, id }: TracePlace) => `${lastAtMs}.${id}`;

/** What is not a place is behind nothing, so the first page comes again. */
function placeOf(text: string): TracePlace | undefined {
  const [, at, id] = /^(\d{1,15})\.(.*)$/s.exec(text) ?? [];
  return at === undefined || id === undefined ? undefined : { lastAtMs: Number(at), id };
}
