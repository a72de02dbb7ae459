/**
 * What a person must know before deciding, and not after the approval: where the change goes, how much it
 * reaches at once, and what is in the way. The request for a decision, the page and `hone proposals show` all
 * ask here.
 */
import { arrivalWords } from './arrival-words.ts';
import { forgeKind } from './forges.ts';
import { rolloutOf } from './rollouts.ts';
import type { ArrivalSettings } from './types.ts';

/** The settings in question, of the section `deploy`. */
export interface Way extends ArrivalSettings {
  readonly forge: string;
  readonly branch: string;
  readonly remote: string;
  readonly rollout: string;
}

/** One sentence or two each. */
export function beforeDecision(way: Way): readonly string[] {
  const { forge, branch, remote, rollout } = way;
  const where = forgeKind(forge).words(`refs/heads/${branch}`, { remote });
  return [`${where} ${arrivalWords(way)}`, rolloutOf(rollout).words];
}
