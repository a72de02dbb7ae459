/**
 * One look at a deployment: takes its baseline at first, then judges everything since, and says that it is
 * worse, that it held to the end, or when to look again. It never calls stable what it could not see: too little
 * traffic extends the watch, and after `LONGEST_MS` it ends as inconclusive, which people are told. Harm that other agents have as
 * well is waited out for a while (`answer.ts`).
 */
import { isDatedAhead, isoTime } from '../base/index.ts';
import { type Dossier, latest, type ProposalStep, rollbackCall } from '../proposal/index.ts';
import { type Answer, answerTo, type Blame, cameBefore, type OtherWatch } from './answer.ts';
import { changesAtTarget, footingIn } from './at-target.ts';
import { observe, readBaseline, takeBaseline, toolsBefore } from './baseline.ts';
import { agentOf } from './cause.ts';
import { recordBegan, recordEffect } from './change-store.ts';
import { MonitorError } from './errors.ts';
import type { CallsByTool } from './harmed-tools.ts';
import { busierDaySeenMs } from './kind-of-day.ts';
import { harmSentence, lateReport, NOT_TOLD_APART } from './late-words.ts';
import { BASELINE_MS } from './measures.ts';
import { measureEffect } from './probation.ts';
import { isRefusedAnyway, knownRefused } from './refused-anyway.ts';
import {
  blameOf,
  committedSentence,
  countsSentence,
  degradedSentence,
  doubtSentence,
  heldSentence,
  mainReading,
  REFUSED_SENTENCE,
  reportFile,
  USUAL_SENTENCE,
} from './report.ts';
import { isOverlapping } from './rings.ts';
import { Rounds } from './rounds.ts';
import { isStillTold } from './still-told.ts';
import { LIKELY, SUSPECTED, WORTH_TRYING } from './tie-back.ts';
import { TRIAL_MS, vainTrial } from './trial.ts';
import type { Baseline, Judgement, MonitorPorts, Watch } from './types.ts';
import { type View, viewsOf } from './views.ts';
import { otherWatches, readWatch, recordExtended, recordStarted } from './watch-store.ts';
import { type AtTarget, type Harmed, LATE_MS, lookWide, suspicionOf } from './wide-look.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Little traffic is watched for so long. Then nothing more is waited for: what was not seen is not stable. */
const LONGEST_MS = 28 * 24 * HOUR_MS;
/** Whatever is waited out is over by then. */
const HELD_MAX_MS = 7 * 24 * HOUR_MS;
/** A record has the time at which its step began, and others may be recorded while it runs. */
const OUT_OF_ORDER_MS = 10 * MINUTE_MS;
/** Twice as many as a look has rounds: they are kept from look to look. */
const REFUSED_MAX = 100;

/** For a proposal that is monitoring. */
export async function watch(dossier: Dossier, ports: MonitorPorts): Promise<ProposalStep> {
  const { proposal, attestations } = dossier;
  const call = rollbackCall(attestations, proposal.digest);
  if (call !== undefined) {
    const dueAtMs = ports.nowMs + ports.settings.interval;
    const isVain = isTrial(dossier) && (await blameOf(dossier, ports.store)) === 'none';
    const seen = isVain ? 'It was a trial that brought nothing' : 'It made things worse';
    const why = call.kind === 'rollback' ? 'A person asked for its rollback' : seen;
    return { did: `${why}: it will be taken back.`, dueAtMs };
  }
  const started = await readWatch(ports.store, proposal.id);
  const deployed = await deployedAt(dossier, ports);
  const isDatedWell =
    started !== undefined &&
    Math.abs(started.startedAtMs - deployed.startedAtMs) <= OUT_OF_ORDER_MS;
  return isDatedWell ? look(started, dossier, ports) : start(deployed, dossier, ports);
}

