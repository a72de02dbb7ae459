/** Which due step is taken first: rollbacks, then watches, then decided changes. */
import type { StepKind } from '../facts/index.ts';

const BEFORE_THE_REST: readonly StepKind[] = ['rollback', 'monitor', 'deploy'];
const REST = BEFORE_THE_REST.length;

/** The lower, the sooner. */
export function urgencyOf(kind: StepKind): number {
  const at = BEFORE_THE_REST.indexOf(kind);
  return at === -1 ? REST : at;
}

/** Urgencies of the steps that may be taken, the most urgent first. */
export function urgenciesOf(kinds: readonly StepKind[]): number[] {
  return [...new Set(kinds.map(urgencyOf))].sort((one, other) => one - other);
}
