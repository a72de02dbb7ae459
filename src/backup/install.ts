/**
 * Puts staged files into the state folder, so that a process that is killed at any point leaves the installation
 * of before or the restored one.
 *
 *   staged ──marker written──► committed ──every file moved──► marker removed: done
 *
 * Before the marker nothing of the installation has changed. Once it is there, whoever comes next (every command
 * looks) moves what is left: each move can be repeated. Old files are moved beside, never removed. One at a time:
 * a lock that ends with its process.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Home, readPrivateFile, syncFolder, writePrivateFile } from '../home/index.ts';
import { BackupError } from './errors.ts';
import { DATABASES, FILES } from './part-names.ts';

const MARKER = 'restore.json';
const LOCK = 'restore.lock';
const LOCK_WAIT_MS = 30_000;
/** What SQLite keeps beside a database. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;
const NAMES: readonly string[] = [...DATABASES, ...FILES];
/** Folder names that we made; anything else in a marker is ignored. */
const FOLDER = /^(restoring|before-restore)-[A-Za-z0-9_-]{1,80}$/;

export interface Installing {
  /** Folders in the state folder: where the new files are, and where the old ones go. */
  readonly staged: string;
  readonly kept: string;
  /** Files that the restored installation does not have: the old ones only go. */
  readonly without: readonly string[];
}

/** Named points at which a test kills the process. */
export type OnStep = (step: string) => void;

/** The point of no return. */
export function commitInstall(home: Home, installing: Installing): void {
  syncFolder(join(home.stateDir, installing.staged));
  const path = join(home.stateDir, MARKER);
  if (writePrivateFile(path, `${JSON.stringify(installing)}\n`, { exclusive: true })) return;
  throw inUse('Another restore is being finished.');
}

/** Goes on with a restore that was interrupted after its point of no return; most often there is none. */
export function finishRestore(home: Home, onStep: OnStep = () => {}): void {
  if (!existsSync(join(home.stateDir, MARKER))) return;
  using _lock = lockRestores(home);
  moveFiles(home, onStep);
}

/** For whoever holds the lock. */
export function moveFiles({ stateDir }: Home, onStep: OnStep = () => {}): void {
  const text = readPrivateFile(join(stateDir, MARKER));
  if (text === undefined) return; // another process was first
  const { staged, kept, without } = readMarker(text, stateDir);
  const at = (...names: string[]) => join(stateDir, ...names);
  mkdirSync(at(kept), { recursive: true, mode: 0o700 });
  for (const name of NAMES) {
    const isStaged = existsSync(at(staged, name));
    if (!isStaged && !without.includes(name)) continue;
    for (const suffix of SUFFIXES) {
      if (!existsSync(at(name + suffix))) continue;
      renameSync(at(name + suffix), at(kept, name + suffix));
      onStep(`moved ${name}${suffix}`);
    }
    if (isStaged) renameSync(at(staged, name), at(name));
    onStep(`placed ${name}`);
  }
  for (const folder of [at(kept), stateDir]) syncFolder(folder);
  rmSync(at(staged), { recursive: true, force: true });
  if (readdirSync(at(kept)).length === 0) rmSync(at(kept), { recursive: true });
  onStep('cleared');
  rmSync(at(MARKER));
  syncFolder(stateDir);
}

/** What a restore left that was killed before its point of no return; for whoever holds the lock. */
export function clearStaged({ stateDir }: Home): void {
  for (const name of readdirSync(stateDir)) {
    if (name.startsWith('restoring-')) rmSync(join(stateDir, name), { recursive: true });
  }
}

function readMarker(text: string, stateDir: string): Installing {
  let value: Partial<Installing> = {};
  try {
    value = JSON.parse(text) as Partial<Installing>;
  } catch {
    // refused below
  }
  const { staged, kept, without } = value ?? {};
  const isFolder = (one: unknown) => typeof one === 'string' && FOLDER.test(one);
  const isKnown = Array.isArray(without) && without.every((one) => NAMES.includes(one));
  if (isFolder(staged) && isFolder(kept) && isKnown) return value as Installing;
  throw new BackupError('io', `${join(stateDir, MARKER)} is damaged.`, {
    hint: 'A restore was interrupted here. Move that file away and run "hone restore" again.',
  });
}

/** An empty database of SQLite's: its lock is the operating system's, and goes with the process. */
export function lockRestores({ stateDir }: Home): Disposable {
  // Loaded here: every command looks for a restore to finish, and hardly any finds one.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(join(stateDir, LOCK), { timeout: LOCK_WAIT_MS });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw inUse('Another restore is running here.');
  }
  return { [Symbol.dispose]: () => database.close() };
}

export function inUse(what: string): BackupError {
  return new BackupError('in_use', what, {
    hint: 'End it ("hone up", other commands), then run it again. Nothing was changed.',
  });
}
