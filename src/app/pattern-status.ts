/** What became of a pattern, by what the cycle that saw it last said and by what is open for it. Pure. */
import type { PATTERN_STATUSES } from '../contracts/pattern.ts';
import { isToldOnly } from '../diagnose/index.ts';
import type { Pattern } from '../facts/index.ts';
import type { Finding } from '../loop/index.ts';

export interface Seen {
  readonly pattern: Pattern;
  /** What its cycle said; undefined while that cycle is working. */
  readonly finding: Pick<Finding, 'did' | 'why'> | undefined;
  /** Whether a cycle that finished later looked and did not see it. */
  readonly isMissed: boolean;
  /** The title of a change for it that is open or at the target. */
  readonly proposed: string | undefined;
  /** Why a person wants it ignored. */
  readonly ignored: string | undefined;
}

export interface Standing {
  readonly status: (typeof PATTERN_STATUSES)[number];
  readonly why: string;
}

export function standingOf({ pattern, finding, isMissed, proposed, ignored }: Seen): Standing {
  const { whyNow } = pattern;
  if (ignored !== undefined) return { status: 'ignored', why: ignored };
  if (whyNow !== undefined && whyNow.endedAtMs !== null)
    return { status: 'over', why: whyNow.wait ?? 'It ended by itself.' };
  if (isMissed) return { status: 'over', why: 'A later cycle looked and did not find it.' };
  if (proposed !== undefined) return { status: 'proposed', why: proposed };
  if (finding?.did === 'proposed') return { status: 'declined', why: `Proposed: ${finding.why}.` };
  if (finding?.did === 'told' || isToldOnly(pattern))
    return { status: 'told', why: finding?.why ?? pattern.reasons.join(' ') };
  if (whyNow !== undefined && whyNow.wait !== null) return { status: 'waiting', why: whyNow.wait };
  if (finding !== undefined) {
    const status = isRatherUnknown(pattern) ? 'told' : 'declined';
    return { status, why: finding.why };
  }
  return { status: 'waiting', why: 'The cycle that found it is still working.' };
}

/** It is more likely that something else causes it than what was found: a person has to look. */
function isRatherUnknown({ confidence }: Pattern): boolean {
  return confidence < 0.5;
}
