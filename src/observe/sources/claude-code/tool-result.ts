/** What came of a call: a block `tool_result`, and what Claude Code notes beside it in `toolUseResult`. */
import {
  failureCode,
  statusCode,
  withoutExitLine,
  withoutMarkup,
} from '../transcripts/failure-code.ts';
import type { Outcome } from '../transcripts/telling.ts';
import {
  boundedText,
  contentBytes,
  contentText,
  countOf,
  type Fields,
  fieldsOf,
  textOf,
} from '../transcripts/values.ts';

export interface ToolOutcome extends Outcome {
  /** The user refused it: with these words, if any. */
  readonly refusal: { readonly feedback: string | undefined } | undefined;
}

/** `toolDenialKind`, from 2.1 on. */
const DENIALS: Readonly<Record<string, string>> = {
  interrupted: 'interrupted',
  cancelled: 'interrupted',
};

export function outcomeOf(block: Fields, line: Fields): ToolOutcome {
  const noted = fieldsOf(line['toolUseResult']);
  const denial = textOf(line['toolDenialKind']);
  const content = block['content'];
  const isError = block['is_error'] === true;
  const status = countOf(noted?.['code']) ?? 0;
  const isStopped = noted?.['interrupted'] === true;
  const success = !isError && denial === undefined && status < 400 && !isStopped;
  const bytes = contentBytes(content);
  const latencyMs = measuredMs(noted);
  if (success) {
    return { success, code: undefined, message: undefined, bytes, latencyMs, refusal: undefined };
  }
  const text = withoutMarkup(contentText(content));
  const code =
    denial !== undefined
      ? (DENIALS[denial] ?? 'permission_denied')
      : status >= 400
        ? statusCode(status)
        : (failureCode(text) ?? (isStopped ? 'interrupted' : searchErrorCode(content)));
  const refusal = refusalOf(denial, text, line);
  return { success, code, message: boundedText(withoutExitLine(text)), bytes, latencyMs, refusal };
}

function measuredMs(noted: Fields | undefined): number | undefined {
  const ms = countOf(noted?.['totalDurationMs']) ?? countOf(noted?.['durationMs']);
  if (ms !== undefined) return ms;
  const seconds = countOf(noted?.['durationSeconds']);
  return seconds === undefined ? undefined : countOf(seconds * 1000);
}

/** Of tools that the model's provider runs itself. */
function searchErrorCode(content: unknown): string | undefined {
  return textOf(fieldsOf(content)?.['error_code'])?.slice(0, 100);
}

/** How Claude Code tells the model that the user refused, before 2.1 the only sign of it. */
const REFUSED = "The user doesn't want to proceed with this tool use";
const FEEDBACK = 'the user said:\n';
const HEAD_CHARS = 400;

function refusalOf(denial: string | undefined, text: string, line: Fields): ToolOutcome['refusal'] {
  if (denial === undefined ? !text.startsWith(REFUSED) : denial !== 'user-rejected')
    return undefined;
  const noted = textOf(line['userFeedback']);
  if (noted !== undefined) return { feedback: noted };
  const at = text.slice(0, HEAD_CHARS).indexOf(FEEDBACK);
  return { feedback: at === -1 ? undefined : textOf(text.slice(at + FEEDBACK.length).trim()) };
}
