/** `hone mcp` and `hone mcp gateway -- <command…>`: speak MCP on standard input and output. */
import { usage } from '../../app/refusal.ts';
import type { Context } from '../context.ts';
import { refuse } from '../io.ts';

export async function mcpGateway(
  context: Context,
  command: readonly string[],
  options: { name?: string; session?: string; task?: string },
): Promise<number> {
  const name = options.name ?? nameOf(command[0]!);
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(name)) {
    const why = 'Name the server with --name: letters, digits, "_", "-" and "." only.';
    return refuse(context.io, usage(why));
  }
  const { session, task } = options;
  return context.gateway({ command, name, session, task });
}

/** An agent's name is one word of letters, so that it fits an id. */
export async function mcpServe(context: Context, { agent }: { agent?: string }): Promise<number> {
  if (agent !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(agent)) {
    const why = 'Name the agent with letters, digits, "_", "-" and "." only.';
    return refuse(context.io, usage(why));
  }
  return context.mcpServer({ agent });
}

const nameOf = (file: string) => file.split(/[\\/]/).at(-1)!;
