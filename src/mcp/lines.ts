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
      const line = this.#lineTo(chunk, from, end);
      if (line !== '') lines.push(line);
      from = end + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from));
    return lines;
  }

  #lineTo(chunk: Buffer, from: number, end: number): string | undefined {
    // Most lines come whole.
    if (this.#bytes === 0 && end - from <= this.#maxBytes)
      return chunk.toString('utf8', from, end).trim();
    this.#take(chunk.subarray(from, end));
    const line = this.#isDropping ? undefined : Buffer.concat(this.#pieces).toString('utf8').trim();
    this.#pieces = [];
    this.#bytes = 0;
    this.#isDropping = false;
    return line;
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
