/**
 * What observing costs, against what is observed: the processor's time that batches took, and the time that the calls
 * in them took. Above the bound, raw events of whole traces are left out; failures are kept, and everything is still
 * counted, so no count has to be corrected. The sums fade, so that they are about the last hundred batches.
 *
 * Only batches of many records say what an event costs: a commit has a cost of its own, and where few events come it is
 * most of it, though nobody is kept waiting. Those are left out of the sums, and kept whole.
 */
import type { CleanEvent } from './types.ts';

export interface Overhead {
  readonly costMs: number;
  readonly observedMs: number;
}

const FADE = 0.99;
/** Fewer traces than one in 64 would show nothing. */
const HALVINGS_MAX = 6;

/** Fewer records are no burden. */
const RECORDS_MIN = 500;

export function isBurden(records: number): boolean {
  return records >= RECORDS_MIN;
}

export function faded(before: Overhead, more: Overhead): Overhead {
  return {
    costMs: before.costMs * FADE + more.costMs,
    observedMs: before.observedMs * FADE + more.observedMs,
  };
}

/** Null where nothing says how long anything took. */
export function overheadShare({ costMs, observedMs }: Overhead): number | null {
  return observedMs > 0 ? costMs / observedMs : null;
}

/** Of traces whose raw events are kept: 1, 1/2, 1/4 …, so that a smaller share is part of a larger one. */
export function keptShare(overhead: Overhead, shareMax: number): number {
  const share = overheadShare(overhead);
  if (share === null || share <= shareMax) return 1;
  const halvings = Math.ceil(Math.log2(share / shareMax));
  return 2 ** -Math.min(HALVINGS_MAX, halvings);
}

/** The same answer for every event of a trace, or of a session without one. */
export function isKept({ traceId, session }: CleanEvent, share: number): boolean {
  return share >= 1 || hashOf(traceId ?? session) < share * 2 ** 32;
}

/** FNV-1a with a last mix: sessions are often numbered, and their numbers end alike. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Of this process, whatever else it does meanwhile: observing is never called cheaper than it is. */
export function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How long it took, if it is a call of a tool or a model: other spans hold these. */
export function observedMs(event: CleanEvent): number {
  if (event.kind === 'tool_call') return event.latencyMs ?? 0;
  if (event.kind !== 'trace_span' || event.outputTokens === undefined) return 0;
  return event.durationMs ?? 0;
}
