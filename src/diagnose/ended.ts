/** Whether a failure that was a pattern is over by now, asked before somebody is asked about it, and before a change is deployed. */
import type { Pattern } from '../facts/index.ts';
import type { Episode } from './course.ts';
import { endedTogether } from './ended-together.ts';
import { mergeAlike } from './identity.ts';
import type { DiagnosePorts } from './types.ts';
import { courseOfFailure, isByLoad } from './why-now.ts';

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
  const all = mergeAlike(groups, await known(), await merged());
  const failure = all.find(({ id }) => id === pattern.id);
  if (failure === undefined) return null;
  const { failureShare } = limits;
  const own = courseOfFailure(failure, failureShare);
  const course = endedTogether(failure, own, { all, failureShare });
  const { kind, episode } = course;
  const isMeasured = pattern.whyNow?.trigger === 'load';
  return kind === 'ended' && !isByLoad(course, { subject: pattern.subject, isByLoad: isMeasured })
    ? (episode?.toMs ?? null)
    : null;
}
