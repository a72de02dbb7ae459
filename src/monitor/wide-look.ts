/**
 * A look at everything since a deployment, by the hour: what got worse anywhere, and which change did it. Used during the
 * close watch, during probation, and before a fix for a failure is made. Nothing is remembered between looks: the same
 * counts give the same answer, and an hour that was read is not read again.
 */
import { poissonSf } from '../stats/index.ts';
import {
  type Asked,
  courseOf,
  findingOf,
  harmIn,
  isEnough,
  type LateFinding,
  type LateLimits,
  type Looked,
  lastWorse,
  lookAt,
  notCompared,
} from './late-harm.ts';
import { holdsPlacesOf, withLearntSharing } from './learnt-sharing.ts';
import { BASELINE_MS, type Fleet, type Series, seriesOf } from './measures.ts';
import { normal } from './norm.ts';
import type { PeoplesCommit } from './peoples-commits.ts';
import type { Place } from './rings.ts';
import { LIKELY, SUSPECTED, type Suspicion } from './tie-back.ts';
import {
  type AtTarget,
  type Harmed,
  ILL,
  type Surrounding,
  surrounding,
  traceBack,
} from './trace-back.ts';
import type { MonitorPorts } from './types.ts';

export type { AtTarget, Harmed } from './trace-back.ts';

const HOUR_MS = 3_600_000;
/** Telemetry of an hour may come a little later. */
export const LATE_MS = 5 * 60_000;
/** Of what got worse, so many are traced back. */
const TRACED_MAX = 5;

/** A change that may have done the harm at one place. */
export interface Suspected extends Harmed {
  readonly change: AtTarget;
  readonly probability: number;
  /**
   * An alarm of the change's watch over all places: this one was chosen because it fails, so noise alone may do the rest. Or it
   * fails in the moments in which calls of the change are in flight, which no noise, no day and no outage does.
   */
  readonly isAlarm: boolean;
  /** The end of the hour that first showed the harm. */
  readonly sinceMs: number;
}

type Hours = Pick<MonitorPorts, 'callHours' | 'sessionHours' | 'nowMs' | 'settings'>;
type Ports = Hours & Pick<MonitorPorts, 'recentCalls' | 'peoplesCommits'>;

function limitsOf(settings: Ports['settings']): LateLimits {
  const { alpha, errorRate, otherMetrics, probation, duration } = settings;
  return {
    alpha,
    allowed: errorRate,
    otherwise: otherMetrics,
    hours: Math.max(1, Math.ceil(Math.max(probation, duration) / HOUR_MS)),
  };
}

/** What got worse since this change, each with who may have done it; the one that fits this change best first. */
export async function lookWide(
  change: AtTarget,
  others: readonly AtTarget[],
  ports: Ports,
): Promise<Harmed[]> {
  const fleet = await fleetAround([change, ...others], ports);
  const { otherMetrics } = ports.settings;
  const limits = limitsOf(ports.settings);
  const looked = lookAt(seriesOf(fleet, change, otherMetrics), limits);
  const found = clearest(harmIn(looked, limits));
  const quiet = quietHarmIn(looked, limits);
  if (found.length + quiet.length === 0) return [];
  const around = surrounding(fleet, [change, ...others], otherMetrics);
  const people = peopleSince([change, ...others], ports);
  const fits = ({ suspicions }: Harmed) => suspicionOf(suspicions, change.proposalId);
  const traced: Harmed[] = [];
  for (const finding of found) traced.push(await tracedBack(finding, around, { ...ports, people }));
  if (traced.some((one) => fits(one) >= LIKELY)) return traced.sort((a, b) => fits(b) - fits(a));
  const learning = { ...ports, calls: fleet.calls };
  for (const finding of quiet) {
    const harmed = await tracedBack(finding, around, { ...ports, people });
    if (fits(harmed) < LIKELY) continue;
    if (await holdsPlacesOf(finding, change, learning, looked.length)) traced.push(harmed);
  }
  return traced.sort((a, b) => fits(b) - fits(a));
}

/**
 * Harm that is no alarm yet, and beyond noise by itself. Where it happens in the moments in which calls of a change that is the
 * likely cause are in flight, no noise, no day and no outage did it (ADR 151), and what is missing to the alarm is only more of the same.
 */
function quietHarmIn(looked: readonly Asked[], limits: LateLimits): LateFinding[] {
  return looked
    .filter(({ isAlarm, series: { measure, tool } }) => {
      return !isAlarm && tool !== '' && (measure === 'failures' || measure === 'latency');
    })
    .flatMap((one) => findingOf(one, limits) ?? [])
    .filter(isBeyondNoise)
    .slice(0, TRACED_MAX);
}

/** What people committed while these were at the target; read once, where something got worse. */
function peopleSince(
  changes: readonly AtTarget[],
  { peoplesCommits }: Ports,
): () => Promise<readonly PeoplesCommit[]> {
  let asked: Promise<readonly PeoplesCommit[]> | undefined;
  return async () => {
    asked ??= peoplesCommits?.(Math.min(...changes.map(({ startedAtMs }) => startedAtMs)));
    return (await asked) ?? [];
  };
}

