/** How much a proposal promises relative to its risk: impact × confidence ÷ (risk × complexity). */
import type { Risk } from '../facts/index.ts';

const RISK_WEIGHT: Readonly<Record<Risk, number>> = { low: 1, medium: 2, high: 4 };
const PROVEN = 1.5;

export function scoreProposal(proposal: {
  /** 0 to 1, the pattern's. */
  readonly impact: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly risk: Risk;
  /** 1 for one value in one file. */
  readonly complexity: number;
  /** It is known to help. */
  readonly proven: boolean;
}): number {
  const { impact, confidence, risk, complexity, proven } = proposal;
  const promise = impact * confidence * (proven ? PROVEN : 1);
  return promise / (RISK_WEIGHT[risk] * Math.max(1, complexity));
}
