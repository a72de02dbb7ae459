/**
 * Reads a file line by line from its position. A read is as long as a batch of lines; if a line is longer, the read
 * grows up to the longest line that the format allows, and what is longer still is passed over without being kept.
 */
import { type Json, sha256Hex } from '../../base/index.ts';
import type { OpenFile, Pulled, SourceRecord, StreamReader } from '../types.ts';
import { decodeLine, flushState, storable } from './decode-line.ts';
import type { FileFormat } from './file-format.ts';
import { checked, EDGE_BYTES, type FilePosition, moved, storedAs } from './file-position.ts';
import { LINE_BYTES_MAX, type Line, type Lines, splitLines } from './lines.ts';
import { remembered } from './recent-lines.ts';
import { type Encoding, isValid } from './text-encoding.ts';

const READ_BYTES = 2 * 1024 * 1024;
const READ_BYTES_MIN = 16 * 1024;
/** Of blank lines, zeros and what is left of a line that is too long, before the position is stored. */
const PASSED_BYTES_MAX = 64 * 1024 * 1024;
/** U+FFFD stands for bytes that are not text. */
const REPLACEMENT = '\ufffd';

export interface LineReading {
  /** Its name, for the decoder and, sanitised, for people. */
  readonly fileName: string;
  readonly name: string;
  readonly opened: OpenFile;
  /** Its first bytes. */
  readonly head: Uint8Array;
  readonly from: FilePosition;
  readonly notes: readonly string[];
  readonly format: FileFormat;
  readonly encoding: Encoding;
  /** Of a compressed file; stored at its end. */
  readonly packed: string | undefined;
  readonly clean: (text: string) => string;
  /** There is no more of it, and all of it was read and stored. */
  readonly onEnd: () => void;
  readonly dispose: () => Promise<void>;
}

interface Read {
  /** Those that the tail was made of, then those that were not read yet. */
  readonly bytes: Uint8Array;
  readonly split: Lines;
}

export class LineReader implements StreamReader {
  readonly #reading: LineReading;
  readonly #notes: string[];
  #at: FilePosition;
  /** As it was stored last; undefined before this reader's first records. */
  #stored: FilePosition | undefined;
  /** The file's first bytes, as far as they have come. */
  #head: Uint8Array;
  #readBytes = READ_BYTES;
  #invalidLines = 0;
  /** Nothing is left to read now. */
  #isRead = false;
  /** Nothing is left to return either. */
  #isAtEnd = false;
  /** Lines of a type that the decoder does not know. */
  #skipped = 0;

  constructor(reading: LineReading) {
    this.#reading = reading;
    this.#notes = [...reading.notes];
    this.#at = reading.from;
    this.#head = reading.head;
  }

  get name(): string {
    return this.#reading.name;
  }

  async next(stepsMax: number): Promise<Pulled | undefined> {
    let passedBytes = 0;
    for (;;) {
      const read = await this.#read(stepsMax);
      if (read === undefined)
        return passedBytes > 0 ? this.#pulled([], passedBytes, 0) : this.#rest();
      const { bytes, split } = read;
      if (split.lines.length > 0) return this.#take(bytes, split, { stepsMax, passedBytes });
      const { packed } = this.#reading;
      if (split.consumed === 0) {
        this.#at = { ...this.#at, packed: packed! };
        return this.#pulled([], passedBytes, 0);
      }
      this.#moveTo(bytes, split, this.#at.state);
      passedBytes += split.consumed;
      if (passedBytes >= PASSED_BYTES_MAX) return this.#pulled([], passedBytes, 1);
    }
  }

