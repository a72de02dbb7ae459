/** `hone events`: one line for each event, the newest last; `show` prints all its fields. */
import { listEvents, showEvent } from '../../app/events.ts';
import type { EventShown, EventsList, EventsListInput, ShownEvent } from '../../contracts/event.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { fields, wrap, wrapAtMost } from '../layout.ts';
import { duration } from '../quantities.ts';
import { shown } from '../shown.ts';

const LINES_MAX = 3;

export function eventsList(context: Context, options: EventsListInput): Promise<number> {
  const { io } = context;
  const { json: _, ...input } = options as EventsListInput & { json?: boolean };
  return answer(context, listEvents(context, input), (list) => listText(list, io));
}

export function eventsShow(context: Context, id: string): Promise<number> {
  const { io } = context;
  return answer(context, showEvent(context, id), (event) => eventText(event, io));
}

function listText({ events, more }: EventsList, io: Io): string {
  if (events.length === 0)
    return wrap(
      'No event fits. --since looks further back; "hone sources list" shows what is read.',
      io.columns,
    );
  const rest = more ? wrap('There may be older ones; --limit shows more.', io.columns) : '';
  return events.map((one) => lineText(one, io)).join('') + rest;
}

/** On one line in a pipe. On a terminal the text goes on below. */
function lineText(event: ShownEvent, io: Io): string {
  const time = event.at.slice(0, 19).replace('T', ' ');
  const mark = event.failed ? io.style('red', 'FAILED') : 'ok';
  const took = event.durationMs === null ? '' : ` ${duration(event.durationMs)}`;
  const said = event.said === '' ? '' : `: ${shown(event.said)}`;
  const text = `${shown(event.what)}${took}${said}`;
  const head = `${time}  ${event.id}  ${event.kind}  ${mark}`;
  if (io.columns === Infinity) return `${head}  ${text}\n`;
  return (
    wrap(head, io.columns) + wrapAtMost(LINES_MAX, text, { columns: io.columns, indent: '    ' })
  );
}

function eventText({ event, id, at, source, what, said }: EventShown, io: Io): string {
  const pairs = Object.entries(event)
    .filter(([key]) => key !== 'atMs')
    .map(([key, value]): [string, string] => [key, shown(textOf(value))]);
  return [
    wrap(
      io.style('bold', [shown(what), shown(said)].filter((one) => one !== '').join(': ')),
      io.columns,
    ),
    fields([['id', id], ['at', at], ['source', shown(source)], ...pairs], io.columns, '  '),
  ].join('');
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
