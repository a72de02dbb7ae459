/**
 * Bytes that come one after the other and are kept only as long as somebody may ask for them: what a compressed
 * file unpacks to, what a command prints, standard input. Nothing is asked for before it is needed, so whoever
 * produces them waits. The first bytes are always kept: files are known by them.
 */
const HEAD_BYTES = 8 * 1024;

/** The next piece, asked for one at a time; undefined at the end. `later`, if asked, if none comes soon. */
type Pull = (isSoon: boolean) => Promise<Uint8Array | 'later' | undefined>;

export class FlowingBytes {
  readonly #pull: Pull;
  readonly #pieces: Uint8Array[] = [];
  /** Where the first piece that is kept begins. */
  #from = 0;
  #received = 0;
  #isEnded = false;
  #head: Uint8Array = new Uint8Array(0);

  constructor(pull: Pull) {
    this.#pull = pull;
  }

  get receivedBytes(): number {
    return this.#received;
  }

  /** Undefined for bytes that were let go; fewer than asked for at the end. */
  async read(fromByte: number, lengthBytes: number): Promise<Uint8Array | undefined> {
    const toByte = fromByte + lengthBytes;
    if (toByte <= this.#head.length) return this.#head.subarray(fromByte, toByte);
    if (fromByte < this.#from) return undefined;
    while (this.#received < toByte && (await this.more()));
    return this.#kept(fromByte, toByte);
  }

  async more(isSoon = false): Promise<boolean> {
    if (this.#isEnded) return false;
    const piece = await this.#pull(isSoon);
    if (piece === 'later') return false;
    if (piece === undefined) {
      this.#isEnded = true;
      return false;
    }
    this.#pieces.push(piece);
    this.#received += piece.length;
    const missing = HEAD_BYTES - this.#head.length;
    if (missing > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, missing)]);
    return true;
  }

  letGo(beforeByte: number): void {
    let count = 0;
    let from = this.#from;
    for (const piece of this.#pieces) {
      if (from + piece.length > beforeByte) break;
      from += piece.length;
      count += 1;
    }
    this.#pieces.splice(0, count);
    this.#from = from;
  }

  #kept(fromByte: number, toByte: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let at = this.#from;
    for (const piece of this.#pieces) {
      const [from, to] = [Math.max(fromByte - at, 0), Math.min(toByte - at, piece.length)];
      if (from < to) parts.push(piece.subarray(from, to));
      at += piece.length;
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }
}
