/**
 * One JSON-RPC message for each line, as MCP's stdio transport has it. A line that is too long is dropped up to its
 * end and reported, and the next one is read: a client's mistake must not end the connection.
 */

export class LineReader {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isDropping = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The whole lines; `undefined` stands for one that was too long. */
  push(chunk: Buffer): (string | undefined)[] {
    const lines: (string | undefined)[] = [];
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      this.#take(chunk.subarray(from, end));
      if (this.#isDropping) lines.push(undefined);
      else {
        const text = Buffer.concat(this.#pieces).toString('utf8').trim();
        if (text !== '') lines.push(text);
      }
      this.#pieces = [];
      this.#bytes = 0;
      this.#isDropping = false;
      from = end + 1;
    }
    this.#take(chunk.subarray(from));
    return lines;
  }

  #take(piece: Buffer): void {
    if (this.#isDropping) return;
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) {
      if (piece.length > 0) this.#pieces.push(piece);
      return;
    }
    this.#isDropping = true;
    this.#pieces = [];
  }
}
