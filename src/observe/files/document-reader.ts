/** Reads a file as one payload. What of its records is new says `document-position.ts`. */
import { sha256Hex } from '../../base/index.ts';
import type { Decoded, OpenFile, Positions, Pulled, StreamReader } from '../types.ts';
import { DocumentPosition, REMEMBERED_MAX, type Taking } from './document-position.ts';
import type { FileFormat } from './file-format.ts';
import { type Encoding, isValid, textOf } from './text-encoding.ts';

const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;
/** Of a document that is set aside. */
const SHOWN_CHARS = 2000;

export interface DocumentReading {
  readonly fileName: string;
  readonly path: string;
  /** For people. */
  readonly name: string;
  readonly opened: OpenFile;
  readonly format: FileFormat;
  readonly encoding: Encoding;
  /** All of it was taken. */
  readonly onEnd: () => void;
}

export class DocumentReader implements StreamReader {
  readonly #reading: DocumentReading;
  readonly #records: readonly Decoded[];
  readonly #taking: Taking;
  readonly #notes: string[];
  readonly #shown: string;
  readonly #sizeBytes: number;
  #isBegun = false;
  #isAtEnd = false;

  private constructor(reading: DocumentReading, decoded: DecodedDocument, taking: Taking) {
    this.#reading = reading;
    this.#records = decoded.records;
    this.#taking = taking;
    this.#notes = [...decoded.notes];
    this.#shown = decoded.shown;
    this.#sizeBytes = decoded.sizeBytes;
  }

  /** Undefined if its content was taken before. */
  static async open(
    reading: DocumentReading,
    positions: Positions,
  ): Promise<DocumentReader | undefined> {
    const { opened, format, path, onEnd } = reading;
    const bytesMax = format.payloadBytesMax ?? DOCUMENT_BYTES_MAX;
    const bytes = await opened.read(0, wantedBytes(opened, bytesMax));
    const isTooLong = bytes.length > bytesMax;
    const digest = sha256Hex(isTooLong ? `${opened.sizeBytes} ${sha256Hex(bytes)}` : bytes);
    const position = await DocumentPosition.find(positions, path, digest);
    if (position.isTaken) {
      onEnd();
      return undefined;
    }
    const modifiedMs = position.begunModifiedMs ?? opened.modifiedMs;
    const decoded = isTooLong ? tooLong(bytes, bytesMax) : decode(bytes, reading, modifiedMs);
    return new DocumentReader(reading, decoded, position.take(decoded.records, modifiedMs));
  }

  get name(): string {
    return this.#reading.name;
  }

  stored(): void {
    if (this.#isAtEnd) this.#reading.onEnd();
  }

  async next(stepsMax: number): Promise<Pulled | undefined> {
    const taken = this.#taking.next(stepsMax);
    if (taken === undefined) {
      this.#isAtEnd = true;
      return undefined;
    }
    const text = this.#records.length === 1 ? this.#shown : '';
    const bytes = this.#isBegun ? 0 : this.#sizeBytes;
    this.#isBegun = true;
    return {
      records: taken.fresh.map((at) => ({ ...this.#records[at]!, text, offset: at, line: null })),
      position: taken.position,
      bytes,
      steps: taken.fresh.length,
    };
  }

  takeNotes(): readonly string[] {
    return [...this.#notes.splice(0), ...(this.#reading.opened.takeNotes?.() ?? [])];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#reading.opened[Symbol.asyncDispose]());
  }
}

interface DecodedDocument {
  readonly records: readonly Decoded[];
  readonly notes: readonly string[];
  /** What people see of it if it is set aside. */
  readonly shown: string;
  readonly sizeBytes: number;
}

/** One byte more than is allowed, to see that it is too long. */
function wantedBytes({ sizeBytes, more }: OpenFile, bytesMax: number): number {
  return more === undefined ? Math.min(sizeBytes, bytesMax + 1) : bytesMax + 1;
}

function tooLong(bytes: Uint8Array, bytesMax: number): DecodedDocument {
  const detail = `The document is longer than ${bytesMax} bytes.`;
  const records: Decoded[] = [{ ok: false, reason: 'too_long', detail }];
  return { records, notes: [], shown: '', sizeBytes: bytes.length };
}

function decode(
  bytes: Uint8Array,
  { format: { decoder }, fileName, name, encoding }: DocumentReading,
  modifiedMs: number | null,
): DecodedDocument {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = textOf(buffer, 0, buffer.length, encoding);
  const notes = isValid(bytes, encoding) ? [] : [`${name} is not valid UTF-8.`];
  const sizeBytes = bytes.length;
  const about = { name: fileName, modifiedMs };
  try {
    const { records } = decoder.decode(text, decoder.start, about);
    if (records.length > REMEMBERED_MAX)
      notes.push(
        `${name} holds more than ${REMEMBERED_MAX} records: if it is not only added to, some count again.`,
      );
    return { records, notes, shown: shownOf(text), sizeBytes };
  } catch {
    const detail = 'Hone failed to decode it.';
    const records: Decoded[] = [{ ok: false, reason: 'not_an_event', detail }];
    return { records, notes, shown: shownOf(text), sizeBytes };
  }
}

/** Whole lines: half a secret may not look like one. */
function shownOf(text: string): string {
  if (text.length <= SHOWN_CHARS) return text;
  return text.slice(0, text.lastIndexOf('\n', SHOWN_CHARS) + 1);
}
