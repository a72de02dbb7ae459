/** Whether a failure that was a pattern is over by now, asked before somebody is asked about it, and before a change is deployed. */
import type { Pattern } from '../facts/index.ts';
import { courseOf, type Episode } from './course.ts';
import { mergeAlike } from './identity.ts';
import type { DiagnosePorts } from './types.ts';

/** When it ended by itself; null while it is there, or where too little was counted to say it. */
export async function endedAt(
  pattern: Pattern,
  nowMs: number,
  {
    telemetry,
    known,
    merged,
    limits,
  }: Pick<DiagnosePorts, 'telemetry' | 'known' | 'merged' | 'limits'>,
): Promise<Episode['toMs']> {
  const window = { fromMs: Math.min(pattern.firstAtMs, nowMs), toMs: nowMs };
  const { groups } = await telemetry.failures(window);
  const failure = mergeAlike(groups, await known(), await merged()).find(
    ({ id }) => id === pattern.id,
  );
  if (failure === undefined) return null;
  const { kind, episode, isByLoad } = courseOf(failure.history, limits.failureShare);
  return kind === 'ended' && !isByLoad ? (episode?.toMs ?? null) : null;
}
