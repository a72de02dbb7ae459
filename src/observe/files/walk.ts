/**
 * Goes through a folder in depth, or through what a pattern matches, and opens no file. Bounded in depth, folders and
 * entries, whatever somebody puts there. Links are never followed, so a loop of links ends.
 */
import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../base/index.ts';
import { type Glob, isMatched, isPassedOver, type Matched, startOf, stepInto } from './glob.ts';
import { unlessGone } from './held-files.ts';

/** A project's folder of a client has three levels; a log folder by year, month, day and hour four. */
const DEPTH_MAX = 16;
const FOLDERS_MAX = 20_000;
/** Each costs about a microsecond of every listing. */
const ENTRIES_MAX = 200_000;
const READ_AT_ONCE = 1024;
const MAY_NOT_READ = new Set(['EACCES', 'EPERM']);

export interface Found {
  readonly name: string;
  readonly path: string;
  /** From the folder where the walk began, with `/` between its parts. */
  readonly below: string;
}

export interface Walked {
  readonly files: readonly Found[];
  /** Links whose name is wanted. They are not followed. */
  readonly links: number;
  /** Pipes, sockets and devices whose name is wanted. */
  readonly special: number;
  /** Everything else that is there: files of other names, folders that were passed over. */
  readonly others: number;
  /** Folders that may not be read. */
  readonly refused: number;
  /** What was not looked at because there is too much. */
  readonly isCut: 'depth' | 'entries' | undefined;
}

export interface WalkOptions {
  /** Only what it matches. Everything below a folder that it matches is matched. */
  readonly glob?: Glob;
  /** Whether a file is wanted, by its name and its path below the folder. */
  wants(name: string, below: string): boolean;
  /** Another name under which the pattern may match a file: that of the log that it was rotated from. */
  alias?(name: string): string;
}

interface Folder {
  readonly path: string;
  readonly below: string;
  readonly depth: number;
  /** Undefined where everything is matched. */
  readonly matched: Matched | undefined;
}

/** The folder itself must be there and readable; those below it may go while it is read. */
export async function walk(folder: string, options: WalkOptions): Promise<Walked> {
  return new Walk(options).run(folder);
}

class Walk {
  readonly #options: WalkOptions;
  readonly #files: Found[] = [];
  readonly #open: Folder[] = [];
  #links = 0;
  #special = 0;
  #others = 0;
  #refused = 0;
  #entries = 0;
  #folders = 0;
  #isCut: Walked['isCut'];

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  async run(path: string): Promise<Walked> {
    const { glob } = this.#options;
    const matched = glob === undefined ? undefined : startOf(glob);
    this.#open.push({ path, below: '', depth: 0, matched });
    for (let at = 0; at < this.#open.length; at++) await this.#read(this.#open[at]!);
    return {
      files: this.#files,
      links: this.#links,
      special: this.#special,
      others: this.#others,
      refused: this.#refused,
      isCut: this.#isCut,
    };
  }

  async #read(folder: Folder): Promise<void> {
    if (this.#entries >= ENTRIES_MAX || ++this.#folders > FOLDERS_MAX) {
      this.#isCut = 'entries';
      return;
    }
    const entries = await this.#entriesOf(folder);
    if (entries === undefined) return;
    for await (const entry of entries) {
      if (++this.#entries > ENTRIES_MAX) {
        this.#isCut = 'entries';
        return;
      }
      this.#take(folder, entry);
    }
  }

  async #entriesOf({ path, depth }: Folder) {
    try {
      const entries = await opendir(path, { bufferSize: READ_AT_ONCE });
      return entries;
    } catch (error) {
      if (depth === 0) throw error;
      if (MAY_NOT_READ.has(errorCode(error) ?? '')) this.#refused += 1;
      else unlessGone(error);
      return undefined;
    }
  }

  #take(folder: Folder, entry: Dirent): void {
    const { name } = entry;
    const below = folder.below === '' ? name : `${folder.below}/${name}`;
    if (entry.isDirectory()) this.#takeFolder(folder, name, below);
    else if (!this.#isWanted(folder, name, below)) this.#others += 1;
    else if (entry.isFile()) this.#files.push({ name, path: join(folder.path, name), below });
    else if (entry.isSymbolicLink()) this.#links += 1;
    else this.#special += 1;
  }

  #isWanted({ matched }: Folder, name: string, below: string): boolean {
    const { wants, alias } = this.#options;
    if (!wants(name, below)) return false;
    if (matched === undefined || this.#isWhole(matched, name)) return true;
    return alias !== undefined && this.#isWhole(matched, alias(name));
  }

  #isWhole(matched: Matched, name: string): boolean {
    const glob = this.#options.glob!;
    const next = stepInto(glob, matched, name);
    return next !== undefined && isMatched(glob, next);
  }

  #takeFolder({ path, depth, matched }: Folder, name: string, below: string): void {
    const glob = this.#options.glob!;
    const next = matched === undefined ? undefined : stepInto(glob, matched, name);
    if (matched === undefined ? isPassedOver(name) : next === undefined) {
      this.#others += 1;
      return;
    }
    if (depth >= DEPTH_MAX) {
      this.#isCut ??= 'depth';
      return;
    }
    const rest = next === undefined || isMatched(glob, next) ? undefined : next;
    this.#open.push({ path: join(path, name), below, depth: depth + 1, matched: rest });
  }
}
