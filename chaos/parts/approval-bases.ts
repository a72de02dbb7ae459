/** What the bases of a change are like in the world of approvals, as its maker knows it, and what Hone would find out. */
import type { CarryFacts } from '../../src/proposal/index.ts';

/** A content of the change: who edited it, and the base that it is on. */
export interface Made {
  /** Grows with every edit. */
  readonly edits: number;
  /** Grows when a base brings other files that the change or its proof depends on, such as weaker tests. */
  readonly depends: number;
  /** Grows when somebody writes the history anew. */
  readonly lineage: number;
  /** What the modes measure there; less is worse. */
  readonly quality: number;
  /** Of the newest validation. */
  evidence: number;
}

export type RemovedOfBases =
  | 'the files'
  | 'the history'
  | 'the measures'
  | 'the age'
  | 'the same change';

const DAY_SECONDS = 86_400;

/** By the world's own books: whether an approval of the one may count for the other. */
export function isCarriable(then: Made, now: Made, ageSeconds: number): boolean {
  return (
    then.edits === now.edits &&
    then.depends === now.depends &&
    then.lineage === now.lineage &&
    then.quality <= now.quality &&
    ageSeconds <= 7 * DAY_SECONDS
  );
}

/** What Hone finds out, with one protection taken out: what it would have looked at is made to fit. */
export function factsOf(
  bases: { readonly fromBase: string; readonly toBase: string },
  {
    before,
    now,
    ...times
  }: { before: Made; now: Made; readonly nowMs: number; readonly decidedMs: number },
  removed: string | undefined,
): CarryFacts {
  const isOut = (one: RemovedOfBases) => removed === one;
  return {
    ...bases,
    isDescendant: isOut('the history') || before.lineage === now.lineage,
    isSameChange: isOut('the same change') || before.edits === now.edits,
    differing: isOut('the files') || before.depends === now.depends ? [] : ['test/a.js'],
    isSameConfiguration: true,
    worse: isOut('the measures') || before.quality <= now.quality ? [] : ['unit: passed'],
    nowMs: isOut('the age') ? times.decidedMs : times.nowMs,
  };
}
