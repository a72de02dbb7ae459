/**
 * Connects telemetry: recognises what is at a path, shows events as Hone would keep them, and writes the entry into
 * `hone.yaml`. Nothing takes effect before a person accepts it.
 */
import { isoTime } from '../base/index.ts';
import type { SourceAdded, SourceAddInput } from '../contracts/source.ts';
import type { Home } from '../home/index.ts';
import {
  absolute,
  asideGroups,
  type FoundFile,
  findEvents,
  findFiles,
  recognise,
  SOURCES,
  type SourceKind,
  Survey,
  sampleFile,
} from '../observe/index.ts';
import { mask } from '../sanitise/index.ts';
import { checkedConfig } from './configuration.ts';
import type { AppContext } from './context.ts';
import { defaultRules } from './observe-rules.ts';
import { withPassingLook } from './passing-look.ts';
import { exporterLines, receiverUrl } from './receiver-steps.ts';
import { type ProjectFiles, type RecognisedFiles, recogniseFiles } from './recognised-files.ts';
import { isRefusal, type Refusal, unknown, usage } from './refusal.ts';
import { shownPath } from './shown-path.ts';
import {
  nameFor,
  pathForConfig,
  sameEntry,
  sourceName,
  withEntry,
  writeEntry,
} from './source-entry.ts';

/** The newest of a folder tell what it holds. */
const LOOKED_AT_MAX = 200;
const READ_FILES_MAX = 5;
/** Enough to see three and to count what could not be used. */
const READ_RECORDS = 2000;
const EVENTS_SHOWN = 3;
const REASONS_SHOWN = 3;

export async function addSource(
  context: AppContext,
  input: SourceAddInput,
): Promise<SourceAdded | Refusal> {
  const url = receiverUrl(input.place);
  const home = context.home();
  if (url !== undefined) return receiver(home, url);
  const found = await findSource(context, input);
  if (isRefusal(found)) return found;
  return connect(context, home, { ...input, ...found });
}

/** What is at a place, and the kind that reads it. */
export async function findSource(
  context: AppContext,
  input: Pick<SourceAddInput, 'place' | 'kind' | 'name'>,
): Promise<FoundSource | Refusal> {
  const given = kindNamed(input.kind);
  if (isRefusal(given)) return given;
  if (input.name !== undefined && sourceName(input.name) === undefined)
    return usage('A source’s name has up to 60 letters, digits, dots, dashes and underscores.');
  const path = absolute(input.place, { cwd: context.cwd, home: context.environment['HOME'] });
  const found = await recognised(context, path, given.kind);
  return isRefusal(found) ? found : { ...found, path };
}

export interface FoundSource extends Found {
  readonly path: string;
}

/** Those with the same kind as most files of the place. */
interface Found {
  readonly kind: SourceKind;
  readonly group: ProjectFiles['groups'][number];
  readonly others: readonly string[];
}

function kindNamed(name: string | undefined): { readonly kind: SourceKind | undefined } | Refusal {
  if (name === undefined) return { kind: undefined };
  const kind = SOURCES.find((one) => one.kind === name);
  if (kind !== undefined) return { kind };
  return usage(
    `There is no kind ${name}. There are: ${SOURCES.map((one) => one.kind).join(', ')}.`,
  );
}

async function recognised(
  { cwd, environment }: AppContext,
  path: string,
  kind: SourceKind | undefined,
): Promise<Found | Refusal> {
  const home = environment['HOME'];
  const { files, missing, kept } = await findFiles([path], { cwd, home });
  const shown = shownPath(path, home);
  if (missing.length > 0) return unknown(`There is nothing at ${shown}.`);
  if (files.length === 0) {
    const why = kept > 0 ? ' but what belongs to a coding agent itself and is never opened' : '';
    return usage(`There is no file to read at ${shown}${why}.`);
  }
  const looked = files.slice(0, LOOKED_AT_MAX);
  const known = await recogniseFiles(looked, { kind });
  const groups = known.projects.flatMap((one) => one.groups);
  const kinds = [...Map.groupBy(groups, (one) => one.kind)]
    .map(([name, of]) => ({ name, of, files: of.flatMap((one) => one.paths) }))
    .sort((a, b) => b.files.length - a.files.length);
  const [most, ...rest] = kinds;
  if (most === undefined) return notRecognised(shown, known);
  const largest = most.of.toSorted((a, b) => b.paths.length - a.paths.length)[0]!;
  return {
    kind: SOURCES.find((one) => one.kind === most.name)!,
    group: { ...largest, paths: newestFirst(looked, most.files) },
    others: [...rest.map((one) => one.name), ...(await ties(looked[0]!, most.name, kind))],
  };
}

function newestFirst(files: readonly FoundFile[], of: readonly string[]): string[] {
  const wanted = new Set(of);
  return files.filter((one) => wanted.has(one.path)).map((one) => one.path);
}

