/**
 * Reads files, a folder or standard input into the installation's telemetry, under a source's name. Positions are
 * stored with the events, so the same command continues where it was stopped and counts nothing twice; a source of
 * that name that is configured later continues there too.
 */
import type { Ingested, IngestInput } from '../contracts/ingest.ts';
import {
  absolute,
  type FileGroup,
  type FoundFile,
  findFiles,
  looksLike,
  recognise,
  SOURCES,
  type SourceKind,
  type StreamFiles,
  Survey,
  type Surveyed,
  type SurveyProgress,
  streamSourceFiles,
} from '../observe/index.ts';
import { mask } from '../sanitise/index.ts';
import { type AppContext, type OpenLoop, withLoop } from './context.ts';
import { instantOf } from './instant.ts';
import { type ProjectFiles, type RecognisedFiles, recogniseFiles } from './recognised-files.ts';
import { isRefusal, type Refusal, unknown, usage } from './refusal.ts';
import { shownPath } from './shown-path.ts';
import { nameFor, sourceName } from './source-entry.ts';

const FOLLOW_MS = 1000;
const UNKNOWN_SHOWN = 5;
const STDIN = '-';

export interface IngestPorts {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

export async function ingest(
  context: AppContext,
  input: IngestInput,
  ports: IngestPorts,
): Promise<Ingested | Refusal> {
  const since =
    input.since === undefined ? undefined : instantOf(input.since, context.clock.nowMs());
  if (typeof since === 'object') return since;
  const kind = SOURCES.find((one) => one.kind === input.format);
  if (input.format !== undefined && kind === undefined)
    return usage(
      `There is no format ${input.format}. There are: ${SOURCES.map((one) => one.kind).join(', ')}.`,
    );
  if (input.as !== undefined && sourceName(input.as) === undefined)
    return usage('A source’s name has up to 60 letters, digits, dots, dashes and underscores.');
  return withLoop(context, {}, (_, open) => {
    const run = new Ingestion(context, open, { ...input, kind, sinceMs: since, ...ports });
    return input.place === STDIN ? run.readStream() : run.readFiles();
  });
}

interface Asked extends IngestInput, IngestPorts {
  readonly kind: SourceKind | undefined;
  readonly sinceMs: number | undefined;
}

type Named = FileGroup & { readonly what: string };

class Ingestion {
  readonly #context: AppContext;
  readonly #open: OpenLoop;
  readonly #asked: Asked;
  readonly #startedMs: number;
  readonly #sum = { events: 0, aside: 0, bytes: 0 };
  readonly #notes = new Set<string>();
  #unreadable = 0;

  constructor(context: AppContext, open: OpenLoop, asked: Asked) {
    this.#context = context;
    this.#open = open;
    this.#asked = asked;
    this.#startedMs = context.clock.monotonicMs();
  }

  async readFiles(): Promise<Ingested | Refusal> {
    const { place, follow, signal } = this.#asked;
    const { cwd, environment, clock } = this.#context;
    const path = absolute(place, { cwd, home: environment['HOME'] });
    let found = await this.#find(path);
    if (isRefusal(found)) return found;
    let survey = this.#survey(found.groups, this.#open.ports.files);
    for (;;) {
      await this.#read(survey);
      if (follow !== true || signal.aborted) return this.#answer(found);
      await clock.sleep(FOLLOW_MS, signal);
      const next = await this.#find(path);
      // A folder may be empty for a moment while files are moved.
      if (isRefusal(next) || next.key === found.key) continue;
      found = next;
      survey = this.#survey(found.groups, this.#open.ports.files);
    }
  }

  async readStream(): Promise<Ingested | Refusal> {
    const { stdin, signal, kind, as = 'stdin' } = this.#asked;
    const stream = streamSourceFiles(stdin, STDIN, signal);
    const sample = await stream.sample();
    const best =
      kind === undefined
        ? recognise(sample).best
        : { kind, recognised: recognise(sample, [kind]).best?.recognised };
    if (best === undefined) return notRecognised('Standard input', looksLike(sample));
    const { what = `read as ${best.kind.kind}`, settings = {} } = best.recognised ?? {};
    const group = { name: as, kind: best.kind.kind, what, settings, paths: [STDIN] };
    await this.#readAll(this.#survey([group], stream), stream);
    return this.#answer({ groups: [group], unknown: [] });
  }

  /** A pipe is read as it comes, up to its end. */
  async #readAll(survey: Survey, stream: StreamFiles): Promise<void> {
    const { signal } = this.#asked;
    for (;;) {
      const { bytes } = await this.#read(survey);
      if (signal.aborted || (bytes === 0 && stream.isEnded())) return;
    }
  }

