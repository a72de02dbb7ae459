/**
 * The events of a trace or session as a tree: by their spans where they name them, else in order of time. Pure. Links
 * are the writer's own words: a span that is its own ancestor, names a parent that is not there, or shares its id
 * with another still has exactly one place. Work is linear in the events.
 */
import { isFailed } from './events-view.ts';
import type { StoredEvent } from './telemetry-view.ts';

export interface SpanNode {
  readonly stored: StoredEvent;
  /** 0 for a root. */
  readonly depth: number;
  readonly failed: boolean;
  /** The earliest failure that no failure below it explains. */
  readonly isFirstError: boolean;
  /** Its link to its parent would have led back to itself, so it is shown as a root. */
  readonly isCut: boolean;
}

/** In the order to show them: each span before those below it, siblings by time. */
export function spanTree(events: readonly StoredEvent[]): SpanNode[] {
  const ordered = events
    .map((stored, at) => ({ stored, at }))
    .sort((a, b) => a.stored.atMs - b.stored.atMs || a.at - b.at)
    .map(({ stored }) => stored);
  const { parents, cut } = parentsOf(ordered);
  const failed = ordered.map(({ event }) => isFailed(event));
  const first = firstError(failed, parents);
  return flattened(parents).map(({ at, depth }) => ({
    stored: ordered[at]!,
    depth,
    failed: failed[at]!,
    isFirstError: at === first,
    isCut: cut.has(at),
  }));
}

const NONE = -1;

/** The index of each one's parent. */
function parentsOf(ordered: readonly StoredEvent[]) {
  const bySpan = new Map<string, number>();
  for (const [at, { event }] of ordered.entries())
    if (event.spanId !== undefined && !bySpan.has(event.spanId)) bySpan.set(event.spanId, at);
  const parents = ordered.map(({ event }) =>
    event.parentSpanId === undefined ? NONE : (bySpan.get(event.parentSpanId) ?? NONE),
  );
  return { parents, cut: cutLoops(parents) };
}

/** Makes a root of one span in each loop; gives these. */
function cutLoops(parents: number[]): ReadonlySet<number> {
  const cut = new Set<number>();
  const state = new Uint8Array(parents.length);
  for (const start of parents.keys()) {
    const way: number[] = [];
    let at = start;
    while (at !== NONE && state[at] === 0) {
      state[at] = 1;
      way.push(at);
      at = parents[at]!;
    }
    if (at !== NONE && state[at] === 1) {
      parents[at] = NONE;
      cut.add(at);
    }
    for (const one of way) state[one] = 2;
  }
  return cut;
}

/** Without recursion: a chain may be as long as the trace. */
function flattened(parents: readonly number[]): { at: number; depth: number }[] {
  const below = new Map<number, number[]>();
  for (const [at, parent] of parents.entries()) {
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [at]);
    else siblings.push(at);
  }
  const result: { at: number; depth: number }[] = [];
  const open = (below.get(NONE) ?? []).toReversed().map((at) => ({ at, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    result.push(next);
    const { at, depth } = next;
    for (const child of (below.get(at) ?? []).toReversed())
      open.push({ at: child, depth: depth + 1 });
  }
  return result;
}

/** The earliest that failed by itself: one above a failure fails because of it, and often began before it. */
function firstError(failed: readonly boolean[], parents: readonly number[]): number | undefined {
  const isAbove = new Uint8Array(parents.length);
  for (const [at, isOne] of failed.entries()) {
    if (!isOne) continue;
    for (let up = parents[at]!; up !== NONE && isAbove[up] === 0; up = parents[up]!)
      isAbove[up] = 1;
  }
  const first = failed.findIndex((isOne, at) => isOne && isAbove[at] === 0);
  return first === NONE ? undefined : first;
}
