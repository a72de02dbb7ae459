/**
 * What the gateway adds to a call: one decision under 200 contracts, and a whole call through it against the same call
 * through a proxy that copies bytes, both in front of the same server.
 */
import { spawn } from 'node:child_process';
import { CONTEXT, call, contract, SETTINGS } from '../src/gateway/gateway.test-support.ts';
import { ContractBook, decide, guardedPaths, secretPathIn } from '../src/gateway/index.ts';
import { makeGatewayWorld } from '../test/gateway-world.ts';
import type { Measurement } from '../tools/measure.ts';
import { median, takeTurns } from './parts/timing.ts';

const MAIN = new URL('../src/main.ts', import.meta.url).pathname;
const PROXY = new URL('./parts/proxy-worker.ts', import.meta.url).pathname;

export const measurement: Measurement = {
  what: 'a decision, and a call through the gateway against a bare proxy',
  aims: { decision_p50_ms: '<=0.05', call_ratio: '<=1.3' },
  async *run({ scale, progress }) {
    yield { metric: 'decision_p50_ms', value: decisionMs(Math.ceil(20_000 * scale)), unit: 'ms' };
    progress('starting a gateway and a proxy');
    using world = await makeGatewayWorld();
    const args = world.gateway('files', { session: 'bench' });
    const server = args.slice(args.indexOf('--') + 1);
    using gateway = await connect(world, [MAIN, ...args]);
    using proxy = await connect(world, [PROXY, ...server]);
    const count = Math.ceil(2000 * scale);
    for (let at = 0; at < 200; at++) {
      await gateway.call();
      await proxy.call();
    }
    const times = await takeTurns({ measured: gateway.call, floor: proxy.call, count, block: 20 });
    const [measured, floor] = [median(times.measured), median(times.floor)];
    yield { metric: 'call_ratio', value: measured / floor, measured, floor, unit: 'ms p50' };
  },
};

/** The aim is about a gateway that runs, not about its first calls. */
const WARM_UP = 5000;

/** With what comes before it: the contract of the tool, and the look at its arguments. */
function decisionMs(count: number): number {
  const contracts = Array.from({ length: 200 }, (_, at) => contract(`server-${at}/tool_*`));
  const book = new ContractBook(contracts);
  const paths = guardedPaths(SETTINGS.guardedPaths);
  const history = { marks: new Set<string>(), argumentsHoldSecret: false };
  const times: number[] = [];
  for (let at = 0; at < WARM_UP + count; at++) {
    const given = call(`server-${at % 200}/tool_${at % 7}`, {
      path: `src/part-${at % 50}/file.ts`,
      content: 'export const limit = 3;\n'.repeat(10),
    });
    const start = process.hrtime.bigint();
    const under = book.of(`${given.server}/${given.tool}`);
    const secretPath = secretPathIn(given.arguments, paths);
    decide(given, under, CONTEXT, history, { ...SETTINGS, secretPath, argumentsBytes: 300 });
    if (at >= WARM_UP) times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return median(times);
}

interface Connection extends Disposable {
  call(): Promise<void>;
}

async function connect(
  { here }: { here: { repository: string; environment: Record<string, string> } },
  args: readonly string[],
): Promise<Connection> {
  const child = spawn(process.execPath, [...args], {
    cwd: here.repository,
    env: here.environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let rest = '';
  let waiting: ((message: { error?: unknown; result?: { isError?: boolean } }) => void) | undefined;
  let gone: (() => void) | undefined;
  child.once('close', () => gone?.());
  child.stdout.on('data', (chunk: Buffer) => {
    rest += chunk.toString();
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      waiting?.(JSON.parse(rest.slice(0, end)));
      rest = rest.slice(end + 1);
    }
  });
  let id = 0;
  const ask = (method: string, params: object) =>
    new Promise<{ error?: unknown; result?: { isError?: boolean } }>((resolve, reject) => {
      waiting = resolve;
      gone = () => reject(new Error(`${args[0]} ended before it answered.`));
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    });
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    call: async () => {
      const { error, result } = await ask('tools/call', {
        name: 'read_file',
        arguments: { path: 'notes.md' },
      });
      if (error !== undefined || result?.isError === true)
        throw new Error(JSON.stringify({ error, result }));
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
