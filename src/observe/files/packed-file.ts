/**
 * Files compressed by gzip or zstd, read as what they unpack to, in bounded memory: positions are in unpacked bytes,
 * and reading on at one unpacks and drops what is before it. What is whole of a damaged file is read.
 *
 *   raw bytes ─► unpacked piece by piece ─► kept while it may be asked for ─► let go
 */
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { errorCode, sha256Hex } from '../../base/index.ts';
import type { OpenFile } from '../types.ts';
import { FlowingBytes } from './flowing-bytes.ts';

const RAW_BYTES = 64 * 1024;
const PIECE_BYTES = 64 * 1024;
/** Of raw bytes at both ends, by which the same compressed file is known without unpacking it. */
const EDGE_BYTES = 256;
/** Up to here anything is unpacked; logs of equal lines reach some hundred to one. */
const FREE_BYTES = 1024 ** 3;
const RATIO_MAX = 200;

type Packing = 'gzip' | 'zstd';

/** By its first bytes, whatever its name. */
function packingOf(head: Uint8Array): Packing | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b && head[2] === 0x08) return 'gzip';
  const isZstd = head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;
  return isZstd ? 'zstd' : undefined;
}

export interface Packed {
  readonly file: OpenFile;
  /** The same for every copy of the compressed file. gzip ends with a checksum of everything before. */
  readonly key: string;
}

/** Undefined if it is not compressed. `begins` are its first bytes; `freeBytes` is for tests. */
export async function packed(
  raw: OpenFile,
  begins: Uint8Array,
  name: string,
  freeBytes = FREE_BYTES,
): Promise<Packed | undefined> {
  const packing = raw.comes === undefined ? packingOf(begins) : undefined;
  if (packing === undefined) return undefined;
  const head = begins.subarray(0, EDGE_BYTES);
  const from = Math.max(0, raw.sizeBytes - EDGE_BYTES);
  const tail = await raw.read(from, raw.sizeBytes - from);
  const key = sha256Hex(Buffer.concat([Buffer.from(`${raw.sizeBytes} `), head, tail]));
  return { file: new PackedFile(raw, { packing, name, freeBytes }), key };
}

interface About {
  readonly packing: Packing;
  readonly name: string;
  readonly freeBytes: number;
}

class PackedFile implements OpenFile {
  readonly identity: string;
  readonly revision: string;
  readonly modifiedMs: number | null;
  readonly #raw: OpenFile;
  readonly #about: About;
  readonly #notes: string[] = [];
  #unpacking: Unpacking;
  #bytes: FlowingBytes;

  constructor(raw: OpenFile, about: About) {
    this.identity = raw.identity;
    this.revision = raw.revision;
    this.modifiedMs = raw.modifiedMs;
    this.#raw = raw;
    this.#about = about;
    this.#unpacking = new Unpacking(raw, about);
    this.#bytes = this.#flowing();
  }

  /** So far. */
  get sizeBytes(): number {
    return this.#bytes.receivedBytes;
  }

  get isFinal(): boolean {
    return this.#unpacking.end === 'whole';
  }

  async read(fromByte: number, lengthBytes: number): Promise<Uint8Array> {
    const bytes = await this.#bytes.read(fromByte, lengthBytes);
    if (bytes !== undefined) return bytes;
    this.#unpacking.close();
    this.#unpacking = new Unpacking(this.#raw, this.#about);
    this.#bytes = this.#flowing();
    while (this.sizeBytes < fromByte && (await this.more())) this.letGo(fromByte);
    return (await this.#bytes.read(fromByte, lengthBytes))!;
  }

  more(): Promise<boolean> {
    return this.#bytes.more();
  }

  letGo(beforeByte: number): void {
    this.#bytes.letGo(beforeByte);
  }

  takeNotes(): readonly string[] {
    return this.#notes.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unpacking.close();
    await this.#raw[Symbol.asyncDispose]();
  }

  #flowing(): FlowingBytes {
    const unpacking = this.#unpacking;
    return new FlowingBytes(async () => {
      const piece = await unpacking.next();
      if (piece === undefined && unpacking.end !== 'whole' && this.#notes.length === 0)
        this.#notes.push(`${this.#about.name}${WHY[unpacking.end!]}`);
      return piece;
    });
  }
}

const WHY = {
  torn: ' is not complete: what is whole of it is read.',
  damaged: ' is damaged: it is read up to there.',
  bomb: ` unpacks to more than ${RATIO_MAX} times its size: it is read up to 1 GiB.`,
};

type End = 'whole' | keyof typeof WHY;

/** One pass. Raw bytes are handed over when the piece before was taken, so that nothing piles up. */
class Unpacking {
  readonly #raw: OpenFile;
  readonly #freeBytes: number;
  readonly #stream: ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>;
  #wake: () => void = () => {};
  #isBusy = false;
  #isClosed = false;
  #rawBytes = 0;
  #bytes = 0;
  /** How it ended, once it did. */
  end: End | undefined;

  constructor(raw: OpenFile, { packing, freeBytes }: About) {
    this.#raw = raw;
    this.#freeBytes = freeBytes;
    const options = { chunkSize: PIECE_BYTES };
    this.#stream = packing === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
    this.#stream.on('readable', () => this.#wake());
    this.#stream.on('end', () => this.#ended('whole'));
    // It also says so for a file that simply stops. Pieces that were unpacked before can still be taken.
    this.#stream.on('error', (error) =>
      this.#ended(errorCode(error) === 'Z_BUF_ERROR' ? 'torn' : 'damaged'),
    );
  }

  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const piece = this.#take();
      if (piece !== null) return piece;
      if (this.end !== undefined) return undefined;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await this.#feed();
      await woken;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#stream.destroy();
  }

  #take(): Uint8Array | null {
    if (this.end === 'bomb') return null;
    const piece = this.#stream.read() as Uint8Array | null;
    this.#bytes += piece?.length ?? 0;
    if (this.#bytes <= this.#freeBytes || this.#bytes <= this.#rawBytes * RATIO_MAX) return piece;
    this.#ended('bomb');
    this.close();
    return null;
  }

  async #feed(): Promise<void> {
    if (this.#isBusy || this.#isClosed) return;
    this.#isBusy = true;
    const left = Math.max(0, this.#raw.sizeBytes - this.#rawBytes);
    const bytes = await this.#raw.read(this.#rawBytes, Math.min(RAW_BYTES, left));
    this.#rawBytes += bytes.length;
    if (bytes.length === 0) {
      this.#isClosed = true;
      this.#stream.end();
      return;
    }
    this.#stream.write(bytes, () => {
      this.#isBusy = false;
      this.#wake();
    });
  }

  #ended(how: End): void {
    this.end ??= how;
    this.#wake();
  }
}
