/**
 * The gate `limits`, pure. A mode that does not enforce lifts the configured number, never the limit
 * itself: rule 7 of the constitution holds in every mode, by a ceiling that nothing lifts.
 */
import type { SwitchMode } from '../facts/index.ts';

/** The trigger looks 96 times a day; more open proposals than this are not compared with each other; nobody
 * reads more pull requests than this in a day. */
export const LIMIT_CEILINGS = {
  cyclesPerDay: 100,
  openProposals: 1000,
  pullRequestsPerDay: 100,
} as const;

export interface LimitVerdict {
  readonly allowed: boolean;
  /** It is only allowed because the gate observes. */
  readonly letPass: boolean;
  /** The number that it was judged by. */
  readonly max: number;
}

/** Whether one more is allowed where there are `count`. */
export function judgeLimit(
  limit: keyof typeof LIMIT_CEILINGS,
  { count, max, mode }: { count: number; max: number; mode: SwitchMode },
): LimitVerdict {
  if (mode === 'enforce') return { allowed: count < max, letPass: false, max };
  const ceiling = Math.max(max, LIMIT_CEILINGS[limit]);
  const allowed = count < ceiling;
  return { allowed, letPass: allowed && mode === 'observe' && count >= max, max: ceiling };
}
