/** What was read from each source, and what is wrong with it. Never a line itself. */
import { isoTime } from '../base/index.ts';
import type { SourcesCheck, SourcesList } from '../contracts/source.ts';
import {
  type AsideGroup,
  asideGroups,
  eventsBySource,
  findFiles,
  isPushed,
  lookAtSource,
  readSources,
  recognise,
  type SourceSettings,
  sampleFile,
} from '../observe/index.ts';
import { mask } from '../sanitise/index.ts';
import { type AppContext, type Opened, type OpenLoop, withLoop } from './context.ts';
import { type Refusal, unknown } from './refusal.ts';
import { shownPath } from './shown-path.ts';

const DAY_MS = 86_400_000;
/** Of the files of a source that is checked. */
const SAMPLED_MAX = 5;

export function listSources(context: AppContext): Promise<SourcesList> {
  return withLoop(context, {}, async ({ configuration }, open) => ({
    configuration,
    sources: await sourceStates(open),
  }));
}

/** One source, or all that are configured. */
export function checkSources(
  context: AppContext,
  name: string | undefined,
): Promise<SourcesCheck | Refusal> {
  return withLoop(context, {}, async (opened, open): Promise<SourcesCheck | Refusal> => {
    const { configuration } = opened;
    const all = await sourceStates(open);
    const asked = all.filter((one) => (name === undefined ? one.kind !== null : one.name === name));
    if (name !== undefined && asked.length === 0) return unknown(noSource(name, all));
    const nowMs = await open.ports.telemetry.nowMs();
    const sources = [];
    for (const state of asked) {
      const settings = open.ports.config.observe.sources.find((one) => one.name === state.name);
      const found = await filesOf(context, opened, settings);
      const problems = problemsOf(state, found, nowMs);
      sources.push({
        ...state,
        problems,
        found: found.map(({ file, what }) => ({ file, what })),
      });
    }
    return { configuration, sources };
  });
}

type State = SourcesList['sources'][number];

function noSource(name: string, all: readonly State[]): string {
  const names = all.map((one) => one.name);
  const are = names.length === 0 ? 'There is none yet.' : `There are: ${names.join(', ')}.`;
  return `There is no source ${name}. ${are}`;
}

async function sourceStates({ ports }: OpenLoop): Promise<State[]> {
  const { telemetry, config, files } = ports;
  const { sources } = config.observe;
  const nowMs = await telemetry.nowMs();
  const [counts, groups, lastDay] = await Promise.all([
    readSources(telemetry),
    asideGroups(telemetry),
    eventsBySource(telemetry, { fromMs: nowMs - DAY_MS, toMs: nowMs }),
  ]);
  const configured = await Promise.all(sources.map((source) => placeOf(source, files)));
  const known = new Set(sources.map(({ name }) => name));
  const former = counts
    .filter(({ source }) => !known.has(source))
    .map(({ source }) => ({ name: source, ...NOT_CONFIGURED, ...(isPushed(source) && PUSHED) }));
  return [...configured, ...former].map((place) => {
    const count = counts.find(({ source }) => source === place.name);
    return {
      ...place,
      events: count?.events ?? 0,
      eventsPerHour: Math.round(((lastDay.get(place.name) ?? 0) / 24) * 10) / 10,
      aside: count?.aside ?? 0,
      folded: count?.folded ?? 0,
      sampled: count?.sampled ?? 0,
      overheadShare: count?.overheadShare ?? null,
      lastEventAt: timeOrNull(count?.lastEventMs ?? null),
      lastReadAt: timeOrNull(count?.lastReadMs ?? null),
      reasons: groups.filter(({ source }) => source === place.name).map(reasonJson),
    };
  });
}

const NOT_CONFIGURED = {
  kind: null,
  path: null,
  exists: false,
  files: 0,
  notes: [],
  lastError: null,
} as const;

/** Nobody configures these: whatever is sent to the receiver has one. */
const PUSHED = { kind: 'otlp', exists: true } as const;

async function placeOf(source: SourceSettings, files: OpenLoop['ports']['files']) {
  const { place: path, exists, count, notes, fault } = await lookAtSource(source, files);
  const { name, kind } = source;
  return { name, kind, path, exists, files: count, notes: [...notes], lastError: fault ?? null };
}

interface SampledFile {
  readonly file: string;
  readonly what: string;
  /** The kind that recognises it; undefined where none does. */
  readonly kind: string | undefined;
}

/** Some of its files, the newest first, and what they are. */
async function filesOf(
  { environment }: AppContext,
  { home }: Opened,
  settings: SourceSettings | undefined,
): Promise<SampledFile[]> {
  const path = settings?.['path'];
  if (typeof path !== 'string') return [];
  const { files } = await findFiles([path], { cwd: home.configDir, home: environment['HOME'] });
  const sampled: SampledFile[] = [];
  for (const file of files.slice(0, SAMPLED_MAX)) {
    const looked = await sampleFile(file.path);
    if ('why' in looked) continue;
    const { best } = recognise(looked.sample);
    sampled.push({
      file: shownPath(file.path, environment['HOME']),
      what: mask(best?.recognised.what ?? 'not recognised').text,
      kind: best?.kind.kind,
    });
  }
  return sampled;
}

function problemsOf(state: State, found: readonly SampledFile[], nowMs: number): string[] {
  const { path, exists, files, lastError, events, aside, kind, lastEventAt } = state;
  if (kind === null) return [];
  if (lastError !== null) return [`It could not be read: ${lastError}.`];
  if (!exists) return [`There is nothing at ${path}. Correct its path in hone.yaml.`];
  const problems: string[] = [];
  if (files === 0 && path !== null) problems.push('No file there is one that it reads.');
  const other = found.find((one) => one.kind !== undefined && one.kind !== kind);
  const isOwn = found.some((one) => one.kind === kind);
  if (other !== undefined && !isOwn)
    problems.push(
      `${other.file} looks like ${other.what}. Write kind: ${other.kind} in hone.yaml.`,
    );
  if (events === 0 && aside > 0) problems.push('Not one line of it was an event.');
  if (lastEventAt !== null && nowMs - Date.parse(lastEventAt) > DAY_MS)
    problems.push(
      isPushed(state.name)
        ? 'No event of the last day was sent. "hone status" says whether anything listens.'
        : 'No event of the last day was read. Check that the agents still write there.',
    );
  return problems;
}

function reasonJson({ reason, detail, lines, file, line, byteOffset, seenAtMs }: AsideGroup) {
  return { reason, detail, lines, last: { file, line, byteOffset, seenAt: isoTime(seenAtMs) } };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
