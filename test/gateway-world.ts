/** An installation that enforces contracts, with real MCP servers behind the real gateway. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { makeContext } from '../src/compose/context.ts';
import { processSurroundings } from '../src/compose/surroundings.ts';
import { runGateway } from '../src/mcp/index.ts';
import { type Installation, makeInstallation } from './cli.ts';

const server = (name: string) =>
  new URL(`../lab/servers/${name}-server.ts`, import.meta.url).pathname;

const CONTRACTS = `
gateway:
  requireTask: false
  contracts:
    - { tool: files/read_file, risk: read_only, sends: never }
    - { tool: files/write_file, risk: low, sends: never }
    - { tool: files/delete_tree, risk: blocked }
    - { tool: post/send_message, risk: medium, sends: always, maxOutput: 64KiB }
    - { tool: post/refund, risk: high, sends: never }
    - { tool: post/status, risk: read_only, sends: never }
`;

export interface GatewayWorld extends Disposable {
  readonly here: Installation;
  /** Where what was sent arrives. */
  sent(): string[];
  /** The arguments of `hone` for a gateway in front of one of the servers. */
  gateway(name: 'files' | 'post', options?: GatewayOptions): string[];
  /** In this process, between two streams: a start of it from the source takes seconds. Its server is a process. */
  start(name: 'files' | 'post', options?: GatewayOptions): Running;
  /** The end of a client of one that is started. */
  transport(name: 'files' | 'post', options?: GatewayOptions): Transport;
  connect(
    name: 'files' | 'post',
    options?: GatewayOptions & { readonly revision?: 'older' | '2026-07-28' },
  ): Promise<Client>;
}

interface Running {
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** With its exit code. */
  readonly ended: Promise<number>;
}

interface GatewayOptions {
  readonly alias?: string;
  readonly session?: string;
  readonly task?: string;
  readonly whim?: 'swap' | 'die' | 'big';
}

export async function makeGatewayWorld(
  options: { readonly mode?: 'enforce' | 'observe'; readonly more?: string } = {},
): Promise<GatewayWorld> {
  const here = makeInstallation({ inProcess: true });
  await here.stateDir();
  appendFileSync(join(here.repository, 'hone.yaml'), CONTRACTS + (options.more ?? ''));
  const accepted = await here.accept('operator');
  if (accepted.exit !== 0) throw new Error(accepted.err);
  if (options.mode !== 'observe') {
    await here.hone('switch', 'set', 'gateway', 'enforce', '--reason', 'a test');
  }
  const world = join(here.stateHome, 'world.jsonl');
  writeFileSync(join(here.repository, '.env'), `API_TOKEN=${'9f2c1d7e55aa40c3b1'}\n`);
  writeFileSync(join(here.repository, 'notes.md'), 'Nothing to hide.\n');
  const gateway: GatewayWorld['gateway'] = (name, { alias, session, task, whim } = {}) => [
    ...['mcp', 'gateway', '--name', alias ?? name],
    ...(session === undefined ? [] : ['--session', session]),
    ...(task === undefined ? [] : ['--task', task]),
    ...['--', process.execPath, server(name), name === 'files' ? here.repository : world],
    ...(whim === undefined ? [] : [whim]),
  ];
  const start: GatewayWorld['start'] = (name, given = {}) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const { environment, repository: cwd } = here;
    const context = makeContext(false, 'test', { ...processSurroundings(), environment, cwd });
    const args = gateway(name, given);
    const command = args.slice(args.indexOf('--') + 1);
    const { alias = name, session, task } = given;
    const options = { command, name: alias, session, task };
    const ended = runGateway(context, options, { input, output }).finally(() => output.end());
    return { input, output, ended };
  };
  return {
    here,
    gateway,
    start,
    transport: (name, given) => transportTo(start(name, given)),
    sent: () =>
      existsSync(world)
        ? readFileSync(world, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : [],
    async connect(name, given = {}) {
      const mode = given.revision === '2026-07-28' ? { pin: '2026-07-28' } : ('legacy' as const);
      const client = new Client(
        { name: 'test-client', version: '1.0.0' },
        { versionNegotiation: { mode } },
      );
      await client.connect(transportTo(start(name, given)));
      return client;
    },
    [Symbol.dispose]: () => here[Symbol.dispose](),
  };
}

/** A client at the other end of the streams. */
function transportTo({ input, output }: Running): Transport {
  const transport = new StdioServerTransport(output, input);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    input.end();
    await close();
  };
  return transport;
}

export function textOf(result: unknown): string {
  const { content } = result as { content: { text?: string }[] };
  return content.map(({ text }) => text ?? '').join('');
}
