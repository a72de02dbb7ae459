/**
 * How files may call a tool that telemetry names: as it is, or, for a tool of an MCP server (`mcp__files__read`), by the
 * server's name and its own. Pure.
 */
import { sameName } from './wording.ts';

export interface ToolNames {
  /** The tool's own name in its server; the whole name where there is no server. */
  readonly own: string;
  readonly whole: string;
  readonly server: string | null;
}

const SERVED = /^mcp__(.+?)__(.+)$/s;

export function toolNames(tool: string): ToolNames {
  const [, server, own] = SERVED.exec(tool) ?? [];
  if (server === undefined || own === undefined) return { own: tool, whole: tool, server: null };
  return { own, whole: tool, server };
}

export function isToolName(name: string, { own, whole }: ToolNames): boolean {
  return whole !== '' && (sameName(name, whole) || sameName(name, own));
}
