/** `hone cycle`: one cycle with live progress, and a plain report of what was found and why it acted or not. */
import { runCycle } from '../../app/cycle.ts';
import { isoTime } from '../../base/index.ts';
import type { CycleAnswer } from '../../contracts/cycle.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { wrap } from '../layout.ts';
import { shown, shownProse } from '../shown.ts';

type Report = NonNullable<CycleAnswer['report']>;
type Finding = Report['findings'][number];
type Step = CycleAnswer['steps'][number];

/** Those that happened most; a healthy fleet has many kinds of failures that mean nothing. */
const LEFT_ALONE_MAX = 5;

export function cycle(context: Context): Promise<number> {
  const { io } = context;
  return answer(
    context,
    runCycle(context),
    ({ report, steps, configuration, unfinished }) => {
      if (report !== null) return edited(configuration, io) + cycleText(report, steps, io);
      io.err(wrap(`hone: ${shown(unfinished ?? '')}`, io.errorColumns));
      return '';
    },
    ({ report }) => (report === null ? 4 : 0),
  );
}

function edited(configuration: CycleAnswer['configuration'], { columns }: Io): string {
  return configuration === 'edited'
    ? wrap('hone.yaml was edited; the change has no effect until "hone config accept".', columns)
    : '';
}

function cycleText(report: Report, steps: CycleAnswer['steps'], io: Io): string {
  const { collected, findings, notes } = report;
  const { columns } = io;
  const passed = findings.filter(({ did }) => did === 'passed_over');
  const aside =
    collected.aside === 0
      ? ''
      : `; ${collected.aside} could not be used, kept aside ("hone sources list" says why)`;
  const lines = [
    wrap(`Read ${collected.events} new events${aside}.`, columns),
    wrap(`Looked at ${span(report)}.`, columns),
    ...notes.map((note) => wrap(shown(note), columns, '  ')),
    findings.length === 0 ? `\n${wrap(nothingText(report), columns)}` : '',
    ...section(
      'Found',
      findings.filter(({ did }) => did === 'proposed' || did === 'declined'),
      steps,
      io,
    ),
    ...section(
      'At another level than before',
      findings.filter(({ did }) => did === 'told'),
      steps,
      io,
    ),
    ...section(
      'To look at',
      findings.filter(({ did }) => did === 'suggested'),
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
function nothingText({ newestEventMs, fromMs }: Report): string {
  if (newestEventMs !== null && newestEventMs >= fromMs)
    return 'No failure recurs. Nothing was done.';
  const why =
    newestEventMs === null
      ? 'No event has ever arrived.'
      : `The newest event is from ${minute(newestEventMs)} UTC, before the hours looked at.`;
  return `Nothing was judged: ${why} "hone sources list" shows what is read from each source.`;
}

function minute(atMs: number): string {
  return isoTime(atMs).slice(0, 16).replace('T', ' ');
}

function span({ fromMs, toMs }: Report): string {
  const hours = Math.round((toMs - fromMs) / 3_600_000);
  return `the ${hours} hours up to ${minute(toMs)} UTC`;
}

function section(
  title: string,
  findings: readonly Finding[],
  steps: CycleAnswer['steps'],
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
function othersSection(
  findings: readonly Finding[],
  steps: CycleAnswer['steps'],
  io: Io,
): string[] {
  const isOther = ({ kind, subject }: Step) =>
    kind === 'proposal' && !findings.some(({ proposal }) => proposal === subject);
  const others = steps.filter((step) => isOther(step) && isDone(step));
  if (others.length === 0) return [];
  return [
    `\n${io.style('bold', 'Earlier proposals that moved on')}\n`,
    ...others.map(({ subject, did }) => wrap(shown(`${subject}: ${did}`), io.columns, '  ')),
  ];
}

/** What was refused because somebody else was faster did not happen. */
const isDone = ({ moved, outcome }: Step) => moved && outcome === 'taken';

/** Of several steps of one kind the last says how it went. */
function isLastOfKind(steps: CycleAnswer['steps'], at: number): boolean {
  const { subject, step } = steps[at]!;
  return !steps.some(
    (other, index) =>
      index > at && other.subject === subject && other.step === step && isDone(other),
  );
}

function findingLines(finding: Finding, steps: CycleAnswer['steps']): string[] {
  const { did, why, proposal } = finding;
  if (did !== 'proposed' || proposal === null) return [shownProse(why)];
  return [
    `proposed: ${shownProse(why)}`,
    ...steps
      .filter((step, at) => step.subject === proposal && isDone(step) && isLastOfKind(steps, at))
      .map((step) => shown(step.did)),
  ];
}
