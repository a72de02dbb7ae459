/**
 * What is at the place that a source names: a file, a folder in depth, or what a pattern matches. In a folder only
 * plain files count: a link could lead out of it, and permission to write there does not imply permission to read
 * its target. A path that the configuration names itself may be a link that does not lead away.
 */
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { FileListing, FilesWanted, SourceFile } from '../types.ts';
import { compareOrders, FileNames } from './file-names.ts';
import { extensionsOf, type Glob, isGlob, namesFiles, parseGlob } from './glob.ts';
import { unlessGone } from './held-files.ts';
import { type Found, type Walked, walk } from './walk.ts';

const FILES_MAX = 10_000;

export interface Surroundings {
  /** Relative paths are below it. */
  readonly root: string;
  /** What `~` stands for; without it `~` is a name like any other. */
  readonly home?: string | undefined;
}

/** As an absolute path: `~` and `~/logs` are the user's own. */
export function absolute(path: string, { root, home }: Surroundings): string {
  if (home !== undefined && (path === '~' || path.startsWith('~/')))
    return join(home, path.slice(1));
  return resolve(root, path);
}

/** One source's place. It remembers when files were written, where there are too many to look at each time. */
export class Place {
  readonly #path: string;
  readonly #root: string;
  readonly #wanted: FilesWanted;
  readonly #names: FileNames;
  readonly #filesMax: number;
  readonly #writtenMs = new Map<string, number>();

  constructor(path: string, root: string, wanted: FilesWanted, filesMax = FILES_MAX) {
    this.#filesMax = filesMax;
    this.#path = path;
    this.#root = resolve(root);
    this.#wanted = wanted;
    this.#names = new FileNames(wanted.extensions);
  }

  async list(): Promise<FileListing> {
    const path = this.#path;
    const real = await realpath(path).catch(unlessGone);
    // A name may hold a bracket or a brace: what is there under just this name comes first.
    if (real === undefined && isGlob(path)) return this.#listMatched(parseGlob(path));
    const away = real === undefined ? undefined : await this.#away(path, real);
    if (away !== undefined) return away;
    const found = real === undefined ? undefined : await stat(real).catch(unlessGone);
    if (real === undefined || found === undefined) return this.#listAlone(path, undefined);
    if (found.isDirectory()) return this.#listFolder(real);
    if (found.isFile()) return this.#listAlone(path, real);
    return { exists: true, files: [], notes: ['It is neither a file nor a folder.'] };
  }

