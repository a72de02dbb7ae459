/**
 * COPY in both directions, which `pg` leaves to others: rows stream in PostgreSQL's own text form, in bounded
 * memory. Reading stops while what was read is not taken; writing waits for the socket.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** What `pg` hands to a query of one's own; its types name only a part. */
interface Wire {
  readonly stream: Socket;
  query(sql: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** What `pg` calls on a query while the server answers it. */
abstract class Copy {
  readonly #sql: string;
  readonly done: Promise<void>;
  protected failed: unknown;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;

  constructor(sql: string) {
    this.#sql = sql;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => {}); // whoever awaits it hears of it
  }

  submit(wire: Wire): void {
    wire.query(this.#sql);
  }

  handleError(error: unknown): void {
    this.failed ??= error;
    this.#reject(this.failed);
  }

  handleReadyForQuery(): void {
    if (this.failed === undefined) this.#resolve();
    else this.#reject(this.failed);
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
}

class CopyOut extends Copy {
  readonly chunks: Uint8Array[] = [];
  wire: Wire | undefined;
  wake: () => void = () => {};

  handleCopyData({ chunk }: { chunk: Uint8Array }, wire: Wire): void {
    this.wire = wire;
    // The bytes are the socket's own buffer, which is used again.
    this.chunks.push(Uint8Array.from(chunk));
    wire.stream.pause();
    this.wake();
  }
}

/** `sql` is `COPY … TO STDOUT`. */
export async function* copyOut(client: pg.Client, sql: string): AsyncGenerator<Uint8Array> {
  const copy = new CopyOut(sql);
  let ended = false;
  const end = copy.done.finally(() => {
    ended = true;
    copy.wake();
  });
  end.catch(() => {});
  client.query(copy as unknown as pg.Submittable);
  for (;;) {
    const woken = new Promise<void>((resolve) => {
      copy.wake = resolve;
    });
    if (copy.chunks.length > 0) {
      yield Buffer.concat(copy.chunks.splice(0));
      continue;
    }
    if (ended) break;
    copy.wire?.stream.resume();
    await woken;
  }
  // The last rows and the end may have come in one read: the next answer is to be heard.
  copy.wire?.stream.resume();
  await copy.done;
}

class CopyIn extends Copy {
  readonly #rows: AsyncIterable<Uint8Array>;

  constructor(sql: string, rows: AsyncIterable<Uint8Array>) {
    super(sql);
    this.#rows = rows;
  }

  handleCopyInResponse(wire: Wire): void {
    void this.#send(wire);
  }

  async #send(wire: Wire): Promise<void> {
    try {
      for await (const chunk of this.#rows) {
        if (this.failed !== undefined) return; // the server took no more
        wire.sendCopyFromChunk(chunk);
        if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain');
      }
      wire.endCopyFrom();
    } catch (error) {
      this.failed ??= error;
      wire.sendCopyFail('the rows could not be read');
    }
  }
}

/** `sql` is `COPY … FROM STDIN`. What `rows` throws ends it, and nothing was copied. */
export async function copyIn(
  client: pg.Client,
  sql: string,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  const copy = new CopyIn(sql, rows);
  client.query(copy as unknown as pg.Submittable);
  await copy.done;
}
