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

/** Quick searches of a rush. */
export const QUICK = 25;
/** Of the service. */
const CONNECTIONS = 8;
/** Between the timeout of 800 ms and the longer one that is proposed. */
const RUSH_AFTER_MS = 1100;

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
  /** Answers after as many milliseconds as the question names. */
  readonly #search: Server = createServer(async (request, response) => {
    let words = '';
    for await (const part of request) words += part;
    const afterMs = Number(/takes (\d+) ms/.exec(words)![1]);
    setTimeout(() => response.end('found'), afterMs).unref();
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

  /** Searches that hang, as many as there are connections, and quick ones after a second: how many of these were answered. */
  async rush(): Promise<number> {
    const hanging = this.ask(CONNECTIONS, 10_000);
    await systemClock.sleep(RUSH_AFTER_MS);
    let answered = 0;
    for (let at = 0; at < QUICK; at++) answered += await this.ask(1, 0);
    await hanging;
    return answered;
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
