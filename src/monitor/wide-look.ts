/**
 * A look at everything since a deployment, by the hour: what got worse anywhere, and which change did it. Used during the
 * close watch, during probation, and before a fix for a failure is made. Nothing is remembered between looks: the same
 * counts give the same answer, and an hour that was read is not read again.
 */
import type { CallHours, Window } from '../facts/index.ts';
import { poissonCdf, poissonSf } from '../stats/index.ts';
import {
  findingOf,
  type LateFinding,
  type LateLimits,
  lateHarm,
  type Series,
} from './late-harm.ts';
import { type HourCount, normOf } from './norm.ts';
import { type Footing, type Ring, ringsOf } from './rings.ts';
import { sum } from './season.ts';
import { type Suspect, type Suspicion, tieBack } from './tie-back.ts';
import { type LoadView, loadOf } from './tool-load.ts';
import type { MonitorPorts } from './types.ts';

const HOUR_MS = 3_600_000;
/** Two weeks have each hour of the week twice. */
const BASELINE_MS = 14 * 24 * HOUR_MS;
/** Telemetry of an hour may come a little later. */
export const LATE_MS = 5 * 60_000;
/** Of what got worse, so many are traced back. */
const TRACED_MAX = 5;
/** Chances below which others are ill, and below which they are well. */
const ILL = 0.01;
const WELL = 0.1;

/** A change that is at the target. */
export interface AtTarget {
  readonly proposalId: string;
  readonly startedAtMs: number;
  readonly footing: Footing;
}

export interface Harmed {
  readonly finding: LateFinding;
  /** Of every change that is at the target, the likeliest first. */
  readonly suspicions: readonly Suspicion[];
  /** At the tool that fails, as the change that was asked about explains it. */
  readonly load: LoadView | undefined;
}

type Ports = Pick<MonitorPorts, 'callHours' | 'nowMs' | 'settings'>;

export function limitsOf({ alpha, errorRate, probation, duration }: Ports['settings']): LateLimits {
  return {
    alpha,
    allowed: errorRate,
    hours: Math.max(1, Math.ceil(Math.max(probation, duration) / HOUR_MS)),
  };
}

/** What got worse since this change, each with who may have done it; the one that fits this change best first. */
export async function lookWide(
  change: AtTarget,
  others: readonly AtTarget[],
  ports: Ports,
): Promise<Harmed[]> {
  const calls = await callsAround([change, ...others], ports);
  const found = lateHarm(seriesOf(calls, change), limitsOf(ports.settings)).slice(0, TRACED_MAX);
  const traced = found.map((finding) => traceBack(finding, change, { calls, others }));
  const fits = ({ suspicions }: Harmed) => suspicionOf(suspicions, change.proposalId);
  return traced.sort((a, b) => fits(b) - fits(a));
}

/** The harm at one place, as each of these changes may have done it; the likeliest first. */
export async function whoDid(
  place: { readonly agent: string; readonly tool: string | undefined },
  changes: readonly AtTarget[],
  ports: Ports,
): Promise<(Harmed & { readonly change: AtTarget; readonly probability: number })[]> {
  if (changes.length === 0) return [];
  const calls = await callsAround(changes, ports);
  return changes
    .flatMap((change) => {
      const there = seriesOf(calls, change).filter(
        ({ agent, tool }) =>
          agent === place.agent && (place.tool === undefined || tool === place.tool),
      );
      return there.map((series) => ({ change, series }));
    })
    .flatMap(({ change, series }) => {
      const norm = normOf(series.before);
      const looked = { series, norm, evidence: 0, evidenceNeeded: 0 };
      const finding = norm.all === 0 ? undefined : findingOf(looked, limitsOf(ports.settings));
      if (finding === undefined || !isBeyondNoise(finding)) return [];
      const others = changes.filter((one) => one !== change);
      const harmed = traceBack(finding, change, { calls, others });
      const probability = suspicionOf(harmed.suspicions, change.proposalId);
      return [{ ...harmed, change, probability }];
    })
    .sort((a, b) => b.probability - a.probability);
}

export function suspicionOf(suspicions: readonly Suspicion[], proposalId: string): number {
  return suspicions.find((one) => one.proposalId === proposalId)?.probability ?? 0;
}

function isBeyondNoise({ observed, expectedBad, norm }: LateFinding): boolean {
  return poissonSf(observed.bad / norm.dispersion - 1, expectedBad / norm.dispersion) < ILL;
}

