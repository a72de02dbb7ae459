/**
 * The conditions that git runs under. The target repository's configuration and attributes are
 * attacker-controlled, and git runs programs that they name (filters, diff drivers, hooks, a file system
 * monitor, an ssh command, …), so:
 *
 * - Objects are worked on from a **workbench**: a bare git directory of our own, with a configuration of
 *   our own, whose object store is the target's. The target's configuration, attributes, hooks, grafts,
 *   replacements and commit graph are not switched off there; they are not there.
 * - Refs are read and moved in the target's own directory, by `for-each-ref`, `worktree list` and
 *   `update-ref` only, with the few settings overridden that these commands obey.
 */
import { mkdtempSync } from 'node:fs';
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { forgetAtExit, removeAtExit } from './exit-folders.ts';
import type { ObjectFormat } from './objects.ts';

/** Where the target keeps its things. */
export interface TargetPlace {
  /** Git's directory, shared by all worktrees. */
  readonly gitFolder: string;
  readonly format: ObjectFormat;
  /** `core.sharedRepository`, without which other members of a team could not write beside our objects. */
  readonly shared: string | undefined;
}

export interface Workbench {
  /** As it is removed at the end of the process. */
  readonly made: string;
  readonly folder: string;
  /** For commands on objects. */
  readonly objects: Readonly<Record<string, string>>;
  /** For commands on refs, with the settings to put before the command. */
  readonly refs: Readonly<Record<string, string>>;
  readonly refSettings: readonly string[];
}

/** Only absolute folders: a relative one would find programs in the target repository. */
export function searchPath(env: NodeJS.ProcessEnv = process.env): string {
  return (env['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter);
}

/** What every git process gets, and all that it gets. */
export function baseEnvironment(): Record<string, string> {
  const windows =
    process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] ?? '' } : {};
  return {
    ...windows,
    PATH: searchPath(),
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_EDITOR: ':',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    // Before 2.44 git has no such switch. A fetch that still starts finds every protocol forbidden, also
    // against `protocol.ext.allow=always` in the target's configuration.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_OPTIONAL_LOCKS: '0',
  };
}

/** Synced before a ref names them, so that what was reported as done is on the disk after a power cut. */
const DURABLE = 'loose-object,pack,pack-metadata,reference';

export async function makeWorkbench(options: {
  place: TargetPlace;
  durable: boolean;
  lockTimeoutMs: number;
  tempFolder?: string | undefined;
}): Promise<Workbench> {
  const { place } = options;
  // At once, with nothing in between: the folder is registered for removal, however the process ends.
  const made = mkdtempSync(join(options.tempFolder ?? tmpdir(), 'hone-git-'));
  removeAtExit(made);
  const folder = await realpath(made);
  const fsync = options.durable ? DURABLE : 'none';
  const hooks = join(folder, 'no-hooks');
  for (const name of ['no-hooks', 'git', 'git/objects', 'git/refs'])
    await mkdir(join(folder, name));
  await writeFile(join(folder, 'git', 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(folder, 'git', 'config'), workbenchConfig(place, fsync, hooks));
  const base = { ...baseEnvironment(), HOME: folder, XDG_CONFIG_HOME: folder, TMPDIR: folder };
  return {
    made,
    folder,
    objects: {
      ...base,
      GIT_DIR: join(folder, 'git'),
      GIT_OBJECT_DIRECTORY: join(place.gitFolder, 'objects'),
    },
    refs: { ...base, GIT_DIR: place.gitFolder },
    refSettings: settings({
      'core.hooksPath': hooks,
      'core.fsmonitor': 'false',
      'core.pager': 'cat',
      'core.askPass': '',
      'core.sshCommand': 'false',
      'core.fsync': fsync,
      'core.fsyncMethod': 'fsync',
      'core.filesRefLockTimeout': `${options.lockTimeoutMs}`,
      'core.packedRefsTimeout': `${options.lockTimeoutMs}`,
      'core.commitGraph': 'false',
      'protocol.allow': 'never',
      'gc.auto': '0',
      'maintenance.auto': 'false',
      'safe.directory': place.gitFolder,
    }),
  };
}

export async function clearWorkbench(bench: Workbench): Promise<void> {
  await rm(bench.folder, { recursive: true, force: true });
  forgetAtExit(bench.made);
}

/** As arguments before a command: nothing in a repository's configuration is stronger. */
export function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

function workbenchConfig(place: TargetPlace, fsync: string, hooks: string): string {
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
  const lines = [
    '[core]',
    `repositoryFormatVersion = ${place.format === 'sha1' ? 0 : 1}`,
    'bare = true',
    `hooksPath = ${quoted(hooks)}`,
    'protectHFS = true',
    'protectNTFS = true',
    'quotePath = true',
    // Both are caches beside the objects that could contradict them.
    'commitGraph = false',
    'multiPackIndex = false',
    `fsync = ${quoted(fsync)}`,
    'fsyncMethod = fsync',
    ...(place.shared === undefined ? [] : [`sharedRepository = ${quoted(place.shared)}`]),
    ...(place.format === 'sha1' ? [] : ['[extensions]', `objectFormat = ${place.format}`]),
    '[gc]',
    'auto = 0',
  ];
  return `${lines.join('\n')}\n`;
}
