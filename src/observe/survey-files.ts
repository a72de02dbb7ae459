/**
 * The files at some paths that may be telemetry: for those who look before anything is configured. Only plain files count; links are not followed below what somebody named, and hidden files and folders
 * are passed over there. Of a coding agent's own folder only transcripts are opened: beside them lie credentials,
 * settings and the history of everything that was typed. This is decided by the path, before a file is opened.
 */
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

const FILES_MAX = 20_000;
const ENTRIES_MAX = 400_000;
const DEPTH_MAX = 24;

/** Not the agents' own words, and large. */
const PASSED_FOLDERS = new Set(['node_modules', '__pycache__', 'venv', 'site-packages']);

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** The path that somebody named and that led to it, absolute. */
  readonly given: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export interface FoundFiles {
  /** The newest first. */
  readonly files: readonly FoundFile[];
  /** Named, but nothing is there. */
  readonly missing: readonly string[];
  /** Folders and files that may not be read. */
  readonly unreadable: number;
  /** Of clients' folders: anything but transcripts. Never opened. */
  readonly kept: number;
  readonly links: number;
  /** Pipes, sockets, devices. */
  readonly special: number;
  /** True if there is more than can be looked at. */
  readonly isCut: boolean;
}

interface Walk {
  readonly files: FoundFile[];
  readonly missing: string[];
  readonly seen: Set<string>;
  unreadable: number;
  kept: number;
  links: number;
  special: number;
  entries: number;
  isCut: boolean;
}

export interface Surroundings {
  /** Relative paths are below it. */
  readonly cwd: string;
  /** What `~` stands for. */
  readonly home: string | undefined;
}

export async function findFiles(
  paths: readonly string[],
  surroundings: Surroundings,
): Promise<FoundFiles> {
  const counts = { unreadable: 0, kept: 0, links: 0, special: 0, entries: 0, isCut: false };
  const walk: Walk = { files: [], missing: [], seen: new Set(), ...counts };
  for (const path of paths) await lookAt(absolute(path, surroundings), walk);
  const files = walk.files.sort(
    (a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1),
  );
  const isCut = walk.isCut || files.length > FILES_MAX;
  const { missing, unreadable, kept, links, special } = walk;
  return { files: files.slice(0, FILES_MAX), missing, unreadable, kept, links, special, isCut };
}

/** With `~` for the home folder. */
export function absolute(path: string, { cwd, home }: Surroundings): string {
  const isOfHome = path === '~' || path.startsWith('~/');
  if (isOfHome && home !== undefined) return resolve(home, path.slice(2));
  return resolve(cwd, path);
}

/** A path that somebody named: it may be a link. */
async function lookAt(given: string, walk: Walk): Promise<void> {
  const real = await realpath(given).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || found === undefined) walk.missing.push(given);
  else if (found.isDirectory()) await walkFolder(real, given, walk);
  else if (!found.isFile()) walk.special += 1;
  else take({ path: real, given, sizeBytes: found.size, modifiedMs: found.mtimeMs }, walk);
}

/** Breadth first, so that a deep folder does not hide the ones beside it. */
async function walkFolder(root: string, given: string, walk: Walk): Promise<void> {
  let folders: { path: string; client: Client | undefined }[] = [
    { path: root, client: clientOf(root) },
  ];
  for (let depth = 0; folders.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) {
      walk.isCut = true;
      return;
    }
    const next: typeof folders = [];
    for (const folder of folders) next.push(...(await listFolder(folder, given, walk)));
    folders = next;
  }
}

interface Folder {
  readonly path: string;
  readonly client: Client | undefined;
}

async function listFolder(folder: Folder, given: string, walk: Walk): Promise<Folder[]> {
  const entries = await readdir(folder.path, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) {
    walk.unreadable += 1;
    return [];
  }
  walk.entries += entries.length;
  if (walk.entries > ENTRIES_MAX) {
    walk.isCut = true;
    return [];
  }
  const names = new Set(entries.map(({ name }) => name));
  const client = folder.client ?? clientByContent(folder.path, names);
  const below: Folder[] = [];
  for (const entry of entries) {
    const path = join(folder.path, entry.name);
    if (entry.isSymbolicLink()) walk.links += 1;
    else if (entry.isDirectory()) {
      const own = client ?? clientOf(path);
      if (own !== undefined || isWalked(entry.name)) below.push({ path, client: own });
    } else if (!entry.isFile()) walk.special += 1;
    else if (client !== undefined && !client.isTranscript(path)) walk.kept += 1;
    else if (!entry.name.startsWith('.')) await takeFile(path, given, walk);
  }
  return below;
}

const isWalked = (name: string) => !name.startsWith('.') && !PASSED_FOLDERS.has(name);

async function takeFile(path: string, given: string, walk: Walk): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) return;
  take({ path, given, sizeBytes: found.size, modifiedMs: found.mtimeMs }, walk);
}

/** Once, however often somebody named it. */
function take(file: FoundFile, walk: Walk): void {
  if (walk.seen.has(file.path)) return;
  walk.seen.add(file.path);
  const client = clientOf(file.path);
  if (client !== undefined && !client.isTranscript(file.path)) walk.kept += 1;
  else walk.files.push(file);
}

interface Client {
  isTranscript(path: string): boolean;
}

/** The folders of coding agents, and which of their files are transcripts. */
const CLIENTS: readonly { folder: string; transcript: RegExp }[] = [
  { folder: '.claude', transcript: /^projects\/.*\.jsonl(?:\.gz)?$/ },
  {
    folder: '.codex',
    transcript: /^(?:archived_)?sessions\/(?:.*\/)?rollout-[^/]*\.jsonl(?:\.zst|\.gz)?$/,
  },
  { folder: '.gemini', transcript: /(?:^|\/)[^/]*telemetry[^/]*\.(?:log|jsonl?)$/ },
];

/** By a part of the path that is a client's folder; the innermost counts. */
function clientOf(path: string): Client | undefined {
  const parts = path.split(sep);
  for (let at = parts.length - 1; at > 0; at -= 1) {
    const client = CLIENTS.find(({ folder }) => folder === parts[at]);
    if (client !== undefined) return clientAt(parts.slice(0, at + 1).join(sep), client.transcript);
  }
  return undefined;
}

/** A copy of such a folder, or one under another name (`CLAUDE_CONFIG_DIR`, `CODEX_HOME`). */
function clientByContent(path: string, names: ReadonlySet<string>): Client | undefined {
  const isClaude =
    names.has('projects') && (names.has('.credentials.json') || names.has('history.jsonl'));
  if (isClaude) return clientAt(path, CLIENTS[0]!.transcript);
  const isCodex = names.has('sessions') && (names.has('auth.json') || names.has('history.jsonl'));
  return isCodex ? clientAt(path, CLIENTS[1]!.transcript) : undefined;
}

function clientAt(root: string, transcript: RegExp): Client {
  return {
    isTranscript: (path) =>
      path.startsWith(`${root}${sep}`) &&
      transcript.test(path.slice(root.length + 1).replaceAll(sep, '/')),
  };
}
