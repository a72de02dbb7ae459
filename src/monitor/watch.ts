/**
 * One look at a deployment: takes its baseline at first, then judges everything that came since, and says
 * that it is worse, that it held to the end, or when to look again. It never says stable of what it could
 * not see: too little traffic extends the watch, and after `LONGEST_MS` a person is asked to decide.
 */
import { isoTime } from '../base/index.ts';
import { type Dossier, latest, type ProposalStep } from '../proposal/index.ts';
import { observe, readBaseline, takeBaseline } from './baseline.ts';
import { MonitorError } from './errors.ts';
import { judge } from './judge.ts';
import { countsSentence, degradedSentence, mainReading, reportFile } from './report.ts';
import type { Judgement, MonitorPorts, SeriesObserved, Watch } from './types.ts';
import { readWatch, recordExtended, recordStarted } from './watch-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LONGEST_MS = 7 * 24 * HOUR_MS;

/** For a proposal that is monitoring. */
export async function watch(dossier: Dossier, ports: MonitorPorts): Promise<ProposalStep> {
  const { proposal, attestations } = dossier;
  if (latest(attestations, 'monitoring', proposal.digest)?.verdict === 'degraded') {
    const dueAtMs = ports.nowMs + ports.settings.interval;
    return { did: 'It was found to make things worse and is to be taken back.', dueAtMs };
  }
  const started = await readWatch(ports.store, proposal.id);
  return started === undefined ? start(dossier, ports) : look(started, ports);
}

async function start(dossier: Dossier, ports: MonitorPorts): Promise<ProposalStep> {
  const { nowMs, settings } = ports;
  const startedAtMs = deployedAtMs(dossier);
  const artifact = await takeBaseline(startedAtMs, await ports.agentOf(dossier), ports);
  const started: Watch = {
    proposalId: dossier.proposal.id,
    startedAtMs,
    fastUntilMs: startedAtMs + settings.fast,
    untilMs: startedAtMs + settings.duration,
    baseline: artifact.digest,
  };
  return {
    did: `What came in the ${hours(settings.baseline)} before the deployment was counted; it is watched until ${isoTime(started.untilMs)}.`,
    dueAtMs: nowMs + settings.fastInterval,
    ...recordStarted(started, artifact, nowMs),
  };
}

function deployedAtMs({ proposal, attestations }: Dossier): number {
  const deployment = latest(attestations, 'deployment', proposal.digest);
  if (deployment?.verdict === 'done') return toMinute(deployment.atMs);
  throw new MonitorError('not_deployed', `The proposal ${proposal.id} was not deployed.`);
}

async function look(started: Watch, ports: MonitorPorts): Promise<ProposalStep> {
  const { store, nowMs, settings } = ports;
  const baseline = await readBaseline(store, started.baseline);
  // From the minute after the deployment's own, in which both versions may have served.
  const fromMs = Math.max(started.startedAtMs + MINUTE_MS, toMinute(nowMs) - LONGEST_MS);
  const toMs = Math.max(fromMs, toMinute(nowMs));
  const observed = await observe(baseline, { fromMs, toMs }, ports);
  const judged = judge(baseline, observed, settings);
  if (judged.worst !== undefined) {
    return {
      did: `${degradedSentence(judged.worst)} It is to be taken back.`,
      attestations: [
        {
          kind: 'monitoring',
          verdict: 'degraded',
          files: [reportFile('degraded', started, judged, nowMs)],
        },
      ],
      dueAtMs: nowMs,
    };
  }
  if (nowMs < started.untilMs) return again(started, judged, ports);
  const seen = hasSeenEnough(judged, settings.minEvents) && isStillTold(started, judged, observed);
  return seen ? stable(started, judged, nowMs) : extend(started, judged, ports);
}

/** Of the traffic before, what must still come in the last quarter of the watch. */
const TOLD_SHARE_MIN = 0.1;

/** A change after which agents fall silent did not hold: what nobody tells of cannot be judged. */
function isStillTold(
  { startedAtMs, untilMs }: Watch,
  { readings }: Judgement,
  observed: readonly SeriesObserved[],
): boolean {
  const main = mainReading(readings);
  if (main === undefined) return false;
  const quarterMs = (untilMs - startedAtMs) / 4;
  const series = observed.find(
    ({ metric, agent }) => metric === main.metric && agent === main.agent,
  );
  const bins = series?.bins ?? [];
  const late = bins.filter(({ atMs }) => atMs >= untilMs - quarterMs);
  const told = late.reduce((sum, { all }) => sum + all, 0);
  return told >= TOLD_SHARE_MIN * main.baseline.all * (quarterMs / DAY_MS);
}

function again(started: Watch, judged: Judgement, ports: MonitorPorts): ProposalStep {
  const { nowMs, settings } = ports;
  const intervalMs = nowMs < started.fastUntilMs ? settings.fastInterval : settings.interval;
  return {
    did: `Nothing is worse so far: ${counts(judged)}; watched until ${isoTime(started.untilMs)}.`,
    dueAtMs: Math.min(nowMs + intervalMs, started.untilMs),
  };
}

/** Of the agent that the change is about, if one is known: others' traffic does not speak of it. */
function hasSeenEnough({ readings }: Judgement, minEvents: number): boolean {
  const main = mainReading(readings);
  return main?.comparable === true && main.observed.all >= minEvents;
}

function stable(started: Watch, judged: Judgement, nowMs: number): ProposalStep {
  return {
    did: `It held to the end of its watch: ${counts(judged)}.`,
    attestations: [
      {
        kind: 'monitoring',
        verdict: 'stable',
        files: [reportFile('stable', started, judged, nowMs)],
      },
    ],
    to: 'implemented',
  };
}

function extend(started: Watch, judged: Judgement, ports: MonitorPorts): ProposalStep {
  const { nowMs, settings } = ports;
  const lastMs = started.startedAtMs + LONGEST_MS;
  const needed = hasSeenEnough(judged, settings.minEvents)
    ? 'and hardly anything came at the end of the watch'
    : `and ${settings.minEvents} events are needed`;
  const seen = `There is too little to judge it by: ${counts(judged)}, ${needed}`;
  if (started.untilMs >= lastMs) {
    return {
      did: `${seen}. It was watched for ${hours(LONGEST_MS)}: a person should decide whether it stays.`,
      dueAtMs: nowMs + HOUR_MS,
    };
  }
  const untilMs = Math.min(started.untilMs + settings.duration, lastMs);
  return {
    did: `${seen}. It is watched until ${isoTime(untilMs)}.`,
    dueAtMs: Math.min(nowMs + settings.interval, Math.max(nowMs, untilMs)),
    ...recordExtended(started, { untilMs, reason: seen }, nowMs),
  };
}

function counts({ readings }: Judgement): string {
  const main = mainReading(readings);
  return main === undefined || main.observed.all === 0
    ? 'no telemetry since the deployment'
    : countsSentence(main);
}

const toMinute = (ms: number) => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
const hours = (ms: number) => `${Math.round(ms / HOUR_MS)} hours`;
