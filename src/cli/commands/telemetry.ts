/** `hone telemetry`: what each source brought, and why lines of it could not be used. Never shows a line. */

import { type OpenLoop, withLoop } from '../../app/context.ts';
import { isoTime } from '../../base/index.ts';
import {
  type AsideGroup,
  asideGroups,
  lookAtSource,
  readSources,
  type SourceSettings,
} from '../../observe/index.ts';
import type { Context } from '../context.ts';
import { type Io, present } from '../io.ts';
import { wrap } from '../layout.ts';
import { shown } from '../shown.ts';

const REASONS_SHOWN = 5;

export function telemetry(context: Context): Promise<number> {
  return withLoop(context, {}, async ({ configuration }, open) => {
    const { sources } = open.ports.config.observe;
    const result = { sources: await sourceStates(sources, open) };
    present(context.io, result, (all) => telemetryText(all.sources, configuration, context.io));
    return 0;
  });
}

async function sourceStates(sources: readonly SourceSettings[], { ports }: OpenLoop) {
  const [counts, groups] = await Promise.all([
    readSources(ports.telemetry),
    asideGroups(ports.telemetry),
  ]);
  const configured = await Promise.all(
    sources.map(async (source) => ({ name: source.name, ...(await look(source, ports.files)) })),
  );
  const known = new Set(sources.map(({ name }) => name));
  const former = counts
    .filter(({ source }) => !known.has(source))
    .map(({ source }) => ({ name: source, path: null, exists: false, files: 0, notes: [] }));
  return [...configured, ...former].map((place) => {
    const count = counts.find(({ source }) => source === place.name);
    return {
      ...place,
      events: count?.events ?? 0,
      aside: count?.aside ?? 0,
      lastEventAt: timeOrNull(count?.lastEventMs ?? null),
      lastReadAt: timeOrNull(count?.lastReadMs ?? null),
      reasons: groups.filter(({ source }) => source === place.name).map(reasonJson),
    };
  });
}

async function look(source: SourceSettings, files: OpenLoop['ports']['files']) {
  const { place: path, exists, count, notes, fault } = await lookAtSource(source, files);
  const told = fault === undefined ? [...notes] : [`It could not be read: ${fault}.`];
  return { path, exists, files: count, notes: told };
}

function reasonJson({ reason, detail, lines, file, line, byteOffset, seenAtMs }: AsideGroup) {
  return { reason, detail, lines, last: { file, line, byteOffset, seenAt: isoTime(seenAtMs) } };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

type Shown = Awaited<ReturnType<typeof sourceStates>>[number];

function telemetryText(sources: readonly Shown[], configuration: string, io: Io): string {
  const edited =
    configuration === 'edited'
      ? wrap('hone.yaml was edited; that has no effect until "hone config accept".', io.columns)
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

function sourceText(source: Shown, io: Io): string {
  const { name, events, aside, lastEventAt, lastReadAt, notes } = source;
  const newest = lastEventAt === null ? '' : `, the newest of ${minute(lastEventAt)}`;
  const read =
    lastReadAt === null
      ? 'Nothing was read yet: "hone cycle" reads it once, "hone up" goes on reading.'
      : `${events} events${newest}; last read something at ${minute(lastReadAt)}`;
  return [
    wrap(`${io.style('bold', shown(name))}  ${placeText(source)}`, io.columns),
    ...notes.map((note) => wrap(shown(note), io.columns, '  ')),
    wrap(read, io.columns, '  '),
    aside === 0 ? '' : asideText(source, io),
  ].join('');
}

function placeText({ path, exists, files }: Shown): string {
  if (path === null) return 'is no source any more';
  if (!exists) return `${shown(path)}: there is nothing at this path`;
  return `${shown(path)}, ${files === 1 ? '1 file' : `${files} files`}`;
}

function asideText({ aside, events, reasons }: Shown, io: Io): string {
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
