/**
 * `LISTEN` on a connection of its own, made when somebody first listens and kept until it is closed.
 *
 *   idle ──listen()──► connecting ──┬─ done ──► listening ──lost──┐
 *                          ▲        └─ failed ───────────────────┤
 *                          └────────────── waiting ◄─────────────┘     close() ends it from anywhere
 *
 * A notify that comes while nobody is connected is lost. So everybody is woken once when the connection
 * is there again, or there late. Nobody depends on it: whoever listens looks by itself too, only later.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import type { Clock, Random } from '../../base/index.ts';
import { Wakes } from '../wakes.ts';

/** A server that vanished without a word is noticed in the end. */
const KEEP_ALIVE_MS = 30_000;
const RETRY_MS = 250;
const RETRY_MS_MAX = 30_000;

export interface ListenerOptions {
  readonly url: string;
  readonly connectMsMax: number;
  readonly clock: Clock;
  readonly random: Random;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #wakes = new Wakes();
  readonly #closing = new AbortController();
  /** While listening. The server knows the channels of `#wakes`: each change is sent as it is made. */
  #client: pg.Client | undefined;
  #attempt: Promise<unknown> = Promise.resolve();
  #keeping: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** Resolves when it listens, or when the server cannot be reached now and is asked again later. */
  async listen(channel: string, wake: () => void): Promise<() => Promise<void>> {
    const remove = this.#wakes.add(channel, wake);
    this.#keeping ??= this.#keep();
    await (this.#client === undefined ? this.#attempt : this.#tell('LISTEN', channel));
    return async () => {
      if (remove() === 'last') await this.#tell('UNLISTEN', channel);
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#keeping;
  }

  async #keep(): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#closing;
    let failures = 0;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const attempt = this.#connect();
      this.#attempt = attempt;
      const connection = await attempt;
      if (connection !== undefined) {
        failures = 0;
        if (!isFirst) for (const channel of this.#wakes.channels()) this.#wakes.wake(channel);
        await connection.lost;
        this.#client = undefined;
      }
      const waitMs = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** failures++);
      await clock.sleep(waitMs * (0.5 + random.next() / 2), signal);
    }
  }

  /** Undefined when the server could not be reached, or would not listen. */
  async #connect(): Promise<{ readonly lost: Promise<void> } | undefined> {
    const { signal } = this.#closing;
    // Ours, so that a server that does not answer can be left at any moment.
    const socket = new Socket();
    const cut = () => socket.destroy();
    signal.addEventListener('abort', cut, { once: true });
    try {
      const client = this.#newClient(socket);
      const lost = new Promise<void>((resolve) => {
        client.once('end', () => {
          signal.removeEventListener('abort', cut);
          resolve();
        });
      });
      await client.connect();
      this.#client = client;
      await Promise.all(this.#wakes.channels().map((channel) => tell(client, 'LISTEN', channel)));
      return { lost };
    } catch {
      signal.removeEventListener('abort', cut);
      socket.destroy();
      this.#client = undefined;
      return undefined;
    }
  }

  #newClient(socket: Socket): pg.Client {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: 'hone listen',
      pipeline: true,
      connectionTimeoutMillis: this.#options.connectMsMax,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      stream: () => socket,
    });
    client.on('notification', ({ channel }) => this.#wakes.wake(channel));
    client.on('error', () => socket.destroy());
    return client;
  }

  /** A connection that does not take it is given up: the next one hears of all channels. */
  async #tell(what: 'LISTEN' | 'UNLISTEN', channel: string): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    try {
      await tell(client, what, channel);
    } catch {
      await client.end();
    }
  }
}

async function tell(client: pg.Client, what: 'LISTEN' | 'UNLISTEN', channel: string) {
  await client.query(`${what} ${client.escapeIdentifier(channel)}`);
}
