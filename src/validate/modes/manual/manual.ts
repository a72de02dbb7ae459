/**
 * VAL-3's choice, where it falls on a person: the change is of a kind that nothing configured here can prove, or that nothing may. A
 * person decides at tier require, and is told what would have to be set so that the next one is proven.
 */
import { type Choice, choiceOf } from '../../choice.ts';
import { hasReplay } from '../../command-replay.ts';
import type { CandidateChange, ModeVerdict, ValidatePorts, ValidationMode } from '../../types.ts';
import { hasEval } from '../eval/eval.ts';

export const manual: ValidationMode = {
  name: 'manual',
  evidenceKinds: ['configuration'],
  assumes: [],
  // In the place of a run: nobody asks for one of a change that failed already.
  runsChange: true,
  applies: (change, ports) => choiceFor(change, ports).taken === 'manual',
  async judge(change, ports) {
    const hasTests = ports.settings.test.length > 0;
    const { wanted, why: chosen } = choiceFor(change, ports);
    if (wanted === 'manual') return inconclusive(chosen);
    const why = hasTests
      ? `Tests alone cannot show that a ${change.dossier.content.type} of ${change.dossier.content.risk} risk helps: set validate.replay or validate.eval.`
      : 'Nothing here runs the change: set validate.test or validate.replay.';
    return inconclusive(`${why} See docs/guides/prove-a-change.md.`);
  },
};

function inconclusive(reason: string): ModeVerdict {
  return { verdict: 'inconclusive', reasons: [reason], improvesTarget: null, found: {} };
}

/** By what is configured here. */
export function choiceFor(
  { dossier }: Pick<CandidateChange, 'dossier'>,
  ports: ValidatePorts,
): Choice {
  const { settings } = ports;
  return choiceOf(dossier.content, {
    tests: settings.test.length > 0,
    evaluation: hasEval(settings),
    replay: hasReplay(ports),
  });
}
