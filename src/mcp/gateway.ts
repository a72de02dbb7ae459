/** `hone mcp gateway -- <command…>`: starts the server and stands between it and the client on standard input. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { AppContext } from '../app/context.ts';
import { GatewaySession } from '../app/gateway-session.ts';
import type { Json } from '../base/index.ts';
import { LineReader } from './lines.ts';
import { Relay } from './relay.ts';

export interface GatewayCommand {
  readonly command: readonly string[];
  /** What contracts call the server. */
  readonly name: string;
  readonly session: string | undefined;
  readonly task: string | undefined;
}

/** Room for the largest arguments that a contract may allow, and their frame. */
const LINE_MAX = 10 * 1024 * 1024;
const OUTPUT_LINE_MAX = 80 * 1024 * 1024;
/** Between being told to end and being ended, for a server. */
const SERVER_ENDS_MS = 2000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Gives the exit code: 0 when the client ended the connection, 1 when the server did. */
export async function runGateway(
  context: AppContext,
  { command, name, session, task }: GatewayCommand,
  { input, output }: { input: Readable; output: Writable } = {
    input: process.stdin,
    output: process.stdout,
  },
): Promise<number> {
  await using opened = await GatewaySession.open(context, { server: name, session, task });
  const [file, ...args] = command;
  const child = spawn(file!, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: withoutOurs(context.environment),
    cwd: context.cwd,
  });
  const write = (stream: Writable) => (message: Json) => {
    if (stream.writable) stream.write(`${JSON.stringify(message)}\n`);
  };
  const relay = new Relay({
    session: opened,
    toClient: write(output),
    toServer: write(child.stdin),
    nowMs: () => context.clock.nowMs(),
    remark: (text) => context.remark(`hone gateway ${name}: ${text}`),
  });
  child.stdin.on('error', () => {});
  pump(input, LINE_MAX, (line) => relay.client(line));
  pump(child.stdout, OUTPUT_LINE_MAX, (line) => relay.server(line));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = await endOf(input, child);
  // Whoever called it may keep its end open: that must not keep this process.
  input.destroy();
  if (ended === 'client') {
    child.stdin.end();
    child.kill();
    // A server that does not end when it is told to is ended.
    const over = new AbortController();
    const late = context.clock.sleep(SERVER_ENDS_MS, over.signal).then(() => child.kill('SIGKILL'));
    await Promise.race([closed, late]);
    over.abort();
    return 0;
  }
  if (ended === 'unstarted') context.remark(`The server ${file} could not be started.`);
  await relay.serverGone();
  return 1;
}

type End = 'client' | 'server' | 'unstarted';

async function endOf(input: Readable, child: ChildProcess): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>();
  const told = () => resolve('client');
  child.once('error', () => resolve('unstarted'));
  child.once('close', () => resolve('server'));
  input.once('end', told);
  input.once('close', told);
  for (const signal of SIGNALS) process.once(signal, told);
  const ended = await promise;
  for (const signal of SIGNALS) process.off(signal, told);
  return ended;
}

function pump(
  stream: Readable,
  maxBytes: number,
  take: (line: string | undefined) => Promise<void>,
): void {
  const lines = new LineReader(maxBytes);
  stream.on('data', (chunk: Buffer) => {
    for (const line of lines.push(chunk)) void take(line);
  });
  stream.on('error', () => {});
}

/** The server behind it gets no token of Hone's. */
function withoutOurs(environment: AppContext['environment']): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([key]) => !key.startsWith('HONE_')),
  );
}
