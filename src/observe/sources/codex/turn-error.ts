/** Why a turn or a request failed: `codex_error_info` is a word, or a word with details. */
import { failureCode, statusCode } from '../transcripts/failure-code.ts';
import { countOf, type Fields, fieldsOf, nameOf, textOf } from '../transcripts/values.ts';

export interface TurnError {
  readonly code: string;
  readonly message: string | undefined;
}

const NAMED: Readonly<Record<string, string>> = {
  context_window_exceeded: 'token_limit',
  usage_limit_exceeded: 'rate_limit',
  server_overloaded: 'overloaded',
  unauthorized: 'permission_denied',
};

export function turnError(error: Fields): TurnError {
  const message = textOf(error['message']);
  const info = error['codex_error_info'];
  const details = fieldsOf(info);
  const named = nameOf(info) ?? nameOf(Object.keys(details ?? {})[0]);
  const status = countOf(fieldsOf(details?.[named ?? ''])?.['http_status_code']);
  if (status !== undefined && status >= 400) return { code: statusCode(status), message };
  if (named !== undefined && named !== 'other')
    return { code: Object.hasOwn(NAMED, named) ? NAMED[named]! : named, message };
  return { code: failureCode(message ?? '') ?? 'error', message };
}
