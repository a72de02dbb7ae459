/**
 * Whether a span or an event says that something failed, and how. A slow one did not fail: its duration is enough for
 * whoever looks for slowness.
 */
import type { Attributes } from './attributes.ts';
import { boundedName, boundedText } from './bounds.ts';
import type { Span } from './model.ts';

export interface Outcome {
  readonly success: boolean;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

const SERVER = 2;
const STATUS_OK = 1;
const STATUS_ERROR = 2;

/** `_OTHER` is the convention's word for an error that has no name. */
const NAMELESS = new Set(['_OTHER', 'error', 'unknown']);

/** Reasons for which a model stops before it is done, by the names of different providers. */
const CUT_SHORT: Readonly<Record<string, string>> = {
  length: 'token_limit',
  max_tokens: 'token_limit',
  max_output_tokens: 'token_limit',
  model_length: 'token_limit',
  model_context_window_exceeded: 'token_limit',
  content_filter: 'content_filter',
  safety: 'content_filter',
  recitation: 'content_filter',
  blocklist: 'content_filter',
  prohibited_content: 'content_filter',
  refusal: 'refusal',
};

const CUT_WORDS: Readonly<Record<string, string>> = {
  token_limit: 'The model stopped at its token limit.',
  content_filter: 'The answer was stopped by a content filter.',
  refusal: 'The model refused to answer.',
};

export function outcomeOf(span: Span): Outcome {
  const { attributes, statusCode } = span;
  const cut = cutShort(attributes);
  if (statusCode === STATUS_OK) return cut ?? { success: true };
  const code = codeOf(span);
  const isFailed =
    statusCode === STATUS_ERROR ||
    code !== undefined ||
    attributes.flag('success') === false ||
    span.exceptions.some((one) => one.flag('exception.escaped') === true);
  if (!isFailed) return cut ?? { success: true };
  const named = code === undefined || NAMELESS.has(code) ? exceptionCode(span) : code;
  return failed(named, messageOf(span));
}

export function failed(errorCode: string | undefined, errorMessage: string | undefined): Outcome {
  const code = boundedName(errorCode);
  const message = boundedText(errorMessage);
  return {
    success: false,
    ...(code === undefined ? {} : { errorCode: code }),
    ...(message === undefined ? {} : { errorMessage: message }),
  };
}

/** Why the model stopped, if it was not done; undefined if it was. */
function cutShort(attributes: Attributes): Outcome | undefined {
  const given = attributes.value(
    'gen_ai.response.finish_reasons',
    'gen_ai.response.finish_reason',
    'llm.finish_reason',
    'ai.response.finishReason',
    'finish_reasons',
    'finish_reason',
    'stop_reason',
  );
  for (const reason of Array.isArray(given) ? given.slice(0, 20) : [given]) {
    if (typeof reason !== 'string' || reason.length > 100) continue;
    // Some write a list as JSON.
    const word = reason.toLowerCase().replace(/[^a-z_]/g, '');
    const code = Object.hasOwn(CUT_SHORT, word) ? CUT_SHORT[word]! : undefined;
    if (code !== undefined) return failed(code, CUT_WORDS[code]);
  }
  return undefined;
}

/** What kind of error it was; undefined if nothing says that there was one. */
function codeOf({ attributes, kind }: Span): string | undefined {
  const type = attributes.text('error.type', 'error_type', 'error.code');
  if (type !== undefined && !NAMELESS.has(type)) return type;
  // An answer of 4xx is the client's failure, not the server's.
  const http = attributes.number('http.response.status_code', 'http.status_code', 'status_code');
  if (http !== undefined && http >= (kind === SERVER ? 500 : 400)) return `http_${http}`;
  const grpc = attributes.number('rpc.grpc.status_code');
  if (grpc !== undefined && grpc > 0) return `grpc_${grpc}`;
  const rpc = attributes.text('rpc.jsonrpc.error_code', 'rpc.response.status_code');
  if (rpc !== undefined && isRpcError(rpc)) return `rpc_${rpc}`;
  return type;
}

/** JSON-RPC's errors are negative; other protocols give a status as in HTTP, or a word. */
function isRpcError(status: string): boolean {
  const number = Number(status);
  if (Number.isFinite(number)) return number < 0 || number >= 400;
  return !/^(?:ok|success)$/i.test(status);
}

function exceptionCode({ exceptions }: Span): string | undefined {
  return exceptions.at(-1)?.text('exception.type');
}

/** The most exact words there are. A failed tool often says why only in its result. */
function messageOf({ exceptions, statusMessage, attributes }: Span): string | undefined {
  return (
    exceptions.at(-1)?.text('exception.message') ??
    statusMessage ??
    attributes.text('error.message', 'exception.message', 'error') ??
    resultText(attributes)
  );
}

function resultText(attributes: Attributes): string | undefined {
  const result = attributes.value(...RESULT);
  return typeof result === 'string' ? result : undefined;
}

/** Where a tool's result stands. */
export const RESULT = [
  'gen_ai.tool.call.result',
  'output.value',
  'ai.toolCall.result',
  'traceloop.entity.output',
] as const;
