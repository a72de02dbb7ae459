/**
 * What a deployment is judged by: all telemetry, and beside it what known senders sent. Anybody may send telemetry to
 * the receiver of `hone up`: a flood of made-up successes would hide harm, made-up failures of other agents would pass
 * for an outage, and a made-up past would make today look normal. So each view is judged by itself, and the worse one
 * counts. What nobody known sends can call for a rollback, and never prevents or delays one.
 *
 * Where nobody known sent anything, both are the same and only one is judged. With two views the chance that a harmless
 * change is taken back is at most twice `alpha`: dividing `alpha` would let a stranger weaken the test of what is known.
 */
import type { Window } from '../facts/index.ts';
import { observe } from './baseline.ts';
import { isSameCounts, sum } from './season.ts';
import type { Baseline, MonitorPorts, SeriesObserved } from './types.ts';

export interface View {
  readonly baseline: Baseline;
  readonly observed: readonly SeriesObserved[];
  /** Without what nobody known sent. */
  readonly isKnown: boolean;
}

/** The known one first, if there is one apart. */
export async function viewsOf(
  baseline: Baseline,
  window: Window,
  ports: MonitorPorts,
): Promise<readonly [View, ...View[]]> {
  const observed = await observe(baseline, window, ports);
  const all = { baseline, observed, isKnown: false };
  const knownBaseline = {
    ...baseline,
    series: baseline.series.map(({ known, ...one }) => ({ ...one, hours: known ?? one.hours })),
  };
  const isKnown = knownBaseline.series.some(({ hours }) => sum(hours).all > 0);
  if (!isKnown) return [all];
  const knownObserved = await observe(baseline, window, ports, { known: true });
  const isApart =
    baseline.series.some(({ known }) => known !== undefined) ||
    observed.some(({ bins }, at) => !isSameCounts(bins, knownObserved[at]!.bins));
  return isApart
    ? [{ baseline: knownBaseline, observed: knownObserved, isKnown: true }, all]
    : [all];
}
