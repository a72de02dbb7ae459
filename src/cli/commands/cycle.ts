/** `hone cycle`: one cycle with live progress, and a plain report of what was found and why it acted or not. */

import { clockDoubts, clockWords } from '../../app/clock-doubts.ts';
import { type OpenLoop, withLoop } from '../../app/context.ts';
import { isoTime } from '../../base/index.ts';
import type { ConfigurationState } from '../../config/types.ts';
import {
  type CycleReport,
  type Finding,
  readCycle,
  readReport,
  type Started,
  type Taken,
  troubledWorks,
} from '../../loop/index.ts';
import type { Context } from '../context.ts';
import { type Io, present, refuse } from '../io.ts';
import { wrap } from '../layout.ts';
import { shown } from '../shown.ts';

/** How long somebody else who is at it is waited for: what a dead process held is free after one. */
const LEASES_WAITED = 2;
const LOOK_AGAIN_MS = 200;

export function cycle(context: Context): Promise<number> {
  const { io } = context;
  const onStep = (text: string) => io.progress(`${shown(text)} …`);
  return withLoop(context, { onStep }, async ({ store, killSwitch, configuration }, open) => {
    const stop = await killSwitch.state();
    if (killSwitch.held !== undefined) return refuse(io, killSwitch.held);
    if (stop.stopped) {
      return refuse(io, `Everything automatic is stopped: ${stop.reason}. "hone resume" lifts it.`);
    }
    for (const doubt of await clockDoubts(store, context.clock)) {
      io.err(wrap(clockWords(doubt), io.errorColumns));
    }
    const missing = await missingBranch(open);
    if (missing !== undefined) return refuse(io, missing, 2);
    const started = await begin(open, context);
    if (!started.started && started.cycle === null) return refuse(io, started.why);
    const id = started.cycle!;
    const steps = await runUntilFinished(open, id, context);
    io.progressDone();
    const report = (await readReport(store, id)) ?? null;
    const result = { cycle: id, report, steps: steps.map(stepJson) };
    if (report === null && !io.json) {
      io.err(wrap(`hone: ${await unfinished(open, id)}`, io.errorColumns));
    } else present(io, result, () => edited(configuration, io) + cycleText(report!, steps, io));
    return report === null ? 4 : 0;
  });
}

/** Said before a cycle begins: it could only fail, and be tried again for ever. */
async function missingBranch({ ports }: OpenLoop): Promise<string | undefined> {
  const { branch } = ports.config.deploy;
  if ((await ports.repository.resolve(`refs/heads/${branch}`)) !== undefined) return undefined;
  return `The target repository has no commit on a branch ${branch}. Make one, or name another branch in deploy.branch of hone.yaml.`;
}

function edited(configuration: ConfigurationState, { columns }: Io): string {
  return configuration === 'edited'
    ? wrap('hone.yaml was edited; that has no effect until "hone config accept".', columns)
    : '';
}

/** Another process may be beginning one at this moment: then that one is it. */
async function begin(open: OpenLoop, { clock }: Context): Promise<Started> {
  const untilMs = waitUntilMs(open, clock);
  for (;;) {
    const started = await open.loop.startCycle('human');
    if (started.cycle !== null || clock.monotonicMs() > untilMs) return started;
    await clock.sleep(LOOK_AGAIN_MS);
  }
}

/** Another process, such as `hone up`, may take some of its steps: they are waited for. */
async function runUntilFinished(open: OpenLoop, id: string, { clock }: Context): Promise<Taken[]> {
  const steps: Taken[] = [];
  const untilMs = waitUntilMs(open, clock);
  for (;;) {
    steps.push(...(await runAndDeliver(open)).filter(({ outcome }) => outcome !== 'held'));
    if (!(await isUnderWay(open, id)) || clock.monotonicMs() > untilMs) return steps;
    await clock.sleep(LOOK_AGAIN_MS);
  }
}

function waitUntilMs({ ports }: OpenLoop, clock: Context['clock']): number {
  return clock.monotonicMs() + LEASES_WAITED * ports.config.lease.ttl;
}

async function isUnderWay(open: OpenLoop, id: string): Promise<boolean> {
  const { store, killSwitch } = open.ports;
  const { finishedAtMs } = (await readCycle(store, id))!;
  if (finishedAtMs !== null || (await killSwitch.state()).stopped) return false;
  return (await troubleOf(open, id)) === undefined;
}

async function troubleOf({ ports }: OpenLoop, id: string): Promise<string | undefined> {
  const troubled = await troubledWorks(ports.store);
  return troubled.find(({ subject }) => subject === id)?.error ?? undefined;
}

/** Those that happened most; a healthy fleet has many kinds of failures that mean nothing. */
const LEFT_ALONE_MAX = 5;

