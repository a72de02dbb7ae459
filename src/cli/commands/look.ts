/** `hone look`: what recurs in files that people have, with nothing set up and nothing left behind. */
import { look as lookAt } from '../../app/look.ts';
import type { Looked, LookedFailure, LookedProject, LookInput } from '../../contracts/look.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { withInterrupt } from '../interruptible.ts';
import type { Io } from '../io.ts';
import { fields, table, wrap, wrapAtMost } from '../layout.ts';
import { bars, counted, duration, minute, minuteOnly, size } from '../quantities.ts';
import { shown } from '../shown.ts';

/** Days of a trend. */
const DAYS_MAX = 28;
const DAY_MS = 86_400_000;
const MESSAGE_LINES = 2;

export function look(
  context: Context,
  paths: readonly string[],
  options: Omit<LookInput, 'paths'>,
): Promise<number> {
  return withInterrupt((signal) =>
    answer(context, lookAt(context, { ...options, paths }, signal), (looked) =>
      lookText(looked, context.io),
    ),
  );
}

function lookText(looked: Looked, io: Io): string {
  const { projects, moreProjects, interrupted } = looked;
  const { columns } = io;
  return [
    interrupted ? wrap('Stopped: this is what was read so far.', columns) : '',
    projects.map((one) => projectText(one, io)).join('\n'),
    moreProjects > 0
      ? `\n${wrap(`${counted(moreProjects, 'more project')}; --all-projects shows them.`, columns)}`
      : '',
    restText(looked, io),
    nothingText(looked, io),
    '\n',
    nextText(looked, columns),
  ].join('');
}

function projectText(project: LookedProject, io: Io): string {
  const { columns } = io;
  const { files, bytes, events, firstAt, lastAt } = project;
  const span = firstAt === null ? '' : `, ${minuteOnly(firstAt)} to ${minute(lastAt!)}`;
  return [
    wrap(io.style('bold', shown(project.project)), columns),
    wrap(
      `${counted(files, 'file')}, ${size(bytes)}, ${counted(events, 'event')}${span}`,
      columns,
      '  ',
    ),
    ...project.read.map(({ what, files: of }) =>
      wrap(`${shown(what)} (${counted(of, 'file')})`, columns, '  '),
    ),
    failuresText(project, io),
    correctionsText(project, io),
    slowText(project, io),
    shiftsText(project, io),
    asideText(project, io),
  ].join('');
}

const title = (text: string, io: Io) => `\n${wrap(io.style('bold', text), io.columns, '  ')}`;

function failuresText({ failures, moreFailures, events }: LookedProject, io: Io): string {
  if (failures.length === 0)
    return events === 0 ? '' : `\n${wrap('Nothing failed in it.', io.columns, '  ')}`;
  const more = `and ${counted(moreFailures, 'other kind')} of failure; --top shows more`;
  const [recurring, rare] = [
    failures.filter(isRecurring),
    failures.filter((one) => !isRecurring(one)),
  ];
  return [
    recurring.length > 0 ? title('What recurs', io) : '',
    ...recurring.map((one) => failureText(one, io)),
    rare.length > 0 ? title('Failed once or twice', io) : '',
    ...rare.map((one) => failureText(one, io)),
    moreFailures > 0 ? wrap(more, io.columns, '    ') : '',
  ].join('');
}

/** As often as a cycle asks for (DIAG-2). */
const RECURRING_MIN = 3;
const isRecurring = ({ failures }: LookedFailure) => failures >= RECURRING_MIN;

/** What is counted at a place, by the kind of event that failed. */
const UNITS: Readonly<Record<string, string>> = {
  trace_span: 'step',
  test_result: 'run',
  log_line: 'line',
};

function failureText(failure: LookedFailure, io: Io): string {
  const { columns } = io;
  const { tool, agent, template, errorCode, begins, examples } = failure;
  const place = [tool, agent].filter((part) => part !== '').join(' of ');
  const said = shown(template === '' ? errorCode : template);
  const headline = [shown(place), said].filter((part) => part !== '').join(': ');
  return [
    wrapAtMost(MESSAGE_LINES + 1, headline, { columns, indent: '    ' }),
    wrap(countText(failure), columns, '      '),
    begins === null ? '' : wrap(`begins with: ${shown(begins)}`, columns, '      '),
    ...examples.map(({ at, message, session }) =>
      wrapAtMost(MESSAGE_LINES, `${minuteOnly(at)} ${shown(session)}: ${shown(message)}`, {
        columns,
        indent: '      ',
      }),
    ),
  ].join('');
}

