/** Whether a failure that was a pattern is over by now, asked before somebody is asked about it, and before a change is deployed. */
import type { Pattern, PlaceBin } from '../facts/index.ts';
import type { Episode } from './course.ts';
import { endedTogether } from './ended-together.ts';
import { mergeAlike } from './identity.ts';
import type { DiagnosePorts } from './types.ts';
import { courseOfFailure, isByLoad } from './why-now.ts';

type Ports = Pick<DiagnosePorts, 'telemetry' | 'known' | 'merged'>;

/** When it ended by itself; null while it is there, or where too little was counted to say it. */
export async function endedAt(
  pattern: Pattern,
  nowMs: number,
  { limits, ...ports }: Ports & Pick<DiagnosePorts, 'limits'>,
): Promise<Episode['toMs']> {
  const { failure, all } = await failureOf(pattern, nowMs, ports);
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

/** Its record up to now: of all calls at its place, or of all sessions, those that failed by it; undefined where it is not told. */
export async function recordOf(
  pattern: Pattern,
  nowMs: number,
  ports: Ports,
): Promise<readonly PlaceBin[] | undefined> {
  return (await failureOf(pattern, nowMs, ports)).failure?.history;
}

async function failureOf(pattern: Pattern, nowMs: number, { telemetry, known, merged }: Ports) {
  const window = { fromMs: Math.min(pattern.firstAtMs, nowMs), toMs: nowMs };
  const { groups } = await telemetry.failures(window);
  const all = mergeAlike(groups, await known(), await merged());
  return { failure: all.find(({ id }) => id === pattern.id), all };
}
