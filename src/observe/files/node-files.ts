/**
 * The machine's own files. In a folder only plain files count: a link could lead out of it, and
 * permission to write there does not imply permission to read its target. A path that the configuration names
 * itself may be a link that does not lead away.
 */
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { FileListing, FilesWanted, SourceFile, SourceFiles } from '../types.ts';
import { FileNames } from './file-names.ts';
import { HeldFiles, seenOf, unlessGone } from './held-files.ts';

const FILES_MAX = 10_000;

/** Relative paths are below `root`. Holds files open until it is disposed of. */
export function nodeSourceFiles(root: string): SourceFiles & AsyncDisposable {
  const held = new HeldFiles();
  /** Which source a path was listed for. */
  const listed = new Map<string, { file: SourceFile; source: string }>();
  const told = new Map<string, string>();
  return {
    async list(path, wanted) {
      const folder = resolve(root, path);
      const now = await new Folder(wanted).list(folder, resolve(root));
      const source = `${wanted.extensions.join()} ${folder}`;
      const there = await Promise.all(now.files.map(seen));
      const gone = await held.gone(source, there);
      for (const [key, one] of listed) if (one.source === source) listed.delete(key);
      const files = [...gone, ...there];
      for (const file of files) listed.set(file.path, { file, source });
      return { ...now, files, notes: news(source, now) };
    },
    open(path) {
      const { file, source } = listed.get(path) ?? {
        file: { name: basename(path), path },
        source: '',
      };
      return held.open(file, source);
    },
    [Symbol.asyncDispose]: () => held[Symbol.asyncDispose](),
  };

  /** An unchanged note is reported once: a folder is listed every few seconds. */
  function news(source: string, { notes }: FileListing): readonly string[] {
    const all = notes.join('\n');
    if (told.get(source) === all) return [];
    told.set(source, all);
    return notes;
  }
}

/** Of the path itself: a link there is not followed. */
async function seen(file: SourceFile): Promise<SourceFile> {
  const stats = await lstat(file.path, { bigint: true }).catch(unlessGone);
  return stats === undefined ? file : { ...file, seen: seenOf(stats) };
}

/**
 * Whoever may write beside a source may put a link in its place. It is followed where it stays in what the
 * configuration names: the repository for a path below it, the source's own folder for any other.
 */
async function leadsOut(path: string, root: string, real: string): Promise<boolean> {
  const isOfRoot = path.startsWith(join(root, '/'));
  const within = await realpath(isOfRoot ? root : dirname(path)).catch(unlessGone);
  return within !== undefined && !real.startsWith(join(within, '/'));
}

/** Lists the files that a source wants. */
class Folder {
  readonly #wanted: FilesWanted;
  readonly #names: FileNames;

  constructor(wanted: FilesWanted) {
    this.#wanted = wanted;
    this.#names = new FileNames(wanted.extensions);
  }

  async list(path: string, root: string): Promise<FileListing> {
    const real = await realpath(path).catch(unlessGone);
    if (real !== undefined && (await leadsOut(path, root, real))) {
      const note = `It is a link that leads elsewhere, to ${real}. To read that, name its path.`;
      return { exists: true, files: [], notes: [note] };
    }
    const found = real === undefined ? undefined : await stat(real).catch(unlessGone);
    if (real === undefined || found === undefined) return this.#listAlone(path, undefined);
    if (found.isDirectory()) return this.#listFolder(real);
    if (found.isFile()) return this.#listAlone(path, real);
    return { exists: true, files: [], notes: ['It is neither a file nor a folder.'] };
  }

  /** One file, and before it its rotated files: these are read only if they continue what was read. */
  async #listAlone(path: string, real: string | undefined): Promise<FileListing> {
    const folder = dirname(real ?? path);
    const name = basename(real ?? path);
    const entries = (await readdir(folder, { withFileTypes: true }).catch(unlessGone)) ?? [];
    const beside = entries.filter((entry) => this.#names.isRotatedFrom(entry.name, name));
    const rotated = this.#named(beside, folder).map((file) => ({ ...file, onlyIfKnown: true }));
    const own = real === undefined ? [] : [{ name: basename(path), path: real }];
    return {
      exists: real !== undefined,
      files: [...rotated.slice(-FILES_MAX), ...own],
      notes: this.#compressedNotes(beside),
    };
  }

  async #listFolder(folder: string): Promise<FileListing> {
    const entries = await readdir(folder, { withFileTypes: true });
    const telemetry = entries.filter(({ name }) => this.#names.isTelemetry(name));
    const files = this.#named(entries, folder);
    const notes: string[] = [];
    const links = telemetry.filter((entry) => entry.isSymbolicLink()).length;
    if (links > 0)
      notes.push(`Links left out: ${links}. Only files of the folder itself are read.`);
    if (telemetry.length === 0) notes.push(this.#nothingNamed(entries));
    if (files.length > FILES_MAX)
      notes.push(`Only the first ${FILES_MAX} of ${files.length} files are read.`);
    notes.push(...this.#compressedNotes(entries));
    return { exists: true, files: files.slice(0, FILES_MAX), notes };
  }

  #named(entries: readonly Dirent[], folder: string): SourceFile[] {
    return entries
      .filter((entry) => entry.isFile() && this.#names.isTelemetry(entry.name))
      .map(({ name }) => ({ name, path: join(folder, name) }))
      .sort((a, b) => this.#names.inReadingOrder(a.name, b.name));
  }

  #nothingNamed(entries: readonly Dirent[]): string {
    return entries.length === 0
      ? 'The folder is empty.'
      : `Nothing in the folder is named *.${this.#wanted.extensions.join(' or *.')}; it holds ${entries.length} others.`;
  }

  #compressedNotes(entries: readonly Dirent[]): string[] {
    const count = entries.filter(({ name }) => this.#names.isCompressed(name)).length;
    return count === 0
      ? []
      : [`Compressed files left out: ${count}. Compress a file only after it was read.`];
  }
}