type Traceable = Pick<Ports, 'recentCalls' | 'nowMs' | 'settings'> & {
  people(): Promise<readonly PeoplesCommit[]>;
};

/** With what each change shares with the place, where only calls that overlap say it. */
async function tracedBack(
  finding: LateFinding,
  { fleet, changes }: Surrounding,
  { recentCalls, nowMs, settings, people }: Traceable,
): Promise<Harmed> {
  const learning = { recentCalls, nowMs, calls: fleet.calls };
  const learnt: Surrounding['changes'][number][] = [];
  for (const one of changes) {
    const change = await withLearntSharing(one.change, finding, learning);
    const isSame = change === one.change;
    const all = isSame ? one.all : seriesOf(fleet, change, settings.otherMetrics);
    learnt.push({ change, all, overlaps: !isSame });
  }
  const { overlaps = false } = learnt[0]!;
  return { ...traceBack(finding, { fleet, changes: learnt }, await people()), overlaps };
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
export async function viewOf(change: AtTarget, ports: Hours) {
  const all = seriesOf(await fleetAround([change], ports), change, ports.settings.otherMetrics);
  const limits = limitsOf(ports.settings);
  return {
    course: courseOf(all, limits),
    looked: lookAt(all, limits),
    notCompared: notCompared(all),
  };
}

/** Changes that are suspected of the harm at one place, the likeliest first. */
export async function whoDid(
  { agent, tool }: Place,
  changes: readonly AtTarget[],
  ports: Ports,
): Promise<Suspected[]> {
  if (changes.length === 0) return [];
  const fleet = await fleetAround(changes, ports);
  const limits = limitsOf(ports.settings);
  const around = surrounding(fleet, changes, ports.settings.otherMetrics).changes;
  // A failure is asked about.
  const isAt = (one: Series) =>
    one.agent === agent && one.tool === tool && one.measure === 'failures';
  const suspects: Suspected[] = [];
  const people = peopleSince(changes, ports);
  for (const one of around) {
    const { change, all } = one;
    const ask = async (looked: Looked | undefined) => {
      const finding = looked === undefined ? undefined : findingOf(looked, limits);
      if (finding === undefined || !isBeyondNoise(finding)) return undefined;
      const others = around.filter((other) => other !== one);
      const traced = { fleet, changes: [one, ...others] };
      const harmed = await tracedBack(finding, traced, { ...ports, people });
      const probability = suspicionOf(harmed.suspicions, change.proposalId);
      if (probability < SUSPECTED) return undefined;
      return { ...harmed, change, probability, sinceMs: beyondNoiseSinceMs(finding) };
    };
    // First by itself: a look at everything takes a while, and most changes have nothing to do with this place.
    const series = all.find(isAt);
    if (series === undefined || (await ask(alone(series))) === undefined) continue;
    const looked = lookAt(all, limits).find((there) => isAt(there.series));
    const suspected = await ask(looked);
    if (suspected === undefined) continue;
    const { finding, probability } = suspected;
    const learning = { ...ports, calls: fleet.calls };
    const isAlarm =
      looked!.isAlarm ||
      (probability >= LIKELY && (await holdsPlacesOf(finding, change, learning)));
    suspects.push({ ...suspected, isAlarm });
  }
  return suspects.sort((a, b) => b.probability - a.probability);
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
  const fleet = await fleetAround([change, ...others], ports);
  const around = surrounding(fleet, [change, ...others], ports.settings.otherMetrics);
  const limits = limitsOf(ports.settings);
  const people = peopleSince([change, ...others], ports);
  let seen: number | undefined;
  for (const series of around.changes[0]!.all) {
    const found = lastWorse(alone(series), limits);
    if (found === undefined || !isBeyondNoise(found)) continue;
    const { suspicions } = await tracedBack(found, around, { ...ports, people });
    const isIts = suspicionOf(suspicions, change.proposalId) >= SUSPECTED;
    if (isIts) seen = Math.max(seen ?? 0, Math.min(found.endMs, ports.nowMs));
  }
  return seen;
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
    if (isEnough(observed, series.measure) && isBeyondNoise({ observed, expectedBad, norm }))
      return hour.atMs + HOUR_MS;
  }
  return hours.at(-1)!.atMs + HOUR_MS;
}

async function fleetAround(
  changes: readonly AtTarget[],
  { callHours, sessionHours, nowMs }: Hours,
): Promise<Fleet> {
  const fromMs = Math.min(...changes.map(({ startedAtMs }) => startedAtMs)) - BASELINE_MS;
  const toMs = Math.floor((nowMs - LATE_MS) / HOUR_MS) * HOUR_MS;
  if (toMs <= fromMs) return { calls: [], sessions: [] };
  const window = { fromMs, toMs };
  return { calls: await callHours(window), sessions: await sessionHours(window) };
}

/** Without its part of the evidence. */
function alone(series: Series): Looked {
  return { series, norm: normal(series.before), evidence: 0, evidenceNeeded: 0 };
}