/** Kinds that are as sure of the newest file. */
async function ties(file: FoundFile, chosen: string, given: SourceKind | undefined) {
  const sampled = given === undefined ? await sampleFile(file.path) : undefined;
  if (sampled === undefined || 'why' in sampled) return [];
  const { isTie, best, others } = recognise(sampled.sample);
  if (!isTie || best === undefined) return [];
  return [best, others[0]!].map((one) => one.kind.kind).filter((kind) => kind !== chosen);
}

function notRecognised(shown: string, { unknown: files }: RecognisedFiles): Refusal {
  const looksLike = files[0] === undefined ? 'unreadable' : mask(files[0].looksLike).text;
  const kinds = SOURCES.map((one) => one.kind).join(', ');
  return usage(
    `Hone does not recognise ${shown}: it looks like ${looksLike}. If you know what it is, name its kind with --kind: ${kinds}. docs/guides/connect.md says what each reads.`,
  );
}

type Connecting = FoundSource & Pick<SourceAddInput, 'name' | 'dryRun'>;

async function connect(
  context: AppContext,
  home: Home,
  { name, dryRun, ...found }: Connecting,
): Promise<SourceAdded | Refusal> {
  const { sources } = checkedConfig(home).observe;
  const { kind, group, others } = found;
  const written = pathForConfig(found.path, home, context.environment['HOME']);
  const same = sameEntry(sources, { kind: kind.kind, path: written });
  const taken = new Set(sources.map((one) => one.name));
  if (same === undefined && name !== undefined && taken.has(name))
    return usage(`There is a source ${name} already. Give another --name.`);
  const entry = entryOf(found, written, same?.name ?? name ?? nameFor(found.path, taken));
  const tried = await triedEvents(context, group);
  const isWritten = same === undefined && dryRun !== true;
  if (same === undefined) {
    const done = dryRun === true ? withEntry(home, entry) : writeEntry(home, entry);
    if (done !== true && isRefusal(done)) return done;
  }
  return {
    entry,
    what: mask(group.what).text,
    others: [...new Set(others)],
    files: group.paths.length,
    ...tried,
    written: isWritten,
    configPath: home.isBare ? home.configFile : 'hone.yaml',
    exporter: [],
    next: nextSteps(entry.name, { isWritten, isThere: same !== undefined }),
  };
}

/** As it stands in `observe.sources`. The first kind of the list needs no name. */
export function entryOf({ kind, group }: FoundSource, path: string, name: string) {
  const isDefault = kind.kind === SOURCES[0]!.kind;
  return { name, ...(isDefault ? {} : { kind: kind.kind }), path, ...group.settings };
}

function nextSteps(name: string, { isWritten, isThere }: { isWritten: boolean; isThere: boolean }) {
  if (isThere) return [`It is a source already: hone sources check ${name}`];
  if (!isWritten) return ['Nothing was written. Leave out --dry-run to add it.'];
  return ['Put it into effect: hone config accept', 'Then look for something to fix: hone cycle'];
}

type Tried = Pick<SourceAdded, 'events' | 'eventsSeen' | 'asideSeen' | 'reasons'>;

/** The newest files, read into memory as they would be kept. */
function triedEvents(context: AppContext, group: ProjectFiles['groups'][number]): Promise<Tried> {
  return withPassingLook(context, async ({ store, files }) => {
    const { random } = context;
    const enough = new AbortController();
    const one = { ...group, paths: group.paths.slice(0, READ_FILES_MAX) };
    const options = { store, files, rules: defaultRules(), random, isBounded: true };
    const read = await new Survey([one], options).read(enough.signal, ({ events, aside }) => {
      if (events + aside >= READ_RECORDS) enough.abort();
    });
    const window = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
    const { events } = await findEvents(store, { window, limit: EVENTS_SHOWN });
    return {
      events: events.map(({ atMs, event }) => ({
        at: isoTime(atMs),
        kind: event.kind,
        event: { ...event },
      })),
      eventsSeen: read.events,
      asideSeen: read.aside,
      reasons: (await asideGroups(store))
        .slice(0, REASONS_SHOWN)
        .map(({ detail, lines }) => ({ detail, lines })),
    };
  });
}

/** Telemetry is sent to `hone up`; there is nothing to read. */
function receiver(home: Home, url: string): SourceAdded {
  return {
    entry: null,
    what: 'telemetry that is sent to Hone (OTLP over HTTP)',
    others: [],
    files: 0,
    events: [],
    eventsSeen: 0,
    asideSeen: 0,
    reasons: [],
    written: false,
    configPath: home.isBare ? home.configFile : 'hone.yaml',
    exporter: exporterLines(url),
    next: [
      ...otherPort(url),
      'Start it, and leave it running: hone up',
      'See what arrives: hone sources list',
    ],
  };
}

/** The receiver listens on 4318 of this machine unless told otherwise. */
function otherPort(url: string): string[] {
  const { port } = new URL(url);
  if (port === '4318') return [];
  const number = port === '' ? '4318' : port;
  return [`Write the port ${number} into hone.yaml (observe.otlp.port), then: hone config accept`];
}
