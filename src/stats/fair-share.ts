/**
 * Which of too many things are looked at. The largest alone would let one owner fill every place: 200
 * invented failures in one log push out a real one in another. So owners take turns, level by level (each
 * source in turn, within it each agent in turn), and each gives its largest first.
 */

export interface FairShareOptions<T> {
  readonly max: number;
  readonly worth: (one: T) => number;
  /** From the outermost level to the innermost. A thing of several owners has a place in each one's turn. */
  readonly owners: readonly ((one: T) => readonly string[])[];
}

export interface FairShare<T> {
  /** The largest first; among equals in the order given. */
  readonly kept: readonly T[];
  readonly folded: readonly T[];
}

export function fairShare<T>(all: readonly T[], options: FairShareOptions<T>): FairShare<T> {
  const { max, worth, owners } = options;
  const sorted = all.toSorted((a, b) => worth(b) - worth(a));
  if (sorted.length <= max) return { kept: sorted, folded: [] };
  const kept = new Set<T>();
  for (const one of inTurns(sorted, { worth, owners })) {
    if (kept.size >= max) break;
    kept.add(one);
  }
  return {
    kept: sorted.filter((one) => kept.has(one)),
    folded: sorted.filter((one) => !kept.has(one)),
  };
}

/** `sorted` is in order of worth, and so is each owner's part of it. */
function inTurns<T>(
  sorted: readonly T[],
  { worth, owners }: Pick<FairShareOptions<T>, 'worth' | 'owners'>,
): readonly T[] {
  const [level, ...inner] = owners;
  if (level === undefined) return sorted;
  const parts = new Map<string, T[]>();
  for (const one of sorted) {
    for (const owner of new Set(level(one))) {
      const part = parts.get(owner);
      if (part === undefined) parts.set(owner, [one]);
      else part.push(one);
    }
  }
  const queues = [...parts.values()].map((part) => inTurns(part, { worth, owners: inner }));
  const longest = queues.reduce((most, { length }) => Math.max(most, length), 0);
  const turns: T[] = [];
  for (let turn = 0; turn < longest; turn += 1) {
    const round = queues.filter(({ length }) => length > turn).map((queue) => queue[turn]!);
    turns.push(...round.sort((a, b) => worth(b) - worth(a)));
  }
  return turns;
}
