/**
 * Where an installation lives. The repository holds `hone.yaml`; everything else (database, keys, the
 * accepted configuration) lives outside of it in `$XDG_STATE_HOME/hone/<repository id>`, because
 * agents that work in the repository must not hold Hone's keys. A bare repository has no working tree to hold
 * a file, so there `hone.yaml` lies in the state folder too (docs/adr/022).
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { errorMessage } from '../base/index.ts';
import { HomeError } from './errors.ts';

export interface Home {
  /** The root of the working tree, or the folder of a bare repository. */
  readonly root: string;
  readonly isBare: boolean;
  /** Git's directory, the same for every worktree of one repository. */
  readonly gitDir: string;
  /** The same for every worktree of one repository. */
  readonly id: string;
  readonly stateDir: string;
  /** The folder that holds `hone.yaml`. Relative paths in that file start here. */
  readonly configDir: string;
  readonly configFile: string;
  readonly controlFile: string;
  /** Events and rollups, apart: bulk ingest in one file would stall everybody else's commits. */
  readonly telemetryFile: string;
  readonly keyFile: string;
  readonly acceptedFile: string;
  /** What was prepared to run the target's tests with; made anew where it is missing. */
  readonly preparedDir: string;
  /** Stops everything while it exists, even if nothing else works. */
  readonly stopFile: string;
  /** What the target's marker holds while this installation is in charge, so that `hone status` need not ask git. */
  readonly markerFile: string;
  /** Where the running server is, and the secret that opens its dashboard. */
  readonly doorFile: string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function findHome({ cwd, environment }: Surroundings): Home {
  const { root, gitDir, isBare } = findRepository(cwd);
  const id = repositoryId(gitDir);
  const stateDir = join(stateHome(environment), 'hone', id);
  const real = realPathOf(stateDir);
  if (repositoryFolders(root, gitDir).some((folder) => isInside(real, folder))) {
    const where = real === stateDir ? stateDir : `${stateDir}, which leads to ${real}`;
    throw new HomeError('inside_repository', `The state folder would be ${where}.`, {
      hint: 'It holds keys, so it must lie outside the repository: set XDG_STATE_HOME to another folder.',
    });
  }
  const configDir = isBare ? stateDir : root;
  return {
    root,
    isBare,
    gitDir,
    id,
    stateDir,
    configDir,
    configFile: join(configDir, 'hone.yaml'),
    controlFile: join(stateDir, 'control.db'),
    telemetryFile: join(stateDir, 'telemetry.db'),
    keyFile: join(stateDir, 'ledger.key'),
    acceptedFile: join(stateDir, 'accepted.json'),
    preparedDir: join(stateDir, 'prepared'),
    stopFile: join(stateDir, 'STOP'),
    markerFile: join(stateDir, 'marker'),
    doorFile: join(stateDir, 'door.json'),
  };
}

/** Where agents work: this working tree, the main one, and git's own directory. */
function repositoryFolders(root: string, gitDir: string): string[] {
  const main = basename(gitDir) === '.git' ? dirname(gitDir) : gitDir;
  return [root, main, gitDir].map((folder) => realPathOf(folder));
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(join(folder, '/'));
}

const LINKS_MAX = 40;

/** As the operating system will find it, even if its end does not exist yet. Links are followed, even dangling ones. */
function realPathOf(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    if (dirname(path) === path || links > LINKS_MAX) return path;
    const place = join(realPathOf(dirname(path), links), basename(path));
    const target = linkTarget(place);
    return target === undefined ? place : realPathOf(resolve(dirname(place), target), links + 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The XDG rule: a relative path is invalid and ignored. */
function stateHome(environment: Surroundings['environment']): string {
  const { XDG_STATE_HOME: configured = '', HOME: home = '' } = environment;
  if (isAbsolute(configured)) return configured;
  return join(isAbsolute(home) ? home : userInfo().homedir, '.local', 'state');
}

type Found = Pick<Home, 'root' | 'gitDir' | 'isBare'>;

function findRepository(cwd: string): Found {
  try {
    return repositoryAbove(realpathSync(cwd));
  } catch (error) {
    if (error instanceof HomeError) throw error;
    throw new HomeError(
      'no_repository',
      `No repository can be read here: ${errorMessage(error)}.`,
      {
        hint: 'Go to a folder that exists, in a repository that your user may read.',
        cause: error,
      },
    );
  }
}

/** The nearest one, as git looks for it. */
function repositoryAbove(from: string): Found {
  for (let folder = from; ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    if (isFileOrFolder(git)) return { root: folder, gitDir: commonGitDir(git), isBare: false };
    if (isBareRepository(folder)) return { root: folder, gitDir: folder, isBare: true };
    if (dirname(folder) === folder) break;
  }
  throw new HomeError('no_repository', `${from} is not in a git repository.`, {
    hint: 'Go to the repository that defines your agents, or run "git init" there first.',
  });
}

/**
 * Git's own directory by what is in it, which also says that it has no working tree. A folder `.git` belongs to
 * the working tree around it, whatever it says.
 */
function isBareRepository(folder: string): boolean {
  const has = (name: string, kind: 'isFile' | 'isDirectory') =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.[kind]() === true;
  return (
    basename(folder) !== '.git' &&
    has('HEAD', 'isFile') &&
    has('config', 'isFile') &&
    has('objects', 'isDirectory') &&
    has('refs', 'isDirectory') &&
    /^\s*bare\s*(?:=\s*(?:true|yes|on|1)\s*)?$/im.test(readPlainFile(join(folder, 'config')))
  );
}

/** Not a pipe, which would be waited for. */
function isFileOrFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.isFile() || found.isDirectory());
}

/** Worktrees have a file that points into the repository they belong to. */
function commonGitDir(git: string): string {
  if (statSync(git).isDirectory()) return realpathSync(git);
  const target = /^gitdir: (.+)$/m.exec(readPlainFile(git))?.[1];
  if (target === undefined) return realpathSync(git);
  const own = resolve(dirname(git), target.trim());
  const common = join(own, 'commondir');
  if (!existsSync(common)) return existsSync(own) ? realpathSync(own) : own;
  return realpathSync(resolve(own, readPlainFile(common).trim()));
}

/** Whoever may write in git's directory may put a pipe there, which would be waited for. */
function readPlainFile(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${path} is not a file`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function repositoryId(gitDir: string): string {
  const folder = basename(basename(gitDir) === '.git' ? dirname(gitDir) : gitDir);
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${name === '' ? 'repository' : name}-${fingerprint(gitDir)}`;
}

/** FNV-1a in 64 bits: distinguishes paths, protects nothing, and needs no crypto module. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0').slice(0, 10);
}
