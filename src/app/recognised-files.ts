/** Files that were found, recognised by their content and put together by project and kind. */
import {
  type Candidate,
  type FileGroup,
  type FoundFile,
  looksLike,
  recognise,
  SOURCES,
  type SourceKind,
  sampleFile,
} from '../observe/index.ts';

export interface ProjectFiles {
  /** The folder that the agents worked in; else the path that was looked at. */
  readonly project: string;
  /** Whether the files themselves say so. */
  readonly isNamed: boolean;
  /** What somebody gave that led to them, each once. */
  readonly given: readonly string[];
  readonly groups: readonly (FileGroup & { readonly what: string })[];
  readonly files: number;
  readonly bytes: number;
  readonly newestMs: number;
}

export interface RecognisedFiles {
  /** The one written to last comes first. */
  readonly projects: readonly ProjectFiles[];
  /** Most files first. */
  readonly unknown: readonly { readonly looksLike: string; readonly files: readonly string[] }[];
  readonly unreadable: number;
}

interface Known {
  readonly file: FoundFile;
  readonly candidate: Candidate;
}

export interface RecogniseOptions {
  /** Takes every file for this kind. */
  readonly kind?: SourceKind | undefined;
  readonly kinds?: readonly SourceKind[];
  readonly signal?: AbortSignal;
  readonly onFile?: (done: number) => void;
}

export async function recogniseFiles(
  files: readonly FoundFile[],
  { kind, kinds = SOURCES, signal, onFile }: RecogniseOptions = {},
): Promise<RecognisedFiles> {
  const known: Known[] = [];
  const unknown = new Map<string, string[]>();
  let unreadable = 0;
  for (const [at, file] of files.entries()) {
    if (signal?.aborted === true) break;
    onFile?.(at);
    const sampled = await sampleFile(file.path);
    if ('why' in sampled && NOT_READ.has(sampled.why)) {
      unreadable += 1;
      continue;
    }
    const candidate = 'why' in sampled ? undefined : candidateFor(sampled.sample, kind, kinds);
    if (candidate !== undefined) known.push({ file, candidate });
    else {
      const what = 'why' in sampled ? WORDS[sampled.why]! : looksLike(sampled.sample);
      unknown.set(what, [...(unknown.get(what) ?? []), file.path]);
    }
  }
  return {
    projects: projectsOf(known),
    unknown: [...unknown]
      .map(([what, paths]) => ({ looksLike: what, files: paths }))
      .sort((a, b) => b.files.length - a.files.length),
    unreadable,
  };
}

const NOT_READ: ReadonlySet<string> = new Set(['gone', 'unreadable']);
const WORDS: Readonly<Record<string, string>> = { binary: 'binary data', empty: 'an empty file' };

function candidateFor(
  sample: Parameters<typeof recognise>[0],
  kind: SourceKind | undefined,
  kinds: readonly SourceKind[],
): Candidate | undefined {
  return kind === undefined ? recognise(sample, kinds).best : asKind(kind, sample);
}

/** What the kind says of the file still counts, such as its project. */
function asKind(kind: SourceKind, sample: Parameters<typeof recognise>[0]): Candidate {
  const { best } = recognise(sample, [kind]);
  return best ?? { kind, recognised: { certainty: 1, what: `read as ${kind.kind}` } };
}

function projectsOf(known: readonly Known[]): ProjectFiles[] {
  const byProject = Map.groupBy(
    known,
    ({ file, candidate }) => candidate.recognised.project ?? file.given,
  );
  return [...byProject]
    .map(([project, of]) => projectOf(project, of))
    .sort((a, b) => b.newestMs - a.newestMs || (a.project < b.project ? -1 : 1));
}

function projectOf(project: string, of: readonly Known[]): ProjectFiles {
  const groups = [...Map.groupBy(of, ({ candidate }) => groupKey(candidate)).values()];
  const names = new Map<string, number>();
  return {
    project,
    isNamed: of.some(({ candidate }) => candidate.recognised.project !== undefined),
    given: [...new Set(of.map(({ file }) => file.given))],
    groups: groups.map((files) => groupOf(files, names)),
    files: of.length,
    bytes: of.reduce((sum, { file }) => sum + file.sizeBytes, 0),
    newestMs: Math.max(...of.map(({ file }) => file.modifiedMs)),
  };
}

const groupKey = ({ kind, recognised }: Candidate) =>
  `${kind.kind} ${JSON.stringify(recognised.settings ?? {})}`;

/** `names`: how many groups of a kind there are before this one. */
function groupOf(files: readonly Known[], names: Map<string, number>) {
  const { kind, recognised } = files[0]!.candidate;
  const nth = (names.get(kind.kind) ?? 0) + 1;
  names.set(kind.kind, nth);
  return {
    name: nth === 1 ? kind.kind : `${kind.kind}-${nth}`,
    kind: kind.kind,
    what: recognised.what,
    settings: recognised.settings ?? {},
    paths: files.map(({ file }) => file.path),
  };
}
