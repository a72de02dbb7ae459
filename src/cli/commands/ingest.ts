/** `hone ingest`: reads files or standard input into the telemetry, with progress; Ctrl-C stops it between batches. */
import { ingest as ingestInto } from '../../app/ingest.ts';
import type { Ingested, IngestInput } from '../../contracts/ingest.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { withInterrupt } from '../interruptible.ts';
import type { Io } from '../io.ts';
import { wrap } from '../layout.ts';
import { counted, size } from '../quantities.ts';
import { shown } from '../shown.ts';

export function ingest(
  context: Context,
  place: string,
  options: Omit<IngestInput, 'place'>,
): Promise<number> {
  const { io } = context;
  const run = (signal: AbortSignal) => {
    const ports = { stdin: process.stdin, signal };
    return answer(context, ingestInto(context, { ...options, place }, ports), (done) =>
      ingestedText(done, io),
    );
  };
  return withInterrupt(run);
}

function ingestedText(done: Ingested, io: Io): string {
  const { columns } = io;
  const { events, aside, bytes, interrupted, sources, notRecognised, unreadable, notes } = done;
  const kept = aside === 0 ? '' : `; ${counted(aside, 'line')} kept aside`;
  return [
    wrap(`Read ${counted(events, 'new event')} (${size(bytes)})${kept}.`, columns),
    ...sources.map(({ name, what, files }) =>
      wrap(`${shown(name)}: ${shown(what)}, ${counted(files, 'file')}`, columns, '  '),
    ),
    ...notes.map((note) => wrap(shown(note), columns, '  ')),
    ...notRecognised.map(({ looksLike, files, example }) =>
      wrap(
        `Not recognised: ${counted(files, 'file')}, such as ${shown(example)}, which looks like ${shown(looksLike)}.`,
        columns,
        '  ',
      ),
    ),
    unreadable > 0 ? wrap(`${counted(unreadable, 'file')} could not be read.`, columns, '  ') : '',
    interrupted ? wrap('Stopped. The same command continues where it stopped.', columns) : '',
    aside > 0 ? wrap('See why: hone sources list', columns) : '',
  ].join('');
}
