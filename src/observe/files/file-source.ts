/**
 * Everything that sources which read files by lines have in common: listing, rotation, copies, cuts, lines
 * without their end, lines that are too long. A kind of source brings the extension of its files and a decoder.
 *
 *   file ─► where it was left ─► lines ─► decoder, with the state of the line before ─► records
 */
import { z } from 'zod';
import { type Json, sha256Hex } from '../../base/index.ts';
import type {
  Decoder,
  FilesWanted,
  OpenFile,
  Positions,
  Pulled,
  Source,
  SourceFile,
  SourceListing,
  SourcePorts,
  SourceRecord,
  Stream,
  StreamReader,
} from '../types.ts';
import { decodeLine, storable } from './decode-line.ts';
import { FileNames } from './file-names.ts';
import { EDGE_BYTES, type FilePosition, moved, resume, storedAs } from './file-position.ts';
import { type Line, splitLines } from './lines.ts';

/** More than the longest line, so that every read ends one or knows that it is too long. */
const READ_BYTES = 256 * 1024;
/** As many as two sources' folders may hold. */
const FINISHED_MAX = 20_000;

/** The key of all kinds that read files. */
export const pathKey = z.string().min(1).max(1000);

export interface FileFormat {
  readonly wanted: FilesWanted;
  readonly decoder: Decoder;
  /** What a payload is: a line, unless given, or a whole file, which is read again when it was written anew. */
  readonly unit?: 'line' | 'document';
  /** Of a payload; a longer one is set aside. 64 KiB unless given. */
  readonly payloadBytesMax?: number;
}

