/** What was read from each source, and why lines could not be used. Never a line itself. */
import { isoTime } from '../base/index.ts';
import type { TelemetryAnswer } from '../contracts/telemetry.ts';
import {
  type AsideGroup,
  asideGroups,
  lookAtSource,
  readSources,
  type SourceSettings,
} from '../observe/index.ts';
import { type AppContext, type OpenLoop, withLoop } from './context.ts';

export function showTelemetry(context: AppContext): Promise<TelemetryAnswer> {
  return withLoop(context, {}, async ({ configuration }, open) => ({
    configuration,
    sources: await sourceStates(open.ports.config.observe.sources, open),
  }));
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
