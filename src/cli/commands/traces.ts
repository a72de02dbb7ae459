/** `hone traces`: sessions and traces, and the steps of one as a tree with its first error and its likeliest first wrong step marked. */
import { listTraces, showTrace } from '../../app/traces.ts';
import type {
  TraceShown,
  TracesList,
  TracesListInput,
  TracesShowInput,
} from '../../contracts/event.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { table, wrap, wrapAtMost } from '../layout.ts';
import { counted, duration, minute, minuteOnly } from '../quantities.ts';
import { shown } from '../shown.ts';

/** Deeper ones are shown at this depth: a chain may be as long as the trace. */
const DEPTH_SHOWN = 12;
const LINES_MAX = 2;

export function tracesList(context: Context, options: TracesListInput): Promise<number> {
  const { json: _, ...input } = options as TracesListInput & { json?: boolean };
  return answer(context, listTraces(context, input), (list) => listText(list, context.io));
}

export function tracesShow(
  context: Context,
  id: string,
  options: TracesShowInput,
): Promise<number> {
  return answer(context, showTrace(context, id, options), (trace) => traceText(trace, context.io));
}

function listText({ traces, more }: TracesList, io: Io): string {
  if (traces.length === 0) return wrap('No trace fits. --since looks further back.', io.columns);
  const rows = traces.map(({ id, of, lastAt, events, failed, agents }) => [
    shown(id),
    of,
    minuteOnly(lastAt),
    String(events),
    String(failed),
    shown(agents.join(', ')),
  ]);
  const head = ['id', 'of', 'last event (UTC)', 'events', 'failed', 'agents'];
  const rest = more ? wrap('There may be older ones; --limit shows more.', io.columns) : '';
  return table({ head, rows, isLastProse: true }, io.columns) + rest;
}

type Span = TraceShown['spans'][number];

function traceText(trace: TraceShown, io: Io): string {
  const { id, session, firstAt, lastAt, spans, failed, more } = trace;
  const { columns } = io;
  const count = `${counted(spans.length, 'event')}, ${failed} failed, ${minuteOnly(firstAt)} to ${minute(lastAt)}`;
  return [
    wrap(io.style('bold', shown(id)), columns),
    id === session ? '' : wrap(`session ${shown(session)}`, columns, '  '),
    wrap(count, columns, '  '),
    '\n',
    ...spans.map((span) => spanText(span, trace.wrongStep, io)),
    wrongStepText(trace.wrongStep, io),
    more ? wrap('There is more; only the first 5000 events are shown.', columns) : '',
  ].join('');
}

function wrongStepText(wrong: TraceShown['wrongStep'], { columns }: Io): string {
  if (wrong === null) return '';
  const { reason, agreement } = wrong;
  const sure = `${Math.round(agreement * 100)} % of the signs seen point there`;
  return `\n${wrap(`LIKELY WRONG: ${reason} (${sure}).`, columns)}`;
}

function spanText(span: Span, wrong: TraceShown['wrongStep'], io: Io): string {
  const { at, what, said, durationMs, failed, firstError, depth, cut, faults } = span;
  const indent = '  '.repeat(
    Math.min(depth, DEPTH_SHOWN, Math.floor(Math.min(io.columns, 120) / 8)),
  );
  const time = at.slice(11, 19);
  const error = firstError ? io.style('red', 'FIRST ERROR ') : failed ? 'failed ' : '';
  const mark = wrong?.event === span.id ? `${io.style('yellow', 'LIKELY WRONG ')}${error}` : error;
  const took = durationMs === null ? '' : ` ${duration(durationMs)}`;
  const loop = cut ? ' (its parent leads back to it)' : '';
  const known = faults.length === 0 ? '' : ` [${faults.join(', ').replaceAll('_', ' ')}]`;
  const text = `${time} ${mark}${shown(what)}${took}${loop}${known}${said === '' ? '' : `: ${shown(said)}`}`;
  return wrapAtMost(LINES_MAX, text, { columns: io.columns, indent });
}