async function callsAround(
  changes: readonly AtTarget[],
  { callHours, nowMs }: Ports,
): Promise<readonly CallHours[]> {
  const fromMs = Math.min(...changes.map(({ startedAtMs }) => startedAtMs)) - BASELINE_MS;
  const toMs = Math.floor((nowMs - LATE_MS) / HOUR_MS) * HOUR_MS;
  return toMs <= fromMs ? [] : await callHours({ fromMs, toMs });
}

function windowsOf({ startedAtMs }: AtTarget): {
  readonly before: Window;
  readonly sinceMs: number;
} {
  return {
    before: { fromMs: startedAtMs - BASELINE_MS, toMs: startedAtMs - HOUR_MS + 1 },
    // The hour of the deployment had both versions.
    sinceMs: startedAtMs,
  };
}

function seriesOf(calls: readonly CallHours[], change: AtTarget): Series[] {
  const { before, sinceMs } = windowsOf(change);
  const rings = ringsOf(calls, change.footing);
  return calls.map(({ agent, tool, hours }, at) => {
    const counted = hours.map(
      (hour): HourCount => ({
        atMs: hour.atMs,
        bad: hour.failed,
        all: hour.calls,
      }),
    );
    return {
      agent,
      tool,
      measure: 'failures',
      ring: rings[at]!,
      before: counted.filter(({ atMs }) => atMs >= before.fromMs && atMs < before.toMs),
      since: counted.filter(({ atMs }) => atMs >= sinceMs),
    };
  });
}

interface Surrounding {
  readonly calls: readonly CallHours[];
  readonly others: readonly AtTarget[];
}

function traceBack(finding: LateFinding, change: AtTarget, { calls, others }: Surrounding): Harmed {
  const onset = { lowMs: finding.onsetLowMs, highMs: finding.onsetHighMs };
  const own = suspectOf(change, finding, calls);
  const suspects = [own, ...others.map((one) => suspectOf(one, finding, calls))];
  return { finding, suspicions: tieBack(onset, suspects), load: own.load };
}

function suspectOf(change: AtTarget, finding: LateFinding, calls: readonly CallHours[]): Suspect {
  const { proposalId, startedAtMs, footing } = change;
  const all = seriesOf(calls, change);
  const { agent, tool } = finding.series;
  const ring: Ring = all.find((one) => one.agent === agent && one.tool === tool)?.ring ?? 3;
  const changed = new Set(all.filter((one) => one.ring === 0).map((one) => one.agent));
  return {
    proposalId,
    startedAtMs,
    ring,
    sharers: sharersOf(finding, { all, ring, footing }),
    isElsewhere:
      conditionOf(
        all.filter((one) => one.ring >= 2),
        finding,
      ) === 'ill',
    load: loadOf({
      calls,
      tool,
      changed: (name) => changed.has(name),
      origins: footing.tools,
      startedAtMs,
      onsetMs: finding.onsetMs,
      usual: (finding.norm.bad + 0.5) / (finding.norm.all + 1),
    }),
  };
}

/** At what was changed: whoever else calls the tool. At what shares a changed tool: the changed ones. */
function sharersOf(
  finding: LateFinding,
  { all, ring, footing }: { all: readonly Series[]; ring: Ring; footing: Footing },
): Suspect['sharers'] {
  const { tool } = finding.series;
  if (ring !== 0 && footing.tools !== null && !footing.tools.includes(tool)) return 'unknown';
  const compared = all.filter((one) => one.tool === tool && (one.ring === 0) !== (ring === 0));
  return conditionOf(compared, finding);
}

/** Whether these are as ill as the finding in its hours. */
function conditionOf(compared: readonly Series[], finding: LateFinding): Suspect['sharers'] {
  let [bad, all, expected, spread] = [0, 0, 0, 1];
  for (const series of compared) {
    const norm = normOf(series.before);
    if (norm.all === 0) continue;
    const rate = (norm.bad + 0.5) / (norm.all + 1);
    const hours = series.since.filter(({ atMs }) => atMs >= finding.onsetMs);
    const now = sum(hours);
    bad += now.bad;
    all += now.all;
    expected += hours.reduce(
      (total, hour) => total + hour.all * rate * norm.factorAt(hour.atMs),
      0,
    );
    spread = Math.max(spread, norm.dispersion);
  }
  if (all === 0) return 'unknown';
  if (bad > 1.25 * expected && poissonSf(bad / spread - 1, expected / spread) < ILL) return 'ill';
  const excess = (finding.observed.bad - finding.expectedBad) / finding.observed.all;
  const asIll = expected + (Math.max(0, excess) * all) / 3;
  return poissonCdf(Math.floor(bad / spread), asIll / spread) < WELL ? 'well' : 'unknown';
}
