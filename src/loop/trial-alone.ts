/** A trial is judged by what calls of a tool do, and another change that is watched there would have a part in it: it waits. */
import { readPattern } from '../diagnose/index.ts';
import type { Pattern } from '../facts/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';

/** The pattern, without its trial while another change is watched at its tool. */
export async function withTrialAlone(
  pattern: Pattern,
  open: readonly Dossier[],
  store: Store,
): Promise<Pattern> {
  const { trial, ...rest } = pattern;
  if (trial === undefined) return pattern;
  for (const { proposal, content } of open) {
    if (proposal.state !== 'monitoring' || content.patternId === null) continue;
    if ((await readPattern(store, content.patternId))?.tool === pattern.tool) return rest;
  }
  return pattern;
}
