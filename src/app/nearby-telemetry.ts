/**
 * Telemetry near a repository that somebody may want to connect. Files of the repository are recognised by their
 * content. Of the home folder it is only looked whether a folder is there: nothing in it is opened before a person
 * says so.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFiles, SOURCES, type SourceKind } from '../observe/index.ts';
import { recogniseFiles } from './recognised-files.ts';
import { shellWord, withTilde } from './shown-path.ts';

export interface NearbyTelemetry {
  /** What `hone sources add` takes: relative to the repository, or with `~`. */
  readonly place: string;
  readonly what: string;
  /** The command that connects it. */
  readonly command: string;
}

const FOLDERS = ['logs', 'log', 'events', 'telemetry', 'traces', 'reports', 'test-results'];
const FILE = /\.(?:jsonl|log|csv|xml)$/;
const LOOKED_AT_MAX = 20;
const FOUND_MAX = 5;

export interface NearbyOptions {
  /** Absent for a bare repository: it has no files of its own. */
  readonly root: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly kinds?: readonly SourceKind[];
}

export async function nearbyTelemetry(options: NearbyOptions): Promise<NearbyTelemetry[]> {
  const found = [...(await inRepository(options)), ...inHome(options)];
  return found.slice(0, FOUND_MAX);
}

async function inRepository({ root, kinds }: NearbyOptions): Promise<NearbyTelemetry[]> {
  if (root === undefined) return [];
  const found: NearbyTelemetry[] = [];
  for (const place of placesIn(root)) {
    const { files } = await findFiles([join(root, place)], { cwd: root, home: undefined });
    const { projects } = await recogniseFiles(files.slice(0, LOOKED_AT_MAX), {
      kinds: kinds ?? SOURCES,
    });
    const groups = projects.flatMap((one) => one.groups);
    const [most] = groups.toSorted((a, b) => b.paths.length - a.paths.length);
    if (most !== undefined) found.push(nearby(place, most.what));
  }
  return found;
}

function placesIn(root: string): string[] {
  try {
    const entries = readdirSync(root, { withFileTypes: true });
    const folders = entries.filter((one) => one.isDirectory() && FOLDERS.includes(one.name));
    const files = entries.filter((one) => one.isFile() && FILE.test(one.name));
    return [...folders, ...files.slice(0, LOOKED_AT_MAX)].map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Where coding agents keep the transcripts of this repository, if they have any. */
function inHome({ root, environment, kinds = SOURCES }: NearbyOptions): NearbyTelemetry[] {
  const home = environment['HOME'];
  if (home === undefined || root === undefined) return [];
  const { CLAUDE_CONFIG_DIR, CODEX_HOME } = environment;
  const places = [
    {
      kind: 'claude-code',
      path: join(CLAUDE_CONFIG_DIR ?? join(home, '.claude'), 'projects', claudeFolder(root)),
      what: 'Claude Code’s transcripts of this repository',
    },
    {
      kind: 'codex',
      path: join(CODEX_HOME ?? join(home, '.codex'), 'sessions'),
      what: 'Codex’s transcripts; only those of this repository are taken',
    },
  ];
  return places
    .filter(({ kind, path }) => kinds.some((one) => one.kind === kind) && existsSync(path))
    .map(({ path, what }) => nearby(withTilde(path, home), what));
}

/** Claude Code names a project's folder after its path. */
const claudeFolder = (root: string) => root.replace(/[^A-Za-z0-9]/g, '-');

function nearby(place: string, what: string): NearbyTelemetry {
  return { place, what, command: `hone sources add ${shellWord(place)}` };
}
