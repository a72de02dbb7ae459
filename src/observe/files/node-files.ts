/** The machine's own files, found by `list-place.ts` and held open by `held-files.ts`. */
import { basename } from 'node:path';
import type { FileListing, FilesWanted, SourceFile, SourceFiles } from '../types.ts';
import { HeldFiles } from './held-files.ts';
import { absolute, Place } from './list-place.ts';
import { SeenFiles } from './seen-files.ts';

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
  const places = new Map<string, { place: Place; seen: SeenFiles }>();
  const filters = new Map<unknown, number>();
  /** Which source a path was listed for. */
  const listed = new Map<string, { file: SourceFile; source: string }>();
  const told = new Map<string, string>();
  return {
    async list(path, wanted) {
      const { place, seen, source } = placeOf(absolute(path, { root, home }), wanted);
      const now = await place.list();
      const there = await seen.look(now.files);
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
    const known = places.get(source) ?? {
      place: new Place(path, root, wanted),
      seen: new SeenFiles(),
    };
    places.set(source, known);
    return { ...known, source };
  }

  /** An unchanged note is reported once: a folder is listed every few seconds. */
  function news(source: string, { notes }: FileListing): readonly string[] {
    const all = notes.join('\n');
    if (told.get(source) === all) return [];
    told.set(source, all);
    return notes;
  }
}
