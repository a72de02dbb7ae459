/**
 * Everything that sources which read files have in common: listing, rotation, copies, cuts, compression, encodings,
 * lines without their end, lines that are too long. A kind of source brings the names of its files and a decoder.
 *
 *   file ─► unpacked ─► where it was left ─► lines ─► decoder, with the state of the line before ─► records
 */
import { z } from 'zod';
import { errorCode } from '../../base/index.ts';
import type {
  OpenFile,
  Positions,
  Source,
  SourceFile,
  SourceListing,
  SourcePorts,
  Stream,
  StreamReader,
} from '../types.ts';
import { DocumentReader } from './document-reader.ts';
import type { FileFormat } from './file-format.ts';
import { FileNames } from './file-names.ts';
import {
  atPlace,
  EDGE_BYTES,
  type FilePosition,
  isReadPacked,
  type Resumed,
  resume,
  type Seen,
} from './file-position.ts';
import { LineReader } from './line-reader.ts';
import { LINE_BYTES_MAX } from './lines.ts';
import { packed } from './packed-file.ts';
import { findRecent } from './recent-lines.ts';
import { shownName } from './shown-name.ts';
import { encodingOf, isBinary, JUDGED_BYTES } from './text-encoding.ts';

/** As many as two sources' folders may hold. */
const FINISHED_MAX = 20_000;
/** Faults of one file, which do not keep the others from being read. */
const OF_ONE_FILE = new Set(['EACCES', 'EPERM', 'EIO', 'EISDIR', 'EINVAL', 'ENODATA', 'ESTALE']);

/** The key of all kinds that read files. */
export const pathKey = z.string().min(1).max(1000);

export type { FileFormat } from './file-format.ts';

/** `path` is a file, a folder, or a pattern. */
export function fileSource(path: string, format: FileFormat, ports: SourcePorts): Source {
  return new FileSource(path, format, ports);
}

/** A file that is being read, unpacked. */
interface Opened {
  readonly file: SourceFile;
  /** For people. */
  readonly name: string;
  readonly opened: OpenFile;
  /** What a compressed file is known by. */
  readonly packed: string | undefined;
  /** Its first bytes. */
  readonly begins: Uint8Array;
}

class FileSource implements Source {
  readonly #path: string;
  readonly #format: FileFormat;
  readonly #ports: SourcePorts;
  readonly #names: FileNames;
  /**
   * The revision in which each file was read to its end, so that a look every few seconds costs a file
   * that is idle one `stat`. A file rewritten at the same length within one tick of the file system's clock looks
   * idle; its next line shows that it is not.
   */
  readonly #finished = new Map<string, string>();
  /** Faults that were told. */
  readonly #told = new Map<string, string>();
  /** A compressed file that is read in several turns: unpacking it anew for each would take the square of its size. */
  #parked: Opened | undefined;

  constructor(path: string, format: FileFormat, ports: SourcePorts) {
    this.#path = path;
    this.#format = format;
    this.#ports = ports;
    this.#names = new FileNames(format.wanted.extensions);
  }