/** Everything that is due, and what it has to tell; news may come with each. */
export async function runAndDeliver(open: OpenLoop): Promise<Taken[]> {
  const signal = new AbortController().signal;
  const steps = await open.loop.run(signal);
  await open.deliver();
  return steps;
}

function stepJson({ work, step, outcome, did }: Taken) {
  return { work, step, outcome, did };
}

async function unfinished(open: OpenLoop, id: string): Promise<string> {
  const trouble = await troubleOf(open, id);
  if (trouble !== undefined) {
    return `The cycle is not finished: ${shown(trouble)} It is tried again by "hone cycle", and by "hone up".`;
  }
  const { stopped } = await open.ports.killSwitch.state();
  return stopped
    ? 'The cycle is not finished: everything was stopped meanwhile. "hone resume" lifts it.'
    : 'The cycle is not finished: another process is at it. "hone status" shows how it goes.';
}

export function cycleText(report: CycleReport, steps: readonly Taken[], io: Io): string {
  const { collected, findings, notes } = report;
  const { columns } = io;
  const passed = findings.filter(({ did }) => did === 'passed_over');
  const aside =
    collected.aside === 0
      ? ''
      : `; ${collected.aside} could not be used, kept aside ("hone telemetry" says why)`;
  const lines = [
    wrap(`Read ${collected.events} new events${aside}.`, columns),
    wrap(`Looked at ${span(report)}.`, columns),
    ...notes.map((note) => wrap(shown(note), columns, '  ')),
    findings.length === 0 ? `\n${wrap(nothingText(report), columns)}` : '',
    ...section(
      'Found',
      findings.filter(({ did }) => did !== 'passed_over'),
      steps,
      io,
    ),
    ...othersSection(findings, steps, io),
    ...section('Left alone', passed.slice(0, LEFT_ALONE_MAX), steps, io),
    passed.length > LEFT_ALONE_MAX
      ? `  and ${passed.length - LEFT_ALONE_MAX} more; --json lists them\n`
      : '',
  ];
  return lines.join('');
}

/** That nothing recurs is good news only where something came in. */
function nothingText({ newestEventMs, fromMs }: CycleReport): string {
  if (newestEventMs !== null && newestEventMs >= fromMs) return 'Nothing recurs. Nothing was done.';
  const why =
    newestEventMs === null
      ? 'No event has ever come.'
      : `The newest event is of ${minute(newestEventMs)} UTC, before the hours looked at.`;
  return `Nothing was judged: ${why} "hone telemetry" shows what each source brings.`;
}

function minute(atMs: number): string {
  return isoTime(atMs).slice(0, 16).replace('T', ' ');
}

function span({ fromMs, toMs }: CycleReport): string {
  const hours = Math.round((toMs - fromMs) / 3_600_000);
  return `the ${hours} hours up to ${minute(toMs)} UTC`;
}

function section(
  title: string,
  findings: readonly Finding[],
  steps: readonly Taken[],
  io: Io,
): string[] {
  if (findings.length === 0) return [];
  return [
    `\n${io.style('bold', title)}\n`,
    ...findings.flatMap((finding) => [
      wrap(shown(finding.title), io.columns, '  '),
      ...findingLines(finding, steps).map((line) => wrap(line, io.columns, '    ')),
      finding.did === 'proposed' && finding.proposal !== null
        ? `    hone proposals show ${finding.proposal}\n`
        : '',
    ]),
  ];
}

/** Proposals of earlier cycles go on as well, and what is done to a branch is said where it happens. */
function othersSection(findings: readonly Finding[], steps: readonly Taken[], io: Io): string[] {
  const isOther = ({ kind, subject }: Taken) =>
    kind === 'proposal' && !findings.some(({ proposal }) => proposal === subject);
  const others = steps.filter((step) => isOther(step) && isDone(step));
  if (others.length === 0) return [];
  return [
    `\n${io.style('bold', 'Went on with earlier proposals')}\n`,
    ...others.map(({ subject, did }) => wrap(shown(`${subject}: ${did}`), io.columns, '  ')),
  ];
}

/** What was refused because somebody else was faster did not happen. */
const isDone = ({ moved, outcome }: Taken) => moved && outcome === 'taken';

/** Of several steps of one kind the last says how it went. */
function isLastOfKind(steps: readonly Taken[], at: number): boolean {
  const { subject, step } = steps[at]!;
  return !steps.some(
    (other, index) =>
      index > at && other.subject === subject && other.step === step && isDone(other),
  );
}

function findingLines(finding: Finding, steps: readonly Taken[]): string[] {
  const { did, why, proposal } = finding;
  if (did !== 'proposed' || proposal === null) return [shown(why)];
  return [
    `proposed: ${shown(why)}`,
    ...steps
      .filter((step, at) => step.subject === proposal && isDone(step) && isLastOfKind(steps, at))
      .map((step) => shown(step.did)),
  ];
}