async function start(
  { startedAtMs, isDoubtful }: DeployedAt,
  dossier: Dossier,
  ports: MonitorPorts,
): Promise<ProposalStep> {
  const { nowMs, settings } = ports;
  // If the time is only the earliest possible one, the whole watch still lies ahead.
  const countedFromMs = isDoubtful ? toMinute(nowMs) : startedAtMs;
  const artifact = await takeBaseline(startedAtMs, dossier, ports);
  const started: Watch = {
    proposalId: dossier.proposal.id,
    startedAtMs,
    fastUntilMs: countedFromMs + settings.fast,
    untilMs: countedFromMs + Math.max(settings.duration, isTrial(dossier) ? TRIAL_MS : 0),
    baselineDigest: artifact.digest,
  };
  return {
    did: `${isDoubtful ? 'The clock was wrong when it was deployed. ' : ''}The telemetry of the ${hours(settings.baseline)} before the deployment was counted; it is watched until ${isoTime(started.untilMs)}.`,
    dueAtMs: nowMs + settings.fastInterval,
    ...recordStarted(started, artifact, nowMs),
  };
}

interface DeployedAt {
  readonly startedAtMs: number;
  /** The clock was wrong when it was recorded: this is the earliest that it can have been. */
  readonly isDoubtful: boolean;
}

/**
 * If Hone is killed between the move and its record and stays down for hours, the deployment is recorded hours
 * after the change was live: the baseline ends where the branch moved. A record that is dated later than now, or earlier
 * than those before it, comes from a wrong clock: the change went live some time after what was recorded before.
 * This is checked at every look, because the clock may have been wrong at the look before.
 */
async function deployedAt(dossier: Dossier, ports: MonitorPorts): Promise<DeployedAt> {
  const { nowMs } = ports;
  const recordedAtMs = deploymentAtMs(dossier);
  const beforeMs = await ports.recordedBeforeMs(dossier);
  if (isDatedAhead(recordedAtMs, nowMs)) {
    return { startedAtMs: toMinute(beforeMs ?? nowMs), isDoubtful: true };
  }
  if (beforeMs !== undefined && recordedAtMs < beforeMs - OUT_OF_ORDER_MS) {
    return { startedAtMs: toMinute(beforeMs), isDoubtful: true };
  }
  const arrivedAtMs = await ports.arrivedAtMs?.(dossier);
  if (arrivedAtMs !== undefined && arrivedAtMs >= recordedAtMs && !isDatedAhead(arrivedAtMs, nowMs))
    return { startedAtMs: toMinute(arrivedAtMs), isDoubtful: false };
  const movedAtMs = (await ports.movedAtMs(dossier)) ?? recordedAtMs;
  return { startedAtMs: toMinute(Math.min(movedAtMs, recordedAtMs)), isDoubtful: false };
}

function deploymentAtMs({ proposal, attestations }: Dossier): number {
  const deployment = latest(attestations, 'deployment', proposal.digest);
  if (deployment === undefined || deployment.verdict === 'failed')
    throw new MonitorError('not_deployed', `The proposal ${proposal.id} was not deployed.`);
  return deployment.atMs;
}

async function look(started: Watch, dossier: Dossier, ports: MonitorPorts): Promise<ProposalStep> {
  const { store, nowMs, settings } = ports;
  const baseline = await readBaseline(store, started.baselineDigest);
  // From the minute after the deployment's own, in which both versions may have served.
  const fromMs = Math.max(started.startedAtMs + MINUTE_MS, toMinute(nowMs) - LONGEST_MS);
  const toMs = Math.max(fromMs, toMinute(nowMs));
  const views = await viewsOf(baseline, { fromMs, toMs }, ports);
  const answers: Answered[] = [];
  const subject = { watched: started, dossier };
  for (const view of views) answers.push({ view, answer: await answerOf(subject, view, ports) });
  for (const { answer } of answers)
    if (answer.say === 'worse') return degraded(started, answer, nowMs);
  const late = isWholeHour(started, nowMs, settings)
    ? await lateHarmOf(changeOf(started, baseline), ports)
    : undefined;
  if (late !== undefined) return late;
  for (const { answer } of answers) if (answer.say === 'held') return hold(started, answer, ports);
  const { view, answer } = decisive(answers, settings.minEvents);
  const { judged } = answer;
  const isAsked = isWholeHour(started, nowMs, settings) || nowMs >= started.startedAtMs + TRIAL_MS;
  const vain = isAsked ? await vainTrial(dossier, started.startedAtMs, ports) : undefined;
  if (vain !== undefined) return endTrial(started, { judged, sentence: vain }, nowMs);
  if (nowMs < started.untilMs) return again(started, judged, ports);
  const seen =
    hasSeenEnough(judged, settings.minEvents) &&
    isStillTold(started, judged, { baseline: view.baseline, observed: answer.observed });
  if (!seen) return extend(started, judged, ports);
  const change = changeOf(started, baseline);
  const untilMs = await busierDayMs(change, judged, ports);
  if (untilMs !== undefined) return awaitBusierDay(started, judged, { untilMs, ports });
  return stable(started, judged, { dossier, change, ports });
}

