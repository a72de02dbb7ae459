/**
 * How files may call a tool that telemetry names: as it is, or, for a tool of an MCP server (`mcp__files__read`), by the
 * server's name and its own. In `sensors.query` and `register/read` the first part is such a server too; the second is a word
 * that may stand anywhere. Pure.
 */
import { sameName } from './wording.ts';

export interface ToolNames {
  /** The tool's own name in its server; the whole name where there is no server. */
  readonly own: string;
  readonly whole: string;
  readonly server: string | null;
}

const SERVED = /^mcp__(.+?)__(.+)$/s;
const PARTED = /^([\w-]{3,})[./:][\w-]+$/;

export function toolNames(tool: string): ToolNames {
  const [, server, own] = SERVED.exec(tool) ?? [];
  if (server === undefined || own === undefined)
    return { own: tool, whole: tool, server: PARTED.exec(tool)?.[1] ?? null };
  return { own, whole: tool, server };
}

export function isToolName(name: string, { own, whole }: ToolNames): boolean {
  return whole !== '' && (sameName(name, whole) || sameName(name, own));
}