  /** Only what was stored is at its end: a reader whose last records were refused is opened again. */
  stored(): void {
    if (this.#isAtEnd) this.#reading.onEnd();
  }

  /** Undefined at the end. Nothing consumed: it is the end of a compressed file, which is to be stored. */
  async #read(stepsMax: number): Promise<Read | undefined> {
    const { opened, format, encoding } = this.#reading;
    const lineBytesMax = format.payloadBytesMax ?? LINE_BYTES_MAX;
    const { byteOffset, tail, tailBytes, skipping } = this.#at;
    if (opened.more !== undefined && this.#head.length < EDGE_BYTES)
      this.#head = await opened.read(0, Math.min(EDGE_BYTES, opened.sizeBytes));
    opened.letGo?.(byteOffset - tailBytes);
    const options = { lineBytesMax, encoding };
    let readBytes = skipping ? READ_BYTES : this.#readBytes;
    for (;;) {
      // What is unpacked is there at once; for what somebody writes just now, nothing waits.
      if (opened.more !== undefined && opened.comes === undefined)
        while (opened.sizeBytes < byteOffset + readBytes && (await opened.more()));
      const left = Math.max(0, Math.min(readBytes, opened.sizeBytes - byteOffset));
      const bytes = await opened.read(byteOffset - tailBytes, tailBytes + left);
      // Truncated and rewritten just now: the next listing sees another file, and begins at its start.
      if (sha256Hex(bytes.subarray(0, tailBytes)) !== tail) return undefined;
      const unread = bytes.subarray(tailBytes);
      const split = splitLines(unread, skipping, stepsMax, options);
      if (split.consumed > 0) return { bytes, split };
      if (unread.length === readBytes) readBytes = Math.min(readBytes * 2, lineBytesMax + 2);
      else if (unread.length < left || !(await opened.more?.(true)))
        return this.#end(bytes, options);
    }
  }

  #end(bytes: Uint8Array, options: { lineBytesMax: number; encoding: Encoding }): Read | undefined {
    const { opened, name, packed } = this.#reading;
    const unread = bytes.subarray(this.#at.tailBytes);
    if (unread.length > 0) {
      const split = splitLines(unread, this.#at.skipping, 1, { ...options, isFinal: true });
      if (split.consumed > 0 && (opened.isFinal === true || this.#isWhole(split)))
        return { bytes, split };
    }
    if (packed !== undefined && this.#at.packed !== packed)
      return { bytes, split: splitLines(unread, this.#at.skipping, 0) };
    this.#isRead = packed !== undefined || (unread.length === 0 && opened.sizeBytes > 0);
    // Of what comes again, each time is another one.
    if (opened.comes === 'again') return undefined;
    if (unread.length > 0) this.#notes.push(`${name}: its last line has no end yet.`);
    return undefined;
  }

  /**
   * Whether a last line without a line break can be taken, so that a program that never writes one loses nothing. No
   * object in JSON is the beginning of a longer one, so one that parses is complete, whoever still writes. If the line
   * break comes later, it ends a blank line.
   */
  #isWhole({ lines: [line] }: Lines): boolean {
    // What is printed again is found by its lines, and those have their ends.
    if (this.#at.skipping || this.#reading.opened.comes !== undefined) return false;
    return line !== undefined && !line.tooLong && isJsonObject(line.text);
  }

  /** What the decoder holds back for a line that may never come, if there is anything. */
  #rest(): Pulled | undefined {
    if (!this.#isRead) return undefined;
    const { format, fileName, opened } = this.#reading;
    const about = { name: fileName, modifiedMs: opened.modifiedMs };
    const flushed = flushState(format.decoder, this.#at.state, about);
    if (flushed === undefined) {
      this.#isAtEnd = opened.comes !== 'again';
      return undefined;
    }
    const place = { offset: this.#at.byteOffset, line: this.#at.lines, text: '' };
    const records = flushed.records.map((one) => ({ ...one, ...place }));
    this.#at = { ...this.#at, state: this.#storable(flushed.state) };
    return this.#pulled(records, 0, records.length);
  }

  #take(
    bytes: Uint8Array,
    split: Lines,
    { stepsMax, passedBytes }: { stepsMax: number; passedBytes: number },
  ): Pulled {
    const { encoding } = this.#reading;
    const decoded = this.#decode(split.lines, stepsMax);
    const { records, steps, taken } = decoded;
    const last = taken.length < split.lines.length ? taken.at(-1) : undefined;
    const read = last === undefined ? split : whole(last);
    const { tailBytes } = this.#at;
    const consumed = bytes.subarray(tailBytes, tailBytes + read.consumed);
    if (!isValid(consumed, encoding))
      this.#invalidLines += taken.filter(({ text }) => text.includes(REPLACEMENT)).length;
    this.#moveTo(bytes, read, this.#storable(decoded.state), taken);
    // As much as was needed, and a little more: what is left over is read again.
    this.#readBytes =
      split.consumed < READ_BYTES / 2 && split.lines.length === stepsMax
        ? Math.max(READ_BYTES_MIN, Math.ceil(split.consumed * 1.25))
        : READ_BYTES;
    return this.#pulled(records, passedBytes + read.consumed, steps);
  }

  #moveTo(
    bytes: Uint8Array,
    read: Pick<Lines, 'consumed' | 'ended' | 'skipping'>,
    state: Json,
    taken: readonly Line[] = [],
  ): void {
    const { opened } = this.#reading;
    const to = moved(this.#at, { ...read, bytes, head: this.#head, state });
    if (opened.comes === 'again') this.#at = { ...to, recent: remembered(to.recent, taken) };
    else this.#at = opened.comes === 'once' ? checked(to) : to;
  }

  #pulled(records: readonly SourceRecord[], bytes: number, steps: number): Pulled {
    const before = this.#stored;
    this.#stored = this.#at;
    return { records, steps, position: storedAs(this.#at, before), bytes };
  }

  #storable(state: Json): Json {
    const { format, clean, name } = this.#reading;
    if (state === this.#at.state) return state;
    const kept = storable(state, clean);
    if (kept !== undefined) return kept;
    this.#notes.push(`${name}: too many records waited for a later line and were dropped.`);
    return format.decoder.start;
  }

  /** Lines one after the other, until there are enough records. */
  #decode(lines: readonly Line[], stepsMax: number) {
    const { format, fileName, opened } = this.#reading;
    const { payloadBytesMax: bytesMax = LINE_BYTES_MAX } = format;
    const { byteOffset, lines: before } = this.#at;
    const about = { name: fileName, modifiedMs: opened.modifiedMs };
    const records: SourceRecord[] = [];
    let state: Json = this.#at.state;
    let at = 0;
    while (at < lines.length && records.length < stepsMax) {
      const line = lines[at++]!;
      const decoded = decodeLine(line, format.decoder, { state, about, bytesMax });
      for (const one of decoded.records)
        records.push({
          ...one,
          offset: byteOffset + line.offset,
          line: before + line.ended + 1,
          text: line.text,
        });
      ({ state } = decoded);
      this.#skipped += decoded.skipped ?? 0;
    }
    return { records, state, steps: Math.max(records.length, at), taken: lines.slice(0, at) };
  }

  takeNotes(): readonly string[] {
    const { name, opened } = this.#reading;
    const notes = [...this.#notes.splice(0), ...(opened.takeNotes?.() ?? [])];
    if (this.#invalidLines > 0)
      notes.push(`${name}: lines that are not valid UTF-8: ${this.#invalidLines}.`);
    this.#invalidLines = 0;
    if (this.#skipped > 0)
      notes.push(`${name}: lines of unknown type passed over: ${this.#skipped}.`);
    this.#skipped = 0;
    return notes;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#reading.dispose();
  }
}

/** Up to and with this line. */
function whole({ end, ended }: Line) {
  return { consumed: end, ended: ended + 1, skipping: false };
}

function isJsonObject(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
