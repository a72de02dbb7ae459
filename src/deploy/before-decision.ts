/**
 * What a person must know before deciding, and not after the approval: where the change goes, how much it
 * reaches at once, and what is in the way. The request for a decision, the page and `hone proposals show` all
 * ask here.
 */
import { forgeKind } from './forges.ts';
import { rolloutOf } from './rollouts.ts';

/** The settings in question, of the section `deploy`. */
export interface Way {
  readonly forge: string;
  readonly branch: string;
  readonly remote: string;
  readonly rollout: string;
}

/** One sentence or two each. */
export function beforeDecision({ forge, branch, remote, rollout }: Way): readonly string[] {
  return [forgeKind(forge).words(`refs/heads/${branch}`, { remote }), rolloutOf(rollout).words];
}
