/**
 * `hone mcp`: Hone's own tools for agents, on standard input and output. The official package speaks the protocol, in
 * both generations. Whoever calls is an agent, whatever the machine's user and their tokens may do.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { asAgent } from '../app/as-agent.ts';
import { errorCleaner } from '../app/clean-words.ts';
import type { AppContext } from '../app/context.ts';
import { isRefusal } from '../app/refusal.ts';
import { errorMessage, HoneError } from '../base/index.ts';
import type { ErrorAnswer } from '../contracts/error.ts';
import { errorStatus, REFUSALS } from '../contracts/error-table.ts';
import { VERSION } from '../version.ts';
import { TOOLS, type Tool } from './tools.ts';

/** Room for the largest diff, escaped. */
const MESSAGE_BYTES_MAX = 10 * 1024 * 1024;

const INSTRUCTIONS =
  'Hone turns what goes wrong into small changes that people approve. What you submit is recorded as an agent’s, is checked, and is limited per day; only people decide.';

/** Gives the exit code when the client ends the connection. */
export async function runServer(
  context: AppContext,
  { agent }: { readonly agent: string | undefined },
): Promise<number> {
  const caller = asAgent(context, agent);
  // What cannot be opened is said once, on the terminal, not in answer to every call.
  await (await caller.open()).close();
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: MESSAGE_BYTES_MAX,
  });
  const handle = serveStdio(() => serverOf(caller), {
    transport,
    onerror: (error) => context.remark(`hone mcp: ${errorMessage(error)}`),
  });
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close'] as const) process.stdin.once(event, resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await handle.close();
  return 0;
}

function serverOf(context: AppContext): McpServer {
  const server = new McpServer(
    { name: 'hone', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  for (const tool of TOOLS) {
    const { name, description, input, output, readOnly } = tool;
    server.registerTool(
      name,
      {
        description,
        inputSchema: input,
        outputSchema: output,
        annotations: { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false },
      },
      (given) => called(tool, context, given),
    );
  }
  return server;
}

async function called(tool: Tool, context: AppContext, given: unknown) {
  try {
    const answer = await tool.run(context, given);
    if (!isRefusal(answer)) return result(answer);
    const { refused: message, kind = 'refused' } = answer;
    const code = REFUSALS[kind].exit === 2 ? 'usage' : 'refused';
    return failed({ code, message, hint: null }, REFUSALS[kind].http);
  } catch (error) {
    const { http } = errorStatus(error);
    const clean = await errorCleaner();
    if (error instanceof HoneError) {
      const { code, message, hint = null } = error;
      return failed({ code, message: clean(message), hint }, http);
    }
    // A defect: what it says may hold anything, and is for whoever runs Hone.
    context.remark(`hone mcp: ${tool.name} failed: ${clean(errorMessage(error))}`);
    const message = 'Hone failed to answer. Whoever runs it sees why.';
    return failed({ code: 'internal', message, hint: null }, http);
  }
}

/** As structured content, and as text for clients that know no other. */
const result = (answer: object) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(answer) }],
  structuredContent: answer as Record<string, unknown>,
});

function failed(error: ErrorAnswer['error'], status: number) {
  return { ...result({ error }), isError: true, _meta: { 'hone/status': status } };
}
