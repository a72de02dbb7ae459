/**
 * What came of a call. Releases write it in several forms: as JSON with an exit code, behind a few lines of
 * text that name it, as blocks, or as plain text; beside it, as an event of its own.
 */
import type { Told } from '../transcripts/calls.ts';
import { exitCode, failureCode } from '../transcripts/failure-code.ts';
import type { Outcome } from '../transcripts/telling.ts';
import {
  boundedText,
  contentBytes,
  contentText,
  countOf,
  type Fields,
  fieldsOf,
  nameOf,
  textOf,
} from '../transcripts/values.ts';

export function outcomeOf(output: unknown, told: Told | null): Outcome {
  const given = formOf(output);
  const { text, exit, isFailed } = given;
  const latencyMs = told?.latencyMs ?? given.latencyMs;
  const failed =
    told?.isFailed ?? (isFailed || (exit !== undefined && exit !== 0) || fails(text, exit));
  const success = !failed;
  if (success)
    return { success, code: undefined, message: undefined, bytes: given.bytes, latencyMs };
  const byExit = exit === undefined || exit === 0 ? undefined : exitCode(exit);
  const code = told?.code ?? byExit ?? failureCode(text);
  return { success, code, message: boundedText(text), bytes: given.bytes, latencyMs };
}

interface Form {
  readonly text: string;
  readonly bytes: number | undefined;
  readonly exit?: number | undefined;
  readonly latencyMs?: number | undefined;
  readonly isFailed?: boolean;
}

function formOf(output: unknown): Form {
  const fields = fieldsOf(output);
  if (fields !== undefined) {
    const content = fields['content'] ?? fields['output'];
    const form = formOf(fieldsOf(content) === undefined ? content : undefined);
    return { ...form, isFailed: fields['success'] === false };
  }
  const text = contentText(output);
  const bytes = contentBytes(output);
  return jsonForm(text) ?? headedForm(text, bytes) ?? { text, bytes };
}

/** `{"output":"…","metadata":{"exit_code":1,"duration_seconds":0.2}}` */
function jsonForm(text: string): Form | undefined {
  if (!text.startsWith('{"output"') && !text.startsWith('{"metadata"')) return undefined;
  try {
    const parsed = fieldsOf(JSON.parse(text));
    const metadata = fieldsOf(parsed?.['metadata']);
    const shown = parsed?.['output'];
    if (metadata === undefined || typeof shown !== 'string') return undefined;
    const seconds = countOf(metadata['duration_seconds']);
    return {
      text: shown,
      bytes: Buffer.byteLength(shown),
      exit: integerOf(metadata['exit_code']),
      latencyMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    };
  } catch {
    return undefined;
  }
}

const HEADED = /^(?:Exit code: |Chunk ID: |Wall time: |Process exited |Process running )/;
const HEAD_CHARS = 600;
const EXIT = /^(?:Exit code:|Process exited with code) (-?\d{1,10})$/m;
const WALL = /^Wall time: (\d{1,9}(?:\.\d{1,9})?) seconds$/m;
const BODY = /^Output:\n?/m;

/** A few lines (`Exit code: 1`, `Wall time: 0.4 seconds`), then `Output:` and the output itself. */
function headedForm(text: string, bytes: number | undefined): Form | undefined {
  if (!HEADED.test(text.slice(0, 40))) return undefined;
  const start = text.slice(0, HEAD_CHARS);
  const body = BODY.exec(start);
  const head = body === null ? start : start.slice(0, body.index);
  const exit = EXIT.exec(head)?.[1];
  const wall = WALL.exec(head)?.[1];
  const shown = body === null ? '' : text.slice(body.index + body[0].length);
  return {
    text: shown.trim() === '' ? text : shown,
    bytes,
    exit: exit === undefined ? undefined : Number(exit),
    latencyMs: wall === undefined ? undefined : Math.round(Number(wall) * 1000),
    isFailed: /^aborted by user/m.test(head),
  };
}

/** How Codex begins what it tells the model when it did not run the call at all. */
const NOT_RUN =
  /^(?:unsupported call: |failed to parse function arguments|(?:exec command|patch|tool call) rejected by user|aborted(?: by user)?\b|failed in sandbox|execution error|apply_patch verification failed|tool call error|err: )/;

function fails(text: string, exit: number | undefined): boolean {
  return exit === undefined && NOT_RUN.test(text.slice(0, 100));
}

/** What the events `exec_command_end`, `patch_apply_end` and `mcp_tool_call_end` say. */
export function toldBy(payload: Fields): Told | undefined {
  const latencyMs = durationMs(payload['duration']) ?? null;
  switch (payload['type']) {
    case 'exec_command_end': {
      const exit = integerOf(payload['exit_code']);
      if (exit === undefined) return undefined;
      const code = exit === 0 ? null : exitCode(exit);
      return { isFailed: exit !== 0, code, latencyMs, provider: null };
    }
    case 'patch_apply_end': {
      const isFailed = payload['success'] === false;
      const isDeclined = payload['status'] === 'declined';
      const code = isDeclined ? 'permission_denied' : 'patch_failed';
      return { isFailed, code: isFailed ? code : null, latencyMs, provider: null };
    }
    case 'mcp_tool_call_end': {
      const provider = nameOf(fieldsOf(payload['invocation'])?.['server']) ?? null;
      const isFailed = mcpFailure(payload) !== undefined;
      return { isFailed, code: null, latencyMs, provider };
    }
    default:
      return undefined;
  }
}

/** The text of a failed call of a server; undefined if it did not fail. */
export function mcpFailure(payload: Fields): string | undefined {
  const result = fieldsOf(payload['result']);
  const failure = textOf(result?.['Err']) ?? textOf(payload['error']);
  if (failure !== undefined) return failure;
  const ok = fieldsOf(result?.['Ok']) ?? result;
  if (ok?.['isError'] !== true && ok?.['is_error'] !== true) return undefined;
  return contentText(ok['content']);
}

/** Rust's form of a duration, or a text of it. */
export function durationMs(value: unknown): number | undefined {
  const fields = fieldsOf(value);
  const seconds = countOf(fields?.['secs']);
  if (seconds === undefined) return undefined;
  return countOf(Math.round(seconds * 1000 + (countOf(fields?.['nanos']) ?? 0) / 1e6));
}

function integerOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
