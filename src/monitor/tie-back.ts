/**
 * Which change of the last two weeks may have done this, or none: asked of every new failure and every late harm before
 * anything else is blamed. A pure function.
 *
 * Evidence is in natural logarithms of likelihood ratios. A change begins with its prior, by reach and age; "none" has 1.
 * What families of evidence say is capped, because each may be wrong in a way that its numbers do not know; what would be
 * nearly impossible under a cause is not capped.
 *
 * | family | for the change | against it |
 * |---|---|---|
 * | when | harm begins soon after it, or when the load to which it added leaves the range seen before | long after; before it, or what takes too long got slower before it: refuted |
 * | where | whoever shares the tool and was not changed is well, or the changed one is while they are not | the parts out of reach are ill too, or whoever shares the tool, where load explains neither |
 * | how | the load is outside the range seen before, and the change added to it | the load is as before, and nobody who shares the tool is well: the tool itself changed; it was as ill at such a load before |
 * | but for | at the load without the change hardly any of the harm is there | nearly all of it is |
 */

import type { Ring } from './rings.ts';
import type { LoadView } from './tool-load.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** From here on a change is taken for the cause; */
export const LIKELY = 0.8;
/** it is the likeliest of all causes together, and taking it back shows whether it did it; */
export const WORTH_TRYING = 0.5;
/** it is under suspicion. */
export const SUSPECTED = 0.3;

/** How likely a change does harm at this distance, against "none". */
const REACH_PRIORS = [1, 0.5, 0.1, 0.02] as const;
/** A family of evidence counts for ten to one at most. */
const CAP = 2.3;
/** A hundred to one. */
const REFUTED = 4.6;
/** The mean time from a change to what it causes, where it does not begin within a quarter of an hour. */
const LAG_MS = 6 * HOUR_MS;
const SOON_MS = HOUR_MS / 4;
/** What an onset is compared with: any time of a day. */
const RECORD_MS = DAY_MS;
/** A change that adds less to a load is not why it left its range. */
const FOOTPRINT_MIN = 1.1;

export interface Suspect {
  readonly proposalId: string;
  readonly startedAtMs: number;
  readonly ring: Ring;
  /** The place fails by what takes too long, and took longer before the change. */
  readonly wasSlower?: boolean;
  /** Whether those who share the tool have it too; `unclear` where too few of their calls were seen, `none` without any. */
  readonly sharers: 'well' | 'ill' | 'unclear' | 'none';
  /** The parts that the change cannot reach are ill as well. */
  readonly isElsewhere: boolean;
  readonly load: LoadView | undefined;
}

export interface Onset {
  readonly lowMs: number;
  readonly highMs: number;
}

export interface Suspicion {
  readonly proposalId: string;
  readonly probability: number;
}

/** The likeliest first. */
export function tieBack(onset: Onset, suspects: readonly Suspect[]): Suspicion[] {
  const scores = suspects.map((one) => Math.exp(scoreOf(onset, one)));
  const total = scores.reduce((sum, score) => sum + score, 1);
  return suspects
    .map(({ proposalId }, at) => ({ proposalId, probability: scores[at]! / total }))
    .sort((a, b) => b.probability - a.probability);
}

function scoreOf(onset: Onset, suspect: Suspect): number {
  const { startedAtMs, ring, load } = suspect;
  const prior = Math.log(REACH_PRIORS[ring] * youthAt(onset, startedAtMs));
  // An hour is the finest that is counted.
  if (suspect.wasSlower === true || onset.highMs + HOUR_MS <= startedAtMs) return prior - REFUTED;
  return prior + when(onset, suspect) + where(suspect) + how(suspect) + butFor(load);
}

/** 1 ÷ (1 + its age in days), over the interval of the onset, each time in it alike. */
function youthAt({ lowMs, highMs }: Onset, startedAtMs: number): number {
  const [from, to] = [lowMs, highMs].map((ms) => Math.max(0, ms - startedAtMs) / DAY_MS);
  if (to! - from! < 1 / 24) return 1 / (1 + from!);
  return Math.log((1 + to!) / (1 + from!)) / (to! - from!);
}

function when({ lowMs, highMs }: Onset, { startedAtMs, load }: Suspect): number {
  // Over the interval of the onset, each time in it alike.
  const [from, to] = [Math.max(lowMs, startedAtMs), Math.max(highMs, startedAtMs) + HOUR_MS];
  const upTo = (ms: number) => Math.min(1, ms / SOON_MS) / 2 + (1 - Math.exp(-ms / LAG_MS)) / 2;
  const chance = upTo(to - startedAtMs) - upTo(from - startedAtMs);
  const llr = Math.log(Math.max(1e-9, chance) / Math.min(1, (to - from) / RECORD_MS));
  // Harm that comes and goes with the load began when that did; but traffic that grows by itself may do so at any time.
  if (!isByItsLoad(load)) return clipped(llr);
  return Math.max(load?.spells === 0 ? CAP / 2 : 0, clipped(llr));
}

function where({ ring, sharers, isElsewhere, load }: Suspect): number {
  if (isElsewhere) return -CAP;
  // Where load says nothing, that the others have it too is all there is: the tool changed for everybody.
  if (sharers === 'ill' && ring === 0 && load === undefined) return -CAP;
  return sharers === 'well' ? CAP : 0;
}

function how({ ring, sharers, load }: Suspect): number {
  if (load === undefined) return 0;
  if (load.outside >= 0.5) return isByItsLoad(load) && load.spells === 0 ? CAP : 0;
  if (load.outside > 0.2) return 0;
  // A tool that changed is ill for all: where some of them are well, it is not that.
  if (sharers === 'well') return 0;
  // What only shares a tool with the change fails by load.
  if (ring !== 0) return -CAP;
  // What was changed may fail by itself at any load. That its latency is known says nothing against the change.
  // Others who share the tool and are not seen to be well leave it open; where there are none, nothing speaks for the tool.
  return sharers === 'none' ? 0 : -CAP / 2;
}

function butFor(load: LoadView | undefined): number {
  if (!isByLoad(load) || load.butFor === null) return 0;
  // Each time that it was ill by itself makes one more of that kind likelier, whatever the load.
  if (load.butFor.low >= 0.5)
    return load.spells === 0
      ? REFUTED
      : Math.min(REFUTED, -Math.log(load.byChance * (1 + load.spells)));
  return load.butFor.high <= 0.1 ? -REFUTED : 0;
}

function isByLoad(load: LoadView | undefined): load is LoadView {
  return load !== undefined && load.outside >= 0.5;
}

function isByItsLoad(load: LoadView | undefined): boolean {
  return isByLoad(load) && load.footprint >= FOOTPRINT_MIN;
}

const clipped = (llr: number) => Math.min(CAP, Math.max(-CAP, llr));