/** When a day will have passed on which its agents really work; undefined where one has. */
async function busierDayMs(
  { startedAtMs }: AtTarget,
  { readings }: Judgement,
  { callHours, nowMs, settings }: MonitorPorts,
): Promise<number | undefined> {
  const agent = mainReading(readings)?.agent ?? null;
  const calls = await callHours({ fromMs: startedAtMs - BASELINE_MS, toMs: startedAtMs });
  const own = calls.filter((one) => agent === null || one.agent === agent);
  return busierDaySeenMs(own, { startedAtMs, durationMs: settings.duration, nowMs });
}

function awaitBusierDay(
  started: Watch,
  judged: Judgement,
  { untilMs, ports }: { readonly untilMs: number; readonly ports: MonitorPorts },
): ProposalStep {
  const { nowMs, settings } = ports;
  const reason = `Nothing is worse so far: ${counts(judged)}. But its agents work mostly on days of another kind, and no such day has passed`;
  return {
    did: `${reason}. It is watched until ${isoTime(untilMs)}.`,
    dueAtMs: Math.min(nowMs + settings.interval, untilMs),
    ...recordExtended(started, { untilMs, reason }, nowMs),
  };
}

function changeOf({ proposalId, startedAtMs }: Watch, baseline: Baseline): AtTarget {
  return { proposalId, startedAtMs, footing: footingIn(baseline), expected: baseline.expected };
}

/** Everything is looked at once an hour, at the first look after its end. */
function isWholeHour(
  { fastUntilMs }: Watch,
  nowMs: number,
  { fastInterval, interval }: MonitorPorts['settings'],
): boolean {
  const everyMs = nowMs < fastUntilMs ? fastInterval : interval;
  const hour = (atMs: number) => Math.floor((atMs - LATE_MS) / HOUR_MS);
  return hour(nowMs) > hour(nowMs - everyMs);
}

/** Harm anywhere that this change is the likely cause of is taken back at once. */
async function lateHarmOf(
  change: AtTarget,
  ports: MonitorPorts,
): Promise<ProposalStep | undefined> {
  const { nowMs } = ports;
  const { proposalId, startedAtMs } = change;
  const others = await changesAtTarget(nowMs, ports, proposalId);
  const [harmed] = await lookWide(change, others, ports);
  if (harmed === undefined) return undefined;
  const rivalMs = await calledBackMs(change, harmed.finding.onsetMs, ports);
  // Until an hour without it is known, nobody else is blamed.
  if (rivalMs !== undefined && nowMs - rivalMs <= ports.settings.hold + HOUR_MS) return undefined;
  const enough = rivalMs === undefined ? LIKELY : WORTH_TRYING;
  const blame = blameFor(change, harmed, { others, enough });
  if (blame === undefined) return undefined;
  const deployed = { proposalId, fromMs: startedAtMs };
  const why = blame === 'own' ? '' : ` ${NOT_TOLD_APART}`;
  return {
    did: `${harmSentence(harmed, deployed)}${why} It will be taken back.`,
    attestations: [
      {
        kind: 'monitoring',
        verdict: 'degraded',
        files: [lateReport(harmed, { ...deployed, blame }, nowMs)],
      },
    ],
    dueAtMs: nowMs,
  };
}

