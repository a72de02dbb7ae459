/** `hone sources list|check`: what each source brought, and why lines of it could not be used. */
import { checkSources, listSources } from '../../app/sources.ts';
import type { SourcesCheck, SourcesList } from '../../contracts/source.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { wrap } from '../layout.ts';
import { counted, minute } from '../quantities.ts';
import { shown } from '../shown.ts';

const REASONS_SHOWN = 5;

export function sourcesList(context: Context): Promise<number> {
  const { io } = context;
  return answer(context, listSources(context), (all) => listText(all, io));
}

export function sourcesCheck(context: Context, name: string | undefined): Promise<number> {
  const { io } = context;
  return answer(
    context,
    checkSources(context, name),
    (all) => checkText(all, io),
    ({ sources }) => (sources.some(({ problems }) => problems.length > 0) ? 1 : 0),
  );
}

type Source = SourcesList['sources'][number];
type Checked = SourcesCheck['sources'][number];

function listText({ sources, configuration }: SourcesList, io: Io): string {
  if (sources.length === 0) return edited(configuration, io) + noneText(io);
  const isNothingUsable = sources.some(({ events, aside }) => events === 0 && aside > 0);
  return [
    edited(configuration, io),
    sources.map((one) => sourceText(one, io)).join('\n'),
    isNothingUsable
      ? `\n${wrap('"hone sources check" says what the files look like.', io.columns)}`
      : '',
  ].join('');
}

function checkText({ sources, configuration }: SourcesCheck, io: Io): string {
  if (sources.length === 0) return edited(configuration, io) + noneText(io);
  return edited(configuration, io) + sources.map((one) => checkedText(one, io)).join('\n');
}

function checkedText(source: Checked, io: Io): string {
  const { problems, found, aside } = source;
  return [
    sourceText(source, io),
    ...found.map(({ file, what }) => wrap(`${shown(file)}: ${shown(what)}`, io.columns, '    ')),
    ...problems.map((one) => io.style('yellow', wrap(shown(one), io.columns, '  '))),
    problems.length === 0 ? wrap('Nothing is wrong with it.', io.columns, '  ') : '',
    problems.length > 0 && aside > 0 ? EXAMPLE : '',
  ].join('');
}

function edited(configuration: SourcesList['configuration'], { columns }: Io): string {
  return configuration === 'edited'
    ? wrap('hone.yaml was edited; the change has no effect until "hone config accept".', columns)
    : '';
}

function noneText({ columns }: Io): string {
  return wrap(
    'No source is named, so nothing is read. Connect one: hone sources add <path>, then "hone config accept".',
    columns,
  );
}

const EXAMPLE = `  An event of kind jsonl is one line of JSON such as
    {"timestamp": "2026-03-02T09:12:44.120Z", "event_type": "tool_call",
     "session_id": "s-81", "agent": "researcher", "tool": "web_search",
     "success": false, "error_code": "timeout", "latency_ms": 803}
`;

function sourceText(source: Source, io: Io): string {
  const { name, events, aside, lastEventAt, lastReadAt, notes, lastError, eventsPerHour } = source;
  const newest = lastEventAt === null ? '' : `, the newest of ${minute(lastEventAt)}`;
  const rate = eventsPerHour === 0 ? 'none in the last day' : `${eventsPerHour} an hour`;
  const read =
    lastReadAt === null
      ? 'Nothing was read yet. "hone cycle" reads it once, "hone up" keeps reading.'
      : `${counted(events, 'event')}${newest}; ${rate}; last read something at ${minute(lastReadAt)}`;
  return [
    wrap(`${io.style('bold', shown(name))}  ${placeText(source)}`, io.columns),
    lastError === null ? '' : wrap(`It could not be read: ${shown(lastError)}.`, io.columns, '  '),
    ...notes.map((note) => wrap(shown(note), io.columns, '  ')),
    wrap(read, io.columns, '  '),
    ...boundsText(source).map((line) => wrap(line, io.columns, '  ')),
    aside === 0 ? '' : asideText(source, io),
  ].join('');
}

/** What was counted otherwise than it came. */
function boundsText({ folded, sampled, overheadShare }: Source): string[] {
  const share = overheadShare === null ? '' : ` (${(overheadShare * 100).toFixed(1)} % lately)`;
  return [
    ...(folded === 0
      ? []
      : [`${counted(folded, 'event')} had too many different names and count as (other).`]),
    ...(sampled === 0
      ? []
      : [
          `${counted(sampled, 'event')} were counted and not kept: observing cost too much${share}.`,
        ]),
  ];
}

function placeText({ kind, path, exists, files }: Source): string {
  if (kind === null) return 'is no longer a source';
  if (path === null && files === 0 && exists) return `${shown(kind)}, sent to "hone up"`;
  const place = path === null ? '' : ` ${shown(path)}`;
  if (!exists) return `${shown(kind)}${place}: there is nothing at this path`;
  return `${shown(kind)}${place}, ${counted(files, 'file')}`;
}

function asideText({ aside, events, reasons }: Source, io: Io): string {
  const count = counted(aside, 'line');
  const title = events === 0 ? `Not one event: ${count} kept aside` : `${count} kept aside`;
  const more = reasons.length - REASONS_SHOWN;
  return [
    io.style('yellow', wrap(`${title}, because`, io.columns, '  ')),
    ...reasons.slice(0, REASONS_SHOWN).map(({ detail, lines, last }) => {
      const place = last.line === null ? ` at byte ${last.byteOffset}` : `:${last.line}`;
      const what = wrap(`${lines} × ${shown(detail)}`, io.columns, '    ');
      return what + wrap(`the last one: ${shown(last.file)}${place}`, io.columns, '      ');
    }),
    more > 0
      ? wrap(`and ${counted(more, 'more reason')}; --json lists them`, io.columns, '    ')
      : '',
  ].join('');
}
