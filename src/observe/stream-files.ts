/**
 * Bytes that come once, such as standard input, as a file that sources of lines can read. Nothing is written down:
 * what was passed over is gone, but for the last 8 MB. A stream that begins as one that was read before continues
 * where that ended, so piping a file twice counts nothing twice.
 */
import type { OpenFile, Sample, SourceFiles } from './types.ts';

const WINDOW_BYTES = 8 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
/** Shorter reads compare the edges of what was read; longer ones want new lines. */
const EDGE_BYTES = 256;
/** What sources of lines ask for at a time, behind the bytes that they know (`files/file-source.ts`). */
const READ_BYTES = 256 * 1024;
const NEWLINE = 10;
const ROOM_BYTES_MIN = 256 * 1024;

export interface StreamFiles extends Pick<SourceFiles, 'open'> {
  /** Its beginning, as far as it has come. */
  sample(): Promise<Sample>;
  /** Whether no more will come; what came may still have to be read. */
  isEnded(): boolean;
}

/** `name`: what is opened. `signal`: ends the wait for more; what is there is still read. */
export function streamFiles(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  { identity, signal }: { readonly identity: string; readonly signal: AbortSignal },
): StreamFiles {
  const stream = new Incoming(bytes, signal);
  let opens = 0;
  const opened = (): OpenFile => ({
    identity,
    modifiedMs: null,
    // Its end is not known yet: a position of an earlier run may lie anywhere before it.
    get sizeBytes() {
      return stream.isEnded ? stream.received : Number.MAX_SAFE_INTEGER;
    },
    // Never at rest: whether there is more is known only by reading.
    revision: String(++opens),
    read: (from, length) => stream.read(from, length),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
  return {
    open: (path) => Promise.resolve(path === name ? opened() : undefined),
    isEnded: () => stream.isEnded,
    sample: async () => {
      const head = await stream.read(0, HEAD_BYTES);
      const text = Buffer.from(head).toString('utf8');
      return { path: `/${name}`, head: text, isWhole: stream.isEnded && head.length < HEAD_BYTES };
    },
  };
}

class Incoming {
  readonly #bytes: AsyncIterator<Uint8Array>;
  readonly #aborted: Promise<undefined>;
  readonly #signal: AbortSignal;
  /** Room for what is kept; its first byte is byte `#from` of the stream. */
  #room = Buffer.alloc(ROOM_BYTES_MIN);
  #length = 0;
  #from = 0;
  /** Positions are recognised by it, however far the stream is. */
  #head = Buffer.alloc(0);
  #next: Promise<IteratorResult<Uint8Array>> | undefined;
  isEnded = false;

  constructor(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) {
    this.#bytes = bytes[Symbol.asyncIterator]();
    this.#signal = signal;
    this.#aborted = new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
  }

  get received(): number {
    return this.#from + this.#length;
  }

  get #kept(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  async read(from: number, length: number): Promise<Uint8Array> {
    const isEdge = length <= EDGE_BYTES;
    while (!this.isEnded && !this.#has(from, length, isEdge)) await this.#pull(from);
    if (from === 0 && isEdge) return new Uint8Array(this.#head.subarray(0, length));
    if (from < this.#from) return new Uint8Array();
    const part = this.#kept.subarray(from - this.#from, from - this.#from + length);
    // A copy: what is kept moves.
    return new Uint8Array(part);
  }

  /** Whole edges; of anything else a line that ends behind what is known, so that a live pipe is read as it comes. */
  #has(from: number, length: number, isEdge: boolean): boolean {
    if (this.received >= from + length || from < this.#from) return true;
    if (isEdge) return false;
    const known = Math.max(0, length - READ_BYTES);
    return this.#kept.indexOf(NEWLINE, from + known - this.#from) !== -1;
  }

  async #pull(wanted: number): Promise<void> {
    this.#next ??= this.#bytes.next();
    const next = await Promise.race([this.#next, this.#aborted]);
    if (next === undefined) {
      this.isEnded = true;
      return;
    }
    this.#next = undefined;
    if (next.done === true) {
      this.isEnded = true;
      const isTorn = this.#kept.length > 0 && this.#kept.at(-1) !== NEWLINE;
      if (isTorn && !this.#signal.aborted) this.#keep(Buffer.from('\n'), wanted);
    } else this.#keep(next.value, wanted);
  }

  /** Moves what is kept only when there is no room left, so that each byte is copied about twice. */
  #keep(more: Uint8Array, wanted: number): void {
    if (this.#length + more.length > this.#room.length) this.#makeRoom(more.length, wanted);
    if (this.#head.length < EDGE_BYTES)
      this.#head = Buffer.concat([this.#head, more.subarray(0, EDGE_BYTES - this.#head.length)]);
    this.#room.set(more, this.#length);
    this.#length += more.length;
  }

  #makeRoom(bytes: number, wanted: number): void {
    const drop = Math.max(0, Math.min(wanted - this.#from, this.#length) - WINDOW_BYTES);
    const kept = this.#room.subarray(drop, this.#length);
    const needed = 2 * (kept.length + bytes);
    const room = needed > this.#room.length ? Buffer.alloc(needed) : this.#room;
    kept.copy(room);
    this.#room = room;
    this.#length = kept.length;
    this.#from += drop;
  }
}