/** When another change that may have done it was last called back, if that was after the harm began. */
async function calledBackMs(
  { proposalId, footing }: AtTarget,
  onsetMs: number,
  { store, fateOf, nowMs }: MonitorPorts,
): Promise<number | undefined> {
  let lastMs: number | undefined;
  for (const one of await otherWatches(store, { proposalId, sinceMs: nowMs - HELD_MAX_MS })) {
    const { calledBackAtMs } = await fateOf(one.proposalId);
    if (calledBackAtMs === null || calledBackAtMs < onsetMs) continue;
    const theirs = await readBaseline(store, one.baselineDigest).catch(() => undefined);
    if (theirs === undefined || !isOverlapping(footing, footingIn(theirs))) continue;
    lastMs = Math.max(lastMs ?? 0, calledBackAtMs);
  }
  return lastMs;
}

/**
 * Whether it is taken back: as the likely cause, or as the newest of several that are it together and that nobody can tell
 * apart.
 */
function blameFor(
  { proposalId, startedAtMs }: AtTarget,
  { suspicions }: Harmed,
  { others, enough }: { readonly others: readonly AtTarget[]; readonly enough: number },
): Blame | undefined {
  const own = suspicionOf(suspicions, proposalId);
  if (own >= LIKELY) return 'own';
  // The harm outlived a change that was as likely: this one is next.
  if (own >= enough) return 'doubt';
  const together = suspicions.reduce((total, { probability }) => total + probability, 0);
  if (own < SUSPECTED || together < LIKELY) return undefined;
  const isNewest = others.every(
    (one) => one.startedAtMs < startedAtMs || suspicionOf(suspicions, one.proposalId) < SUSPECTED,
  );
  return isNewest ? 'doubt' : undefined;
}

interface Answered {
  readonly view: View;
  readonly answer: Answer;
}

/**
 * The one that says whether enough was seen: what is known, if it was enough before the deployment to expect as much
 * of it. Else nothing but strangers' telemetry tells of the agent.
 */
function decisive(answers: readonly Answered[], minEvents: number): Answered {
  const isEnough = ({ answer }: Answered) =>
    (mainReading(answer.judged.readings)?.baseline.all ?? 0) >= minEvents;
  return answers.find(isEnough) ?? answers.at(-1)!;
}

/** Other possible causes are read only if something got worse. */
async function answerOf(
  { watched, dossier }: { readonly watched: Watch; readonly dossier: Dossier },
  { baseline, observed, isKnown }: View,
  ports: MonitorPorts,
): Promise<Answer> {
  const { store, nowMs, settings: limits } = ports;
  const key = [watched.baselineDigest, isKnown, JSON.stringify(limits)].join();
  const rounds = () => new Rounds({ baseline, observed, limits }, key);
  const first = rounds();
  const { judged } = first;
  if (judged.worst === undefined) return { say: 'fine', judged, observed };
  const { proposalId, startedAtMs } = watched;
  const sinceMs = startedAtMs - HELD_MAX_MS;
  const others: OtherWatch[] = [];
  for (const one of await otherWatches(store, { proposalId, sinceMs })) {
    // Another change that cannot be read must not delay what this one needs.
    const theirs = await readBaseline(store, one.baselineDigest).catch(() => undefined);
    const footing = theirs === undefined ? undefined : footingIn(theirs);
    others.push({ ...one, footing, ...(await ports.fateOf(one.proposalId)) });
  }
  const calls = await callsOf(baseline, dossier, ports);
  const beforeWindow = { fromMs: startedAtMs - limits.baseline, toMs: startedAtMs };
  const minutesBefore = await observe(baseline, beforeWindow, ports, { known: isKnown });
  const of = { baseline, observed, calls, watch: watched, others, minutesBefore };
  const commits = (await ports.peoplesCommits?.(startedAtMs)) ?? [];
  const { files } = dossier.content;
  const agent = agentOf(baseline);
  const people =
    commits.length === 0 ? {} : { people: { changed: { agent, files, startedAtMs }, commits } };
  const question = { ...of, ...people, limits, nowMs };
  const refusedAnyway = knownRefused(`${proposalId},${key}`);
  for (let asked = first; ; asked = rounds()) {
    const answer = answerTo({ ...question, refusedAnyway }, asked);
    if (answer.say !== 'worse') return answer;
    const { harm } = answer;
    const about = { agent, startedAtMs, calls, cameBefore: cameBefore(harm, question) };
    if (refusedAnyway.length === REFUSED_MAX || !(await isRefusedAnyway(harm, about, ports)))
      return answer;
    refusedAnyway.push(harm);
  }
}

