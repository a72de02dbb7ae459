import type { Step } from './change.ts';
import type { MadeBy } from './proposal.ts';

/**
 * How a change ended. Three ends are easily taken for one and mean different things: it did harm, a person
 * did not want it, it could not be proven.
 */
export const FIX_OUTCOMES = [
  /** It stayed, and was measured to be better than what would have been without it. */
  'proven',
  /** It stayed and did no harm; that it helped was not shown. */
  'held',
  /** It stayed, and too little was seen to say anything. */
  'inconclusive',
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
  /** Its deployment failed: the branch never had it, or was moved back at once. */
  'undeployed',
  /** It was taken back, and something else may be to blame. */
  'doubtful',
  /** It was taken back for what was not its doing: an outage elsewhere, or the harm of a change that it was on top of. */
  'cleared',
  /** Somebody else moved the branch before it got there. */
  'overtaken',
  /** It was a trial, showed that it brings nothing, and was taken back. */
  'vain',
] as const;
export type FixOutcome = (typeof FIX_OUTCOMES)[number];

/** After how long it is measured what came of a change that stayed. */
export const EFFECT_TIMES = ['day', 'week', 'two_weeks'] as const;
export type EffectTime = (typeof EFFECT_TIMES)[number];

/** `timeout constant-tune up`: the same for changes of one kind against failures of one kind, wherever they are. */
export function fixWay({ generator, failure }: MadeBy, step: Step | undefined): string {
  const direction = step === undefined ? '' : step.to > step.from ? ' up' : ' down';
  return `${failure} ${generator}${direction}`;
}
