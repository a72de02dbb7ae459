/**
 * VAL-3's choice, where it falls on nobody: the change is of a kind that nothing configured here can prove. A person
 * decides at tier require, and is told what would have to be set so that the next one is proven.
 *
 *   constant_tune of low risk ──► the target's tests, an evaluation, or a replay (A/B where it is routed: not yet)
 *   any other change ───────────► an evaluation or a replay          (canary for behaviour: not yet)
 */
import { hasReplay } from '../../command-replay.ts';
import type { CandidateChange, ValidatePorts, ValidationMode } from '../../types.ts';
import { hasEval } from '../eval/eval.ts';

export const manual: ValidationMode = {
  name: 'manual',
  evidenceKinds: ['configuration'],
  assumes: [],
  // In the place of a run: nobody asks for one of a change that failed already.
  runsChange: true,
  applies: (change, ports) => !isProvable(change, ports),
  async judge(change, { settings }) {
    const hasTests = settings.test.length > 0;
    const why = hasTests
      ? `Tests alone cannot show that a ${change.dossier.content.type} of ${change.dossier.content.risk} risk helps: set validate.replay or validate.eval.`
      : 'Nothing here runs the change: set validate.test or validate.replay.';
    const reasons = [`${why} See docs/guides/prove-a-change.md.`];
    return { verdict: 'inconclusive', reasons, improvesTarget: null, found: {} };
  },
};

function isProvable({ dossier }: CandidateChange, ports: ValidatePorts): boolean {
  const { type, risk } = dossier.content;
  const testsSuffice = type === 'constant_tune' && risk === 'low';
  if (hasReplay(ports) || hasEval(ports.settings)) return true;
  return testsSuffice && ports.settings.test.length > 0;
}