  /**
   * Whoever may write beside a source may put a link in its place. It is followed where it stays in what the
   * configuration names: the repository for a path below it, the source's own folder for any other.
   */
  async #away(path: string, real: string): Promise<FileListing | undefined> {
    if (path === this.#root) return undefined;
    const isOfRoot = path.startsWith(join(this.#root, '/'));
    const within = await realpath(isOfRoot ? this.#root : dirname(path)).catch(unlessGone);
    if (within === undefined || real === within || real.startsWith(join(within, '/')))
      return undefined;
    const note = `It is a link that leads elsewhere, to ${real}. To read that, name its path.`;
    return { exists: true, files: [], notes: [note] };
  }

  /** One file, and before it its rotated files: these are read only if they continue what was read. */
  async #listAlone(path: string, real: string | undefined): Promise<FileListing> {
    const folder = dirname(real ?? path);
    const name = basename(real ?? path);
    const entries = (await readdir(folder, { withFileTypes: true }).catch(unlessGone)) ?? [];
    const beside = entries.filter((entry) => this.#names.isRotatedFrom(entry.name, name));
    const rotated = beside
      .filter((entry) => entry.isFile() && this.#names.isTelemetry(entry.name))
      .map((entry) => ({ name: entry.name, path: join(folder, entry.name), onlyIfKnown: true }))
      .sort((a, b) => this.#names.inReadingOrder(a.name, b.name));
    const own = real === undefined ? [] : [{ name: basename(path), path: real }];
    const unreadable = beside.filter((entry) => this.#names.isUnreadable(entry.name)).length;
    return {
      exists: real !== undefined,
      files: [...rotated.slice(-this.#filesMax), ...own],
      notes: unreadableNotes(unreadable),
    };
  }

  async #listFolder(folder: string): Promise<FileListing> {
    const { walked, unreadable } = await this.#walk(folder, this.#names);
    const files = await this.#newest(walked.files);
    const notes = walkNotes(walked, unreadable);
    const { files: all, links, special } = walked;
    if (all.length + links + special === 0) notes.push(this.#nothingNamed(walked));
    if (files.length < walked.files.length)
      notes.push(
        `Only the ${this.#filesMax} files written last are read, of ${walked.files.length} that are there.`,
      );
    return { exists: true, files: inOrder(files, this.#names), notes };
  }

  async #listMatched(glob: Glob): Promise<FileListing> {
    const real = await realpath(glob.base === '' ? this.#root : glob.base).catch(unlessGone);
    const found = real === undefined ? undefined : await stat(real).catch(unlessGone);
    if (real === undefined || found === undefined || !found.isDirectory())
      return { exists: false, files: [], notes: [] };
    const away = await this.#away(glob.base, real);
    if (away !== undefined) return away;
    const names = namesFiles(glob) ? new FileNames(extensionsOf(glob)) : this.#names;
    const { walked, unreadable } = await this.#walk(real, names, glob);
    const files = await this.#newest(walked.files);
    const notes = walkNotes(walked, unreadable);
    if (files.length < walked.files.length)
      notes.push(
        `Only the ${this.#filesMax} files written last are read, of ${walked.files.length} that match.`,
      );
    return { exists: walked.files.length > 0, files: inOrder(files, names), notes };
  }

  async #walk(folder: string, names: FileNames, glob?: Glob) {
    const { accepts } = this.#wanted;
    let unreadable = 0;
    const walked = await walk(folder, {
      ...(glob === undefined ? {} : { glob }),
      alias: (name) => names.unrotated(name),
      wants: (name, below) => {
        if (names.isUnreadable(name)) unreadable += 1;
        return names.isTelemetry(name) && (accepts === undefined || accepts(below));
      },
    });
    return { walked, unreadable };
  }

  #nothingNamed({ others }: Walked): string {
    return others === 0
      ? 'The folder is empty.'
      : `Nothing in the folder is named *.${this.#wanted.extensions.join(' or *.')}; it holds ${others} others.`;
  }

  /**
   * All, or those written last. A file that is not among them is looked at once: if it is written to later, that
   * is not noticed. Looking at 100 000 files every few seconds would cost a tenth of a processor.
   */
  async #newest(files: readonly Found[]): Promise<readonly Found[]> {
    if (files.length <= this.#filesMax) return files;
    const known = this.#writtenMs;
    const there = new Set(files.map(({ path }) => path));
    for (const path of known.keys()) if (!there.has(path)) known.delete(path);
    const fresh = files.filter(({ path }) => !known.has(path));
    await inPieces(fresh, async ({ path }) => {
      const stats = await lstat(path).catch(unlessGone);
      known.set(path, stats?.mtimeMs ?? 0);
    });
    return files
      .toSorted((a, b) => known.get(b.path)! - known.get(a.path)! || (a.path < b.path ? 1 : -1))
      .slice(0, this.#filesMax);
  }
}

/** Folder by folder; in each in the order in which its files were written. */
function inOrder(files: readonly Found[], names: FileNames): SourceFile[] {
  const placed = files.map(({ name, path, below }) => ({
    file: { name, path },
    folder: below.slice(0, below.length - name.length),
    order: names.orderOf(name),
  }));
  placed.sort((a, b) =>
    a.folder === b.folder ? compareOrders(a.order, b.order) : a.folder < b.folder ? -1 : 1,
  );
  return placed.map(({ file }) => file);
}

function walkNotes({ links, special, refused, isCut }: Walked, unreadable: number): string[] {
  const notes: string[] = [];
  if (links > 0) notes.push(`Links left out: ${links}. Only files of the folder itself are read.`);
  if (special > 0) notes.push(`Pipes, sockets and devices left out: ${special}.`);
  if (refused > 0) notes.push(`Folders that may not be read: ${refused}. They are left out.`);
  if (isCut === 'depth') notes.push('Folders nested more than 16 deep are left out.');
  if (isCut === 'entries')
    notes.push('It holds more than 200 000 entries or 20 000 folders: the rest is left out.');
  return [...notes, ...unreadableNotes(unreadable)];
}

function unreadableNotes(count: number): string[] {
  return count === 0
    ? []
    : [`Compressed files left out: ${count}. Of compressed ones, .gz and .zst are read.`];
}

/** Some at once: a hundred thousand promises would take a hundred megabytes. */
export async function inPieces<T>(
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  const AT_ONCE = 512;
  for (let at = 0; at < all.length; at += AT_ONCE)
    await Promise.all(all.slice(at, at + AT_ONCE).map(work));
}
