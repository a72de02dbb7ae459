import { expect, test } from 'vitest';
import { scoreProposal } from './score-proposal.ts';

test('PROP-6 a proposal scores impact × confidence ÷ (risk × complexity), and more when proven', () => {
  const plain = {
    impact: 0.5,
    confidence: 0.8,
    risk: 'low',
    complexity: 1,
    proven: false,
  } as const;
  expect(scoreProposal(plain)).toBeCloseTo(0.4);
  expect(scoreProposal({ ...plain, risk: 'medium' })).toBeCloseTo(0.2);
  expect(scoreProposal({ ...plain, risk: 'high', complexity: 2 })).toBeCloseTo(0.05);
  expect(scoreProposal({ ...plain, proven: true })).toBeCloseTo(0.6);
});