function countText(failure: LookedFailure): string {
  const { event, failures, calls, share, sessions, firstAt, lastAt } = failure;
  const percent = share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`;
  const of = calls > 0 ? ` of ${counted(calls, UNITS[event] ?? 'call')} (${percent})` : ' times';
  const since = `since ${minuteOnly(firstAt)}, last ${minute(lastAt)}`;
  const trend = trendText(failure);
  return `${failures}${of} in ${counted(sessions, 'session')}, ${since}${trend === '' ? '' : `  ${trend}`}`;
}

/** A bar a day, those without a failure too. One or two days are no trend. */
function trendText({ days }: LookedFailure): string {
  const first = days[0];
  if (first === undefined || days.length < 3) return '';
  const start = Date.parse(first.day);
  const numbers: number[] = [];
  for (const { day, failures } of days) numbers[(Date.parse(day) - start) / DAY_MS] = failures;
  return bars(Array.from(numbers, (one) => one ?? 0).slice(-DAYS_MAX));
}

function correctionsText({ corrections }: LookedProject, io: Io): string {
  if (corrections.length === 0) return '';
  const all = [...Map.groupBy(corrections, ({ agent }) => agent)].map(([agent, of]) => {
    const kinds = of.map(({ correction, count }) => `${count} × ${correction}`).join(', ');
    return wrap(`${shown(agent)}: ${kinds}`, io.columns, '    ');
  });
  return [title('What people corrected', io), ...all].join('');
}

function slowText({ slow }: LookedProject, io: Io): string {
  if (slow.length === 0) return '';
  const rows = slow.map(({ agent, tool, calls, p50Ms, p95Ms }) => [
    shown(agent === '' ? tool : `${tool} of ${agent}`),
    duration(p50Ms),
    duration(p95Ms),
    String(calls),
  ]);
  const head = ['tool', 'half within', '95 % within', 'calls'];
  const text = table({ head, rows }, io.columns - 4);
  return title('Slow tools', io) + text.replace(/^(?=.)/gm, '    ');
}

function shiftsText({ shifts }: LookedProject, io: Io): string {
  if (shifts.length === 0) return '';
  const all = shifts.flatMap((one) => [
    wrap(shown(one.title), io.columns, '    '),
    wrap(shown(one.why), io.columns, '      '),
  ]);
  return [title('At another level than before', io), ...all].join('');
}

function asideText({ aside }: LookedProject, io: Io): string {
  if (aside.length === 0) return '';
  return [
    title('Could not be used', io),
    ...aside.map(({ detail, lines }) => wrap(`${lines} × ${shown(detail)}`, io.columns, '    ')),
  ].join('');
}

function restText({ notRecognised, missing, leftOut }: Looked, io: Io): string {
  const { unreadable, private: kept, links, special, older, isCut } = leftOut;
  const lines = [
    ...missing.map((path) => `There is nothing at ${shown(path)}.`),
    ...notRecognised.map(
      ({ looksLike, files, example }) =>
        `Not recognised: ${counted(files, 'file')}, such as ${shown(example)}, which looks like ${shown(looksLike)}.`,
    ),
    unreadable > 0 ? `${counted(unreadable, 'file')} or folders could not be read.` : '',
    kept > 0
      ? `${counted(kept, 'file')} of coding agents’ own folders stayed closed: only transcripts are opened there.`
      : '',
    links > 0 ? `${counted(links, 'link')} not followed.` : '',
    special > 0
      ? `${counted(special, 'pipe, socket or device', 'pipes, sockets or devices')} not opened.`
      : '',
    older > 0 ? `${counted(older, 'file')} not opened: last written before that time.` : '',
    isCut ? 'There are more files than a look takes: name a smaller folder.' : '',
  ].filter((line) => line !== '');
  if (lines.length === 0) return '';
  return `\n${lines.map((line) => wrap(line, io.columns)).join('')}`;
}

function nothingText({ projects, readable }: Looked, io: Io): string {
  if (projects.length > 0 || readable.length === 0) return '';
  return [
    '\n',
    wrap('Nothing here is telemetry that Hone recognises. It reads:', io.columns),
    fields(
      readable.map(({ kind, about }) => [kind, about] as const),
      io.columns,
      '  ',
    ),
  ].join('');
}

function nextText({ next }: Looked, columns: number): string {
  return `Next:\n${next.map((step, at) => fields([[`${at + 1}.`, shown(step)]], columns, '  ')).join('')}`;
}
