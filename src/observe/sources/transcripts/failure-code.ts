/**
 * What a failure means, in one word: `permission_denied`, `interrupted`, `timeout`, `exit_2`, `http_429`. Decoders
 * ask the structure of their format first; this reads what was displayed, where nothing else says it. Only the
 * beginning is looked at, and no expression backtracks.
 */

/** Tools put what went wrong first. */
const HEAD_CHARS = 600;

const EXIT = /^(?:Error: )?Exit code:? (-?\d{1,10})\b/;
const EXITED = /^Process exited with code (-?\d{1,10})\b/m;
const MCP = /\bMCP error (-?\d{1,6})\b/;
const HTTP = /\b(?:HTTP|status|status code|API Error)(?: |: |\/1\.1 |\/2 )([45]\d\d)\b/i;
const ERRNO =
  /\b(ENOENT|EACCES|EPERM|EEXIST|EISDIR|ENOTDIR|ENOSPC|EMFILE|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|EAI_AGAIN)\b/;

/** The words of the clients themselves, each with what it means. The first that is found decides. */
const DISPLAYED: readonly (readonly [start: RegExp, code: string])[] = [
  [/^The user doesn't want to (?:proceed|take this action)/, 'permission_denied'],
  [/^Permission (?:to use|for this action) /, 'permission_denied'],
  [/^(?:Error: )?\w{1,40}:\w{1,60} hook (?:error|blocked)/, 'permission_denied'],
  [/requires approval/, 'permission_denied'],
  [/^(?:exec command|patch|tool call) rejected by user/, 'permission_denied'],
  [/^(?:Error: )?No such tool available/, 'unknown_tool'],
  [/^unsupported call: /, 'unknown_tool'],
  [/^(?:Error: )?InputValidationError\b/, 'invalid_arguments'],
  [/^failed to parse function arguments/, 'invalid_arguments'],
  [/^failed in sandbox/, 'sandbox_denied'],
  [/^(?:aborted|aborted by user)\b/m, 'interrupted'],
  [/\[Request interrupted by user/, 'interrupted'],
  [/^(?:Error: )?Cancelled: /, 'interrupted'],
  [/\btimed out\b/i, 'timeout'],
];

/** Undefined if the text does not say it. */
export function failureCode(text: string): string | undefined {
  const head = withoutMarkup(text.slice(0, HEAD_CHARS));
  for (const [start, code] of DISPLAYED) if (start.test(head)) return code;
  const exit = EXIT.exec(head)?.[1] ?? EXITED.exec(head)?.[1];
  if (exit !== undefined) return exitCode(Number(exit));
  const mcp = MCP.exec(head)?.[1];
  if (mcp !== undefined) return `mcp_${mcp}`;
  const status = HTTP.exec(head)?.[1];
  if (status !== undefined) return statusCode(Number(status));
  const errno = ERRNO.exec(head)?.[1];
  if (errno === 'ETIMEDOUT') return 'timeout';
  if (errno === 'EACCES' || errno === 'EPERM') return 'permission_denied';
  return errno?.toLowerCase();
}

const EXIT_LINE = /^(?:Error: )?Exit code:? -?\d{1,10}\r?\n\s*(?=\S)/;

/** Without a first line that only repeats the exit code: what follows says what went wrong, and recurs as that. */
export function withoutExitLine(text: string): string {
  return text.replace(EXIT_LINE, '');
}

/** 124 is what `timeout` and Codex give for a command that took too long, 130 what an interrupt gives. */
export function exitCode(code: number): string {
  if (code === 124) return 'timeout';
  return code === 130 ? 'interrupted' : `exit_${code}`;
}

export function statusCode(status: number): string {
  if (status === 429) return 'rate_limit';
  if (status === 529) return 'overloaded';
  if (status === 408 || status === 504) return 'timeout';
  return status === 401 || status === 403 ? 'permission_denied' : `http_${status}`;
}

const OPENED = '<tool_use_error>';
const CLOSED = '</tool_use_error>';

/** Without the marks that Claude Code puts around an error for the model. */
export function withoutMarkup(text: string): string {
  if (!text.startsWith(OPENED)) return text;
  const end = text.endsWith(CLOSED) ? text.length - CLOSED.length : text.length;
  return text.slice(OPENED.length, end);
}