  async list(): Promise<SourceListing> {
    const { wanted } = this.#format;
    const { exists, files, notes } = await this.#ports.files.list(this.#path, wanted);
    const streams = files.map(
      (file): Stream => ({ open: (known) => this.#openIfReadable(file, known) }),
    );
    const count = files.filter(({ onlyIfKnown }) => onlyIfKnown !== true).length;
    return { exists, count, streams, notes };
  }

  /** A file that may not be read does not hide the others. */
  async #openIfReadable(file: SourceFile, positions: Positions): Promise<StreamReader | undefined> {
    if (this.#isAtRest(file.seen)) return undefined;
    try {
      const found = await this.#open(file);
      return found === undefined ? undefined : await this.#readerOf(found, positions);
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (!OF_ONE_FILE.has(code)) throw error;
      if (this.#told.get(file.path) === code) return undefined;
      if (this.#told.size >= FINISHED_MAX) this.#told.clear();
      this.#told.set(file.path, code);
      return onlyNotes(this.#shown(file), [`${this.#shown(file)} could not be read (${code}).`]);
    }
  }

  #isAtRest(file: Pick<OpenFile, 'identity' | 'revision'> | undefined): boolean {
    return file !== undefined && this.#finished.get(file.identity) === file.revision;
  }

  #rest({ identity, revision }: OpenFile): void {
    if (this.#finished.size >= FINISHED_MAX) this.#finished.clear();
    this.#finished.set(identity, revision);
  }

  #shown(file: SourceFile): string {
    return shownName(this.#ports.clean(file.name));
  }

  /** Undefined if it is gone, or was read to its end. */
  async #open(file: SourceFile): Promise<Opened | undefined> {
    await using closing = new AsyncDisposableStack();
    const raw = await this.#ports.files.open(file.path);
    if (raw === undefined) return undefined;
    closing.use(raw);
    if (this.#isAtRest(raw)) return undefined;
    const parked = await this.#unpark(raw);
    if (parked !== undefined) return { ...parked, file, name: this.#shown(file) };
    const name = this.#shown(file);
    // Of what somebody writes just now, only what is there.
    if (raw.sizeBytes === 0) await raw.more?.();
    const first = await raw.read(0, Math.min(JUDGED_BYTES, raw.sizeBytes));
    const unpacked = await packed(raw, first, name);
    const opened = unpacked?.file ?? raw;
    const begins = unpacked === undefined ? first : await opened.read(0, JUDGED_BYTES);
    closing.move();
    return { file, name, opened, packed: unpacked?.key, begins };
  }

  /** The same compressed file, with what was unpacked of it. */
  async #unpark({ identity, revision }: OpenFile): Promise<Opened | undefined> {
    const parked = this.#parked;
    if (parked?.opened.identity !== identity) return undefined;
    this.#parked = undefined;
    if (parked.opened.revision === revision) return parked;
    await parked.opened[Symbol.asyncDispose]();
    return undefined;
  }

  async #readerOf(found: Opened, positions: Positions): Promise<StreamReader | undefined> {
    await using closing = new AsyncDisposableStack();
    closing.use(found.opened);
    const reader =
      this.#format.unit === 'document'
        ? await this.#document(found, positions)
        : await this.#lines(found, positions);
    // A reader closes its file itself.
    if (reader !== undefined) closing.move();
    return reader;
  }

  async #document(found: Opened, positions: Positions): Promise<StreamReader | undefined> {
    const { file, name, opened, begins } = found;
    const onEnd = () => this.#rest(opened);
    const left = this.#leftOut(found);
    if (left !== undefined) return left;
    const fileName = file.name;
    const reading = { fileName, path: file.path, name, opened, format: this.#format, onEnd };
    return DocumentReader.open({ ...reading, encoding: encodingOf(begins) }, positions);
  }

  async #lines(found: Opened, positions: Positions): Promise<StreamReader | undefined> {
    const { file, name, opened, begins, packed: key } = found;
    if (key !== undefined && (await isReadPacked(positions, key))) {
      this.#rest(opened);
      return undefined;
    }
    const head = begins.subarray(0, EDGE_BYTES);
    const seen = { names: this.#names, opened, file: name, head };
    const resumed = await resume(positions, seen, this.#format.decoder.start);
    if (file.onlyIfKnown && !resumed.isKnown) return undefined;
    if (resumed.mustWait) {
      const why = 'is not complete, and begins like a file that was read';
      return this.#resting(found, `${name} ${why}: it is left for later.`);
    }
    const left = resumed.from.byteOffset === 0 ? this.#leftOut(found) : undefined;
    if (left !== undefined) return left;
    if (opened.comes === 'again' && !resumed.isKnown && resumed.own !== undefined)
      return this.#reprinted(found, resumed, seen);
    return this.#lineReader(found, resumed.from, anewNotes(found, resumed));
  }

  /** What was read last is looked for in what a command prints now. */
  async #reprinted(found: Opened, resumed: Resumed, seen: Seen): Promise<StreamReader | undefined> {
    const { payloadBytesMax: lineBytesMax = LINE_BYTES_MAX } = this.#format;
    const { from, own, isPassed } = resumed;
    const searched = isPassed ? await this.#printAgain(found) : found;
    if (searched === undefined) return undefined;
    const { opened, begins, name } = searched;
    const options = { lineBytesMax, encoding: encodingOf(begins) };
    const place = await findRecent(opened, own!.recent ?? '', options);
    if (place !== undefined) {
      const head = begins.subarray(0, EDGE_BYTES);
      return this.#lineReader(searched, await atPlace(own!, place, { ...seen, opened, head }), []);
    }
    const again = await this.#printAgain(searched);
    if (again === undefined) return undefined;
    const note = `${name} no longer holds what was read last: it is read from its start.`;
    return this.#lineReader(again, from, [note]);
  }

  async #printAgain(found: Opened): Promise<Opened | undefined> {
    const opened = await found.opened.afresh?.();
    if (opened === undefined) return undefined;
    await opened.more?.();
    const begins = await opened.read(0, Math.min(JUDGED_BYTES, opened.sizeBytes));
    return { ...found, opened, begins };
  }

  #lineReader(found: Opened, from: FilePosition, notes: readonly string[]): StreamReader {
    const { file, name, opened, begins, packed: key } = found;
    let isAtEnd = false;
    return new LineReader({
      ...{ fileName: file.name, name, opened, from, notes, packed: key, format: this.#format },
      head: begins.subarray(0, EDGE_BYTES),
      encoding: encodingOf(begins),
      clean: this.#ports.clean,
      onEnd: () => {
        isAtEnd = true;
        this.#rest(opened);
      },
      dispose: async () => {
        if (key === undefined || isAtEnd) return opened[Symbol.asyncDispose]();
        await this.#parked?.opened[Symbol.asyncDispose]();
        this.#parked = found;
      },
    });
  }

  /** What is no text, or nothing. */
  #leftOut(found: Opened): StreamReader | undefined {
    const { name, opened, begins } = found;
    if (isBinary(begins))
      return this.#resting(found, `${name} is binary, not text: it is left out.`);
    if (begins.length === 0 && opened.sizeBytes === 0)
      return onlyNotes(name, opened.comes === 'again' ? [] : [`${name} is empty.`], opened);
    return undefined;
  }

  #resting({ name, opened }: Opened, note: string): StreamReader {
    this.#rest(opened);
    return onlyNotes(name, [note], opened);
  }
}

/** Nothing is read, and people are told why. */
function onlyNotes(name: string, notes: string[], opened?: OpenFile): StreamReader {
  return {
    name,
    next: async () => undefined,
    takeNotes: () => [...notes.splice(0), ...(opened?.takeNotes?.() ?? [])],
    [Symbol.asyncDispose]: async () => opened?.[Symbol.asyncDispose](),
  };
}

function anewNotes({ name, opened }: Opened, { anew }: Resumed): string[] {
  if (opened.comes !== undefined) return [];
  if (anew === 'rotated') return [`${name} has new content: it is read from its start.`];
  if (anew === 'truncated') return [`${name} became shorter: it is read from its start.`];
  return [];
}
