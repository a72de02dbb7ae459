/** `hone cycle`: one cycle with live progress, and a plain report of what was found and why it acted or not. */
import { isoTime } from '../../base/index.ts';
import { type CycleReport, type Finding, readReport, type Taken } from '../../loop/index.ts';
import { type Context, type OpenLoop, withLoop } from '../context.ts';
import { type Io, present, refuse, wrap } from '../io.ts';
import { shown } from '../shown.ts';

export function cycle(context: Context): Promise<number> {
  const { io } = context;
  const onStep = (text: string) => io.progress(`${shown(text)} …`);
  return withLoop(context, { onStep }, async ({ store, killSwitch }, open) => {
    const stop = await killSwitch.state();
    if (stop.stopped) {
      return refuse(io, `Everything automatic is stopped: ${stop.reason}. "hone resume" lifts it.`);
    }
    const started = await open.loop.startCycle('human');
    if (!started.started && started.cycle === null) return refuse(io, started.why);
    const id = started.cycle!;
    const steps = await runAndDeliver(open);
    io.progressDone();
    const report = await readReport(store, id);
    const failed = steps.filter(({ outcome }) => outcome === 'failed');
    present(io, { cycle: id, report: report ?? null, steps: steps.map(stepJson) }, () =>
      report === undefined ? unfinished(failed) : cycleText(report, steps, io),
    );
    return report === undefined ? 4 : 0;
  });
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

function unfinished(failed: readonly Taken[]): string {
  const why = failed.at(-1)?.did ?? 'another process is at it';
  return wrap(`The cycle is not finished: ${shown(why)}`);
}

export function cycleText(report: CycleReport, steps: readonly Taken[], io: Io): string {
  const { collected, findings, notes } = report;
  const passed = findings.filter(({ did }) => did === 'passed_over');
  const aside = collected.aside === 0 ? '' : `; ${collected.aside} could not be used, kept aside`;
  const lines = [
    `Read ${collected.events} new events${aside}.\n`,
    `Looked at ${span(report)}.\n`,
    ...notes.map((note) => wrap(shown(note), 80, '  ')),
    findings.length === 0 ? '\nNothing recurs. Nothing was done.\n' : '',
    ...section(
      'Found',
      findings.filter(({ did }) => did !== 'passed_over'),
      steps,
      io,
    ),
    ...section('Left alone', passed.slice(0, LEFT_ALONE_MAX), steps, io),
    passed.length > LEFT_ALONE_MAX
      ? `  and ${passed.length - LEFT_ALONE_MAX} more; --json lists them\n`
      : '',
  ];
  return lines.join('');
}

function span({ fromMs, toMs }: CycleReport): string {
  const hours = Math.round((toMs - fromMs) / 3_600_000);
  return `the ${hours} hours up to ${isoTime(toMs).slice(0, 16).replace('T', ' ')} UTC`;
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
      wrap(shown(finding.title), 80, '  '),
      ...findingLines(finding, steps).map((line) => wrap(line, 80, '    ')),
    ]),
  ];
}

/** Of several steps of one kind the last says how it went. */
function isLastOfKind(steps: readonly Taken[], at: number): boolean {
  const { subject, step } = steps[at]!;
  return !steps.some(
    (other, index) => index > at && other.subject === subject && other.step === step && other.moved,
  );
}

function findingLines(finding: Finding, steps: readonly Taken[]): string[] {
  const { did, why, proposal } = finding;
  if (did !== 'proposed' || proposal === null) return [shown(why)];
  return [
    `proposed: ${shown(why)}`,
    ...steps
      .filter(({ subject, moved }, at) => subject === proposal && moved && isLastOfKind(steps, at))
      .map((step) => shown(step.did)),
    `hone proposals show ${proposal}`,
  ];
}
