/**
 * What a coding agent has in its hands: a client that asks the hook of Claude Code before each call and honours the
 * answer as documented, MCP servers behind Hone's gateway, and the commands. Each hook and each gateway is a process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Ran } from './installation.ts';
import type { WorkPlace } from './work-place.ts';

/** In the published package everything is bundled. */
const IS_SOURCE = import.meta.url.endsWith('.ts');
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const HONE = at(IS_SOURCE ? '../src/main.ts' : '../hone.js');
const server = (name: ServerName) =>
  at(IS_SOURCE ? `./servers/${name}-server.ts` : `../servers/${name}-server.js`);

type ServerName = 'files' | 'post';

/** What became of a call. */
export interface Called {
  readonly passed: boolean;
  /** What the tool gave, or why it was refused. */
  readonly said: string;
  readonly level: number | undefined;
  readonly ask: { readonly id: string; readonly digest: string } | undefined;
}

export interface CodingAgent extends AsyncDisposable {
  /** A tool of the client's own: true if its hook let it pass. */
  mayCall(tool: string, input: object): Promise<{ passed: boolean; said: string }>;
  /** A tool of a server, through the gateway. */
  call(server: ServerName, tool: string, given: Record<string, unknown>): Promise<Called>;
  hone(...args: string[]): Promise<Ran>;
  /** The same where work is done in its name. */
  work(...args: string[]): Promise<Ran>;
}

const NAME = 'coding-agent';

export async function makeCodingAgent(place: WorkPlace, session: string): Promise<CodingAgent> {
  const [files, post] = await Promise.all([
    connect(place, session, 'files', place.root),
    connect(place, session, 'post', place.world),
  ]);
  const clients = { files, post };
  const hone = (...args: string[]) => place.honeWith({ CLAUDECODE: '1' }, ...args);
  let calls = 0;
  return {
    hone,
    work: (...args) => hone(...args, '--worker', NAME),
    mayCall: (tool_name, tool_input) =>
      askHook(place, {
        session_id: session,
        transcript_path: '',
        cwd: place.root,
        permission_mode: 'default',
        hook_event_name: 'PreToolUse',
        ...{ tool_name, tool_input, tool_use_id: `toolu_${++calls}` },
      }),
    async call(name, tool, given) {
      const answer = await clients[name].callTool({ name: tool, arguments: given });
      const refusal = answer._meta?.['hone/refusal'] as Refusal | undefined;
      const { askId, callDigest, level } = refusal ?? {};
      return {
        passed: refusal === undefined && answer.isError !== true,
        said: answer.content.map((one) => ('text' in one ? one.text : '')).join(''),
        level,
        ask:
          askId === undefined || callDigest === undefined
            ? undefined
            : { id: askId, digest: callDigest },
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([files.close(), post.close()]);
    },
  };
}

interface Refusal {
  readonly level?: number;
  readonly askId?: string;
  readonly callDigest?: string;
}

async function connect(
  place: WorkPlace,
  session: string,
  name: ServerName,
  given: string,
): Promise<Client> {
  const client = new Client(
    { name: NAME, version: '1.0.0' },
    { versionNegotiation: { mode: 'legacy' } },
  );
  const gateway = ['mcp', 'gateway', '--name', name, '--session', session];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [HONE, ...gateway, '--', process.execPath, server(name), given],
      cwd: place.root,
      env: { ...place.environment },
      stderr: 'ignore',
    }),
  );
  return client;
}

/** Claude Code's documented meaning: exit code 2 refuses, with the reason on standard error. */
async function askHook(place: WorkPlace, event: object) {
  const hook = spawn(process.execPath, [HONE, 'hook', 'claude-code'], {
    cwd: place.root,
    env: { ...place.environment },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = once(hook, 'close');
  hook.stdin.end(JSON.stringify(event));
  const [said, [code]] = await Promise.all([text(hook.stderr), ended]);
  return { passed: code !== 2, said: said.trim() };
}
