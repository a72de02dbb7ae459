/** The machine's own files, found by `list-place.ts` and held open by `held-files.ts`. */
import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FileListing, FilesWanted, SourceFile, SourceFiles } from '../types.ts';
import { HeldFiles, seenOf, unlessGone } from './held-files.ts';
import { absolute, inPieces, Place } from './list-place.ts';

export interface NodeFilesOptions {
  /** The user's own folder, which `~` stands for. */
  readonly home?: string | undefined;
  /** Nobody writes to the files any more, so that a last line needs no line break. */
  readonly isFinal?: boolean;
}

/** Relative paths are below `root`. Holds files open until it is disposed of. */
export function nodeSourceFiles(
  root: string,
  { home, isFinal = false }: NodeFilesOptions = {},
): SourceFiles & AsyncDisposable {
  const held = new HeldFiles(isFinal);
  const places = new Map<string, Place>();
  const filters = new Map<unknown, number>();
  /** Which source a path was listed for. */
  const listed = new Map<string, { file: SourceFile; source: string }>();
  const told = new Map<string, string>();
  return {
    async list(path, wanted) {
      const { place, source } = placeOf(absolute(path, { root, home }), wanted);
      const now = await place.list();
      const there = await seenAll(now.files);
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

  function placeOf(path: string, wanted: FilesWanted) {
    const { extensions, accepts } = wanted;
    // Two sources of one folder may take different files of it.
    if (!filters.has(accepts)) filters.set(accepts, filters.size);
    const source = `${extensions.join()} ${filters.get(accepts)} ${path}`;
    const place = places.get(source) ?? new Place(path, root, wanted);
    places.set(source, place);
    return { place, source };
  }

  /** An unchanged note is reported once: a folder is listed every few seconds. */
  function news(source: string, { notes }: FileListing): readonly string[] {
    const all = notes.join('\n');
    if (told.get(source) === all) return [];
    told.set(source, all);
    return notes;
  }
}

/** Of the path itself: a link there is not followed. */
async function seenAll(files: readonly SourceFile[]): Promise<SourceFile[]> {
  const seen: SourceFile[] = Array.from(files);
  await inPieces([...files.keys()], async (at) => {
    const file = files[at]!;
    const stats = await lstat(file.path, { bigint: true }).catch(unlessGone);
    if (stats !== undefined) seen[at] = { ...file, seen: seenOf(stats) };
  });
  return seen;
}
