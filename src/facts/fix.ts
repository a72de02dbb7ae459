/**
 * How a change ended. Three ends are easily taken for one and mean different things: it did harm, a person
 * did not want it, it could not be proven.
 */
export const FIX_OUTCOMES = [
  /** It stayed. */
  'proven',
  /** It did harm of its own and was taken back. */
  'failed',
  /** A person rejected it. */
  'rejected',
  /** A person took it back. */
  'withdrawn',
  /** Vetting or validation refused it. */
  'unproven',
  /** It was given up on the way. */
  'aborted',
  /** It was taken back, and something else may be to blame. */
  'doubtful',
  /** Somebody else moved the branch before it got there. */
  'overtaken',
] as const;
export type FixOutcome = (typeof FIX_OUTCOMES)[number];