  async #find(path: string): Promise<Found | Refusal> {
    const { cwd, environment } = this.#context;
    const home = environment['HOME'];
    const { files, missing, unreadable } = await findFiles([path], { cwd, home });
    const shown = shownPath(path, home);
    if (missing.length > 0) return unknown(`There is nothing at ${shown}.`);
    const { kind, signal } = this.#asked;
    const recognised = await recogniseFiles(files, { kind, signal });
    const groups = groupsOf(recognised, files, this.#asked.as ?? nameFor(path, new Set()));
    if (groups.length === 0 && !signal.aborted)
      return notRecognised(shown, recognised.unknown[0]?.looksLike ?? 'nothing that can be read');
    this.#unreadable = unreadable + recognised.unreadable;
    const key = JSON.stringify(groups.map(({ name, paths }) => [name, paths]));
    return { groups, unknown: unknownFiles(recognised, home), key };
  }

  #survey(groups: readonly FileGroup[], files: ConstructorParameters<typeof Survey>[1]['files']) {
    const { telemetry: store, config, log, targetFolder: root } = this.#open.ports;
    const { sources: _, ...rules } = config.observe;
    const { random } = this.#context;
    const { sinceMs } = this.#asked;
    return new Survey(groups, {
      store,
      files,
      rules,
      random,
      log,
      root,
      sinceMs,
      isBounded: false,
    });
  }

  async #read(survey: Survey): Promise<Surveyed> {
    const before = { ...this.#sum };
    const done = await survey.read(this.#asked.signal, (soFar) => this.#tell(before, soFar));
    this.#sum.events += done.events;
    this.#sum.aside += done.aside;
    this.#sum.bytes += done.bytes;
    for (const note of done.notes) if (this.#notes.size < 100) this.#notes.add(note);
    return done;
  }

  #tell(before: SurveyProgress, soFar: SurveyProgress): void {
    const seconds = (this.#context.clock.monotonicMs() - this.#startedMs) / 1000;
    const megabytes = (before.bytes + soFar.bytes) / 1e6;
    const speed = seconds > 0 ? ` (${(megabytes / seconds).toFixed(1)} MB/s)` : '';
    const aside = before.aside + soFar.aside;
    this.#context.progress(
      `Read ${megabytes.toFixed(1)} MB${speed}: ${before.events + soFar.events} events, ${aside} set aside …`,
    );
  }

  #answer({ groups, unknown: files }: Pick<Found, 'groups' | 'unknown'>): Ingested {
    return {
      sources: groups.map(({ name, kind, what, paths }) => ({
        name,
        kind,
        what: mask(what).text,
        files: paths.length,
      })),
      ...this.#sum,
      interrupted: this.#asked.signal.aborted && this.#asked.follow !== true,
      notRecognised: files,
      unreadable: this.#unreadable,
      notes: [...this.#notes],
    };
  }
}

interface Found {
  readonly groups: readonly Named[];
  readonly unknown: Ingested['notRecognised'];
  /** Differs when there are other files. */
  readonly key: string;
}

/** By kind, whatever project they are of: the first under the name itself, the others with their kind. */
function groupsOf(
  { projects }: RecognisedFiles,
  files: readonly FoundFile[],
  name: string,
): Named[] {
  const order = new Map(files.map(({ path }, at) => [path, at]));
  const inOrder = (a: string, b: string) => order.get(b)! - order.get(a)!;
  const all = projects.flatMap((one) => one.groups);
  const key = ({ kind, settings }: ProjectFiles['groups'][number]) =>
    `${kind} ${JSON.stringify(settings)}`;
  return [...Map.groupBy(all, key).values()]
    .map((of) => ({ ...of[0]!, paths: of.flatMap((one) => one.paths).sort(inOrder) }))
    .sort((a, b) => b.paths.length - a.paths.length || (a.kind < b.kind ? -1 : 1))
    .map((group, at) => ({
      ...group,
      name: at === 0 ? name : `${name}-${group.name}`.slice(0, 60),
    }));
}

function unknownFiles({ unknown: files }: RecognisedFiles, home: string | undefined) {
  return files.slice(0, UNKNOWN_SHOWN).map(({ looksLike, files: paths }) => ({
    looksLike: mask(looksLike).text,
    files: paths.length,
    example: shownPath(paths[0]!, home),
  }));
}

function notRecognised(what: string, looksLike: string): Refusal {
  const kinds = SOURCES.map((one) => one.kind).join(', ');
  return usage(
    `Hone does not recognise ${what}: it looks like ${mask(looksLike).text}. If you know what it is, name it with --format: ${kinds}.`,
  );
}
