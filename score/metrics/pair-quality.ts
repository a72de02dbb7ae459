/** Precision and recall of a yes-or-no judgement over labelled pairs. */

export interface Judged {
  readonly same: boolean;
  readonly judgedSame: boolean;
}

export interface PairQuality {
  readonly recall: number;
  readonly precision: number;
  readonly n: number;
}

/** Recall of nothing and precision of nothing are 1: nothing was missed, nothing was wrong. */
export function pairQuality(pairs: readonly Judged[]): PairQuality {
  const same = pairs.filter((pair) => pair.same).length;
  const found = pairs.filter((pair) => pair.same && pair.judgedSame).length;
  const said = pairs.filter((pair) => pair.judgedSame).length;
  return {
    recall: same === 0 ? 1 : found / same,
    precision: said === 0 ? 1 : found / said,
    n: pairs.length,
  };
}
