/** What went wrong between Claude Code and the model, by the structure of the line first. */
import { failureCode, statusCode } from '../transcripts/failure-code.ts';
import { countOf, type Fields, fieldsOf, nameOf, textOf } from '../transcripts/values.ts';

/** The words that Claude Code itself gives an error, where ours are others. */
const NAMED: Readonly<Record<string, string>> = {
  rate_limit: 'rate_limit',
  max_output_tokens: 'token_limit',
  prompt_too_long: 'token_limit',
  authentication_failed: 'permission_denied',
  overloaded: 'overloaded',
};

/** Why a response ended that did not end as it should. */
export function stopCode(stop: string | undefined): string | undefined {
  if (stop === 'max_tokens' || stop === 'model_context_window_exceeded') return 'token_limit';
  return stop === 'refusal' ? 'refusal' : undefined;
}

/** Of a line that stands in the place of a response. `text` is what was displayed. */
export function apiErrorCode(fields: Fields, text: string): string {
  const error = fields['error'];
  const status = countOf(fields['apiErrorStatus']) ?? countOf(fieldsOf(error)?.['status']);
  if (status !== undefined && status >= 400) return statusCode(status);
  const named = nameOf(error);
  if (named !== undefined) return Object.hasOwn(NAMED, named) ? NAMED[named]! : named;
  if (/usage limit|hit your .{0,20}limit/i.test(text.slice(0, 200))) return 'rate_limit';
  if (/prompt is too long/i.test(text.slice(0, 200))) return 'token_limit';
  return failureCode(text) ?? 'api_error';
}

/** Of a request that is tried again (`system`, `api_error`). */
export function retriedError(fields: Fields): { code: string; message: string | undefined } {
  const error = fieldsOf(fields['error']);
  const inner = fieldsOf(fieldsOf(error?.['error'])?.['error']) ?? fieldsOf(error?.['error']);
  const cause = textOf(fieldsOf(error?.['cause'])?.['code']) ?? textOf(error?.['code']);
  const message = textOf(inner?.['message']) ?? textOf(error?.['message']) ?? cause;
  const status = countOf(error?.['status']);
  if (status !== undefined && status >= 400) return { code: statusCode(status), message };
  return {
    code: nameOf(cause)?.toLowerCase() ?? failureCode(message ?? '') ?? 'api_error',
    message,
  };
}
