/**
 * A look at everything since a deployment, by the hour: what got worse anywhere, and which change did it. Used during the
 * close watch, during probation, and before a fix for a failure is made. Nothing is remembered between looks: the same
 * counts give the same answer, and an hour that was read is not read again.
 */
import type { CallHours, Window } from '../facts/index.ts';
import { poissonCdf, poissonSf } from '../stats/index.ts';
import {
  courseOf,
  findingOf,
  isEnough,
  type LateFinding,
  type LateLimits,
  type Looked,
  lastWorse,
  lateHarm,
  lookAt,
  type Series,
} from './late-harm.ts';
import { type HourCount, type Norm, normOf } from './norm.ts';
import { type Footing, type Place, type Ring, ringsOf } from './rings.ts';
import { sum } from './season.ts';
import { SUSPECTED, type Suspect, type Suspicion, tieBack } from './tie-back.ts';
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

/** A change that may have done the harm at one place. */
export interface Suspected extends Harmed {
  readonly change: AtTarget;
  readonly probability: number;
  /** An alarm of the change's watch over all places. This one was chosen because it fails, so noise alone may do the rest. */
  readonly isAlarm: boolean;
  /** The end of the hour that first showed the harm. */
  readonly sinceMs: number;
}

type Ports = Pick<MonitorPorts, 'callHours' | 'nowMs' | 'settings'>;

function limitsOf({ alpha, errorRate, probation, duration }: Ports['settings']): LateLimits {
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
  const found = clearest(lateHarm(seriesOf(calls, change), limitsOf(ports.settings)));
  const around = surrounding(calls, [change, ...others]);
  const traced = found.map((finding) => traceBack(finding, around));
  const fits = ({ suspicions }: Harmed) => suspicionOf(suspicions, change.proposalId);
  return traced.sort((a, b) => fits(b) - fits(a));
}

/** The clearest of each ring and the clearest of the rest: much harm in one ring must not hide the harm in another. */
function clearest(found: readonly LateFinding[]): LateFinding[] {
  const ofRings = new Set(
    ([0, 1, 2, 3] as const).flatMap(
      (ring) => found.find(({ series }) => series.ring === ring) ?? [],
    ),
  );
  const others = found.filter((one) => !ofRings.has(one)).slice(0, TRACED_MAX - ofRings.size);
  const kept = new Set([...ofRings, ...others]);
  return found.filter((one) => kept.has(one));
}

/** How near everything is to an alarm, for a person who looks on. */
export async function viewOf(change: AtTarget, ports: Ports) {
  const all = seriesOf(await callsAround([change], ports), change);
  const limits = limitsOf(ports.settings);
  return { course: courseOf(all, limits), looked: lookAt(all, limits) };
}

/** Changes that are suspected of the harm at one place, the likeliest first. */
export async function whoDid(
  { agent, tool }: Place,
  changes: readonly AtTarget[],
  ports: Ports,
): Promise<Suspected[]> {
  if (changes.length === 0) return [];
  const calls = await callsAround(changes, ports);
  const limits = limitsOf(ports.settings);
  const around = surrounding(calls, changes).changes;
  const isAt = (place: Place) => place.agent === agent && place.tool === tool;
  return around
    .flatMap((one) => {
      const { change, all } = one;
      const ask = (looked: Looked | undefined) => {
        const finding = looked === undefined ? undefined : findingOf(looked, limits);
        if (finding === undefined || !isBeyondNoise(finding)) return undefined;
        const others = around.filter((other) => other !== one);
        const harmed = traceBack(finding, { calls, changes: [one, ...others] });
        const probability = suspicionOf(harmed.suspicions, change.proposalId);
        if (probability < SUSPECTED) return undefined;
        return { ...harmed, change, probability, sinceMs: beyondNoiseSinceMs(finding) };
      };
      // First by itself: a look at everything takes a while, and most changes have nothing to do with this place.
      const series = all.find(isAt);
      if (series === undefined || ask(alone(series)) === undefined) return [];
      const looked = lookAt(all, limits).find((there) => isAt(there.series));
      const suspected = ask(looked);
      return suspected === undefined ? [] : [{ ...suspected, isAlarm: looked!.isAlarm }];
    })
    .sort((a, b) => b.probability - a.probability);
}

/**
 * Until when harm was last seen that may be this change's doing; undefined where none was seen. Counted anew from the
 * levels of each series, so that nothing has to be remembered between looks.
 */
