/** Every occurrence of a pattern leads back to an event (DIAG-6): where its events are kept. */
import type { Window } from '../facts/index.ts';
import { mergeAlike } from './identity.ts';
import type { DiagnosePorts } from './types.ts';

/** The series of the failures that are this pattern in the window; none where nothing of it is counted there. */
export async function seriesOf(
  id: string,
  window: Window,
  {
    telemetry,
    known,
    merged,
  }: Pick<DiagnosePorts, 'known' | 'merged'> & {
    readonly telemetry: Pick<DiagnosePorts['telemetry'], 'failures'>;
  },
): Promise<readonly number[]> {
  const { groups } = await telemetry.failures(window);
  const all = mergeAlike(groups, await known(), await merged());
  return all.find((one) => one.id === id)?.series ?? [];
}
