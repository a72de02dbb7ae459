import { expect, test } from 'vitest';
import { type draft, MODES, makeContent, validations } from '../../test/proposals.ts';
import { digestOf } from '../base/index.ts';
import type { Attestation } from '../facts/index.ts';
import { type Dossier, findTransition } from '../proposal/index.ts';
import { validateAgain } from './before-deploy.ts';

const content = makeContent();
const DIGEST = digestOf(content);

function dossierOf(said: readonly ReturnType<typeof draft>[]): Dossier {
  return {
    content,
    proposal: {
      id: 'p_1',
      version: 9,
      state: 'approved',
      digest: DIGEST,
      title: content.title,
      createdAtMs: 0,
      changedAtMs: 0,
    },
    attestations: said.map(
      (one, at) => ({ ...one, id: `att_${at}`, proposalId: 'p_1', atMs: at }) as Attestation,
    ),
  };
}

test('a mode that became required is asked before anything goes on, one that spoke is not', () => {
  const validated = dossierOf(validations('passed', DIGEST));
  expect(validateAgain(validated, { requiredModes: MODES })).toBeUndefined();
  const step = validateAgain(validated, { requiredModes: [...MODES, 'canary'] });
  expect(step).toMatchObject({ to: 'validating', did: expect.stringContaining('canary') });
  const either = validateAgain(validated, { requiredModes: [['unit', 'canary'], 'policy'] });
  expect(either).toMatchObject({ did: expect.stringContaining('by unit or canary, which') });
  expect(validateAgain(validated, { requiredModes: [['unit', 'replay']] })).toBeUndefined();
  for (const state of ['validated', 'inconclusive', 'pending', 'approved'] as const)
    expect(findTransition(state, 'validating')).toBeDefined();
});
