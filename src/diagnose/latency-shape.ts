/** What a distribution of durations looks like. Pure. Buckets are about 5 % wide, so nothing is known more exactly. */
import type { LatencyView } from '../facts/index.ts';

/** Two buckets beside each other, and a little of giving up. */
const PILE_WIDTH = 1.12;
const PILE_SHARE = 0.8;

/** The share of the durations whose bucket ends within these. */
export function shareWithin({ buckets }: LatencyView, fromMs: number, toMs: number): number {
  let [inside, all] = [0, 0];
  for (const { uptoMs, count } of buckets) {
    all += count;
    if (uptoMs >= fromMs && uptoMs <= toMs) inside += count;
  }
  return all === 0 ? 0 : inside / all;
}

/** Within this time so many of them ended. */
export function quantileMs({ buckets, maxMs }: LatencyView, share: number): number {
  const all = buckets.reduce((sum, { count }) => sum + count, 0);
  let before = 0;
  for (const { uptoMs, count } of buckets) {
    before += count;
    if (before >= share * all - 1e-9 && count > 0) return Math.min(uptoMs, maxMs);
  }
  return maxMs;
}

/** Added up, in milliseconds. */
export function totalMs({ buckets, maxMs }: LatencyView): number {
  return buckets.reduce((sum, { uptoMs, count }) => sum + Math.min(uptoMs, maxMs) * count, 0);
}

export interface Pile {
  /** The lower edge of the duration at which they end: a timer fires there or a little later. */
  readonly ms: number;
  readonly share: number;
}

/** Where nearly all of them end at one duration, as a timer makes them; null where they are spread. */
export function pileOf(view: LatencyView | null): Pile | null {
  if (view === null || view.count === 0) return null;
  const all = view.buckets.reduce((sum, { count }) => sum + count, 0);
  let best: Pile | null = null;
  for (const [at, { uptoMs }] of view.buckets.entries()) {
    let inside = 0;
    for (const one of view.buckets.slice(at)) {
      if (one.uptoMs > uptoMs * PILE_WIDTH) break;
      inside += one.count;
    }
    const share = inside / all;
    if (share >= PILE_SHARE && share > (best?.share ?? 0)) best = { ms: uptoMs / 1.05, share };
  }
  return best;
}

const BEYOND = 1.1;
const BEYOND_SHARE = 0.02;

/**
 * Whether failures look cut off: they pile up at one duration, and calls that succeed hardly ever take longer. What is
 * refused at once piles up as well, but below what successes take.
 */
export function cutOffAt(failed: LatencyView | null, succeeded: LatencyView | null): Pile | null {
  const pile = pileOf(failed);
  if (pile === null || succeeded === null || succeeded.count === 0) return null;
  const beyond = shareWithin(succeeded, pile.ms * BEYOND, Number.POSITIVE_INFINITY);
  return beyond <= BEYOND_SHARE ? pile : null;
}