/** `path` is a file or a folder. */
export function fileSource(path: string, format: FileFormat, ports: SourcePorts): Source {
  return new FileSource(path, format, ports);
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

  constructor(path: string, format: FileFormat, ports: SourcePorts) {
    this.#path = path;
    this.#format = format;
    this.#ports = ports;
    this.#names = new FileNames(format.wanted.extensions);
  }

  async list(): Promise<SourceListing> {
    const { wanted } = this.#format;
    const { exists, files, notes } = await this.#ports.files.list(this.#path, wanted);
    const streams = files.map((file): Stream => ({ open: (known) => this.#open(file, known) }));
    const count = files.filter(({ onlyIfKnown }) => onlyIfKnown !== true).length;
    return { exists, count, streams, notes };
  }

  async #open(file: SourceFile, positions: Positions): Promise<StreamReader | undefined> {
    if (this.#isAtRest(file.seen)) return undefined;
    const opened = await this.#ports.files.open(file.path);
    if (opened === undefined) return undefined;
    if (!this.#isAtRest(opened)) {
      const reader = await this.#reader(file, opened, positions);
      if (reader !== undefined) return reader;
    }
    await opened[Symbol.asyncDispose]();
    return undefined;
  }

  #isAtRest(file: Pick<OpenFile, 'identity' | 'revision'> | undefined): boolean {
    return file !== undefined && this.#finished.get(file.identity) === file.revision;
  }

  async #reader(
    file: SourceFile,
    opened: OpenFile,
    positions: Positions,
  ): Promise<FileReader | undefined> {
    const name = this.#ports.clean(file.name);
    const { identity: fileId, sizeBytes, revision } = opened;
    const read = opened.read.bind(opened);
    const head = await read(0, Math.min(EDGE_BYTES, sizeBytes));
    const seen = { names: this.#names, fileId, file: name, sizeBytes, head, read };
    const { start } = this.#format.decoder;
    const resumed = await resume(positions, seen, start);
    if (file.onlyIfKnown && !resumed.isKnown) return undefined;
    return new FileReader({
      name,
      opened,
      head,
      from: resumed.from,
      notes: sizeBytes === 0 ? [`${name} is empty.`] : anewNotes(name, resumed.anew),
      decoder: this.#format.decoder,
      clean: this.#ports.clean,
      onEnd: () => {
        if (this.#finished.size >= FINISHED_MAX) this.#finished.clear();
        this.#finished.set(fileId, revision);
      },
    });
  }
}

interface FileReading {
  readonly name: string;
  readonly opened: OpenFile;
  readonly head: Uint8Array;
  readonly from: FilePosition;
  readonly notes: string[];
  readonly decoder: Decoder;
  readonly clean: (text: string) => string;
  /** There is no more of it, and all of it was read. */
  readonly onEnd: () => void;
}

class FileReader implements StreamReader {
  readonly #reading: FileReading;
  readonly #notes: string[];
  #at: FilePosition;
  /** As it was stored last; undefined before this reader's first records. */
  #stored: FilePosition | undefined;

  constructor(reading: FileReading) {
    this.#reading = reading;
    this.#notes = reading.notes;
    this.#at = reading.from;
  }

  get name(): string {
    return this.#reading.name;
  }

  async next(stepsMax: number): Promise<Pulled | undefined> {
    const { opened, head, name } = this.#reading;
    const { byteOffset, tail, tailBytes, skipping } = this.#at;
    const left = Math.max(0, Math.min(READ_BYTES, opened.sizeBytes - byteOffset));
    const bytes = await opened.read(byteOffset - tailBytes, tailBytes + left);
    // Truncated and rewritten just now: the next listing sees another file, and begins at its start.
    if (sha256Hex(bytes.subarray(0, tailBytes)) !== tail) return undefined;
    const unread = bytes.subarray(tailBytes);
    const split = splitLines(unread, skipping, stepsMax);
    if (split.consumed === 0) {
      if (unread.length === 0 && opened.sizeBytes > 0) this.#reading.onEnd();
      if (unread.length > 0) this.#notes.push(`${name}: its last line has no end yet.`);
      return undefined;
    }
    const decoded = this.#decode(split.lines, stepsMax);
    const { records, steps, last } = decoded;
    const read = last === undefined ? split : whole(last);
    const state = this.#storable(decoded.state);
    const before = this.#stored;
    this.#at = this.#stored = moved(this.#at, { ...read, bytes, head, state });
    return { records, steps, position: storedAs(this.#at, before), bytes: read.consumed };
  }

  #storable(state: Json): Json {
    const { decoder, clean, name } = this.#reading;
    if (state === this.#at.state) return state;
    const kept = storable(state, clean);
    if (kept !== undefined) return kept;
    this.#notes.push(`${name}: too many records waited for a later line and were dropped.`);
    return decoder.start;
  }

  /** Lines one after the other, until there are enough records: `last` is then the last one that was decoded. */
  #decode(lines: readonly Line[], stepsMax: number) {
    const { decoder, name, opened } = this.#reading;
    const { byteOffset, lines: before } = this.#at;
    const about = { name, modifiedMs: opened.modifiedMs };
    const records: SourceRecord[] = [];
    let state: Json = this.#at.state;
    for (const [at, line] of lines.entries()) {
      const place = { offset: byteOffset + line.offset, line: before + line.ended + 1 };
      const decoded = decodeLine(line, decoder, { state, about });
      for (const one of decoded.records) records.push({ ...one, ...place, text: line.text });
      ({ state } = decoded);
      if (records.length >= stepsMax && at + 1 < lines.length)
        return { records, state, steps: records.length, last: line };
    }
    return { records, state, steps: Math.max(records.length, lines.length), last: undefined };
  }

  takeNotes(): readonly string[] {
    return this.#notes.splice(0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#reading.opened[Symbol.asyncDispose]());
  }
}

/** Up to and with this line. */
function whole({ end, ended }: Line) {
  return { consumed: end, ended: ended + 1, skipping: false };
}

function anewNotes(name: string, anew: 'rotated' | 'truncated' | undefined): string[] {
  if (anew === 'rotated') return [`${name} has new content: it is read from its start.`];
  if (anew === 'truncated') return [`${name} became shorter: it is read from its start.`];
  return [];
}