async function callsOf(
  { startedAtMs, tools }: Baseline,
  dossier: Dossier,
  ports: MonitorPorts,
): Promise<CallsByTool> {
  const { nowMs, settings } = ports;
  const beforeWindow = { fromMs: startedAtMs - settings.baseline, toMs: startedAtMs };
  const fromMs = Math.max(startedAtMs + MINUTE_MS, toMinute(nowMs) - LONGEST_MS);
  return {
    changed: await ports.toolOf(dossier),
    before: tools ?? (await toolsBefore(beforeWindow, ports)),
    since: await ports.callsByTool({ fromMs, toMs: Math.max(fromMs, toMinute(nowMs)) }),
  };
}

function degraded(
  started: Watch,
  { judged, harm, blame }: Extract<Answer, { say: 'worse' }>,
  nowMs: number,
): ProposalStep {
  const why = blame === 'own' ? '' : ` ${doubtSentence(harm.cause)}`;
  const sentence = `${degradedSentence(harm.found)}${why}`;
  const report = { judged: { ...judged, worst: harm.found }, sentence, blame };
  return {
    did: `${sentence} It will be taken back.`,
    attestations: [
      {
        kind: 'monitoring',
        verdict: 'degraded',
        files: [reportFile('degraded', started, report, nowMs)],
      },
    ],
    dueAtMs: nowMs,
  };
}

const isTrial = ({ content }: Dossier) => content.trial !== undefined;

/** It did no harm: its report blames it for nothing. */
function endTrial(
  started: Watch,
  seen: { readonly judged: Judgement; readonly sentence: string },
  nowMs: number,
): ProposalStep {
  const report = { ...seen, blame: 'none' } as const;
  return {
    did: `${seen.sentence} It will be taken back.`,
    attestations: [
      {
        kind: 'monitoring',
        verdict: 'degraded',
        files: [reportFile('degraded', started, report, nowMs)],
      },
    ],
    dueAtMs: nowMs,
  };
}

/** Watched for as long again, with one notice: a watch that reaches far enough was already announced. */
function hold(
  started: Watch,
  {
    harm,
    isSettling,
    isUsual = false,
    isRefusedAnyway: isRefused = false,
    commit,
    untilMs: heldUntilMs,
  }: Extract<Answer, { say: 'held' }>,
  ports: MonitorPorts,
): ProposalStep {
  const { nowMs, settings } = ports;
  const dueAtMs = Math.min(nowMs + settings.fastInterval, Math.max(nowMs, heldUntilMs));
  const worse = degradedSentence(harm.found);
  const until = isoTime(heldUntilMs);
  if (isSettling)
    return {
      did: `${worse} Until ${until} Hone checks whether other agents have it too.`,
      dueAtMs,
    };
  const next =
    harm.cause === 'elsewhere' || isRefused
      ? 'It is looked at every few minutes meanwhile.'
      : `If it is still so at ${until}, it is taken back.`;
  const held = isRefused ? REFUSED_SENTENCE : isUsual ? USUAL_SENTENCE : heldSentence(harm.cause);
  const why = commit === undefined ? held : committedSentence(commit);
  const did = `${worse} ${why} ${next}`;
  const untilMs = Math.min(started.untilMs + settings.duration, started.startedAtMs + HELD_MAX_MS);
  const reachesMs = harm.beganAtMs + settings.duration;
  if (started.untilMs >= Math.min(reachesMs, untilMs)) return { did, dueAtMs };
  return { did, dueAtMs, ...recordExtended(started, { untilMs, reason: did }, nowMs) };
}

