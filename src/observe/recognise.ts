/**
 * Which kind of source a file is of, by its beginning. Pure. Every kind is asked, and the surest gets the file; two
 * that are about as sure are a tie, which a person decides.
 */
import { SOURCES } from './sources.ts';
import type { Recognised, Sample, SourceKind } from './types.ts';

/** Below this the kind itself doubts it. */
const CERTAINTY_MIN = 0.3;
/** Kinds judge by themselves, so a smaller difference says nothing. */
const TIE_WITHIN = 0.02;

export interface Candidate {
  readonly kind: SourceKind;
  readonly recognised: Recognised;
}

export interface Recognition {
  /** The surest; of a tie, the one that stands first in the list of kinds. */
  readonly best: Candidate | undefined;
  /** The others that would do, the surest first. */
  readonly others: readonly Candidate[];
  readonly isTie: boolean;
}

export function recognise(sample: Sample, kinds: readonly SourceKind[] = SOURCES): Recognition {
  const candidates = kinds
    .flatMap((kind): Candidate[] => {
      const recognised = asked(kind, sample);
      return recognised === undefined ? [] : [{ kind, recognised }];
    })
    .sort((a, b) => b.recognised.certainty - a.recognised.certainty);
  const [best, ...others] = candidates;
  const second = others[0];
  const isTie =
    best !== undefined &&
    second !== undefined &&
    best.recognised.certainty - second.recognised.certainty <= TIE_WITHIN;
  return { best, others, isTie };
}

/** A kind that throws on a file does not hide the others. */
function asked(kind: SourceKind, sample: Sample): Recognised | undefined {
  try {
    const recognised = kind.recognise?.(sample);
    return (recognised?.certainty ?? 0) >= CERTAINTY_MIN ? recognised : undefined;
  } catch {
    return undefined;
  }
}
