/**
 * Whether a trial may be made (ADR 225): where an operator allowed trials, and alone. It is judged by what calls of a tool do, and another
 * change that is watched there would have a part in it.
 */
import { readPattern } from '../diagnose/index.ts';
import type { Pattern } from '../facts/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';

interface Asked {
  readonly open: readonly Dossier[];
  readonly store: Store;
  readonly isAllowed: boolean;
}

/** The pattern, without its trial where none is allowed, and while another change is watched at its tool. */
export async function withTrialAlone(
  pattern: Pattern,
  { open, store, isAllowed }: Asked,
): Promise<Pattern> {
  const { trial, ...rest } = pattern;
  if (trial === undefined) return pattern;
  if (!isAllowed) return rest;
  for (const { proposal, content } of open) {
    if (proposal.state !== 'monitoring' || content.patternId === null) continue;
    if ((await readPattern(store, content.patternId))?.tool === pattern.tool) return rest;
  }
  return pattern;
}

/** What a person may do where no trial is allowed and nothing else can be done; empty where there is nothing to try. */
export function trialHint(
  { trial }: Pick<Pattern, 'trial'>,
  { isAllowed, minConfidence }: { readonly isAllowed: boolean; readonly minConfidence: number },
): string {
  if (isAllowed || trial === undefined || trial.ifLong < minConfidence) return '';
  return ' A longer limit for a day would show whether these calls are long or hang: propose.trials in hone.yaml lets Hone propose that.';
}
