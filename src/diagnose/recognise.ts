/**
 * Known patterns that a new one is like (DIAG-7): the same failure where a tool, an agent or words were renamed. What helped
 * against that one is tried first. Pure.
 */
import { NeighbourIndex, SAME_FROM } from '../text/similarity/index.ts';
import type { Failure, KnownPattern } from './types.ts';

export interface Likeness {
  /** The known pattern. */
  readonly id: string;
  readonly similarity: number;
}

type Looks = Pick<KnownPattern, 'template' | 'tool' | 'errorCode'>;

/** By the new failure's id, the known pattern that is most like it; those that are known themselves are not looked for. */
export function recognised(
  failures: readonly Failure[],
  known: readonly KnownPattern[],
): ReadonlyMap<string, Likeness> {
  const ids = new Set(known.map(({ id }) => id));
  const found = new Map<string, Likeness>();
  const indexes = new Map<string, NeighbourIndex>();
  for (const failure of failures) {
    if (ids.has(failure.id)) continue;
    const index = indexes.get(failure.kind) ?? indexOf(known, failure.kind);
    indexes.set(failure.kind, index);
    const [best] = index.nearest(asFailure(failure), { limit: 1, scoreMin: SAME_FROM });
    if (best?.comparison.same === true)
      found.set(failure.id, { id: best.id, similarity: best.comparison.score });
  }
  return found;
}

/** Failures of different kinds of limit have different cures. */
function indexOf(known: readonly KnownPattern[], kind: string): NeighbourIndex {
  const index = new NeighbourIndex();
  for (const one of known) if (one.kind === kind) index.add(one.id, asFailure(one));
  return index;
}

/** The holes of a template are values; a text without words says nothing. */
function asFailure({ template, tool, errorCode }: Looks) {
  const message = template.replaceAll('<*>', '0');
  return {
    message: message.trim() === '' ? errorCode : message,
    ...(tool === '' ? {} : { tool }),
    ...(errorCode === '' ? {} : { errorClass: errorCode }),
  };
}
