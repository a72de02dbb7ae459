/** `LISTEN` on a connection of its own, made when somebody first listens. */
import pg from 'pg';

export class Listener {
  readonly #url: string;
  readonly #wakes = new Map<string, Set<() => void>>();
  #client: Promise<pg.Client> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async listen(channel: string, wake: () => void): Promise<() => Promise<void>> {
    const wakes = this.#wakes.get(channel) ?? new Set();
    this.#wakes.set(channel, wakes.add(wake));
    const client = await this.#connected();
    if (wakes.size === 1) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    return () => {
      wakes.delete(wake);
      return Promise.resolve();
    };
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end();
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'hone listen' });
    client.on('notification', ({ channel }) => {
      for (const wake of this.#wakes.get(channel) ?? []) wake();
    });
    // Listeners poll as well: a lost connection delays them, and the next listen makes a new one.
    client.on('error', () => {
      this.#client = undefined;
    });
    await client.connect();
    for (const channel of this.#wakes.keys()) {
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    }
    return client;
  }
}
