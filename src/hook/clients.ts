/**
 * What Claude Code and Codex send to a hook, and what they understand as an answer, as each documents it
 * (docs/guides/govern-agents.md). Both take exit code 2 with a reason on standard error as a refusal of a call, in every
 * version that has hooks; silence with exit code 0 leaves the client's own permissions to decide.
 */
import type { HookCall } from '../app/judge-hook.ts';
import type { Json } from '../base/index.ts';
import type { HookClient } from '../facts/index.ts';

export type HookInput =
  | { readonly kind: 'before'; readonly call: HookCall }
  | { readonly kind: 'after'; readonly call: HookCall; readonly output: string }
  | { readonly kind: 'turn_end'; readonly session: string; readonly transcript: string | undefined }
  | { readonly kind: 'other' };

/** Undefined: it is not what the client documents. */
export function readInput(client: HookClient, text: string): HookInput | undefined {
  const given = objectOf(text);
  const event = given?.['hook_event_name'];
  const session = given?.['session_id'];
  if (given === undefined || typeof event !== 'string' || typeof session !== 'string')
    return undefined;
  switch (event) {
    case 'PreToolUse': {
      const call = callOf(client, session, given);
      return call === undefined ? undefined : { kind: 'before', call };
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const call = callOf(client, session, given);
      const output = JSON.stringify(given['tool_response'] ?? given['error'] ?? '');
      return call === undefined ? undefined : { kind: 'after', call, output };
    }
    case 'Stop':
    case 'SubagentStop':
    case 'SessionEnd': {
      const path = given['transcript_path'];
      return { kind: 'turn_end', session, transcript: typeof path === 'string' ? path : undefined };
    }
    default:
      return { kind: 'other' };
  }
}

function callOf(
  client: HookClient,
  session: string,
  given: Readonly<Record<string, Json>>,
): HookCall | undefined {
  const name = given['tool_name'];
  if (typeof name !== 'string' || name === '') return undefined;
  const id = given['tool_use_id'];
  const { server, tool } = namesOf(client, name);
  return {
    client,
    session,
    callId: typeof id === 'string' ? id : undefined,
    server,
    tool,
    arguments: given['tool_input'] ?? {},
  };
}

/** `mcp__<server>__<tool>`; any other tool is the client's own. */
export function namesOf(client: HookClient, name: string): { server: string; tool: string } {
  const parts = /^mcp__(.+?)__(.+)$/s.exec(name);
  return parts === null ? { server: client, tool: name } : { server: parts[1]!, tool: parts[2]! };
}

function objectOf(text: string): Readonly<Record<string, Json>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, Json>)
      : undefined;
  } catch {
    return undefined;
  }
}
