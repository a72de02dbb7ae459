/** The fleet's baseline in one line. */
import type { TierList } from '../contracts/tier.ts';

const VERDICTS = { stable: 'stable', unstable: 'NOT STABLE', too_short: 'too short' } as const;

export function baselineText(baseline: TierList['baseline']): string {
  if (baseline === null) return 'unknown: the telemetry cannot be read';
  const { verdict, why, calls, failureRate, lowestDay, highestDay, latencyMs } = baseline;
  const said = `${VERDICTS[verdict]}, ${why}`;
  if (failureRate === null) return said;
  const range = `${percent(lowestDay!)} to ${percent(highestDay!)} by day`;
  const took = latencyMs === null ? '' : `, ${Math.round(latencyMs)} ms on average`;
  return `${said}; ${percent(failureRate)} of ${calls} calls failed (${range})${took}`;
}

const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`;
