/** What is said where raw events are left out. */
import { overheadShare } from './overhead.ts';
import type { SourceState } from './source-state.ts';

/** Undefined if everything was kept. */
export function samplingWords(before: SourceState, after: SourceState): string | undefined {
  if (after.sampled === before.sampled) return undefined;
  const share = ((overheadShare(before.overhead) ?? 0) * 100).toFixed(1);
  return `Observing costs ${share} % of what is observed, which is too much: raw events of some sessions are not kept. Failures are, and everything is counted.`;
}