export async function lastSeenMs(
  change: AtTarget,
  others: readonly AtTarget[],
  ports: Ports,
): Promise<number | undefined> {
  const calls = await callsAround([change, ...others], ports);
  const around = surrounding(calls, [change, ...others]);
  const limits = limitsOf(ports.settings);
  const seen = around.changes[0]!.all.flatMap((series) => {
    const found = lastWorse(alone(series), limits);
    if (found === undefined || !isBeyondNoise(found)) return [];
    const { suspicions } = traceBack(found, around);
    const isIts = suspicionOf(suspicions, change.proposalId) >= SUSPECTED;
    return isIts ? [Math.min(found.endMs, ports.nowMs)] : [];
  });
  return seen.length === 0 ? undefined : Math.max(...seen);
}

export function suspicionOf(suspicions: readonly Suspicion[], proposalId: string): number {
  return suspicions.find((one) => one.proposalId === proposalId)?.probability ?? 0;
}

function isBeyondNoise({
  observed,
  expectedBad,
  norm,
}: Pick<LateFinding, 'observed' | 'expectedBad' | 'norm'>): boolean {
  return poissonSf(observed.bad / norm.dispersion - 1, expectedBad / norm.dispersion) < ILL;
}

/** When harm was first seen, by going through its hours again. */
function beyondNoiseSinceMs({ series, norm, onsetMs }: LateFinding): number {
  const rate = (norm.bad + 0.5) / (norm.all + 1);
  const hours = series.since.filter(({ atMs }) => atMs >= onsetMs);
  let [bad, all, expectedBad] = [0, 0, 0];
  for (const hour of hours) {
    bad += hour.bad;
    all += hour.all;
    expectedBad += hour.all * rate * norm.factorAt(hour.atMs);
    const observed = { bad, all };
    if (isEnough(observed) && isBeyondNoise({ observed, expectedBad, norm }))
      return hour.atMs + HOUR_MS;
  }
  return hours.at(-1)!.atMs + HOUR_MS;
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

/** What is normal for a series, once for each: several findings ask for it. */
const NORMS = new WeakMap<readonly HourCount[], Norm>();

function normal({ before }: Series): Norm {
  const known = NORMS.get(before);
  if (known !== undefined) return known;
  const norm = normOf(before);
  NORMS.set(before, norm);
  return norm;
}

/** Without its part of the evidence. */
function alone(series: Series): Looked {
  return { series, norm: normal(series), evidence: 0, evidenceNeeded: 0 };
}

function seriesOf(calls: readonly CallHours[], change: AtTarget): Series[] {
  const { before, sinceMs } = windowsOf(change);
  const rings = ringsOf(calls, change.footing);
  return calls.map(({ agent, tool, hours }, at) => {
    const [was, is]: [HourCount[], HourCount[]] = [[], []];
    for (const { atMs, failed, calls: all } of hours) {
      if (atMs >= sinceMs) is.push({ atMs, bad: failed, all });
      else if (atMs >= before.fromMs && atMs < before.toMs) was.push({ atMs, bad: failed, all });
    }
    return { agent, tool, measure: 'failures', ring: rings[at]!, before: was, since: is };
  });
}

interface Surrounding {
  readonly calls: readonly CallHours[];
  /** The one that is asked about first. */
  readonly changes: readonly { readonly change: AtTarget; readonly all: readonly Series[] }[];
}

function surrounding(calls: readonly CallHours[], changes: readonly AtTarget[]): Surrounding {
  return { calls, changes: changes.map((change) => ({ change, all: seriesOf(calls, change) })) };
}

function traceBack(finding: LateFinding, { calls, changes }: Surrounding): Harmed {
  const onset = { lowMs: finding.onsetLowMs, highMs: finding.onsetHighMs };
  const suspects = changes.map(({ change, all }) => suspectOf(change, finding, { calls, all }));
  return { finding, suspicions: tieBack(onset, suspects), load: suspects[0]!.load };
}

function suspectOf(
  { proposalId, startedAtMs, footing }: AtTarget,
  finding: LateFinding,
  { calls, all }: { readonly calls: readonly CallHours[]; readonly all: readonly Series[] },
): Suspect {
  const { agent, tool } = finding.series;
  const ring: Ring = all.find((one) => one.agent === agent && one.tool === tool)?.ring ?? 3;
  const changed = new Set(all.filter((one) => one.ring === 0).map((one) => one.agent));
  const far = all.filter((one) => one.ring >= 2);
  return {
    proposalId,
    startedAtMs,
    ring,
    sharers: sharersOf(finding, { all, ring, footing }),
    isElsewhere: conditionOf(far, finding) === 'ill',
    load: loadOf({
      calls,
      tool,
      agent,
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
    const norm = normal(series);
    if (norm.all === 0) continue;
    const rate = (norm.bad + 0.5) / (norm.all + 1);
    const hours = series.since.filter(
      ({ atMs }) => atMs >= finding.onsetMs && atMs < finding.endMs,
    );
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
