/** How the share of failures grows with load, and what load a number of tries leads to. Pure. */

export interface LoadPoint {
  readonly load: number;
  readonly bad: number;
  readonly all: number;
}

/** The share that fails at a load; never falling. */
export type LoadCurve = (load: number) => number;

interface Level {
  from: number;
  to: number;
  bad: number;
  all: number;
}

/** Isotonic regression (pool adjacent violators), straight between levels and level outside what was seen. */
export function loadCurve(points: readonly LoadPoint[]): LoadCurve {
  const levels: Level[] = [];
  for (const { load, bad, all } of [...points].sort((a, b) => a.load - b.load)) {
    if (all <= 0) continue;
    levels.push({ from: load, to: load, bad, all });
    for (;;) {
      const [before, last] = [levels.at(-2), levels.at(-1)!];
      if (before === undefined || before.bad / before.all < last.bad / last.all) break;
      levels.splice(-2, 2, {
        from: before.from,
        to: last.to,
        bad: before.bad + last.bad,
        all: before.all + last.all,
      });
    }
  }
  return (load) => shareAt(levels, load);
}

function shareAt(levels: readonly Level[], load: number): number {
  const rate = ({ bad, all }: Level) => bad / all;
  const above = levels.findIndex(({ from }) => from > load);
  if (above < 0) return levels.length === 0 ? 0 : rate(levels.at(-1)!);
  if (above === 0) return rate(levels[0]!);
  const [low, high] = [levels[above - 1]!, levels[above]!];
  if (load <= low.to) return rate(low);
  const part = (load - low.to) / (high.from - low.to);
  return rate(low) + part * (rate(high) - rate(low));
}

/** So many calls, each tried again so often while it fails. */
export interface Caller {
  readonly first: number;
  readonly retries: number;
}

export interface TriesLoad {
  /** All tries of all callers. */
  readonly load: number;
  /** The share of tries that fail at that load. */
  readonly share: number;
}

const STEPS = 60;

/** Tries for each call where each try fails with this share. */
export function triesAt(share: number, retries: number): number {
  return (1 - share ** (retries + 1)) / (1 - share);
}

/**
 * The load that calls make with so many tries after each failure, where each try fails with the share of that very
 * load: `load = Σ first · (1 − p^(r+1)) / (1 − p)`. It may have two answers. From `below` is that of a tool that has
 * recovered; from `above` that of one on its knees, which has to get up with these tries and not only to stay up.
 */
export function loadWithTries(
  callers: readonly Caller[],
  { curve, from }: { readonly curve: LoadCurve; readonly from: 'above' | 'below' },
): TriesLoad {
  const sum = (of: (caller: Caller) => number) =>
    callers.reduce((total, caller) => total + of(caller), 0);
  const calls = sum(({ first }) => first);
  let load = from === 'above' ? sum(({ first, retries }) => first * (retries + 1)) : calls;
  let share = 0;
  for (let step = 0; step < STEPS; step++) {
    share = Math.min(curve(load), 0.999);
    const next = sum(({ first, retries }) => first * triesAt(share, retries));
    if (Math.abs(next - load) < 1e-6 * calls) break;
    load = (load + next) / 2;
  }
  return { load, share };
}