function again(started: Watch, judged: Judgement, ports: MonitorPorts): ProposalStep {
  const { nowMs, settings } = ports;
  const intervalMs = nowMs < started.fastUntilMs ? settings.fastInterval : settings.interval;
  return {
    did: `Nothing is worse so far: ${counts(judged)}; watched until ${isoTime(started.untilMs)}.`,
    dueAtMs: Math.min(nowMs + intervalMs, started.untilMs),
  };
}

/** Of the agent that the change is about, if one is known: others' traffic is no evidence about it. */
function hasSeenEnough({ readings }: Judgement, minEvents: number): boolean {
  const main = mainReading(readings);
  return main?.comparable === true && main.observed.all >= minEvents;
}

async function stable(
  started: Watch,
  judged: Judgement,
  { dossier, change, ports }: { dossier: Dossier; change: AtTarget; ports: MonitorPorts },
): Promise<ProposalStep> {
  const { nowMs, settings } = ports;
  const { proposalId, startedAtMs: fromMs } = started;
  const untilMs = Math.max(nowMs, fromMs + settings.probation);
  const effect = await measureEffect('day', dossier, change, ports);
  const parts = [
    recordBegan(proposalId, { fromMs, untilMs }, nowMs),
    ...(effect === undefined ? [] : [recordEffect(proposalId, effect, nowMs)]),
  ];
  return {
    writes: parts.flatMap(({ writes }) => writes),
    entries: parts.flatMap(({ entries }) => entries),
    did: `It held to the end of its watch: ${counts(judged)}.`,
    attestations: [
      {
        kind: 'monitoring',
        verdict: 'stable',
        files: [reportFile('stable', started, { judged, sentence: null, blame: null }, nowMs)],
      },
    ],
    to: 'implemented',
  };
}

function extend(started: Watch, judged: Judgement, ports: MonitorPorts): ProposalStep {
  const { nowMs, settings } = ports;
  const lastMs = started.startedAtMs + LONGEST_MS;
  const needed = hasSeenEnough(judged, settings.minEvents)
    ? 'and hardly any telemetry came at the end of the watch'
    : `and ${settings.minEvents} events are needed`;
  const seen = `There is too little to judge it by: ${counts(judged)}, ${needed}`;
  if (started.untilMs >= lastMs) return inconclusive(started, judged, { seen, nowMs });
  const watchedMs = started.untilMs - started.startedAtMs;
  const untilMs = Math.min(started.untilMs + Math.max(settings.duration, watchedMs / 2), lastMs);
  return {
    did: `${seen}. It is watched until ${isoTime(untilMs)}.`,
    // Not at once, also where that is past: one look at a wrong time must not go through four weeks.
    dueAtMs:
      untilMs > nowMs ? Math.min(nowMs + settings.interval, untilMs) : nowMs + settings.interval,
    ...recordExtended(started, { untilMs, reason: seen }, nowMs),
  };
}

/** Too little was seen in four weeks. It stays, as what it is: not judged. */
function inconclusive(
  started: Watch,
  judged: Judgement,
  { seen, nowMs }: { readonly seen: string; readonly nowMs: number },
): ProposalStep {
  const sentence = `${seen}. It was watched for ${hours(LONGEST_MS)} and stays, not judged. To take it back: hone rollback ${started.proposalId} --reason "nobody can tell what it does"`;
  const report = { judged, sentence, blame: null };
  return {
    did: sentence,
    attestations: [
      {
        kind: 'monitoring',
        verdict: 'inconclusive',
        files: [reportFile('inconclusive', started, report, nowMs)],
      },
    ],
    to: 'implemented',
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
