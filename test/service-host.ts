/**
 * The machine that a real service of agents runs on: a clone of its repository, the process itself, started by the deploy
 * hook of the example, and the web search it asks. Its clock and Hone's are one, which can be put forward.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../src/base/index.ts';
import { git } from '../src/git/test-repositories.ts';
import { run } from './cli.ts';

export const HOST_FOLDER = join(import.meta.dirname, '../examples/agent-service-host');

/** Of the service. */
export const CONNECTIONS = 8;
/** Between the timeout of 800 ms and the longer one that is proposed. */
const RUSH_AFTER_MS = 900;
const RUSHES_MAX = 10;
/** So long a search takes that is never answered. */
const HANGS_MS = 10_000;

/** Of a process whose clock is that of the file. */
const SHIFTED_DATE = `import { readFileSync } from 'node:fs';
const Real = Date;
const now = () => Real.now() + Number(readFileSync(process.env.SHIFT_FILE, 'utf8'));
globalThis.Date = class extends Real {
  constructor(...words) { super(...(words.length === 0 ? [now()] : words)); }
  static now() { return now(); }
};`;

export class ServiceHost implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'hone-host-'));
  readonly telemetry = join(this.folder, 'events.jsonl');
  url = '';
  readonly #shiftFile = join(this.folder, 'shift');
  #shiftMs = 0;
  /** Searches that hang, and those of them that the service gave up. */
  #held = 0;
  #givenUp = 0;
  /** Answers after as many milliseconds as the question names. */
  readonly #search: Server = createServer(async (request, response) => {
    let words = '';
    for await (const part of request) words += part;
    const afterMs = Number(/takes (\d+) ms/.exec(words)![1]);
    if (afterMs < HANGS_MS) return void setTimeout(() => response.end('found'), afterMs);
    response.once('close', () => this.#givenUp++);
    this.#held++;
  });

  readonly clock: Clock = {
    ...systemClock,
    nowMs: () => systemClock.nowMs() + this.#shiftMs,
  };

  static async open(): Promise<ServiceHost> {
    const host = new ServiceHost();
    host.putForward(0);
    await new Promise<void>((ready) => host.#search.listen(0, '127.0.0.1', ready));
    // An address of its own on this machine: the port stays free while the service is restarted.
    const own = `127.77.${(process.pid >> 8) & 255}.${process.pid & 255}`;
    const port = await freePort(own);
    host.url = `http://${own}:${port}`;
    const settings = {
      ...{ HOST: own, PORT: String(port), TELEMETRY: host.telemetry },
      SEARCH_URL: `http://127.0.0.1:${(host.#search.address() as AddressInfo).port}`,
    };
    writeFileSync(join(host.folder, 'service.json'), JSON.stringify(settings));
    return host;
  }

  putForward(ms: number): void {
    this.#shiftMs += ms;
    writeFileSync(this.#shiftFile, String(this.#shiftMs));
  }

  /** What makes a process of this machine have its clock. */
  get words(): string[] {
    const code = `data:text/javascript,${encodeURIComponent(SHIFTED_DATE)}`;
    return ['env', `SHIFT_FILE=${this.#shiftFile}`, `NODE_OPTIONS=--import=${code}`];
  }

  clone(bare: string): void {
    git(this.folder, ['clone', '-q', bare, 'checkout']);
  }

  /** As the hook does it; before Hone is there, people run it. */
  async restart(commit: string): Promise<void> {
    const command = [
      ...this.words,
      process.execPath,
      join(HOST_FOLDER, 'restart.cjs'),
      this.folder,
    ];
    const environment = { PATH: process.env['PATH']!, HONE_COMMIT: commit };
    const { exit, err } = await run(command, this.folder, environment);
    if (exit !== 0) throw new Error(err);
  }

  async version(): Promise<string> {
    return (await fetch(`${this.url}/version`)).text();
  }

  /** How many of the questions, all asked at once, were answered. */
  async ask(count: number, tookMs: number): Promise<number> {
    const one = () => fetch(`${this.url}/ask`, { method: 'POST', body: `takes ${tookMs} ms` });
    const answers = await Promise.all(Array.from({ length: count }, one));
    return answers.filter(({ ok }) => ok).length;
  }

  /**
   * Searches that hang, as many as there are connections, and as many quick ones once they were given up, after a second at
   * the latest: how many of these were answered. Where the hanging ones ended meanwhile, the machine was too slow to tell: again.
   */
  async rush(): Promise<number> {
    for (let tries = 0; tries < RUSHES_MAX; tries++) {
      const [from, gone] = [this.#held, this.#givenUp];
      const hanging = this.ask(CONNECTIONS, HANGS_MS);
      await this.#until(() => this.#held - from === CONNECTIONS);
      const sinceMs = systemClock.monotonicMs();
      const isFree = () => this.#givenUp - gone === CONNECTIONS;
      await this.#until(() => isFree() || systemClock.monotonicMs() - sinceMs > RUSH_AFTER_MS);
      const before = this.#givenUp;
      const answered = await this.ask(CONNECTIONS, 0);
      const isTold = this.#givenUp === before && (isFree() || before === gone);
      await hanging;
      await this.#until(isFree);
      if (isTold) return answered;
    }
    throw new Error('this machine is too slow for a rush');
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await systemClock.sleep(5);
  }

  async [Symbol.asyncDispose]() {
    try {
      process.kill(Number(readFileSync(join(this.folder, 'service.pid'), 'utf8')));
    } catch {
      // It does not run.
    }
    this.#search.closeAllConnections();
    await new Promise((done) => this.#search.close(done));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, host, ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
