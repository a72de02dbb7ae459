/** `hone telemetry`: what each source brought, and why lines of it could not be used. */
import { showTelemetry } from '../../app/telemetry.ts';
import type { TelemetryAnswer } from '../../contracts/telemetry.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { wrap } from '../layout.ts';
import { shown } from '../shown.ts';

const REASONS_SHOWN = 5;

export function telemetry(context: Context): Promise<number> {
  return answer(context, showTelemetry(context), (all) => telemetryText(all, context.io));
}

type Source = TelemetryAnswer['sources'][number];

function telemetryText({ sources, configuration }: TelemetryAnswer, io: Io): string {
  const edited =
    configuration === 'edited'
      ? wrap(
          'hone.yaml was edited; the change has no effect until "hone config accept".',
          io.columns,
        )
      : '';
  if (sources.length === 0) {
    return `${edited}${wrap(
      'No source is named, so nothing is read. Name one in hone.yaml under observe.sources, then "hone config accept".',
      io.columns,
    )}`;
  }
  const isNothingUsable = sources.some(({ events, aside }) => events === 0 && aside > 0);
  return [
    edited,
    sources.map((one) => sourceText(one, io)).join('\n'),
    isNothingUsable ? `\n${EXAMPLE}` : '',
  ].join('');
}

const EXAMPLE = `An event is one line of JSON such as
  {"timestamp": "2026-03-02T09:12:44.120Z", "event_type": "tool_call",
   "session_id": "s-81", "agent": "researcher", "tool": "web_search",
   "success": false, "error_code": "timeout", "latency_ms": 803}
`;

function sourceText(source: Source, io: Io): string {
  const { name, events, aside, lastEventAt, lastReadAt, notes } = source;
  const newest = lastEventAt === null ? '' : `, the newest of ${minute(lastEventAt)}`;
  const read =
    lastReadAt === null
      ? 'Nothing was read yet. "hone cycle" reads it once, "hone up" keeps reading.'
      : `${events} events${newest}; last read something at ${minute(lastReadAt)}`;
  return [
    wrap(`${io.style('bold', shown(name))}  ${placeText(source)}`, io.columns),
    ...notes.map((note) => wrap(shown(note), io.columns, '  ')),
    wrap(read, io.columns, '  '),
    aside === 0 ? '' : asideText(source, io),
  ].join('');
}

function placeText({ path, exists, files }: Source): string {
  if (path === null) return 'is no longer a source';
  if (!exists) return `${shown(path)}: there is nothing at this path`;
  return `${shown(path)}, ${files === 1 ? '1 file' : `${files} files`}`;
}

function asideText({ aside, events, reasons }: Source, io: Io): string {
  const count = aside === 1 ? '1 line' : `${aside} lines`;
  const title = events === 0 ? `Not one event: ${count} kept aside` : `${count} kept aside`;
  const more = reasons.length - REASONS_SHOWN;
  return [
    io.style('yellow', wrap(`${title}, because`, io.columns, '  ')),
    ...reasons.slice(0, REASONS_SHOWN).map(({ detail, lines, last }) => {
      const place = last.line === null ? ` at byte ${last.byteOffset}` : `:${last.line}`;
      const what = wrap(`${lines} × ${shown(detail)}`, io.columns, '    ');
      return what + wrap(`the last one: ${shown(last.file)}${place}`, io.columns, '      ');
    }),
    more > 0 ? wrap(`and ${more} more reasons; --json lists them`, io.columns, '    ') : '',
  ].join('');
}

function minute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
