/**
 * A look at files: what recurs in them, without anything being set up and without a trace. Files are recognised by
 * their content and read by the real collector into a store in memory, project by project, the newest first, so that
 * whoever stops it has seen the most recent ones.
 */
import type { Looked, LookedProject, LookInput } from '../contracts/look.ts';
import { findFiles, SOURCES, Survey } from '../observe/index.ts';
import { mask } from '../sanitise/index.ts';
import type { AppContext } from './context.ts';
import { instantOf } from './instant.ts';
import { reportOn } from './look-report.ts';
import { defaultRules } from './observe-rules.ts';
import { withPassingLook } from './passing-look.ts';
import { type ProjectFiles, type RecognisedFiles, recogniseFiles } from './recognised-files.ts';
import { isRefusal, type Refusal, usage } from './refusal.ts';
import { shellWord, shownPath, withTilde } from './shown-path.ts';

const PROJECTS_SHOWN = 5;
const UNKNOWN_SHOWN = 5;

export async function look(
  context: AppContext,
  input: LookInput,
  signal: AbortSignal,
): Promise<Looked | Refusal> {
  const nowMs = context.clock.nowMs();
  const since = input.since === undefined ? 0 : instantOf(input.since, nowMs);
  if (typeof since === 'object') return since;
  const home = context.environment['HOME'];
  const found = await findFiles(input.paths, { cwd: context.cwd, home });
  const files = found.files.filter(({ modifiedMs }) => modifiedMs >= since);
  context.progress(`Looking at ${files.length} files …`);
  const recognised = await recogniseFiles(files, { signal });
  const chosen = chosenProjects(recognised, input, home);
  if (isRefusal(chosen)) return chosen;
  const projects = await readProjects(context, chosen, {
    input,
    sinceMs: since,
    signal,
    rules: defaultRules(),
  });
  const shown = input.allProjects === true ? projects.read : projects.read.slice(0, PROJECTS_SHOWN);
  const sum = (of: (one: LookedProject) => number) => total(projects.read.map(of));
  return {
    files: sum((one) => one.files),
    bytes: sum((one) => one.bytes),
    events: sum((one) => one.events),
    aside: projects.aside,
    interrupted: signal.aborted,
    projects: shown,
    moreProjects: projects.read.length - shown.length,
    missing: found.missing.map((path) => shownPath(path, home)),
    notRecognised: unknownFiles(recognised, home),
    leftOut: {
      unreadable: found.unreadable + recognised.unreadable + projects.unreadable,
      private: found.kept,
      links: found.links,
      special: found.special,
      older: found.files.length - files.length,
      isCut: found.isCut,
    },
    readable:
      recognised.projects.length > 0 ? [] : SOURCES.map(({ kind, about }) => ({ kind, about })),
    next: nextSteps(projects.read),
  };
}

function chosenProjects(
  { projects }: RecognisedFiles,
  { project }: LookInput,
  home: string | undefined,
): readonly ProjectFiles[] | Refusal {
  if (project === undefined) return projects;
  const asked = withTilde(project, home).replace(/\/+$/, '').toLowerCase();
  const names = projects.map((one) => withTilde(one.project, home));
  const chosen = projects.filter((_, at) => names[at]!.toLowerCase().includes(asked));
  if (chosen.length > 0) return chosen;
  if (projects.length === 0) return usage('No project was found in these files.');
  const some = projects.slice(0, 10).map((one) => shownPath(one.project, home));
  return usage(`No project is called ${project}. There are: ${some.join(', ')}.`);
}

interface Reading {
  readonly input: LookInput;
  readonly sinceMs: number;
  readonly signal: AbortSignal;
  readonly rules: ReturnType<typeof defaultRules>;
}

interface ReadProjects {
  /** Those with most failures first. */
  readonly read: readonly LookedProject[];
  readonly aside: number;
  readonly unreadable: number;
}

async function readProjects(
  context: AppContext,
  projects: readonly ProjectFiles[],
  reading: Reading,
): Promise<ReadProjects> {
  const bytesAll = total(projects.map(({ bytes }) => bytes));
  const read: LookedProject[] = [];
  let [bytesDone, eventsDone, aside, unreadable] = [0, 0, 0, 0];
  for (const project of projects) {
    if (reading.signal.aborted) break;
    const done = await readProject(context, project, {
      ...reading,
      onProgress: (bytes, events) => {
        const [of, so] = [megabytes(bytesAll), megabytes(bytesDone + bytes)];
        context.progress(`Read ${so} of ${of} MB, ${eventsDone + events} events …`);
      },
    });
    bytesDone += done.bytes;
    eventsDone += done.looked.events;
    aside += done.aside;
    unreadable += done.unreadable;
    read.push(done.looked);
  }
  const failures = (one: LookedProject) => total(one.failures.map((group) => group.failures));
  read.sort((a, b) => failures(b) - failures(a) || b.events - a.events);
  return { read, aside, unreadable };
}

function readProject(
  context: AppContext,
  project: ProjectFiles,
  reading: Reading & { readonly onProgress: (bytes: number, events: number) => void },
) {
  const { random } = context;
  const { input, sinceMs, signal, rules } = reading;
  const home = context.environment['HOME'];
  return withPassingLook(context, async ({ store, files }) => {
    const options = { store, files, rules, random, sinceMs, isBounded: true };
    const done = await new Survey(project.groups, options).read(signal, ({ bytes, events }) =>
      reading.onProgress(bytes, events),
    );
    const window = { fromMs: sinceMs, toMs: (await store.nowMs()) + DAY_MS };
    const report = await reportOn(store, { window, top: input.top, examples: input.examples });
    const looked: LookedProject = {
      project: shownPath(project.project, home),
      files: project.files,
      bytes: done.bytes,
      ...report,
      read: project.groups.map(({ kind, what, paths }) => ({
        kind,
        what: mask(what).text,
        files: paths.length,
      })),
      connect: connectCommand(project, home),
    };
    return { looked, bytes: done.bytes, aside: done.aside, unreadable: done.unreadable };
  });
}

const DAY_MS = 86_400_000;

function connectCommand({ given, groups }: ProjectFiles, home: string | undefined): string | null {
  const [path] = given;
  if (path === undefined || mask(path).count > 0) return null;
  const [only] = groups;
  const kind = groups.length === 1 && only !== undefined ? ` --kind ${only.kind}` : '';
  return `hone sources add ${shellWord(withTilde(path, home))}${kind}`;
}

function unknownFiles({ unknown }: RecognisedFiles, home: string | undefined) {
  return unknown.slice(0, UNKNOWN_SHOWN).map(({ looksLike, files }) => ({
    looksLike: mask(looksLike).text,
    files: files.length,
    example: shownPath(files[0]!, home),
  }));
}

function nextSteps(read: readonly LookedProject[]): string[] {
  if (read.length === 0) {
    return [
      'See how to connect what you have: docs/guides/connect.md',
      'Name the format yourself: hone ingest <file> --format <kind>',
    ];
  }
  const connect = read.find((one) => one.connect !== null)?.connect;
  return [
    'In the repository that defines these agents: hone init',
    ...(connect === undefined || connect === null ? [] : [`There, connect this: ${connect}`]),
    'Then look for something to fix: hone cycle',
  ];
}

const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10;

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
